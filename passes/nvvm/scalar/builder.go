package scalar

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// Builder creates arith operations on scalars, before an operation.
type Builder struct {
	*ir.Builder
	op ir.Op
}

// Before returns a builder that inserts before op and uses its location.
func Before(op ir.Op) Builder { return Builder{ir.BuilderBefore(op), op} }

// Float returns the constant of a floating-point type nearest to x.
func (b Builder) Float(t ir.Type, x float64) ir.Value {
	f := t.(*ir.FloatType).Format
	return b.Bits(t, f.Encode(x, numeric.Env{}))
}

// Int returns a constant of an integer type.
func (b Builder) Int(t ir.Type, v int64) ir.Value { return b.Bits(t, uint64(v)) }

// Bits returns the constant of a type that has the bit pattern.
func (b Builder) Bits(t ir.Type, bits uint64) ir.Value {
	return arith.NewConstant(b.Builder, t, arith.FromBits(t, bits))
}

// True returns the constant true.
func (b Builder) True() ir.Value { return b.Int(b.Context().Int(1), 1) }

// Op creates an operation whose result has the type of its first operand.
func (b Builder) Op(def *ir.OpDef, operands ...ir.Value) ir.Value {
	return b.Create(def, operands, []ir.Type{operands[0].Type()}).Result(0)
}

// Rounded is Op with a rounding; an empty one is left out.
func (b Builder) Rounded(mode string, def *ir.OpDef, operands ...ir.Value) ir.Value {
	return b.Create(def, operands, []ir.Type{operands[0].Type()}, b.rounding(mode)...).Result(0)
}

func (b Builder) rounding(mode string) []ir.NamedAttr {
	if mode == "" {
		return nil
	}
	return []ir.NamedAttr{{Name: arith.AttrRounding, Value: b.Context().String(mode)}}
}

// Cast creates a conversion to a type.
func (b Builder) Cast(def *ir.OpDef, v ir.Value, to ir.Type) ir.Value {
	return b.CastRounded("", def, v, to)
}

// CastRounded is Cast with a rounding; an empty one is left out.
func (b Builder) CastRounded(mode string, def *ir.OpDef, v ir.Value, to ir.Type) ir.Value {
	return b.Create(def, []ir.Value{v}, []ir.Type{to}, b.rounding(mode)...).Result(0)
}

// CastSaturating is Cast for a conversion to an integer that clamps.
func (b Builder) CastSaturating(def *ir.OpDef, v ir.Value, to ir.Type) ir.Value {
	return b.Create(def, []ir.Value{v}, []ir.Type{to}, ir.NamedAttr{Name: arith.AttrSaturating, Value: b.Context().Unit()}).Result(0)
}

// CmpF and CmpI compare.
func (b Builder) CmpF(pred string, x, y ir.Value) ir.Value { return b.compare(arith.CmpF, pred, x, y) }
func (b Builder) CmpI(pred string, x, y ir.Value) ir.Value { return b.compare(arith.CmpI, pred, x, y) }

func (b Builder) compare(def *ir.OpDef, pred string, x, y ir.Value) ir.Value {
	return b.Create(def, []ir.Value{x, y}, []ir.Type{b.Context().Int(1)},
		ir.NamedAttr{Name: arith.AttrPredicate, Value: b.Context().String(pred)}).Result(0)
}

// Select returns yes if cond is true, else no.
func (b Builder) Select(cond, yes, no ir.Value) ir.Value {
	return b.Create(arith.Select, []ir.Value{cond, yes, no}, []ir.Type{yes.Type()}).Result(0)
}

// Not negates an i1.
func (b Builder) Not(v ir.Value) ir.Value { return b.Op(arith.XOrI, v, b.True()) }
