package vectorgen

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Predicates of comparisons, which are false for NaNs.
const (
	atMost = 2
	inside = 1
)

// exponential makes the kernel of package kernel's expF32, which explains it. Operands so small that the result is zero
// are computed too. The kernel stops at the first group of which an element needs the slow way.
func (g *generator) exponential() {
	g.text("expF32", "func(out, a *uint64, n int, base, powers *float64) int")
	g.Pragma("noescape")
	g.Doc("expF32 computes exponentials, and returns how many.")
	out, a, n := g.Load(g.Param("out"), g.GP64()), g.Load(g.Param("a"), g.GP64()), g.Load(g.Param("n"), g.GP64())
	base, powers := g.Load(g.Param("base"), g.GP64()), g.Load(g.Param("powers"), g.GP64())
	done := g.GP64()
	g.XORQ(done, done)
	number := func(name string, x float64) operand.Mem { return g.constant(name, operand.F64(x)) }
	// The fields of a reduction, in its order.
	field := func(i int) reg.VecVirtual {
		r := g.YMM()
		g.VBROADCASTSD(operand.Mem{Base: base, Disp: 8 * i}, r)
		return r
	}
	fill := func(m operand.Mem) reg.VecVirtual {
		r := g.YMM()
		g.VBROADCASTSD(m, r)
		return r
	}
	pattern := func(name string, x uint64) reg.VecVirtual { return fill(g.constant(name, operand.U64(x))) }

	g.Label("loop")
	g.CMPQ(n, operand.Imm(group))
	g.JL(operand.LabelRef("done"))
	floats, upper := g.dwords(a), g.XMM()
	g.VEXTRACTF128(operand.Imm(1), floats, upper)
	var results [2]reg.VecVirtual
	sure := g.YMM()
	for half, from := range []reg.VecVirtual{floats, upper} {
		x, tiny, fine := g.YMM(), g.YMM(), g.YMM()
		g.VCVTPS2PD(from.AsX(), x)
		g.VCMPPD(operand.Imm(atMost), field(4), x, tiny)
		m := g.YMM()
		g.VANDPD(pattern("magnitude", 1<<63-1), x, m)
		g.VCMPPD(operand.Imm(inside), fill(number("range", 80)), m, fine)

		shifted, whole, r := g.YMM(), g.YMM(), g.YMM()
		shifter := fill(number("shifter", 3<<51))
		g.VMOVAPD(shifter, shifted)
		g.VFMADD231PD(field(0), x, shifted)
		g.VSUBPD(shifter, shifted, whole)
		g.VMOVAPD(x, r)
		g.VFNMADD231PD(field(1), whole, r)
		g.VFNMADD231PD(field(2), whole, r)
		g.VMULPD(field(3), r, r)
		p := fill(number("c5", 1./120))
		for _, c := range []struct {
			name string
			x    float64
		}{{"c4", 1. / 24}, {"c3", 1. / 6}, {"c2", 1. / 2}, {"c1", 1}, {"c1", 1}} {
			g.VFMADD213PD(fill(number(c.name, c.x)), r, p)
		}
		index, mask, power := g.YMM(), g.YMM(), g.YMM()
		g.VANDPD(pattern("steps", 31), shifted, index)
		g.VPCMPEQQ(mask, mask, mask)
		g.VGATHERQPD(mask, operand.Mem{Base: powers, Index: index, Scale: 8}, power)
		g.VMULPD(power, p, p)
		exponent := g.YMM()
		g.VPSRLQ(operand.Imm(5), shifted, exponent)
		g.VPSLLQ(operand.Imm(52), exponent, exponent)
		g.VPADDQ(exponent, p, p)

		// Next to the middle between two f32, the rest of the bits is that of the middle.
		rest, zero := g.YMM(), g.YMM()
		g.VANDPD(pattern("dropped", 1<<29-1), p, rest)
		g.VPSUBQ(pattern("middle", 1<<28-1<<8), rest, rest)
		g.VPSRLQ(operand.Imm(9), rest, rest)
		g.VPXOR(zero, zero, zero)
		g.VPCMPEQQ(zero, rest, rest)
		g.VPANDN(fine, rest, fine) // in range, and not near the middle
		g.VPOR(tiny, fine, fine)
		if half == 0 {
			g.VMOVAPD(fine, sure)
		} else {
			g.VPAND(fine, sure, sure)
		}
		g.VPANDN(p, tiny, p)
		results[half] = p
	}
	lanes := g.GP32()
	g.VMOVMSKPD(sure, lanes)
	g.CMPL(lanes, operand.Imm(15))
	g.JNE(operand.LabelRef("done"))
	for half, p := range results {
		f, wide := g.XMM(), g.YMM()
		g.VCVTPD2PSY(p, f)
		g.VPMOVZXDQ(f, wide)
		g.VMOVDQU(wide, operand.Mem{Base: out, Disp: 32 * half})
	}
	g.ADDQ(operand.Imm(8*group), a)
	g.ADDQ(operand.Imm(8*group), out)
	g.ADDQ(operand.Imm(group), done)
	g.SUBQ(operand.Imm(group), n)
	g.JMP(operand.LabelRef("loop"))
	g.Label("done")
	g.VZEROUPPER()
	g.Store(done, g.ReturnIndex(0))
	g.RET()
}
