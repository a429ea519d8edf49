package strip

import (
	"github.com/tilewright/tilewright/ir"
)

// A Dim is a dimension of an operand or result of an operation.
type Dim struct {
	Result     bool
	Index, Dim int
}

// A Kind says how the parts of an operation depend on each other.
type Kind uint8

// The kinds of axes.
const (
	Parallel Kind = iota
	Reduced       // results are not cut; they come from all parts
	Scanned       // a part needs those before it
	Backward      // a part needs those after it
	Summed        // results are not cut; each part adds to operand Into, which is that of the part before
)

// Into is the operand that an operation adds to along an axis that is Summed: its only result is of the same type.
const Into = 2

// An Axis is a set of dimensions that are cut together.
type Axis struct {
	Dims []Dim
	Kind Kind
}

// Dim returns the dimension of an operand or result that the axis cuts; -1 for none.
func (a Axis) Dim(result bool, index int) int {
	for _, d := range a.Dims {
		if d.Result == result && d.Index == index {
			return d.Dim
		}
	}
	return -1
}

// A Row is what is known of an operation.
type Row struct {
	// Axes returns the axes along which the operation can be cut.
	Axes func(op ir.Op) []Axis
	// Part creates what makes the parts of the results, and returns these; nil: a copy of the operation. Of an axis
	// that is Reduced or Summed it is not asked.
	Part func(p *Part, op ir.Op) []ir.Value
	// Combine creates what joins accumulated values, one for each operand, with further ones, element by element.
	// Needed for axes that are Reduced, Scanned or Backward.
	Combine func(b *ir.Builder, op ir.Op, acc, elems []ir.Value) []ir.Value
	// Ends creates what takes the last elements of the results of a part, in the order of its axis, with size 1 along
	// it. Needed for axes that are Scanned or Backward.
	Ends func(p *Part, op ir.Op, results []ir.Value) []ir.Value
	// Rearranges says that the elements of the result are those of operand 0, so that they cost nothing.
	Rearranges bool
}

// Rows is the capability.
var Rows = ir.NewCap[Row]("strip")

// A Part is the part of an operation that is being made.
type Part struct {
	*ir.Builder
	Axis     Axis
	Number   ir.Value // which part, an i32
	First    ir.Value // whether it is the first that is made, an i1
	Count    int64
	Operands []ir.Value
	// Carry holds, along an axis with an order, the combination of what was made before, of size 1 along it; the row
	// replaces it. Before the first part it is anything.
	Carry []ir.Value
}

// Type returns the type of a part of a result of op.
func (p *Part) Type(op ir.Op, result int) ir.Type {
	return p.Cut(op.Result(result).Type(), p.Axis.Dim(true, result))
}

// Cut returns the type of a part of a value.
func (p *Part) Cut(t ir.Type, dim int) ir.Type { return Cut(t, dim, p.Count) }

// Cut returns a tensor type with a dimension cut into parts; dim -1: the type itself.
func Cut(t ir.Type, dim int, count int64) ir.Type {
	if dim < 0 {
		return t
	}
	tt := t.(*ir.TensorType)
	return Resize(tt, dim, tt.Shape[dim]/count)
}

// Resize returns a tensor type with another size of a dimension.
func Resize(t *ir.TensorType, dim int, size int64) *ir.TensorType {
	shape := append([]int64(nil), t.Shape...)
	shape[dim] = size
	return t.Context().Tensor(shape, t.Elem, t.Encoding)
}

// Copy creates op on the part's operands.
func (p *Part) Copy(op ir.Op) ir.Op {
	m := ir.NewMapping()
	for i, v := range op.Operands() {
		m.Values[v] = p.Operands[i]
	}
	copied := p.Clone(op, m)
	for i := range op.NumOperands() { // one value may stand in two places, and be cut in only one of them
		copied.SetOperand(i, p.Operands[i])
	}
	for i := range op.NumResults() {
		copied.Result(i).SetType(p.Type(op, i))
	}
	return copied
}
