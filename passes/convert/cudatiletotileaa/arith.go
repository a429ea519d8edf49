package cudatiletotileaa

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// The rules below are tables if an operation becomes one row, and functions if an attribute of cuda_tile chooses among
// rows of arith. In arith, as in MLIR, the name of an operation says what changes the instruction: signedness, what NaN
// does, the direction of a division. An attribute only changes the rounding. In cuda_tile all of it is in attributes.

// to replaces an operation by one with the same operands.
func to(def *ir.OpDef) rule {
	return func(c *converter, op ir.Op) error { return c.Recreate(op, def, c.modifiers(op)...) }
}

// bySign chooses by the signedness of the operation.
func bySign(signed, unsigned *ir.OpDef) rule {
	return func(c *converter, op ir.Op) error {
		def := unsigned
		if cudatile.SignednessOf(op) == cudatile.Signed {
			def = signed
		}
		return c.Recreate(op, def, c.modifiers(op)...)
	}
}

// byNaN chooses between maximum and maximumNumber of IEEE 754-2019: the first yields NaN if either side is one, the
// second the other number. PTX has both, as max.NaN and max.
func byNaN(propagate, number *ir.OpDef) rule {
	return func(c *converter, op ir.Op) error {
		def := number
		if op.HasUnitAttr("propagate_nan") {
			def = propagate
		}
		return c.Recreate(op, def, c.modifiers(op)...)
	}
}

// modifiers returns the attributes of arith that correspond to those of op: rounding, flush to zero, overflow promises,
// saturation. A default is absent.
//
// Of roundings nearest_int_to_zero too is a default: conversions to integers have no other.
func (c *converter) modifiers(op ir.Op) (attrs []ir.NamedAttr) {
	// A default is left out rather than spelled, so that equal operations have equal attributes and cse finds them.
	keyword := func(name, word string) {
		attrs = append(attrs, ir.NamedAttr{Name: name, Value: c.ctx.String(word)})
	}
	def := op.Def()
	if def.AttrSlot("rounding_mode") >= 0 {
		switch m := cudatile.RoundingOf(op); {
		case m == cudatile.NearestEven, m == cudatile.NearestIntToZero:
		case m == cudatile.Full && !op.Is(cudatile.DivF): // the default of the elementary functions
		default:
			keyword(arith.AttrRounding, m.String())
		}
	}
	if def.AttrSlot("overflow") >= 0 {
		if o := cudatile.OverflowOf(op); o.String() != "none" {
			keyword(arith.AttrOverflow, o.String())
		}
	}
	if op.HasUnitAttr("flush_to_zero") {
		attrs = append(attrs, ir.NamedAttr{Name: arith.AttrFtz, Value: c.ctx.Unit()})
	}
	if op.HasUnitAttr("saturating") {
		attrs = append(attrs, ir.NamedAttr{Name: arith.AttrSaturating, Value: c.ctx.Unit()})
	}
	return attrs
}

