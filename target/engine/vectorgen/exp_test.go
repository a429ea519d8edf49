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
	name := g.text("expF32", "func(out, a *uint64, n int, base, powers *float64) int")
	g.Pragma("noescape")
	g.Doc(name + " computes exponentials, and returns how many.")
	out, a, n := g.Load(g.Param("out"), g.GP64()), g.Load(g.Param("a"), g.GP64()), g.Load(g.Param("n"), g.GP64())
	base, powers := g.Load(g.Param("base"), g.GP64()), g.Load(g.Param("powers"), g.GP64())
	done := g.GP64()
	g.XORQ(done, done)
	if g.avx512 {
		g.exponentials512(out, a, n, base, powers, done)
	} else {
		g.exponentials(out, a, n, base, powers, done)
	}
	g.Label("done")
	g.VZEROUPPER()
	g.Store(done, g.ReturnIndex(0))
	g.RET()
}

// coefficients are those of the polynomial, by the power of the rest, the highest first.
var coefficients = []struct {
	name string
	x    float64
}{{"c5", 1. / 120}, {"c4", 1. / 24}, {"c3", 1. / 6}, {"c2", 1. / 2}, {"c1", 1}, {"c1", 1}}

func (g *generator) exponentials(out, a, n, base, powers, done reg.Register) {
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
		p := fill(number(coefficients[0].name, coefficients[0].x))
		for _, c := range coefficients[1:] {
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
}

// exponentials512 keeps all constants and the powers in registers.
func (g *generator) exponentials512(out, a, n, base, powers, done reg.Register) {
	fill := func(m operand.Mem) reg.VecVirtual {
		r := g.ZMM()
		g.VBROADCASTSD(m, r)
		return r
	}
	number := func(name string, x float64) reg.VecVirtual { return fill(g.constant(name, operand.F64(x))) }
	pattern := func(name string, x uint64) reg.VecVirtual { return fill(g.constant(name, operand.U64(x))) }
	var fields [5]reg.VecVirtual // of a reduction, in its order
	for i := range fields {
		fields[i] = fill(operand.Mem{Base: base, Disp: 8 * i})
	}
	var table [4]reg.VecVirtual
	for i := range table {
		table[i] = g.ZMM()
		g.VMOVUPD(operand.Mem{Base: powers, Disp: 64 * i}, table[i])
	}
	magnitude, limit, shifter := pattern("magnitude", 1<<63-1), number("range", 80), number("shifter", 3<<51)
	upper, dropped, middle := pattern("upper", 16), pattern("dropped", 1<<29-1), pattern("middle", 1<<28-1<<8)
	var c []reg.VecVirtual
	for _, k := range coefficients[:5] {
		c = append(c, number(k.name, k.x))
	}
	c = append(c, c[4])

	g.Label("loop")
	g.CMPQ(n, operand.Imm(group))
	g.JL(operand.LabelRef("done"))
	x, m, tiny, fine := g.ZMM(), g.ZMM(), g.K(), g.K()
	g.VCVTPS2PD(g.dwords(a), x)
	g.VCMPPD(operand.Imm(atMost), fields[4], x, tiny)
	g.VPANDQ(magnitude, x, m)
	g.VCMPPD(operand.Imm(inside), limit, m, fine)

	shifted, whole, r, p := g.ZMM(), g.ZMM(), g.ZMM(), g.ZMM()
	g.VMOVAPD(shifter, shifted)
	g.VFMADD231PD(fields[0], x, shifted)
	g.VSUBPD(shifter, shifted, whole)
	g.VMOVAPD(x, r)
	g.VFNMADD231PD(fields[1], whole, r)
	g.VFNMADD231PD(fields[2], whole, r)
	g.VMULPD(fields[3], r, r)
	g.VMOVAPD(c[0], p)
	for _, c := range c[1:] {
		g.VFMADD213PD(c, r, p)
	}
	power, high, isHigh := g.ZMM(), g.ZMM(), g.K()
	g.VMOVAPD(shifted, power)
	g.VMOVAPD(shifted, high)
	g.VPERMI2PD(table[1], table[0], power) // by the lowest four bits
	g.VPERMI2PD(table[3], table[2], high)
	g.VPTESTMQ(upper, shifted, isHigh)
	g.VMOVAPD(high, isHigh, power)
	g.VMULPD(power, p, p)
	g.VPSRLQ(operand.Imm(5), shifted, shifted)
	g.VPSLLQ(operand.Imm(52), shifted, shifted)
	g.VPADDQ(shifted, p, p)

	rest, near, lanes := g.ZMM(), g.K(), g.GP32()
	g.VPANDQ(dropped, p, rest)
	g.VPSUBQ(middle, rest, rest)
	g.VPSRLQ(operand.Imm(9), rest, rest)
	g.VPTESTNMQ(rest, rest, near)
	g.KANDNB(fine, near, fine)
	g.KORB(tiny, fine, fine)
	g.KMOVB(fine, lanes)
	g.CMPL(lanes, operand.Imm(255))
	g.JNE(operand.LabelRef("done"))
	f := g.YMM()
	g.VPXORQ(p, p, tiny, p)
	g.VCVTPD2PS(p, f)
	g.storeDwords(f, out)
	g.ADDQ(operand.Imm(8*group), a)
	g.ADDQ(operand.Imm(8*group), out)
	g.ADDQ(operand.Imm(group), done)
	g.SUBQ(operand.Imm(group), n)
	g.JMP(operand.LabelRef("loop"))
}
