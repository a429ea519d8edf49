package expandmath

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
)

// expF32 is 2^n times the instruction's 2^(x·log2(e)-n), with n the integer nearest to x·log2(e). n stays within the
// exponents of normal numbers. Beyond them, the rest becomes large, and the last multiplication rounds to a subnormal
// number or overflows.
func expF32(e expander, x []ir.Value) ir.Value {
	if e.approx {
		return e.approximate(nvvm.Ex2Approx, e.flushed(x[0], e.c(log2E.hi)))
	}
	hi, lo := e.split(log2E)
	sum := e.fma(x[0], hi, e.c(e.magic()))
	n := e.clamp(e.sub(sum, e.c(e.magic())), -126, 127)
	return exp2Single(e, n, e.fma(x[0], lo, e.fma(x[0], hi, e.neg(n))))
}

// exp2Single returns 2^n·2^f for an integer n from -126 to 127.
func exp2Single(e expander, n, f ir.Value) ir.Value {
	power := e.approximate(nvvm.Ex2Approx, f)
	biased := e.toBits(e.add(n, e.c(e.magic()+float64(e.spec.Bias))))
	scale := e.fromBits(e.Op(arith.ShLI, biased, e.i(int64(e.spec.Man))))
	return e.flushed(power, scale)
}

func exp2F32(e expander, x []ir.Value) ir.Value { return e.approximate(nvvm.Ex2Approx, x[0]) }

// power returns 2^n for an exponent n of normal numbers.
func (e expander) power(n ir.Value) ir.Value {
	return e.fromBits(e.Op(arith.ShLI, e.Op(arith.AddI, n, e.i(int64(e.spec.Bias))), e.i(int64(e.spec.Man))))
}

// rsqrt is the instruction, whose error is below 2 ulp, in f64 too: the assembler refines that.
func rsqrt(e expander, x []ir.Value) ir.Value { return e.approximate(nvvm.RsqrtApprox, x[0]) }