func arithRules() map[*ir.OpDef]rule {
	ct := map[*ir.OpDef]rule{
		cudatile.DivI: (*converter).divI, cudatile.CmpI: (*converter).cmpI, cudatile.CmpF: (*converter).cmpF,
		cudatile.FPowI: (*converter).powI,
		cudatile.RemI:  bySign(arith.RemSI, arith.RemUI), cudatile.MaxI: bySign(arith.MaxSI, arith.MaxUI),
		cudatile.MinI: bySign(arith.MinSI, arith.MinUI), cudatile.ShRI: bySign(arith.ShRSI, arith.ShRUI),
		cudatile.ExtI: bySign(arith.ExtSI, arith.ExtUI), cudatile.IToF: bySign(arith.SIToFP, arith.UIToFP),
		cudatile.FToI: (*converter).fToI,
		cudatile.MaxF: byNaN(arith.MaximumF, arith.MaxNumF), cudatile.MinF: byNaN(arith.MinimumF, arith.MinNumF),
	}
	for from, def := range map[*ir.OpDef]*ir.OpDef{
		// mulhii is of unsigned numbers and has no attribute for it; arith has one for each.
		cudatile.AddI: arith.AddI, cudatile.SubI: arith.SubI, cudatile.MulI: arith.MulI, cudatile.MulhiI: arith.MulHUI,
		cudatile.NegI: arith.NegI, cudatile.AbsI: arith.AbsI, cudatile.AndI: arith.AndI, cudatile.OrI: arith.OrI,
		cudatile.XorI: arith.XOrI, cudatile.ShLI: arith.ShLI, cudatile.TruncI: arith.TruncI, cudatile.Select: arith.Select,
		cudatile.AddF: arith.AddF, cudatile.SubF: arith.SubF, cudatile.MulF: arith.MulF, cudatile.DivF: arith.DivF,
		cudatile.RemF: arith.RemF, cudatile.NegF: arith.NegF, cudatile.AbsF: arith.AbsF, cudatile.Fma: arith.Fma,
		cudatile.Exp: arith.Exp, cudatile.Exp2: arith.Exp2, cudatile.Log: arith.Log, cudatile.Log2: arith.Log2,
		cudatile.Sin: arith.Sin, cudatile.Cos: arith.Cos, cudatile.Tan: arith.Tan, cudatile.SinH: arith.SinH,
		cudatile.CosH: arith.CosH, cudatile.TanH: arith.TanH, cudatile.Sqrt: arith.Sqrt, cudatile.Rsqrt: arith.RSqrt,
		cudatile.Floor: arith.Floor, cudatile.Ceil: arith.Ceil, cudatile.Pow: arith.PowF, cudatile.Atan2: arith.Atan2,
		cudatile.FToF: arith.FToF, cudatile.Bitcast: arith.Bitcast,
	} {
		ct[from] = to(def)
	}
	return ct
}

func (c *converter) divI(op ir.Op) error {
	signed := cudatile.SignednessOf(op) == cudatile.Signed
	// cuda_tile has one division with a rounding, arith a row for each, as instructions and folders differ. Unsigned
	// numbers round down and to zero alike.
	def := arith.DivUI
	switch m := cudatile.RoundingOf(op); {
	case signed && m == cudatile.Zero:
		def = arith.DivSI
	case signed && m == cudatile.PositiveInf:
		def = arith.CeilDivSI
	case signed:
		def = arith.FloorDiv
	case m == cudatile.PositiveInf:
		def = arith.CeilDivUI
	}
	return c.Recreate(op, def)
}

var intPredicates = map[cudatile.ComparisonPredicate]string{
	cudatile.Equal: "eq", cudatile.NotEqual: "ne", cudatile.LessThan: "lt", cudatile.LessThanOrEqual: "le",
	cudatile.GreaterThan: "gt", cudatile.GreaterThanOrEqual: "ge",
}

func (c *converter) cmpI(op ir.Op) error {
	p := intPredicates[cudatile.PredicateOf(op)]
	// Equality does not ask for a sign.
	if p != "eq" && p != "ne" {
		if cudatile.SignednessOf(op) == cudatile.Signed {
			p = "s" + p
		} else {
			p = "u" + p
		}
	}
	return c.Recreate(op, arith.CmpI, ir.NamedAttr{Name: arith.AttrPredicate, Value: c.ctx.String(p)})
}

func (c *converter) cmpF(op ir.Op) error {
	p := intPredicates[cudatile.PredicateOf(op)]
	// Ordered is false with a NaN on either side, unordered true.
	if cudatile.ComparisonOrderingOf(op) == cudatile.Ordered {
		p = "o" + p
	} else {
		p = "u" + p
	}
	return c.Recreate(op, arith.CmpF, ir.NamedAttr{Name: arith.AttrPredicate, Value: c.ctx.String(p)})
}

