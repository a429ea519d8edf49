package compute

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/target/engine/interp/core"
	"github.com/tilewright/tilewright/target/engine/interp/kernel"
	"github.com/tilewright/tilewright/target/engine/interp/values"
)

func exact(f func(numeric.Format, uint64) uint64) kernel.Definition1 {
	return func(fm numeric.Format, a uint64, _ numeric.Env) uint64 { return f(fm, a) }
}

func init() {
	one := make(map[*ir.OpDef]core.Rule)
	for def, f := range map[*ir.OpDef]kernel.Definition1{
		cudatile.NegF: exact(numeric.Format.Neg), cudatile.AbsF: exact(numeric.Format.Abs), cudatile.Sqrt: numeric.Format.Sqrt,
		cudatile.Rsqrt: numeric.Format.Rsqrt, cudatile.Exp: numeric.Format.Exp, cudatile.Exp2: numeric.Format.Exp2,
		cudatile.Log: numeric.Format.Log, cudatile.Log2: numeric.Format.Log2, cudatile.Sin: numeric.Format.Sin,
		cudatile.Cos: numeric.Format.Cos, cudatile.Tan: numeric.Format.Tan, cudatile.SinH: numeric.Format.Sinh,
		cudatile.CosH: numeric.Format.Cosh, cudatile.TanH: numeric.Format.Tanh, cudatile.Floor: numeric.Format.Floor,
		cudatile.Ceil: numeric.Format.Ceil,
	} {
		one[def] = func(d *core.Decoder, op ir.Op) (core.Action, error) {
			return applyUnary(d, op, kernel.Function(def, f, values.FormatOf(values.ElemOf(op.Operand(0))), envOf(op)))
		}
	}
	defineElementwise(one)
	two := make(map[*ir.OpDef]core.Rule)
	for def, f := range map[*ir.OpDef]kernel.Definition2{
		cudatile.AddF: numeric.Format.Add, cudatile.SubF: numeric.Format.Sub, cudatile.MulF: numeric.Format.Mul,
		cudatile.DivF: numeric.Format.Div, cudatile.RemF: numeric.Format.Rem, cudatile.Pow: numeric.Format.Pow,
		cudatile.Atan2: numeric.Format.Atan2,
	} {
		two[def] = func(d *core.Decoder, op ir.Op) (core.Action, error) {
			format := values.FormatOf(values.ElemOf(op.Operand(0)))
			return applyAbsorbing(d, op, kernel.Arithmetic(def, f, format, envOf(op)), absorbsFloat(def, format))
		}
	}
	defineElementwise(two)
	defineElementwise(map[*ir.OpDef]core.Rule{
		cudatile.MaxF: minMax(numeric.Format.Max, true), cudatile.MinF: minMax(numeric.Format.Min, false),
		cudatile.Fma: fma, cudatile.FPowI: powInt, cudatile.CmpF: cmpF,
	})
}

// absorbsFloat returns which elements decide the result of an operation. Unspecified elements are taken to be finite
// numbers: attention kernels add -inf to what they read out of bounds, and multiply it by zero.
//
//	unspecified + inf    is inf           unspecified * 0    is 0           unspecified + 1    stays unspecified
//
// An element decides the result only if no finite number could change it. The interpreter never guesses the number.
func absorbsFloat(def *ir.OpDef, f numeric.Format) func(x uint64) bool {
	switch def {
	case cudatile.AddF, cudatile.SubF:
		return f.IsInf
	case cudatile.MulF:
		return f.IsZero
	}
	return nil
}

// minMax uses a kernel in the default environment, without rounding or flushing. The function of package numeric is the
// definition, and a test compares the kernel with it.
func minMax(f func(fm numeric.Format, a, b uint64, propagate bool, env numeric.Env) uint64, larger bool) core.Rule {
	return func(d *core.Decoder, op ir.Op) (core.Action, error) {
		propagate, format, env := propagatesNaN(op), values.FormatOf(values.ElemOf(op.Operand(0))), envOf(op)
		if env == (numeric.Env{}) {
			if k := kernel.MinMax(format, larger, propagate); k != nil {
				return applyBinary(d, op, k)
			}
		}
		return applyBinary(d, op, func(out, a, b []uint64) {
			for i := range out {
				out[i] = f(format, a[i], b[i], propagate, env)
			}
		})
	}
}

// fma: a * b is unspecified if a or b is, unless the other is zero. The result is unspecified if that or c is, unless c
// is infinite.
func fma(d *core.Decoder, op ir.Op) (core.Action, error) {
	f := values.FormatOf(values.ElemOf(op.Operand(0)))
	return applyTernary(d, op, kernel.FMA(f, envOf(op)), func(n int, a, b, c *values.Vec) []bool {
		product := values.UnionUndef(n, a, b)
		for i := range product {
			product[i] = product[i] && !a.Decides(i, f.IsZero) && !b.Decides(i, f.IsZero)
		}
		out := values.UnionUndef(n, &values.Vec{Undef: product}, c)
		for i := range out {
			out[i] = out[i] && !c.Decides(i, f.IsInf)
		}
		return out
	})
}

// powInt takes the exponent exactly, whatever the base's format can represent. Compiled code converts it to a float
// first (convert-cuda-tile-to-tileaa).
func powInt(d *core.Decoder, op ir.Op) (core.Action, error) {
	f, w, env := values.FormatOf(values.ElemOf(op.Operand(0))), values.WidthOf(values.ElemOf(op.Operand(1))), envOf(op)
	return applyBinary(d, op, func(out, a, b []uint64) {
		for i := range out {
			out[i] = f.PowInt(a[i], int32(w.Signed(b[i])), env)
		}
	})
}

func cmpF(d *core.Decoder, op ir.Op) (core.Action, error) {
	f, p, unordered := values.FormatOf(values.ElemOf(op.Operand(0))), predicateOf(op), isUnordered(op)
	if k := kernel.Compare(f, p, unordered); k != nil {
		return applyBinary(d, op, k)
	}
	return applyBinary(d, op, func(out, a, b []uint64) {
		for i := range out {
			out[i] = kernel.Truth(f.Compare(p, unordered, a[i], b[i]))
		}
	})
}
