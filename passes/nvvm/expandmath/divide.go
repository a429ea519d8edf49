package expandmath

import (
	"math"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/passes/nvvm/scalar"
)

// divideByPower makes a division by a power of two a multiplication by its reciprocal, which is as exact:
//
//	%q = arith.divf %x, %1024 : f32        %q = arith.mulf %x, %0.0009765625 : f32
//
// The reciprocal must be a normal number, since an operation that flushes would take a subnormal one for zero.
func divideByPower(b scalar.Builder, op ir.Op) (ir.Value, error) {
	c, ok := ir.ConstantValue(op.Operand(1)).(*ir.FloatAttr)
	t, isFloat := op.Result(0).Type().(*ir.FloatType)
	if !ok || !isFloat {
		return ir.Value{}, nil
	}
	inverse := 1 / c.Float64()
	if m, _ := math.Frexp(inverse); math.Abs(m) != 0.5 || math.Abs(inverse) < math.Ldexp(1, 1-t.Format.Spec().Bias) {
		return ir.Value{}, nil
	}
	factor := t.Format.Encode(inverse, numeric.Env{})
	if t.Format.Decode(factor) != inverse {
		return ir.Value{}, nil
	}
	var attrs []ir.NamedAttr
	for _, a := range op.InherentAttrs() {
		// An exact product is as good as an approximate quotient.
		if r, ok := a.Value.(*ir.StringAttr); !ok || r.Value != "approx" && r.Value != "full" {
			attrs = append(attrs, a)
		}
	}
	return b.Create(arith.MulF, []ir.Value{op.Operand(0), b.Bits(t, factor)}, []ir.Type{t}, attrs...).Result(0), nil
}
