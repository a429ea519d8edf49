package linear

import "fmt"

// MMATile is an MMA of tiles split into instructions: the layouts of its operands and the registers that each
// instruction of a warp works on.
type MMATile struct {
	A, B, C Layout // B is the zero Layout where several warps share it
	// The instructions of a warp form a grid of Batch x M x N x K.
	Batch, M, N, K int
	// Registers of one fragment, as they follow each other in the layouts.
	SizeA, SizeB, SizeC int
}

// Tile splits the product of an [batch..., rows, depth] tile with a [batch...,
// depth, cols] tile over warpsM x warpsN warps.
func (m MMA) Tile(batch []int, rows, cols, kExtent, warpsM, warpsN int) (MMATile, error) {
	shape := func(x, y int) []int { return append(append(make([]int, 0, len(batch)+2), batch...), x, y) }
	var t MMATile
	var err error
	if t.A, err = m.OperandA(shape(rows, kExtent), warpsM, warpsN); err != nil {
		return MMATile{}, err
	}
	if t.C, err = m.Accumulator(shape(rows, cols), warpsM, warpsN); err != nil {
		return MMATile{}, err
	}
	lanes := 32 * m.Warps
	if m.Warps == 1 {
		if t.B, err = m.OperandB(shape(kExtent, cols), warpsM, warpsN); err != nil {
			return MMATile{}, err
		}
		t.SizeB = m.K * m.N / lanes
	}
	t.SizeA, t.SizeC = m.M*m.K/lanes, m.M*m.N/lanes
	t.Batch = 1
	for _, n := range batch {
		t.Batch *= n
	}
	// Each count divides what is left of a layout's registers.
	t.K = kExtent / m.K
	t.M = t.A.Size(Register) / (t.SizeA * t.K * t.Batch)
	t.N = t.C.Size(Register) / (t.SizeC * t.M * t.Batch)
	return t, nil
}

// FirstA returns the first of the SizeA registers of A for row m and step k of
// the grid.
func (t MMATile) FirstA(batch, m, k int) int { return ((batch*t.M+m)*t.K + k) * t.SizeA }

// FirstB returns the first of the SizeB registers of B.
func (t MMATile) FirstB(batch, n, k int) int { return ((batch*t.N+n)*t.K + k) * t.SizeB }

// FirstC returns the first of the SizeC registers of C and D.
func (t MMATile) FirstC(batch, m, n int) int { return ((batch*t.M+m)*t.N + n) * t.SizeC }

// fragmentLog is log2 of the rows, or columns, that the lanes of a fragment tell apart.
const fragmentLog = 3

// Interleave returns the same MMA with rows and columns dealt out to fragments. Of the tile, m adjacent rows are
// in m different halves or fragments, and n adjacent columns in n different fragments. Lanes have every m-th row and
// n-th column. The result is the same, as long as B and C agree on where a column is.
//
// It is done so that a thread holds elements that are neighbours along M or N. Then a buffer whose columns are
// contiguous is read in units of several elements. ldmatrix.trans needs that for elements of less than its unit of 16
// bits.
func (t MMATile) Interleave(m, n int) (MMATile, error) {
	rows, cols := t.C.Dims()-2, t.C.Dims()-1
	for _, side := range [2]struct {
		n, dim  int
		operand *Layout
	}{{m, rows, &t.A}, {n, cols, &t.B}} {
		if side.n == 1 {
			continue
		}
		bits, ok := log2(side.n)
		if !ok {
			return t, fmt.Errorf("interleave %d is not a power of two", side.n)
		}
		if side.operand.Dims() == 0 {
			return t, fmt.Errorf("an operand that is in no registers cannot be interleaved")
		}
		for _, l := range [2]*Layout{&t.C, side.operand} {
			if !l.holds(side.dim, fragmentLog, bits) {
				return t, fmt.Errorf("a warp has no %d fragments along dimension %d of %v to interleave", side.n, side.dim, l.Shape())
			}
			*l = l.rotate(side.dim, fragmentLog+bits, bits)
		}
	}
	return t, nil
}

// holds reports whether registers alone choose the bits of a coordinate from the given one on.
func (l Layout) holds(dim, from, count int) bool {
	shift, width := l.field(dim)
	if from+count > width {
		return false
	}
	var own uint64
	for _, v := range l.axisBases(Register) {
		own |= v
	}
	want := (uint64(1)<<count - 1) << (shift + from)
	return own&want == want
}

// rotate moves the lowest bits of a coordinate to the left by so many places, the highest of them to the bottom.
func (l Layout) rotate(dim, bits, by int) Layout {
	shift, _ := l.field(dim)
	mask := uint64(1)<<bits - 1
	return l.withBases(l.shape, func(flat uint64) uint64 {
		x := flat >> shift & mask
		return flat&^(mask<<shift) | (x<<by|x>>(bits-by))&mask<<shift
	})
}