// fToI: a conversion to i1 asks whether a number is not zero, which shows in its bits, of whatever format it is: all
// but the sign.
func (c *converter) fToI(op ir.Op) error {
	t := c.typ(op.Result(0).Type())
	if ir.BitWidth(ir.ElementType(t)) != 1 {
		return bySign(arith.FPToSI, arith.FPToUI)(c, op)
	}
	v := c.Value(op.Operand(0))
	if f := ir.ElementType(v.Type()).(*ir.FloatType).Format; f == numeric.TF32 { // which has bits that say nothing
		v = c.create(arith.FToF, arith.WithElement(v.Type(), c.ctx.F32()), []ir.Value{v})
	}
	format := ir.ElementType(v.Type()).(*ir.FloatType).Format
	bits := arith.WithElement(v.Type(), c.ctx.Int(format.Bits()))
	v = c.create(arith.Bitcast, bits, []ir.Value{v})
	number := func(n uint64) ir.Value { return c.integers(bits, int64(n)) }
	if format == numeric.F8E8M0FNU { // powers of two are not zero
		v = c.create(arith.OrI, bits, []ir.Value{v, number(1)})
	}
	if format.Spec().Signed {
		v = c.create(arith.AndI, bits, []ir.Value{v, number(1<<(format.Bits()-1) - 1)})
	}
	c.Bind(op.Result(0), c.compare(arith.CmpI, "ne", v, number(0)))
	return nil
}

// powI raises to an integer power through powf, whose exponent is a float. Formats of 16 bits go through f32,
// since their own do not hold exponents beyond 2^11 or 2^8. Beyond 2^24 f32 does not either. Rounding the
// exponent changes the logarithm of the result by a part of 2^-24 at most, which powf's own argument may be off
// by too. But it makes every exponent even. The sign is therefore taken from the integer:
//
//	(-1)^16777217:  f32(16777217) is 16777216, and powf(-1, 16777216) is 1
//	here:           powf(|-1|, 16777216) is 1, negated because 16777217 is odd and -1 has its sign bit set
func (c *converter) powI(op ir.Op) error {
	t := c.typ(op.Result(0).Type())
	x, n := c.Value(op.Operand(0)), c.Value(op.Operand(1))
	wide := t
	if ir.BitWidth(ir.ElementType(t)) < 32 {
		wide = arith.WithElement(t, c.ctx.F32())
		x = c.create(arith.FToF, wide, []ir.Value{x})
	}
	exponent := c.create(arith.SIToFP, wide, []ir.Value{n})
	var r ir.Value
	if ir.BitWidth(ir.ElementType(n.Type())) < 32 || ir.BitWidth(ir.ElementType(wide)) > 32 {
		r = c.create(arith.PowF, wide, []ir.Value{x, exponent})
	} else {
		r = c.create(arith.PowF, wide, []ir.Value{c.create(arith.AbsF, wide, []ir.Value{x}), exponent})
		// A NaN stays the one that powf gives: -0 has a sign that counts, so the bit decides and not a comparison,
		// and NaN may have it too.
		odd := c.create(arith.AndI, n.Type(), []ir.Value{n, c.integers(n.Type(), 1)})
		bits := c.create(arith.Bitcast, n.Type(), []ir.Value{x})
		flip := c.both(c.compare(arith.CmpI, "ne", odd, c.integers(n.Type(), 0)), c.compare(arith.CmpI, "slt", bits, c.integers(n.Type(), 0)))
		flip = c.both(flip, c.compare(arith.CmpF, "oeq", r, r))
		r = c.create(arith.Select, wide, []ir.Value{flip, c.create(arith.NegF, wide, []ir.Value{r}), r})
	}
	if wide != t {
		r = c.create(arith.FToF, t, []ir.Value{r})
	}
	c.Bind(op.Result(0), r)
	return nil
}

// integers returns a number, or a tensor of it.
func (c *converter) integers(t ir.Type, n int64) ir.Value {
	value := arith.OfType(c.ctx.IntAttr(ir.ElementType(t), n), t)
	return c.create(arith.Constant, t, nil, ir.NamedAttr{Name: arith.AttrValue, Value: value})
}

func (c *converter) compare(def *ir.OpDef, predicate string, a, b ir.Value) ir.Value {
	return c.create(def, arith.WithElement(a.Type(), c.ctx.Int(1)), []ir.Value{a, b},
		ir.NamedAttr{Name: arith.AttrPredicate, Value: c.ctx.String(predicate)})
}

func (c *converter) both(a, b ir.Value) ir.Value {
	return c.create(arith.AndI, a.Type(), []ir.Value{a, b})
}
