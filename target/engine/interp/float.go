package interp

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/target/engine/interp/kernel"
)

func exact(f func(numeric.Format, uint64) uint64) kernel.Definition1 {
	return func(fm numeric.Format, a uint64, _ numeric.Env) uint64 { return f(fm, a) }
}

func init() {
	one := make(map[*ir.OpDef]rule)
	for def, f := range map[*ir.OpDef]kernel.Definition1{
		cudatile.NegF: exact(numeric.Format.Neg), cudatile.AbsF: exact(numeric.Format.Abs), cudatile.Sqrt: numeric.Format.Sqrt,
		cudatile.Rsqrt: numeric.Format.Rsqrt, cudatile.Exp: numeric.Format.Exp, cudatile.Exp2: numeric.Format.Exp2,
		cudatile.Log: numeric.Format.Log, cudatile.Log2: numeric.Format.Log2, cudatile.Sin: numeric.Format.Sin,
		cudatile.Cos: numeric.Format.Cos, cudatile.Tan: numeric.Format.Tan, cudatile.SinH: numeric.Format.Sinh,
		cudatile.CosH: numeric.Format.Cosh, cudatile.TanH: numeric.Format.Tanh, cudatile.Floor: numeric.Format.Floor,
		cudatile.Ceil: numeric.Format.Ceil,
	} {
		one[def] = func(d *decoder, op ir.Op) (func(*machine) error, error) {
			return d.applyUnary(op, kernel.Function(def, f, formatOf(elemOf(op.Operand(0))), envOf(op)))
		}
	}
	defineVector(one)
	two := make(map[*ir.OpDef]rule)
	for def, f := range map[*ir.OpDef]kernel.Definition2{
		cudatile.AddF: numeric.Format.Add, cudatile.SubF: numeric.Format.Sub, cudatile.MulF: numeric.Format.Mul,
		cudatile.DivF: numeric.Format.Div, cudatile.RemF: numeric.Format.Rem, cudatile.Pow: numeric.Format.Pow,
		cudatile.Atan2: numeric.Format.Atan2,
	} {
		two[def] = func(d *decoder, op ir.Op) (func(*machine) error, error) {
			format := formatOf(elemOf(op.Operand(0)))
			return d.applyAbsorbing(op, kernel.Arithmetic(def, f, format, envOf(op)), absorbsFloat(def, format))
		}
	}
	defineVector(two)
	defineVector(map[*ir.OpDef]rule{
		cudatile.MaxF: minMax(numeric.Format.Max, true), cudatile.MinF: minMax(numeric.Format.Min, false),
		cudatile.Fma: (*decoder).fma, cudatile.FPowI: (*decoder).powInt, cudatile.CmpF: (*decoder).cmpF,
	})
}

// absorbsFloat returns which operands decide the result of an operation. Unspecified elements are taken to be finite: attention kernels add
// -inf to what they read out of bounds, and multiply it by zero.
//
//	unspecified + inf    is inf           unspecified * 0    is 0           unspecified + 1    stays unspecified
//
// Only what no finite number could change is decided; the interpreter never guesses the number.
func absorbsFloat(def *ir.OpDef, f numeric.Format) func(x uint64) bool {
	switch def {
	case cudatile.AddF, cudatile.SubF:
		return f.IsInf
	case cudatile.MulF:
		return f.IsZero
	}
	return nil
}

// minMax takes a kernel for the usual environment, which has no rounding or flushing; numeric's function is the
// definition, and a test holds the kernel to it.
func minMax(f func(fm numeric.Format, a, b uint64, propagate bool, env numeric.Env) uint64, larger bool) rule {
	return func(d *decoder, op ir.Op) (func(*machine) error, error) {
		propagate, format, env := propagatesNaN(op), formatOf(elemOf(op.Operand(0))), envOf(op)
		if env == (numeric.Env{}) {
			if k := kernel.MinMax(format, larger, propagate); k != nil {
				return d.applyBinary(op, k)
			}
		}
		return d.applyBinary(op, func(out, a, b []uint64) {
			for i := range out {
				out[i] = f(format, a[i], b[i], propagate, env)
			}
		})
	}
}

// The marks of a * b + c are those of the product, less where a factor is zero, joined with those of c, less
// where c is infinite.
func (d *decoder) fma(op ir.Op) (func(*machine) error, error) {
	f, env := formatOf(elemOf(op.Operand(0))), envOf(op)
	k := kernel.FMA(f)
	if k == nil || env != (numeric.Env{}) {
		k = func(out, a, b, c []uint64) {
			for i := range out {
				out[i] = f.FMA(a[i], b[i], c[i], env)
			}
		}
	}
	return d.applyTernary(op, k, func(n int, a, b, c *vec) []bool {
		product := unionUndef(n, a, b)
		for i := range product {
			product[i] = product[i] && !a.decides(i, f.IsZero) && !b.decides(i, f.IsZero)
		}
		out := unionUndef(n, &vec{undef: product}, c)
		for i := range out {
			out[i] = out[i] && !c.decides(i, f.IsInf)
		}
		return out
	})
}

// powInt: the exponent is exact, whatever the format of the base holds; compiled code goes through a float
// (convert-cuda-tile-to-tileaa).
func (d *decoder) powInt(op ir.Op) (func(*machine) error, error) {
	f, w, env := formatOf(elemOf(op.Operand(0))), widthOf(elemOf(op.Operand(1))), envOf(op)
	return d.applyBinary(op, func(out, a, b []uint64) {
		for i := range out {
			out[i] = f.PowInt(a[i], int32(w.Signed(b[i])), env)
		}
	})
}

func (d *decoder) cmpF(op ir.Op) (func(*machine) error, error) {
	f, p, unordered := formatOf(elemOf(op.Operand(0))), predicateOf(op), isUnordered(op)
	if k := kernel.Compare(f, p, unordered); k != nil {
		return d.applyBinary(op, k)
	}
	return d.applyBinary(op, func(out, a, b []uint64) {
		for i := range out {
			out[i] = kernel.Truth(f.Compare(p, unordered, a[i], b[i]))
		}
	})
}
