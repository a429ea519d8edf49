package expandmath

import (
	"math"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/passes/nvvm/scalar"
)

// expander writes arithmetic of one format, f32 or f64.
type expander struct {
	scalar.Builder
	t      *ir.FloatType
	bits   *ir.IntegerType // as wide
	spec   numeric.Spec
	ftz    bool
	approx bool
	to     numeric.Format // what the result is rounded to, if that is narrower
}

func newExpander(b scalar.Builder, t *ir.FloatType, op ir.Op) expander {
	return expander{
		Builder: b, t: t, bits: b.Context().Int(ir.BitWidth(t)), spec: t.Format.Spec(),
		ftz: op.HasUnitAttr(arith.AttrFtz), approx: op.StringAttr(arith.AttrRounding) == "approx",
	}
}

func (e expander) single() bool { return e.t.Format == numeric.F32 }

func (e expander) c(x float64) ir.Value       { return e.Float(e.t, x) }
func (e expander) i(v int64) ir.Value         { return e.Int(e.bits, v) }
func (e expander) add(x, y ir.Value) ir.Value { return e.Op(arith.AddF, x, y) }
func (e expander) sub(x, y ir.Value) ir.Value { return e.Op(arith.SubF, x, y) }
func (e expander) mul(x, y ir.Value) ir.Value { return e.Op(arith.MulF, x, y) }
func (e expander) div(x, y ir.Value) ir.Value { return e.Op(arith.DivF, x, y) }
func (e expander) neg(x ir.Value) ir.Value    { return e.Op(arith.NegF, x) }
func (e expander) abs(x ir.Value) ir.Value    { return e.Op(arith.AbsF, x) }
func (e expander) fma(x, y, z ir.Value) ir.Value {
	return e.Op(arith.Fma, x, y, z)
}

// clamp returns x moved into [lo, hi]; a NaN becomes lo.
func (e expander) clamp(x ir.Value, lo, hi float64) ir.Value {
	return e.Op(arith.MinNumF, e.Op(arith.MaxNumF, x, e.c(lo)), e.c(hi))
}

// approximate creates one of nvvm's approximate instructions.
func (e expander) approximate(def *ir.OpDef, x ir.Value) ir.Value {
	var attrs []ir.NamedAttr
	if e.ftz {
		attrs = append(attrs, ir.NamedAttr{Name: arith.AttrFtz, Value: e.Context().Unit()})
	}
	return e.Create(def, []ir.Value{x}, []ir.Type{x.Type()}, attrs...).Result(0)
}

// flushed is the product, flushed to zero when subnormal if the operation says so.
func (e expander) flushed(x, y ir.Value) ir.Value {
	v := e.mul(x, y)
	if e.ftz {
		v.DefiningOp().SetAttr(arith.AttrFtz, e.Context().Unit())
	}
	return v
}

func (e expander) toBits(x ir.Value) ir.Value   { return e.Cast(arith.Bitcast, x, e.bits) }
func (e expander) fromBits(v ir.Value) ir.Value { return e.Cast(arith.Bitcast, v, e.t) }

// poly evaluates a polynomial by Horner's rule.
func (e expander) poly(x ir.Value, coefficients []float64) ir.Value {
	n := len(coefficients) - 1
	sum := e.c(coefficients[n])
	for n--; n >= 0; n-- {
		sum = e.fma(sum, x, e.c(coefficients[n]))
	}
	return sum
}

// oddPoly evaluates x + x³·p(x²).
func (e expander) oddPoly(x ir.Value, coefficients []float64) ir.Value {
	z := e.mul(x, x)
	return e.fma(e.mul(z, e.poly(z, coefficients)), x, x)
}

// copySign gives the non-negative x the sign of y.
func (e expander) copySign(x, y ir.Value) ir.Value {
	sign := e.Op(arith.AndI, e.toBits(y), e.Bits(e.bits, 1<<(e.bits.Width-1)))
	return e.fromBits(e.Op(arith.OrI, e.toBits(x), sign))
}

// A constant is a real number as an unevaluated sum, good for 100 bits.
type constant struct{ hi, lo float64 }

var (
	log2E    = constant{math.Log2E, 2.0355273740931033e-17}
	twoLog2E = constant{2 * math.Log2E, 2 * 2.0355273740931033e-17}
	ln2      = constant{math.Ln2, 2.3190468138462996e-17}
	third    = constant{1. / 3, 1.850371707708594e-17}

	thirdOfTwoLog2E = constant{0.9617966939259756, 5.057761664812591e-17}
)

// split returns a constant as the sum of two numbers of the format.
func (e expander) split(k constant) (hi, lo ir.Value) {
	if !e.single() {
		return e.c(k.hi), e.c(k.lo)
	}
	h := float64(float32(k.hi))
	return e.c(h), e.c(k.hi - h + k.lo)
}

// magic is the number whose last place is one: adding and taking it away rounds to an integer, which is then in the
// low bits of the sum.
func (e expander) magic() float64 { return math.Ldexp(1.5, e.spec.Man) }

// round returns x, which is small against magic, rounded to an integer, and the sum that has it in its bits.
func (e expander) round(x ir.Value) (whole, sum ir.Value) {
	sum = e.add(x, e.c(e.magic()))
	return e.sub(sum, e.c(e.magic())), sum
}
