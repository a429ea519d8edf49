package layouts

import (
	"math/bits"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/transfer"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
)

// The prices, in steps. They are not fitted to a machine: no GPU was at hand. docs/measurements/codegen.md compares
// the ranking with what ptxas makes of the kernels.
const (
	// Never is more than any sum of other costs: what cannot be done, or must not.
	Never = 1 << 40
	// barriers is the cost of a trip through shared memory besides its accesses: two barriers, at each of which warps
	// wait for the slowest.
	barriers = 40
	// instruction is the cost of an access instruction without its lines: address, bounds test and issue.
	instruction = 3
	// lineBytes is covered by one tag lookup. sectorBytes is the unit of fetching; four sectors are fetched per cycle.
	lineBytes, sectorBytes, sectorsPerCycle = 128, 32, 4
	maxVectorBytes                          = 16
)

// A Model computes costs of layouts, and remembers conversions. A kernel has few different ones: between fragments of
// MMAs, coalesced layouts of accesses, and their transposes.
type Model struct {
	ctx   *ir.Context
	known map[pair]int
}

type pair struct {
	from, to *tileas.LayoutAttr
	bits     int
}

// NewModel returns a model for IR of the context.
func NewModel(c *ir.Context) *Model { return &Model{ctx: c, known: make(map[pair]int)} }

// Bits returns how many bits of a register an element takes.
func Bits(t ir.Type) int { return 8 * tile.ElementBytes(ir.ElementType(t)) }

// Convert returns the cost of converting a tensor with elements of so many bits.
func (m *Model) Convert(from, to linear.Layout, bits int) int {
	if from.Equal(to) {
		return 0
	}
	// Attributes are interned, so pairs of layouts compare as pointers.
	key := pair{tileas.Layout(m.ctx, from), tileas.Layout(m.ctx, to), bits}
	cost, ok := m.known[key]
	if !ok {
		cost = convert(from, to, bits)
		m.known[key] = cost
	}
	return cost
}

func convert(from, to linear.Layout, bits int) int {
	c, err := linear.Convert(from, to)
	if err != nil {
		return Never
	}
	dst := Words(to, bits)
	shared := barriers + exchange(from, to, bits)
	switch {
	case c.Class <= linear.RegisterMove:
		return 0
	case c.Class == linear.LaneMove:
		return min(2*dst, shared) // a shuffle and a select for each word
	case c.Class == linear.SharedMove:
		return shared
	}
	return Never
}

// exchange returns the cost to store one layout to a buffer and load the other. The buffer is contiguous along the
// dimension that suits both best. Each side takes as many instructions as vectors along it, each for as long as a
// thread's words take. Fragments of 16-bit elements are loaded by ldmatrix, along either dimension, four words at a
// time.
//
// For example, 32 x 32 f32 in one warp go from rows per thread to columns per thread. The side that the buffer suits
// takes 8 vectors of 16 bytes, the other one 32 words.
func exchange(from, to linear.Layout, bits int) int {
	// The buffer's swizzle is not searched here. OptimalSwizzle usually finds one without conflicts, and a search per
	// candidate would cost more than a better rank is worth.
	best := Never
	for d := range from.Dims() {
		load := through(to, to.Contiguity(d), bits)
		if bits == 16 && isFragment(to) {
			load = through(to, to.Size(linear.Register), bits)
		}
		best = min(best, through(from, from.Contiguity(d), bits)+load)
	}
	return best
}

// through returns the cost of shared-memory accesses by vectors of so many elements.
func through(l linear.Layout, vector, bits int) int {
	vector = min(vector, max(1, 8*maxVectorBytes/bits))
	return max(1, l.Size(linear.Register)/vector) * max(1, vector*bits/32)
}

// isFragment reports whether a layout looks like an operand of a 16-bit matrix instruction: pairs of elements along
// one dimension in a word, and lanes in both dimensions.
//
// A, B and C of m16n8k16 have 4 lanes along the dimension with the pairs. (PTX ISA, "Matrix Fragments for mma.m16n8k16
// with floating point type".) A guess is enough: a wrong one only ranks a conversion too cheap.
func isFragment(l linear.Layout) bool {
	moved := 0
	for d := range l.Dims() {
		if l.DimBits(linear.Lane, d) != 0 {
			moved++
		}
	}
	return moved == 2 && l.Size(linear.Lane) == 32
}

// Words returns how many 32-bit words of a tensor a thread holds.
func Words(l linear.Layout, bits int) int { return max(1, l.Size(linear.Register)*bits/32) }

// Access returns the cost of an access to global memory with a layout.
//
// Take 8 halves per lane, 8 lanes along a row of 64, and 4 rows. The lowest bits of the lane number step 16, 32 and 64
// bytes, within a line; the other two step rows. So there are 4 lines and 2*2*2*2 = 16 sectors, four per cycle: 3 +
// max(4, 4) = 7 steps for each vector.
//
// A sector of which a warp takes a part is fetched again for the rest, by another instruction. So each counts a step
// more. Fragments of 16 bits take 16 bytes of a row: half of a sector.
func (m *Model) Access(a transfer.Access, l linear.Layout) int {
	elem := ir.ElementType(a.Value.Type())
	copies, bits := bits.OnesCount32(l.FreeMask(linear.Register)), Bits(elem)
	dim, vector := a.Contiguous, a.Vector
	if dim < 0 {
		// A tensor of pointers usually has neighbours in neighbouring columns.
		dim = l.Dims() - 1
	}
	if tile.IsHalf(elem) && l.Contiguity(dim) == 1 {
		return Never // the halves of a byte are in different threads, and neither can write it alone
	}
	vector = min(vector, l.Contiguity(dim), max(1, 8*maxVectorBytes/bits))
	instructions := max(1, l.Size(linear.Register)/vector)
	if a.Store { // a store skips the register bits that only hold copies
		instructions = max(1, (l.Size(linear.Register)>>copies)/vector)
	}
	bytes := vector * bits / 8
	lines, sectors := 1, max(1, bytes/sectorBytes)
	// Lanes are a linear basis. Each bit doubles the lines unless its step stays in a line, so the 32 addresses need
	// not be listed.
	for i := range l.Bits(linear.Lane) {
		if l.FreeMask(linear.Lane)>>i&1 == 0 {
			bytes *= 2
		}
		distance, along := distanceAlong(l.Base(linear.Lane, i), dim)
		distance *= bits / 8
		if !along || distance >= lineBytes {
			lines *= 2
		}
		if !along || distance >= sectorBytes {
			sectors *= 2
		}
	}
	wasted := max(0, sectors-max(1, bytes/sectorBytes))
	return instructions * (instruction + max(lines, sectors/sectorsPerCycle) + wasted)
}

// distanceAlong returns how far, in elements, coordinates reach along dim, and whether they reach nowhere else. It is
// zero for a copy, which is at the same address.
func distanceAlong(coord []int, dim int) (n int, along bool) {
	for d, c := range coord {
		switch {
		case d == dim:
			n = c
		case c != 0:
			return 0, false
		}
	}
	return n, true
}
