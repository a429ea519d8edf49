package constfold

import "github.com/tilewright/tilewright/ir"

// Limit is how many elements a constant that folding creates may have, unless all are equal.
const Limit = 128

// Elements are those of a constant of a shaped type: one if they are all equal, else all.
type Elements []uint64

// At returns element i.
func (e Elements) At(i int) uint64 { return e[min(i, len(e)-1)] }

// Read returns the elements of a constant; false when they differ and are more than Limit, or the attribute is none.
func Read(a ir.Attribute) (Elements, bool) {
	dense, ok := a.(*ir.DenseElementsAttr)
	if !ok {
		return nil, false
	}
	elem := ir.ElementType(dense.Type())
	t, ok := TypeOf(elem)
	size := ir.DenseElemBytes(elem)
	if !ok || len(dense.Data) == 0 || len(dense.Data) > Limit*size {
		return nil, false
	}
	out := make(Elements, len(dense.Data)/size)
	for i := range out {
		out[i] = dense.Bits(elem, i) & t.mask()
	}
	return out, true
}

// Splat returns the bit pattern of a constant whose elements are all equal.
func Splat(a ir.Attribute) (uint64, bool) {
	dense, ok := a.(*ir.DenseElementsAttr)
	if !ok {
		return 0, false
	}
	elem := ir.ElementType(dense.Type())
	t, ok := TypeOf(elem)
	if !ok || !dense.IsSplat(elem) {
		return 0, false
	}
	return dense.Bits(elem, 0) & t.mask(), true
}

// Write returns the constant of a shaped type with the given elements, which are one or as many as the type has; nil
// if they are too many. Elements of less than a byte that are no truth values must be equal, since such tiles do not
// lie in memory.
func Write(c *ir.Context, t ir.Type, e Elements) *ir.DenseElementsAttr {
	elem := ir.ElementType(t)
	et, ok := TypeOf(elem)
	if !ok || len(e) == 0 {
		return nil
	}
	mask, same := et.mask(), true
	for _, x := range e {
		same = same && x&mask == e[0]&mask
	}
	if same {
		e = e[:1]
	}
	if width := ir.BitWidth(elem); len(e) > Limit || !same && width > 1 && width < 8 {
		return nil
	}
	size := ir.DenseElemBytes(elem)
	data := make([]byte, 0, len(e)*size)
	for _, x := range e {
		x &= mask
		for i := range size {
			data = append(data, byte(x>>(8*i)))
		}
	}
	return c.Dense(t, data)
}

// Fold computes the operation on constants; nil when an operand is none, or an element of the result has no value.
func (s *Spec) Fold(c *ir.Context, result ir.Type, operands []ir.Attribute) *ir.DenseElementsAttr {
	n := 1
	in := make([]Elements, len(operands))
	for i, a := range operands {
		var ok bool
		if in[i], ok = Read(a); !ok {
			return nil
		}
		n = max(n, len(in[i]))
	}
	out, args := make(Elements, n), make([]uint64, len(in))
	for i := range out {
		for k, e := range in {
			args[k] = e.At(i)
		}
		var ok bool
		if out[i], ok = s.Eval(args...); !ok {
			return nil
		}
	}
	return Write(c, result, out)
}
