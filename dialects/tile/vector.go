package tile

import (
	"github.com/tilewright/tilewright/ir"
)

// MaxVectorBytes is the widest access of a thread that every target has.
const MaxVectorBytes = 16

// ContiguousDim returns the dimension along which a tiled access walks consecutive elements: the one that elements are
// packed along, else the last one with the constant stride 1. It is -1 when there is none.
func (a Access) ContiguousDim() int {
	if d, ok := a.Op.IntAttr(AttrPacked); ok {
		return int(d)
	}
	for d := len(a.Strides) - 1; d >= 0; d-- {
		if c, ok := ir.ConstantValue(a.Strides[d]).(*ir.IntegerAttr); ok && c.Value == 1 {
			return d
		}
	}
	return -1
}

// VectorElements returns how many consecutive elements along ContiguousDim one access of a thread may cover, by the
// facts that the operation carries. The address must be aligned to the size of the access, and a bounds check must
// never split it. The result is a power of two, at least 1. Elements of half a byte come in pairs: an access that
// begins or ends inside a byte is undefined (Tile IR specification, load and store requirements).
func (a Access) VectorElements() int {
	dim := a.ContiguousDim()
	if dim < 0 {
		return 1
	}
	elem := ir.ElementType(a.Tile)
	bits, least := 8*ElementBytes(elem), 1
	if IsHalf(elem) {
		bits, least = bits/2, 2
	}
	n := max(1, 8*MaxVectorBytes/bits)
	fits := func(n int) bool {
		base, _ := a.Op.IntAttr(AttrBaseDiv)
		if bytes := int64(n * bits / 8); bytes > 1 && (base == 0 || base%bytes != 0) {
			return false
		}
		for d := range a.Strides {
			if d != dim {
				// Both the tile's offset and the position inside are multiples of the stride.
				if a.fact(AttrStrideDiv, d)%int64(n) != 0 {
					return false
				}
				continue
			}
			if a.fact(AttrOffsetDiv, d)%int64(n) != 0 || a.Checked(d) && a.sizeDivisor(d, elem)%int64(n) != 0 {
				return false
			}
		}
		return true
	}
	for n > least && !fits(n) {
		n /= 2
	}
	return n
}

// sizeDivisor returns what divides the size of a dimension. One along which elements are packed into bytes has an
// even size (Tile IR specification, tensor_view).
func (a Access) sizeDivisor(d int, elem ir.Type) int64 {
	if n := a.fact(AttrSizeDiv, d); n%2 == 0 || !IsHalf(elem) {
		return n
	}
	return 2
}

// fact returns entry d of a list of divisors; 1 when it is absent. A divisor of 0 stands for the value 0, which
// everything divides.
func (a Access) fact(name string, d int) int64 {
	if list, ok := a.Op.Attr(name).(*ir.DenseArrayAttr); ok && d < len(list.Values) {
		return list.Values[d]
	}
	return 1
}

// StrideDivisor returns what divides the stride of a dimension, in elements.
func (a Access) StrideDivisor(d int) int64 { return a.fact(AttrStrideDiv, d) }

// Checked reports whether accesses must be checked against the bounds of dimension d.
func (a Access) Checked(d int) bool {
	list, ok := a.Op.Attr(AttrBounds).(*ir.DenseArrayAttr)
	return !ok || d >= len(list.Values) || list.Values[d] != 0
}
