package linear

import (
	"fmt"
	"slices"
)

// A Descriptor is how an MMA instruction finds an operand in shared memory (PTX ISA, wgmma and tcgen05, shared memory
// matrix layout and matrix descriptor). It does not say where the operand begins. Rows are those of M or N; the other
// dimension is K.
//
//	swizzled, contiguous along K      patterns of 8 rows of Swizzle bytes; Stride bytes from each pattern to the next
//	                                  along the rows
//	swizzled, contiguous along rows   patterns of 8 steps along K; Stride from each pattern to the next along K, and Lead
//	                                  along the rows
//	not swizzled                      8 x 16 bytes that are consecutive; Stride along the dimension that is not
//	                                  contiguous, and Lead along the other one
type Descriptor struct {
	Swizzle      int  // bytes of a row in which units of 16 change places: 128, 64, 32, or 0 for none
	RowsTogether bool // M or N is contiguous, not the depth
	Lead, Stride int  // in bytes
}

// unitBytes is what descriptors count in, and a swizzle moves.
const unitBytes = 16

// patternRows is how many rows, or steps along K, a pattern has.
const patternRows = 8

// Align returns the alignment of a tile in bytes. The hardware swizzles by bits of addresses, so a pattern must begin
// at a multiple of its size.
func (d Descriptor) Align() int { return max(unitBytes*patternRows, d.Swizzle*patternRows) }

// OperandLayout returns a layout in which an MMA instruction can read a tile from shared memory. The first dimension
// of the order is contiguous, in rows as wide as the hardware can swizzle.
func OperandLayout(shape []int, elemBits int, order []int) (Shared, error) {
	if len(order) == 0 || len(order) != len(shape) {
		return Shared{}, fmt.Errorf("a tile of shape %v is no operand of a matrix instruction", shape)
	}
	swizzle := 128
	for swizzle >= 32 && shape[order[0]]*elemBits < 8*swizzle {
		swizzle /= 2
	}
	if swizzle < 32 {
		swizzle = 0
	}
	return SharedTMA(shape, elemBits, swizzle, order)
}

// Describe returns the descriptor by which an instruction of so many rows and so much depth reads a tile in the
// layout, from any multiple of both on.
func (s Shared) Describe(rowsDim, kExtentDim, rows, kExtent, elemBits int) (Descriptor, error) {
	for _, swizzle := range []int{128, 64, 32, 0} {
		for _, together := range []bool{false, true} {
			p := picture{s: s, rowsDim: rowsDim, kExtentDim: kExtentDim, rows: rows, kExtent: kExtent, bytes: elemBits / 8, d: Descriptor{Swizzle: swizzle, RowsTogether: together}}
			if p.bytes > 0 && p.fits() {
				return p.d, nil
			}
		}
	}
	return Descriptor{}, fmt.Errorf("no matrix descriptor describes %d rows and depth %d of the layout %s", rows, kExtent, s)
}

// A picture compares a layout with a descriptor.
type picture struct {
	s                   Shared
	rowsDim, kExtentDim int
	rows, kExtent       int // of the instruction
	bytes               int // of an element
	d                   Descriptor
}

// at returns where the layout has an element, in bytes.
func (p *picture) at(row, step int) int {
	coords := make([]int, len(p.s.layout.shape))
	coords[p.rowsDim], coords[p.kExtentDim] = row, step
	flat, err := p.s.layout.flatten(coords)
	if err != nil {
		return -1
	}
	return int(p.s.Offset(flat)) * p.bytes
}

// fits finds the distances that a descriptor of its kind has, and reports whether it describes the layout.
func (p *picture) fits() bool {
	shape := p.s.Shape()
	if shape[p.rowsDim] < p.rows || shape[p.kExtentDim] < p.kExtent {
		return false
	}
	d, per := &p.d, unitBytes/p.bytes // elements of a unit
	line := max(d.Swizzle, unitBytes)
	in := line / p.bytes // elements of a row of a pattern
	d.Stride, d.Lead = patternRows*line, unitBytes
	measure := func(to *int, row, step int) {
		if row < p.rows && step < p.kExtent {
			*to = p.at(row, step)
		}
	}
	switch {
	case !d.RowsTogether:
		if d.Swizzle > 0 && p.kExtent > in {
			return false
		}
		measure(&d.Stride, patternRows, 0)
		measure(&d.Lead, 0, per)
		if d.Swizzle > 0 {
			d.Lead = unitBytes // not looked at
		}
	case d.Swizzle > 0:
		measure(&d.Stride, 0, patternRows)
		measure(&d.Lead, in, 0)
	default:
		measure(&d.Stride, per, 0)
		measure(&d.Lead, 0, patternRows)
	}
	return p.agrees(line, in)
}

// agrees compares the place of each bit of a coordinate inside of an instruction, and looks for others that would
// disturb the pattern.
func (p *picture) agrees(line, in int) bool {
	inside := 0
	for r := 1; r < p.rows; r *= 2 {
		want := p.d.Stride * (r / patternRows)
		if r < patternRows {
			want = r * line
		}
		if p.d.RowsTogether {
			if want = r * p.bytes; r >= in {
				want = r / in * p.far()
			}
		}
		if p.at(r, 0) != p.d.swizzled(want) {
			return false
		}
		inside |= want
	}
	for k := 1; k < p.kExtent; k *= 2 {
		want := k * p.bytes
		switch {
		case p.d.RowsTogether && k < patternRows:
			want = k * line
		case p.d.RowsTogether:
			want = k / patternRows * p.near()
		case k >= in:
			want = k / in * p.d.Lead
		}
		if p.at(0, k) != p.d.swizzled(want) {
			return false
		}
		inside |= want
	}
	// A subtile begins where the bits that the swizzle takes are zero.
	for d, n := range p.s.Shape() {
		for x := 1; x < n; x *= 2 {
			if d == p.rowsDim && x < p.rows || d == p.kExtentDim && x < p.kExtent {
				continue
			}
			coords := make([]int, len(p.s.layout.shape))
			coords[d] = x
			flat, err := p.s.layout.flatten(coords)
			at := int(p.s.Offset(flat)) * p.bytes
			if err != nil || at&(inside|p.d.source()) != 0 || at%unitBytes != 0 {
				return false
			}
		}
	}
	return true
}

// far and near return the distances along the rows and along K where rows are together.
func (p *picture) far() int {
	if p.d.Swizzle > 0 {
		return p.d.Lead
	}
	return p.d.Stride
}

func (p *picture) near() int {
	if p.d.Swizzle > 0 {
		return p.d.Stride
	}
	return p.d.Lead
}

// source returns the bits of an address that decide how units change places.
func (d Descriptor) source() int {
	if d.Swizzle == 0 {
		return 0
	}
	return (d.Swizzle - unitBytes) << 3
}

func (d Descriptor) swizzled(at int) int { return at ^ at&d.source()>>3 }

// ContiguousFirst returns the order of dimensions that has one first and the others from the last to the first.
func ContiguousFirst(rank, first int) []int {
	order := []int{first}
	for d := rank - 1; d >= 0; d-- {
		if d != first {
			order = append(order, d)
		}
	}
	return order
}

// Contiguous returns the dimension along which elements are neighbours in the buffer, or -1.
func (s Shared) Contiguous() int {
	if s.layout.Bits(Offset) == 0 {
		return -1
	}
	return slices.Index(s.layout.Base(Offset, 0), 1)
}
