package linear

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
)

// Mode is the kind of instruction that moves a tile between registers and shared
// memory.
type Mode uint8

// The modes. Matrix is ldmatrix or stmatrix.
const (
	Plain Mode = iota
	Matrix
	MatrixTrans
)

var modeNames = [...]string{"plain", "matrix", "matrix.trans"}

func (m Mode) String() string {
	if int(m) < len(modeNames) {
		return modeNames[m]
	}
	return fmt.Sprintf("mode(%d)", uint8(m))
}

// AccessOptions says which instructions a target offers in one direction.
type AccessOptions struct {
	MaxBits int  // of a plain vector; 0 means 128
	Matrix  bool // ldmatrix for a load, stmatrix for a store
	// InOrder says that a load or store needs the registers of a vector in the order that they have in the layout. A
	// vector instruction delivers them in that order, and a copy has them in that order in memory.
	InOrder bool
}

func (o AccessOptions) maxBits() int {
	if o.MaxBits == 0 {
		return 128
	}
	return o.MaxBits
}

// BestAccess picks the mode with the fewest wavefronts, then the fewest
// instructions, and tells its cost. Plan it with PlanAccess or PlanMatrix.
func BestAccess(dist Layout, sh Shared, elemBits int, o AccessOptions) (Mode, Cost, error) {
	m, err := accessMap(dist, sh)
	if err != nil {
		return Plain, Cost{}, err
	}
	return bestMode(m, elemBits, o)
}

func bestMode(m Map, elemBits int, o AccessOptions) (Mode, Cost, error) {
	_, _, best, err := plainAccess(m, elemBits, o.maxBits())
	if err != nil {
		return Plain, Cost{}, err
	}
	mode := Plain
	if o.Matrix {
		for _, trans := range [...]bool{false, true} {
			shape, err := matchMatrix(m, elemBits, trans)
			if err == nil && shape.cost.Compare(best) < 0 {
				mode, best = Matrix, shape.cost
				if trans {
					mode = MatrixTrans
				}
			}
		}
	}
	return mode, best, nil
}

// Compare orders costs by wavefronts, and of equally many by instructions.
func (c Cost) Compare(o Cost) int {
	return cmp.Or(cmp.Compare(c.Wavefronts, o.Wavefronts), cmp.Compare(c.Instructions, o.Instructions))
}

// OptimalSwizzle chooses the layout of a buffer that is stored from one
// distributed layout and loaded in another one, with ldmatrix where it fits.
func OptimalSwizzle(shape []int, elemBits int, store, load Layout) (Shared, error) {
	return OptimalSwizzleFor(shape, elemBits, store, load, AccessOptions{}, AccessOptions{Matrix: true})
}

// OptimalSwizzleFor is OptimalSwizzle for the instructions of a target.
//
// A buffer's layout is a basis of the element space, in the order of the offset's bits. The first vectors decide what
// is contiguous. They are taken from the registers that both sides hold, from those of one side, or from what ldmatrix
// and stmatrix prescribe. The last ones, from 128 bytes up, span the segments: two elements whose difference has a
// segment part only are in the same bank. So a segment should meet neither the elements that a warp stores at once nor
// those that it loads at once. Candidates are vectors that belong to neither, and sums of one vector of each. All
// candidates are compared by their exact cost, row-major first.
func OptimalSwizzleFor(shape []int, elemBits int, store, load Layout, storeOpt, loadOpt AccessOptions) (Shared, error) {
	elem, err := elemLog(elemBits)
	if err != nil {
		return Shared{}, err
	}
	order := make([]int, len(shape))
	for i := range order {
		order[i] = len(shape) - 1 - i
	}
	best, err := SharedRowMajor(shape, order)
	if err != nil {
		return Shared{}, err
	}
	s := swizzler{elem: elem, n: best.layout.ElementBits()}
	for i, side := range [2]struct {
		name string
		l    Layout
		o    AccessOptions
	}{{"store", store, storeOpt}, {"load", load, loadOpt}} {
		if !slices.Equal(side.l.shape, best.layout.shape) || !side.l.IsSurjective() {
			return Shared{}, fmt.Errorf("layout of the %s does not cover the shape %v: %s", side.name, shape, side.l)
		}
		s.sides[i] = side.l
		s.opts[i] = side.o
	}
	bestScore, err := s.score(best)
	if err != nil {
		return Shared{}, err
	}
	for _, contiguous := range s.prefixes() {
		for _, w0 := range s.windows(0, contiguous) {
			for _, w1 := range s.windows(1, contiguous) {
				sh, err := s.build(contiguous, [2]window{w0, w1})
				if err != nil {
					return Shared{}, err
				}
				score, err := s.score(sh)
				if err != nil {
					return Shared{}, err
				}
				if slices.Compare(score[:], bestScore[:]) < 0 {
					best, bestScore = sh, score
				}
			}
		}
	}
	return best, nil
}

