package tma

import (
	"fmt"
	"math"
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
	"github.com/tilewright/tilewright/target/tensormap"
)

// Describable says why no tensor map describes the object of an access; with aligned, as if address and strides were
// multiples of 16 bytes. Otherwise it reports whether all parts of the map are known before the kernel begins.
func Describable(a tile.Access, ranges *intrange.Ranges, aligned bool) (why string, known bool) {
	if why := undescribed(a, ranges, aligned); why != "" {
		return why, false
	}
	return "", !slices.ContainsFunc(parts(a), func(v ir.Value) bool { return !IsHosted(v) })
}

// parts are the values that the map of an object is made of.
func parts(a tile.Access) []ir.Value {
	out := append([]ir.Value{a.Base}, a.Sizes...)
	for d, v := range a.Strides {
		if d != a.ContiguousDim() {
			out = append(out, v)
		}
	}
	return out
}

// undescribed says why an object has no tensor map, whoever makes it. The limits are those of
// cuTensorMapEncodeTiled.
func undescribed(a tile.Access, ranges *intrange.Ranges, aligned bool) string {
	elem := ir.ElementType(a.Tile)
	switch pad := a.Op.StringAttr(tile.AttrPadding); {
	case a.Op.HasUnitAttr(tile.AttrNoTMA):
		return "the hint allow_tma is false"
	case len(a.Sizes) < 1 || len(a.Sizes) > 5:
		return fmt.Sprintf("it has %d dimensions, and a tensor map has from 1 to 5", len(a.Sizes))
	case tile.IsHalf(elem) || ir.BitWidth(elem) < 8:
		return fmt.Sprintf("elements of type '%s' are not copied as they are", ir.TypeString(elem))
	case pad != "" && pad != "zero" && leaves(a):
		return fmt.Sprintf("elements outside become %s, and a tensor map pads with zeros", pad)
	}
	for _, m := range MissingForMap(a) {
		switch {
		case m.Divisor == 0:
			return "no dimension is known to have stride 1"
		case aligned:
		case m.Operand == "base":
			return fmt.Sprintf("the base is not known to be aligned to %d bytes", tile.BulkUnit)
		default:
			return fmt.Sprintf("the stride of dimension %d is not known to be a multiple of %d bytes", m.Dim, tile.BulkUnit)
		}
	}
	for d := range a.Sizes {
		switch {
		case ranges.Of(a.Sizes[d]).SMax > math.MaxInt32:
			return fmt.Sprintf("the size of dimension %d may be 2^31 or more", d)
		case d != a.ContiguousDim() && ranges.Of(a.Strides[d]).SMax >= 1<<40/int64(tile.ElementBytes(elem)):
			return fmt.Sprintf("the stride of dimension %d may be 2^40 bytes or more", d)
		}
	}
	return ""
}

// leaves reports whether some element of an access may be outside of its object.
func leaves(a tile.Access) bool {
	for d := range a.Sizes {
		if a.Checked(d) {
			return true
		}
	}
	return false
}

// maxHosted is how many operations a launcher computes for a number; what is used twice is computed twice. With it,
// the 11 numbers of a map have fewer operations than emit-ptx takes.
const maxHosted = 32

// IsHosted reports whether a launcher can compute a value from the parameters of the kernel (package tensormap).
func IsHosted(v ir.Value) bool {
	left := maxHosted
	return hosted(v, &left)
}

func hosted(v ir.Value, left *int) bool {
	def := v.DefiningOp()
	if def.IsNil() {
		return v.Block().ParentOp().HasTrait(ir.IsolatedFromAbove)
	}
	switch {
	case *left == 0:
		return false
	case def.Is(arith.Constant):
		return true
	case tile.Is(def, tile.RowAddPtr): // base + offset
	case tile.Promise.Has(def):
		*left++
	case def.Dialect() != arith.Dialect || !tensormap.Computes(def.Def().Name):
		return false
	}
	*left--
	return !slices.ContainsFunc(def.Operands(), func(o ir.Value) bool { return !hosted(o, left) })
}

// MissingForMap returns the facts that a tensor map needs and that the kernel does not prove. A promise in the program
// (assume) can add them.
func MissingForMap(a tile.Access) (missing []ir.MissingFact) {
	size := int64(tile.ElementBytes(ir.ElementType(a.Tile)))
	inner := a.ContiguousDim()
	if inner < 0 {
		return []ir.MissingFact{{Operand: "stride", Dim: len(a.Strides) - 1}}
	}
	if base, _ := a.Op.IntAttr(tile.AttrBaseDiv); base == 0 || base%tile.BulkUnit != 0 {
		missing = append(missing, ir.MissingFact{Operand: "base", Divisor: tile.BulkUnit})
	}
	for d := range a.Strides {
		if d != inner && a.StrideDivisor(d)*size%tile.BulkUnit != 0 {
			missing = append(missing, ir.MissingFact{Operand: "stride", Dim: d, Divisor: tile.BulkUnit / size})
		}
	}
	return missing
}
