package instr

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/transfer"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes/machine/mma"
	"github.com/tilewright/tilewright/target/sm"
)

// A TMEMDot is an MMA into TMEM, cut into instructions.
type TMEMDot struct {
	Row   *sm.Matrix
	N     int // of an instruction
	Steps int // instructions along K
	A, B  linear.Descriptor
	// ElsewhereA says that A is in TMEM, where it needs no descriptor.
	ElsewhereA bool
	per        int // elements that one of the operands holds
	types      sm.MatrixTypes
	scales     []linear.Shared // of A and B, or none
	shape      []int           // of the accumulator
	cells      linear.Shared
	a, b       *tileas.BufferType
}

// A TMEMPart is a part of the accumulator that one chain of instructions computes.
type TMEMPart struct{ Batch, Row, Col, Column int }

// TMEMDotOf returns how a tmem_dot is done, or an error at it when its buffers are not laid out for the
// instruction that its attribute names.
func TMEMDotOf(op ir.Op) (p TMEMDot, err error) {
	attr := tileas.MMAOf(op)
	row := sm.FindMatrix(sm.MatrixFamily(attr.Family), sm.MatrixShape{M: attr.M, N: attr.N, K: attr.K}, mma.Types(op))
	if row == nil || !mma.InTMEM(row.Family) {
		return p, op.Errorf("names no matrix instruction into TMEM for its element types, but %s", ir.AttrString(attr))
	}
	a, b, c := op.Operand(0).Type().(*tileas.BufferType), op.Operand(1).Type().(*tileas.BufferType), op.Operand(2).Type().(*tileas.BufferType)
	p = TMEMDot{Row: row, N: attr.N, ElsewhereA: tileas.InTMEM(op.Operand(0)), per: tile.PerElement(op), types: mma.Types(op), shape: c.Layout.Shared.Shape(), cells: c.Layout.Shared, a: a, b: b}
	rows, cols, kExtent := p.rows(), p.cols(), mma.KExtent(op)
	if row.CTAs > 1 != op.HasUnitAttr(tile.AttrTwoCTAs) || row.CTAs > 1 && cols != p.N { // the halves of more columns would not be next to each other
		return p, op.Errorf("of %d columns is not done by %d CTAs together as %s", cols, row.CTAs, attr.Shape())
	}
	if rows%p.M() != 0 || cols%p.N != 0 || kExtent%row.K != 0 {
		return p, op.Errorf("of %d x %d x %d is not cut into instructions of %s", rows, cols, kExtent, attr.Shape())
	}
	p.Steps = kExtent / row.K
	for i, d := range []*linear.Descriptor{&p.A, &p.B} {
		buffer := []*tileas.BufferType{a, b}[i]
		if i == 0 && p.ElsewhereA {
			if want, err := OperandCells(a.HeldTile().(*ir.TensorType)); err != nil || !want.Equal(a.Layout.Shared) || linear.TMEMLanes(a.Layout.Shared.Shape()) != p.M() {
				return p, op.Errorf("takes A otherwise than the buffer '%s' has it", ir.TypeString(a))
			}
			continue
		}
		if *d, err = describe(op, row, i, buffer.HeldTile().(*ir.TensorType), buffer.Layout.Shared); err != nil {
			return p, op.Errorf("has no descriptor for %c: %v", "AB"[i], err)
		}
	}
	if want, err := linear.TMEMCells(p.shape); err != nil || !want.Equal(c.Layout.Shared) || linear.TMEMLanes(p.shape) != p.M() {
		return p, op.Errorf("leaves accumulators otherwise than the buffer '%s' has them", ir.TypeString(c))
	}
	for i, v := range mma.Scales(op) {
		t := v.Type().(*tileas.BufferType)
		if want, err := ScaleCells(t.Shape, i); err != nil || !want.Equal(t.Layout.Shared) || p.N%32 != 0 {
			return p, op.Errorf("has scales otherwise than the buffer '%s' has them", ir.TypeString(t))
		}
		p.scales = append(p.scales, t.Layout.Shared)
	}
	return p, nil
}

// M returns how many rows of an instruction a CTA has.
func (p *TMEMDot) M() int { return p.Row.M / p.Row.CTAs }

func (p *TMEMDot) rows() int { return p.shape[len(p.shape)-2] }
func (p *TMEMDot) cols() int { return p.shape[len(p.shape)-1] }

// Kind is what PTX calls the element types.
func (p *TMEMDot) Kind() string { return p.Row.Kind[len("kind::"):] }

// Parts lists the parts of the accumulator.
func (p *TMEMDot) Parts() (parts []TMEMPart) {
	batches, lanes := 1, uint64(linear.TMEMLanes(p.shape))
	for _, n := range p.shape[:len(p.shape)-2] {
		batches *= n
	}
	for batch := range batches {
		for i := 0; i < p.rows(); i += p.M() {
			for j := 0; j < p.cols(); j += p.N {
				parts = append(parts, TMEMPart{Batch: batch, Row: i, Col: j, Column: int(p.cells.Offset(uint64((batch*p.rows()+i)*p.cols()+j)) / lanes)})
			}
		}
	}
	return parts
}

// PlaceA returns where the rows of a part begin in the buffer of A for a step of the K extent, in bytes; in TMEM in
// columns.
func (p *TMEMDot) PlaceA(part TMEMPart, k int) int64 {
	if p.ElsewhereA {
		return placeIn(p.a, part.Batch, part.Row, k*p.Row.K) / tileas.TMEMColumnBytes
	}
	return placeIn(p.a, part.Batch, part.Row, k*p.Row.K/p.per)
}

