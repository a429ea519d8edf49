package legalizearith

import (
	"math"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/passes/nvvm/scalar"
	"github.com/tilewright/tilewright/target/sm"
)

func (l *legalizer) floatRules() map[*ir.OpDef]scalar.Rule {
	return map[*ir.OpDef]scalar.Rule{
		arith.AddF: l.arithmetic, arith.SubF: l.arithmetic, arith.MulF: l.arithmetic, arith.Fma: l.arithmetic,
		arith.DivF: l.arithmetic, arith.Sqrt: l.arithmetic,
		arith.MaxNumF: l.exact, arith.MinNumF: l.exact, arith.MaximumF: l.exact, arith.MinimumF: l.exact,
		arith.NegF: l.exact, arith.AbsF: l.exact, arith.Floor: l.exact, arith.Ceil: l.exact,
		arith.CmpF: l.compare,
	}
}

func format(t ir.Type) numeric.Format {
	if f, ok := t.(*ir.FloatType); ok {
		return f.Format
	}
	return 0
}

// widened builds the operation on f32 operands and returns its result there.
func widened(b scalar.Builder, op ir.Op) ir.Value {
	f32 := b.Context().F32()
	operands := make([]ir.Value, op.NumOperands())
	for i, v := range op.Operands() {
		// 1/x then is a reciprocal.
		if c, ok := ir.ConstantValue(v).(*ir.FloatAttr); ok && !math.IsNaN(c.Float64()) {
			operands[i] = b.Float(f32, c.Float64())
			continue
		}
		operands[i] = b.Cast(arith.FToF, v, f32)
	}
	var t ir.Type = f32
	if op.Is(arith.CmpF) {
		t = op.Result(0).Type()
	}
	return b.Create(op.Def(), operands, []ir.Type{t}, op.InherentAttrs()...).Result(0)
}

// arithmetic legalizes operations that round.
//
//	               f16                bf16                       8-bit, tf32
//	+ - *          instruction        instruction, or an fma     in f32, rounded
//	/ sqrt         in f32, rounded    in f32, rounded            in f32, rounded
//	fma            instruction        instruction                error
//	directed       in f32, rounded    in f32, rounded            in f32, rounded
func (l *legalizer) arithmetic(b scalar.Builder, op ir.Op) (ir.Value, error) {
	t := op.Result(0).Type()
	f, mode := format(t), op.StringAttr(arith.AttrRounding)
	nearest := mode == "" || mode == "nearest_even"
	divides := op.Is(arith.DivF) || op.Is(arith.Sqrt)
	switch {
	case f == numeric.F32 || f == numeric.F64:
		return keep()
	case f == numeric.F16 && nearest && !divides:
		return keep()
	case f == numeric.BF16 && nearest && op.Is(arith.Fma):
		return keep()
	case f == numeric.BF16 && nearest && !divides:
		if l.arch.Has(sm.BF16Add) {
			return keep()
		}
		return fused(b, op), nil
	case f != numeric.F16 && f != numeric.BF16 && op.Is(arith.Fma) && nearest:
		return ir.Value{}, op.Errorf("on type '%s' has no instruction and no exact replacement", ir.TypeString(t))
	}
	if mode == "approx" || mode == "full" {
		mode = ""
	}
	// Rounding twice is harmless here. f32 has 24 bits, at least 2p+2 for the p of 11 and 8 of f16 and bf16. That
	// is enough for sums, products, quotients and roots (Figueroa, 1995). It is not for fma.
	return b.CastRounded(mode, arith.FToF, widened(b, op), t), nil
}

// fused computes +, - and * by one fma: a·1+b, b·(-1)+a, a·b+(-0). bf16 has fma since sm_80, but + and * only
// since sm_90 (target/sm). The constant changes nothing in any of the three, even for signed zeros: x*y + (-0)
// keeps a -0 that x*y + 0 would lose.
func fused(b scalar.Builder, op ir.Op) ir.Value {
	x, y, t := op.Operand(0), op.Operand(1), op.Result(0).Type()
	switch op.Def() {
	case arith.AddF:
		return b.Op(arith.Fma, x, b.Float(t, 1), y)
	case arith.SubF:
		return b.Op(arith.Fma, y, b.Float(t, -1), x)
	}
	return b.Op(arith.Fma, x, y, b.Bits(t, format(t).Zero(true)))
}

// exact legalizes operations that do not round, for which a wider format gives the same result.
func (l *legalizer) exact(b scalar.Builder, op ir.Op) (ir.Value, error) {
	t := op.Result(0).Type()
	propagates := op.Is(arith.MaximumF) || op.Is(arith.MinimumF)
	switch f := format(t); {
	case f == numeric.F64 && propagates:
		return propagateNaN(b, op), nil
	case f == numeric.F32 || f == numeric.F64 || f == numeric.F16:
		return keep()
	case f == numeric.BF16 && !op.Is(arith.Floor) && !op.Is(arith.Ceil):
		return keep()
	}
	return b.Cast(arith.FToF, widened(b, op), t), nil
}

// propagateNaN turns an operation that returns the operand that is a number into one that returns NaN.
func propagateNaN(b scalar.Builder, op ir.Op) ir.Value {
	x, y, t := op.Operand(0), op.Operand(1), op.Result(0).Type()
	number := arith.MaxNumF
	if op.Is(arith.MinimumF) {
		number = arith.MinNumF
	}
	return b.Select(b.CmpF("uno", x, y), b.Bits(t, format(t).NaN()), b.Op(number, x, y))
}

func (l *legalizer) compare(b scalar.Builder, op ir.Op) (ir.Value, error) {
	switch format(op.Operand(0).Type()) {
	case numeric.F16, numeric.F32, numeric.F64:
		return keep()
	case numeric.BF16:
		if l.arch.Has(sm.BF16SetP) {
			return keep()
		}
	}
	return widened(b, op), nil
}