// swizzler is the search for one pair of layouts: 0 stores, 1 loads.
type swizzler struct {
	elem, n int // log2 of the element's bits, bits of the element number
	sides   [2]Layout
	opts    [2]AccessOptions
}

// score orders candidates: wavefronts, instructions, then how much of the address arithmetic is more than a
// permutation of bits. Candidates are few and an exact cost is some linear algebra over words, so that no estimate of
// conflicts is needed, which could rank them wrongly.
func (s *swizzler) score(sh Shared) ([3]int, error) {
	var out [3]int
	for i, l := range s.sides {
		m, err := accessMap(l, sh)
		if err != nil {
			return out, err
		}
		mode, cost, err := bestMode(m, 1<<s.elem, s.opts[i])
		if err != nil {
			return out, err
		}
		out[0] += cost.Wavefronts
		out[1] += cost.Instructions
		if mode == Plain && s.opts[i].InOrder && !inOrder(m, s.elem, s.opts[i]) {
			out[1] += 1 << m.FromBits(Register) // each register is moved to where it is wanted
		}
		for _, c := range m.cols {
			out[2] += max(0, bits.OnesCount64(c)-1)
		}
	}
	return out, nil
}

// inOrder reports whether the widest vector has the lowest registers, in their order.
func inOrder(m Map, elem int, o AccessOptions) bool {
	_, vec, _, err := plainAccess(m, 1<<elem, o.maxBits())
	regs := m.axisCols(Register)
	for i := range vec {
		if err != nil || i >= len(regs) || regs[i] != 1<<i {
			return false
		}
	}
	return true
}

// prefixes lists the candidates for the contiguous elements: independent vectors
// for the lowest bits of the offset.
func (s *swizzler) prefixes() [][]uint64 {
	var out [][]uint64
	regs := [2][]uint64{s.sides[0].axisBases(Register), s.sides[1].axisBases(Register)}
	if s.opts[0].InOrder {
		for n := min(len(regs[0]), max(0, 7-s.elem)); n >= 0; n-- {
			out = append(out, regs[0][:n:n])
		}
		return out
	}
	common := intersect(regs[1], regs[0])
	if s.opts[1].InOrder {
		common = intersect(regs[0], regs[1])
	}
	for i, own := range regs {
		chain := append(slices.Clone(common), extend(common, own)...)
		limit := min(len(chain), max(0, 7-s.elem)) // up to 128 bits
		for n := limit; n >= 0; n-- {
			out = append(out, chain[:n:n])
			// Elements that share a word without being one access.
			for _, l := range s.sides {
				if fill := extend(chain[:n], l.axisBases(Lane)); n < wordLog-s.elem && len(fill) > 0 {
					out = append(out, slices.Concat(chain[:n], fill[:min(len(fill), wordLog-s.elem-n)]))
				}
			}
		}
		if !s.opts[i].Matrix || s.sides[i].Bits(Lane) != 5 {
			continue
		}
		lanes := s.sides[i].axisBases(Lane)
		// A row of ldmatrix is 16 bytes (PTX ISA, ldmatrix): the words of four lanes, or, with .trans, halves of the
		// words of eight. So either two or three bits of the lane are contiguous.
		for _, m := range [...]struct {
			sub  int
			walk []uint64
		}{{wordLog - s.elem, lanes[:2]}, {wordLog - 1 - s.elem, lanes[2:]}} {
			if m.sub < 0 || m.sub > len(chain) {
				continue
			}
			prefix := append(slices.Clone(chain[:m.sub]), m.walk...)
			if rankOf(prefix) == len(prefix) {
				out = append(out, prefix)
			}
		}
	}
	return out
}

