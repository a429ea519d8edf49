package makeexact

import (
	"math"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// mostConstant is the largest magnitude of constants that stay. Zeros and ones are most of them, and must stay where
// they are the identities of sums and products.
const mostConstant = 8

// formatOf returns the format of the elements of a type, if they are floats.
func formatOf(t ir.Type) (numeric.Format, bool) {
	tile, ok := t.(*cudatile.TileType)
	if !ok {
		return 0, false
	}
	float, ok := tile.Elem.(*ir.FloatType)
	if !ok {
		return 0, false
	}
	return float.Format, true
}

// exactUpTo is the magnitude up to which a format has all integers.
func exactUpTo(f numeric.Format) float64 {
	if f == numeric.F8E8M0FNU { // it has powers of two only
		return 2
	}
	return math.Ldexp(1, f.Precision())
}

// small reports whether all elements of a constant are small integers, or no numbers that a sum could round.
func small(op ir.Op) bool {
	f, ok := formatOf(op.Result(0).Type())
	if !ok {
		return true
	}
	for _, v := range elements(op) {
		if !smallNumber(f.Decode(v)) {
			return false
		}
	}
	return true
}

func smallNumber(x float64) bool {
	return x == math.Trunc(x) && math.Abs(x) <= mostConstant || math.IsInf(x, 0) || math.IsNaN(x)
}

// elements returns the patterns of a constant; one, if all are equal.
func elements(op ir.Op) []uint64 {
	a, ok := op.Attr("value").(*ir.DenseElementsAttr)
	if !ok {
		return nil
	}
	t := op.Result(0).Type().(*cudatile.TileType)
	n := 1
	if !a.IsSplat(t.Elem) {
		n = int(t.NumElements())
	}
	out := make([]uint64, n)
	for i := range out {
		out[i] = a.Bits(t.Elem, i)
	}
	return out
}

// shrink replaces elements of a constant that are not small. Equal ones stay equal, and the sign stays.
func shrink(op ir.Op) {
	t := op.Result(0).Type().(*cudatile.TileType)
	f := t.Elem.(*ir.FloatType).Format
	size := ir.DenseElemBytes(t.Elem)
	var data []byte
	for _, v := range elements(op) {
		if x := f.Decode(v); !smallNumber(x) {
			h := uint32(math.Float64bits(x)>>32^math.Float64bits(x)) * mixers[0]
			y := 2 + float64(h>>31) // a factor of one would be folded away
			if f == numeric.F8E8M0FNU {
				y = 2
			}
			v = f.Encode(math.Copysign(y, x), numeric.Env{})
		}
		for i := range size {
			data = append(data, byte(v>>(8*i)))
		}
	}
	op.SetAttr("value", op.Context().Dense(t, data))
}

// magnitude is the largest magnitude of the finite elements of a constant.
func magnitude(op ir.Op, f numeric.Format) float64 {
	most := 0.0
	for _, v := range elements(op) {
		if x := math.Abs(f.Decode(v)); x > most && !math.IsInf(x, 0) {
			most = x
		}
	}
	return most
}
