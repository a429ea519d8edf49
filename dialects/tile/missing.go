package tile

import "github.com/tilewright/tilewright/ir"

// MissingForVector returns the facts without which one access of a thread does not cover n elements (VectorElements),
// as far as a promise can make up for them.
func (a Access) MissingForVector(n int) (missing []ir.MissingFact) {
	dim, elem := a.ContiguousDim(), ir.ElementType(a.Tile)
	if dim < 0 {
		return []ir.MissingFact{{Operand: "stride", Dim: len(a.Strides) - 1}}
	}
	bits := 8 * ElementBytes(elem)
	if IsHalf(elem) {
		bits /= 2
	}
	lacks := func(operand string, d int, have, need int64) {
		if have%need != 0 {
			missing = append(missing, ir.MissingFact{Operand: operand, Dim: d, Divisor: need})
		}
	}
	base, ok := a.Op.IntAttr(AttrBaseDiv)
	if !ok || base == 0 {
		base = 1
	}
	lacks("base", 0, base, int64(n*bits/8))
	for d := range a.Strides {
		if d != dim {
			lacks("stride", d, a.fact(AttrStrideDiv, d), int64(n))
			continue
		}
		lacks("offset", d, a.fact(AttrOffsetDiv, d), int64(n))
		if a.Checked(d) {
			lacks("size", d, a.sizeDivisor(d, elem), int64(n))
		}
	}
	return missing
}