// window is the set of elements that a warp touches at once: with vectors of the
// first contiguous elements, and the span of some generators.
type window struct {
	vec     int
	touched []uint64
}

// windows lists, per mode, the window of one side.
func (s *swizzler) windows(side int, contiguous []uint64) []window {
	l := s.sides[side]
	lanes := l.axisBases(Lane)
	regs := spanOf(l.axisBases(Register))
	vec := 0
	for vec < len(contiguous) && regs.contains(contiguous[vec]) && 1<<(s.elem+vec+1) <= s.opts[side].maxBits() {
		vec++
	}
	// Elements of the same word come along whatever the width of the access.
	together := contiguous[:min(len(contiguous), max(vec, wordLog-s.elem))]
	// 128 bytes move at once: all lanes with a word each, half of them with 8 bytes, a quarter with 16. Only lanes
	// that are served together can meet in a bank.
	group := min(len(lanes), max(0, bankLog+2-max(vec+s.elem-3, 2)))
	out := []window{{vec, slices.Concat(together, lanes[:group])}}
	if row := 7 - s.elem; s.opts[side].Matrix && len(lanes) == 5 && len(contiguous) >= row {
		out = append(out, window{row, slices.Concat(contiguous[:row], lanes[2:])})
		if own := l.axisBases(Register); len(own) > 0 {
			out = append(out, window{row, slices.Concat(contiguous[:row], lanes[:2], own[:1])})
		}
	}
	return out
}

// build completes the contiguous elements to a basis whose segments avoid both
// windows.
func (s *swizzler) build(contiguous []uint64, ws [2]window) (Shared, error) {
	// The other vectors stay in one complement of the contiguous ones. It should
	// hold the threads of a side that accesses vectors, the wider ones first, so
	// that no thread shifts a vector.
	sides := []int{0, 1}
	if ws[1].vec > ws[0].vec {
		sides = []int{1, 0}
	}
	var inside []uint64
	for _, i := range sides {
		if l := s.sides[i]; ws[i].vec > 0 {
			inside = append(inside, l.bases[l.in[Register]:]...)
		}
	}
	for _, i := range sides {
		inside = append(inside, s.sides[i].axisBases(Register)...)
	}
	space := extend(contiguous, append(inside, unit(s.n)...))
	x, y := intersect(ws[0].touched, space), intersect(ws[1].touched, space)
	both := intersect(x, y)
	onlyX, onlyY := extend(both, x), extend(both, y)
	segments := extend(slices.Concat(x, y), space)
	pairs := min(len(onlyX), len(onlyY))
	for i := range pairs {
		segments = append(segments, onlyX[i]^onlyY[i])
	}
	// Whatever follows costs conflicts on one side, then on both.
	segments = slices.Concat(segments, onlyX[pairs:], onlyY[pairs:], both)
	segments = segments[:min(len(segments), max(0, s.n-max(len(contiguous), 10-s.elem)))]
	basis := append(slices.Clone(contiguous), extend(slices.Concat(contiguous, segments), space)...)
	basis = append(basis, segments...)
	return NewShared(Layout{in: widths{Offset: uint8(s.n)}, shape: s.sides[0].shape, bases: basis})
}