// PlaceB returns where its columns begin in that of B.
func (p *TMEMDot) PlaceB(part TMEMPart, k int) int64 {
	return placeIn(p.b, part.Batch, k*p.Row.K/p.per, part.Col)
}

func placeIn(b *tileas.BufferType, batch, row, col int) int64 {
	r := len(b.Shape)
	return int64(b.Layout.Shared.Offset(uint64((batch*int(b.Shape[r-2])+row)*int(b.Shape[r-1])+col))) * b.ElementBytes()
}

// formats are the numbers of element types in instruction descriptors (PTX ISA, tcgen05.mma, instruction
// descriptor), of operands and of accumulators.
var formats, accumulators = map[sm.Elem]uint32{sm.F16: 0, sm.BF16: 1, sm.TF32: 2, sm.E4M3: 0, sm.E5M2: 1, sm.E2M3: 3, sm.E3M2: 4, sm.E2M1: 5, sm.U8: 0, sm.S8: 1},
	map[sm.Elem]uint32{sm.F16: 0, sm.F32: 1, sm.S32: 2}

// Descriptor returns the instruction descriptor of a part for a step of the K extent: types and shape, and which
// bytes of words are its scales.
func (p *TMEMDot) Descriptor(part TMEMPart, k int) uint32 {
	d := p.format(p.types.A)<<7 | p.format(p.types.B)<<10 | uint32(p.N/8)<<17
	if p.A.RowsTogether {
		d |= 1 << 15
	}
	if p.B.RowsTogether {
		d |= 1 << 16
	}
	if len(p.scales) == 0 {
		return d | accumulators[p.types.D]<<4 | uint32(p.Row.M/16)<<24
	}
	if p.types.Scale.Elem == sm.UE8M0 {
		d |= 1 << 23
	}
	a, b := p.ScaleA(part, k), p.ScaleB(part, k)
	return d | uint32(b.Byte)<<4 | uint32(p.Row.M/128)<<27 | uint32(a.Byte)<<29
}

// format returns the number of the type of an operand. Instructions of f4E2M1FN alone have one of their own for it.
func (p *TMEMDot) format(e sm.Elem) uint32 {
	if p.per > 1 {
		return 1
	}
	return formats[e]
}

// Scaled reports whether the MMA has scales.
func (p *TMEMDot) Scaled() bool { return len(p.scales) > 0 }

// ScaleA returns where the scales of the rows of a part are for a step of the K extent.
func (p *TMEMDot) ScaleA(part TMEMPart, k int) ScalePlace {
	return scalePlaceOf(p.scales[0], 0, part.Row, k, p.Row.K/p.types.Scale.Block)
}

// ScaleB returns where those of its columns are.
func (p *TMEMDot) ScaleB(part TMEMPart, k int) ScalePlace {
	return scalePlaceOf(p.scales[1], 1, part.Col, k, p.Row.K/p.types.Scale.Block)
}

// AccumulatorBuffer returns the type of a buffer in TMEM for an accumulator.
func AccumulatorBuffer(t *ir.TensorType) (*tileas.BufferType, error) {
	cells, err := linear.TMEMCells(linear.Ints(t.Shape))
	if err != nil {
		return nil, err
	}
	c := t.Context()
	return tileas.TMEMBuffer(c, t.Shape, t.Elem, tileas.SharedLayout(c, cells)), nil
}

// IsZero reports whether an accumulator begins at zero.
func IsZero(v ir.Value) bool {
	if def := v.DefiningOp(); !def.IsNil() && def.Is(tileas.Level.Splat) {
		a, ok := ir.ConstantValue(def.Operand(0)).(ir.TypedAttribute)
		return ok && arith.Bits(a) == 0
	}
	dense, ok := ir.ConstantValue(v).(*ir.DenseElementsAttr)
	elem := ir.ElementType(v.Type())
	return ok && dense.IsSplat(elem) && dense.Bits(elem, 0) == 0
}

// Scales of MMAs into TMEM are in TMEM too. Threads store them before each MMA: no copy of the machine brings their
// rows from the order in global memory to that of the lanes.

// ScaleCells returns the layout of the scales of an operand in TMEM.
func ScaleCells(shape []int64, operand int) (linear.Shared, error) {
	return linear.TMEMScales(linear.Ints(shape), mma.ScaleSide(operand))
}

// tmemScaleThreads returns the layouts in which threads have the scales of an MMA to store them there.
func tmemScaleThreads(op ir.Op) (out []linear.Layout, err error) {
	attr := tileas.MMAOf(op)
	for i, v := range mma.Scales(op) {
		l, err := linear.TMEMScaleThreads(transfer.Shape(v), mma.ScaleSide(i), attr.WarpsM*attr.WarpsN)
		if err != nil {
			return nil, op.Errorf("has no layout for its scales: %v", err)
		}
		out = append(out, l)
	}
	return out, nil
}

// A ScalePlace is where an instruction finds the scales of its rows or columns: a column from the first of their
// buffer, and the first byte of the words.
type ScalePlace struct{ Column, Byte int }

// scalePlaceOf returns that for the rows from one on and a step of the K extent, of so many blocks.
func scalePlaceOf(cells linear.Shared, operand, row, step, blocks int) ScalePlace {
	shape := cells.Shape()
	flat := row*shape[1] + step*blocks
	if mma.ScaleSide(operand) == 1 {
		flat = step*blocks*shape[1] + row
	}
	const bytes = 4 * 32 // of a column, in one of the quarters
	at := int(cells.Offset(uint64(flat)))
	return ScalePlace{at / bytes, at % 4}
}
