package tile

import (
	"github.com/tilewright/tilewright/ir"
)

// Padding returns the constant of a number type that elements outside a memory object load as, by the keyword of
// [AttrPadding]. Without one they are undetermined, and zero does.
func Padding(c *ir.Context, t ir.Type, keyword string) ir.Attribute {
	f, ok := t.(*ir.FloatType)
	if !ok {
		return c.IntAttr(t, 0)
	}
	bits := uint64(0)
	switch keyword {
	case "neg_zero":
		bits = f.Format.Zero(true)
	case "nan":
		bits = f.Format.NaN()
	case "pos_inf":
		bits = f.Format.Inf(false)
	case "neg_inf":
		bits = f.Format.Inf(true)
	}
	return c.FloatAttr(f, bits)
}
