package linear

import (
	"fmt"
	"slices"
)

// Apply returns the coordinates of the element at a position. Bits beyond an axis
// are ignored.
func (l Layout) Apply(idx Index) []int { return l.coords(l.Flat(idx)) }

// Flat is Apply with the coordinates as a row-major element number.
func (l Layout) Flat(idx Index) uint64 { return apply(l.bases, l.in.pack(idx)) }

// Compose returns the layout that applies m and then l: the same tile addressed
// through other positions.
func (l Layout) Compose(m Map) (Layout, error) {
	out, err := m.Compose(l.Map())
	if err != nil {
		return Layout{}, err
	}
	return Layout{out.from, l.shape, out.cols}, nil
}

// Inverse returns a map from the element number to one position that holds the
// element, with the replicated bits zero. It fails when some element has none.
func (l Layout) Inverse() (Map, error) { return l.Map().Inverse() }

// LeftInverse returns a map that takes each element of the image back to its
// position. It fails when an element has several positions. Elements outside the
// image are taken to some position.
func (l Layout) LeftInverse() (Map, error) {
	if !l.IsInjective() {
		return Map{}, fmt.Errorf("layout holds elements more than once: %s", l)
	}
	m := l.Map()
	return Map{m.to, m.from, columns(l.ElementBits(), l.bases, unit(len(l.bases)))}, nil
}

// MatrixRank returns the rank of l: the layout holds 2^rank different elements.
func (l Layout) MatrixRank() int { return rankOf(l.bases) }

// IsSurjective reports whether every element of the tile has a position.
func (l Layout) IsSurjective() bool { return l.MatrixRank() == l.ElementBits() }

// IsInjective reports whether no two positions hold the same element.
func (l Layout) IsInjective() bool { return l.MatrixRank() == len(l.bases) }

// IsInvertible reports whether positions and elements correspond one to one.
func (l Layout) IsInvertible() bool { return l.IsSurjective() && l.IsInjective() }

// Equivalent reports whether l and o are the same but for registers that hold
// copies of other registers of the same thread.
func (l Layout) Equivalent(o Layout) bool {
	return l.CompactRegisters().Equal(o.CompactRegisters())
}

// FreeMask returns the bits of an axis that only address copies. The positions
// whose free bits are all zero hold each element exactly once, so a store, an
// atomic or a reduction executes there and nowhere else. Registers give way first,
// then blocks, warps and lanes: dropping an instruction is better than predicating it.
func (l Layout) FreeMask(a Axis) uint32 { return l.freeMasks()[a] }

func (l Layout) freeMasks() Index {
	var e echelon
	var free Index
	for _, a := range [...]Axis{Lane, Warp, Block, Offset, Register} {
		for i, v := range l.axisBases(a) {
			if _, ok := e.add(v, 0); !ok {
				free[a] |= 1 << i
			}
		}
	}
	return free
}

// Kernel returns a basis of the positions that hold element zero: two positions
// hold the same element when their difference is a sum of these.
func (l Layout) Kernel() []Index {
	var out []Index
	for _, v := range kernel(l.bases) {
		out = append(out, l.in.unpack(v))
	}
	return out
}

// kernel returns a basis of the combinations of columns that sum to zero.
func kernel(cols []uint64) []uint64 {
	var e echelon
	var out []uint64
	for i, c := range cols {
		if relation, ok := e.add(c, 1<<i); !ok {
			out = append(out, relation)
		}
	}
	return out
}

// Contiguity returns how many consecutive registers hold consecutive elements of
// a dimension, aligned to their number, in every thread: the widest vector access
// when that dimension is contiguous in memory. It is 1 for a dimension that does
// not exist.
func (l Layout) Contiguity(dim int) int {
	if l.checkDim(dim) != nil {
		return 1
	}
	shift, width := l.field(dim)
	regs := int(l.in[Register])
	n := 0
	for n < min(regs, width) && l.bases[n] == 1<<(shift+n) {
		n++
	}
	// A basis that reaches into the low bits makes some vector start unaligned.
	for n > 0 && slices.ContainsFunc(l.bases[n:], func(v uint64) bool { return v>>shift&(1<<n-1) != 0 }) {
		n--
	}
	return 1 << n
}

// RegisterPart returns what a register contributes to the element number. It is
// known at compile time; the element of a thread is RegisterPart XOR ThreadPart.
func (l Layout) RegisterPart(register uint32) uint64 {
	return l.Flat(Index{Register: register})
}

// ThreadPart returns what a thread contributes to the element number.
func (l Layout) ThreadPart(lane, warp, block uint32) uint64 {
	return l.Flat(Index{Lane: lane, Warp: warp, Block: block})
}

// IsDisjoint reports whether register and thread contribute to different bits of
// every coordinate, so that their parts may be added instead of XORed.
func (l Layout) IsDisjoint() bool {
	var regs, threads uint64
	for i, v := range l.bases {
		if i < int(l.in[Register]) {
			regs |= v
		} else {
			threads |= v
		}
	}
	return regs&threads == 0
}

// DimBits returns the bits of an axis that move along a dimension.
func (l Layout) DimBits(a Axis, dim int) uint32 {
	if l.checkDim(dim) != nil {
		return 0
	}
	var out uint32
	mask := l.dimMask(dim)
	for i, v := range l.axisBases(a) {
		if v&mask != 0 {
			out |= 1 << i
		}
	}
	return out
}

// DivideLeft returns q with Product(tile, q) = l, when there is one: whether l
// repeats the tile, such as the layout of an instruction.
func (l Layout) DivideLeft(tile Layout) (Layout, bool) {
	if len(l.shape) != len(tile.shape) {
		return Layout{}, false
	}
	shape := slices.Clone(l.shape)
	for i, w := range tile.shape {
		if w > shape[i] {
			return Layout{}, false
		}
		shape[i] -= w
	}
	b := newBuilder(shape)
	for axis := range Element {
		mine, theirs := l.axisBases(axis), tile.axisBases(axis)
		if len(theirs) > len(mine) {
			return Layout{}, false
		}
		for i, v := range theirs {
			if mine[i] != tile.embed(v, l.shape, nil) {
				return Layout{}, false
			}
		}
		for _, v := range mine[len(theirs):] {
			q, ok := l.quotient(v, tile.shape)
			if !ok {
				return Layout{}, false
			}
			b.bases[axis] = append(b.bases[axis], q)
		}
	}
	q, err := b.layout()
	return q, err == nil
}

// quotient drops the low bits of each dimension; they must be zero.
func (l Layout) quotient(flat uint64, low []uint8) (uint64, bool) {
	var out uint64
	shift := 0
	for i := len(l.shape) - 1; i >= 0; i-- {
		c := flat & (1<<l.shape[i] - 1)
		flat >>= l.shape[i]
		if c&(1<<low[i]-1) != 0 {
			return 0, false
		}
		out |= c >> low[i] << shift
		shift += int(l.shape[i] - low[i])
	}
	return out, true
}
