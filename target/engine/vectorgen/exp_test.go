package vectorgen

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Predicates of comparisons, which are false for NaNs.
const (
	atMost  = 2
	inside  = 1
	atLeast = 13
)

// exponential makes the kernel of package kernel's expF32, which explains it. Operands so small that the result is zero
// are computed too. The kernel stops at the first group of which an element needs the slow way.
func (g *generator) exponential() {
	g.untilUnsure("expF32", "computes exponentials, and returns how many.", func(out, a, n, base, powers, done reg.Register) {
		if g.avx512 {
			g.exponentials512(out, a, n, base, powers, done)
			return
		}
		g.sureGroups(out, a, n, done, func(x, fine reg.VecVirtual) reg.VecVirtual {
			tiny, m := g.YMM(), g.YMM()
			g.VCMPPD(operand.Imm(atMost), g.double(operand.Mem{Base: base, Disp: 32}), x, tiny)
			g.VANDPD(g.pattern("magnitude", 1<<63-1), x, m)
			g.VCMPPD(operand.Imm(inside), g.number("range", 80), m, fine)
			p := g.raised(x, base, powers)
			g.VANDNPD(fine, g.nearMiddle(p), fine)
			g.VORPD(tiny, fine, fine)
			g.VANDNPD(p, tiny, p)
			return p
		})
	})
}

// tangent makes the kernel of package kernel's tanhF32, which explains it, in AVX2 for all processors.
func (g *generator) tangent() {
	g.untilUnsure("tanhF32", "computes hyperbolic tangents, and returns how many.", func(out, a, n, base, powers, done reg.Register) {
		g.sureGroups(out, a, n, done, func(x, fine reg.VecVirtual) reg.VecVirtual {
			m, zero, t, u := g.YMM(), g.YMM(), g.YMM(), g.YMM()
			g.VANDPD(g.pattern("magnitude", 1<<63-1), x, m)
			g.VXORPD(zero, zero, zero)
			g.VCMPPD(operand.Imm(atLeast), g.number("normal", 0x1p-120), m, fine)
			g.VCMPPD(operand.Imm(equal), zero, m, zero)
			g.VORPD(zero, fine, fine)
			// 1 - 2/(e^2m + 1)
			g.VMINPD(g.number("saturated", 20), m, t)
			g.VADDPD(t, t, t)
			e, one := g.raised(t, base, powers), g.number("c1", 1)
			g.VADDPD(one, e, e)
			g.VADDPD(one, one, u)
			g.VDIVPD(e, u, u)
			g.VSUBPD(u, one, u)
			// near zero, the series
			s, p, small := g.YMM(), g.number("t9", tangents[0]), g.YMM()
			g.VMULPD(m, m, s)
			for i, c := range tangents[1:] {
				g.VFMADD213PD(g.number(fmt.Sprintf("t%d", 8-i), c), s, p)
			}
			g.VMULPD(m, p, p)
			g.VCMPPD(operand.Imm(less), g.number("small", 0.2), m, small)
			g.VBLENDVPD(small, p, u, u)
			g.VANDNPD(fine, g.nearMiddle(u), fine)
			g.VANDNPD(x, g.pattern("magnitude", 1<<63-1), t) // the sign
			g.VORPD(t, u, u)
			return u
		})
	})
}

// tangents are the coefficients of x, x^3, ... x^17 of the hyperbolic tangent's series, the last one first. What is cut
// off is below 2^-53 of the sum for x up to 0.2.
var tangents = []float64{
	6404582. / 10854718875, -929569. / 638512875, 21844. / 6081075, -1382. / 155925, 62. / 2835, -17. / 315, 2. / 15, -1. / 3, 1,
}

// untilUnsure makes a function of f32 that returns how many elements it has computed.
func (g *generator) untilUnsure(name, doc string, body func(out, a, n, base, powers, done reg.Register)) {
	name = g.text(name, "func(out, a *uint64, n int, base, powers *float64) int")
	g.Pragma("noescape")
	g.Doc(name + " " + doc)
	out, a, n := g.Load(g.Param("out"), g.GP64()), g.Load(g.Param("a"), g.GP64()), g.Load(g.Param("n"), g.GP64())
	base, powers := g.Load(g.Param("base"), g.GP64()), g.Load(g.Param("powers"), g.GP64())
	done := g.GP64()
	g.XORQ(done, done)
	body(out, a, n, base, powers, done)
	g.Label("done")
	g.VZEROUPPER()
	g.Store(done, g.ReturnIndex(0))
	g.RET()
}

// coefficients are those of the exponential's polynomial, by the power of the rest, the highest first.
var coefficients = []struct {
	name string
	x    float64
}{{"c5", 1. / 120}, {"c4", 1. / 24}, {"c3", 1. / 6}, {"c2", 1. / 2}, {"c1", 1}, {"c1", 1}}

// double repeats what is in memory.
func (g *generator) double(m operand.Mem) reg.VecVirtual {
	_, vector := g.lanes(precision{})
	r := vector()
	g.VBROADCASTSD(m, r)
	return r
}

func (g *generator) number(name string, x float64) reg.VecVirtual {
	return g.double(g.constant(name, operand.F64(x)))
}

func (g *generator) pattern(name string, x uint64) reg.VecVirtual {
	return g.double(g.constant(name, operand.U64(x)))
}

// sureGroups applies a function to four elements at a time, as f64. It marks those of which it is sure.
func (g *generator) sureGroups(out, a, n, done reg.Register, f func(x, fine reg.VecVirtual) reg.VecVirtual) {
	g.Label("loop")
	g.CMPQ(n, operand.Imm(group))
	g.JL(operand.LabelRef("done"))
	floats, upper := g.dwords(a), g.XMM()
	g.VEXTRACTF128(operand.Imm(1), floats, upper)
	var results [2]reg.VecVirtual
	sure := g.YMM()
	for half, from := range []reg.VecVirtual{floats, upper} {
		x, fine := g.YMM(), g.YMM()
		g.VCVTPS2PD(from.AsX(), x)
		results[half] = f(x, fine)
		if half == 0 {
			g.VMOVAPD(fine, sure)
		} else {
			g.VPAND(fine, sure, sure)
		}
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

// raised returns the base of a reduction to the power of x.
func (g *generator) raised(x reg.VecVirtual, base, powers reg.Register) reg.VecVirtual {
	field := func(i int) reg.VecVirtual { return g.double(operand.Mem{Base: base, Disp: 8 * i}) }
	shifted, whole, r := g.YMM(), g.YMM(), g.YMM()
	shifter := g.number("shifter", 3<<51)
	g.VMOVAPD(shifter, shifted)
	g.VFMADD231PD(field(0), x, shifted)
	g.VSUBPD(shifter, shifted, whole)
	g.VMOVAPD(x, r)
	g.VFNMADD231PD(field(1), whole, r)
	g.VFNMADD231PD(field(2), whole, r)
	g.VMULPD(field(3), r, r)
	p := g.number(coefficients[0].name, coefficients[0].x)
	for _, c := range coefficients[1:] {
		g.VFMADD213PD(g.number(c.name, c.x), r, p)
	}
	index, mask, power := g.YMM(), g.YMM(), g.YMM()
	g.VANDPD(g.pattern("steps", 31), shifted, index)
	g.VPCMPEQQ(mask, mask, mask)
	g.VGATHERQPD(mask, operand.Mem{Base: powers, Index: index, Scale: 8}, power)
	g.VMULPD(power, p, p)
	exponent := g.YMM()
	g.VPSRLQ(operand.Imm(5), shifted, exponent)
	g.VPSLLQ(operand.Imm(52), exponent, exponent)
	g.VPADDQ(exponent, p, p)
	return p
}

// nearMiddle marks what is next to the middle between two f32: the rest of its bits is that of the middle.
func (g *generator) nearMiddle(p reg.VecVirtual) reg.VecVirtual {
	rest, zero := g.YMM(), g.YMM()
	g.VANDPD(g.pattern("dropped", 1<<29-1), p, rest)
	g.VPSUBQ(g.pattern("middle", 1<<28-1<<8), rest, rest)
	g.VPSRLQ(operand.Imm(9), rest, rest)
	g.VPXOR(zero, zero, zero)
	g.VPCMPEQQ(zero, rest, rest)
	return rest
}

// exponentials512 keeps all constants and the powers in registers: sixteen, in steps of 2/32, for which the polynomial
// has one more term. A power's exponent is added before it is multiplied, and the power's pattern lacks what its number
// would add to that.
func (g *generator) exponentials512(out, a, n, base, powers, done reg.Register) {
	var fields [5]reg.VecVirtual // of a reduction, in its order
	for i := range fields {
		fields[i] = g.double(operand.Mem{Base: base, Disp: 8 * i})
	}
	even, number, step := g.ZMM(), g.ZMM(), g.ZMM()
	g.VPMOVZXBQ(g.constant("evenNumbers", operand.U64(0x0e0c0a0806040200)), even)
	g.VPSLLQ(operand.Imm(47), even, number) // half of it, in the place of the exponent's last four bits
	g.VPBROADCASTQ(g.constant("eightNumbers", operand.U64(8<<48)), step)
	var table [2]reg.VecVirtual
	for i := range table {
		table[i] = g.ZMM()
		g.VMOVUPD(operand.Mem{Base: powers, Disp: 128 * i}, table[i])
		g.VPERMT2PD(operand.Mem{Base: powers, Disp: 128*i + 64}, even, table[i])
		g.VPSUBQ(number, table[i], table[i])
		g.VPADDQ(step, number, number)
	}
	magnitude, limit, shifter := g.pattern("magnitude", 1<<63-1), g.number("range", 80), g.number("shifterBy2", 3<<52)
	near, middle := g.pattern("nearMiddle", 1<<29-1<<9), g.pattern("middle", 1<<28-1<<8)
	c := []reg.VecVirtual{g.number("c6", 1./720)}
	for _, k := range coefficients {
		c = append(c, g.number(k.name, k.x))
	}
	unit := fields[3] // of which the coefficients take the powers, so that the rest needs no product
	power := g.ZMM()
	g.VMOVAPD(unit, power)
	for i := len(c) - 2; i >= 0; i-- {
		scaled := g.ZMM()
		g.VMULPD(power, c[i], scaled)
		g.VMULPD(unit, power, power)
		c[i] = scaled
	}

	g.Label("loop")
	g.CMPQ(n, operand.Imm(group))
	g.JL(operand.LabelRef("done"))
	x, m, tiny, fine := g.ZMM(), g.ZMM(), g.K(), g.K()
	g.VCVTPS2PD(g.dwords(a), x)
	g.VCMPPD(operand.Imm(atMost), fields[4], x, tiny)
	g.VPANDQ(magnitude, x, m)
	g.VCMPPD(operand.Imm(inside), limit, m, fine)

	shifted, whole, p, scale := g.ZMM(), g.ZMM(), g.ZMM(), g.ZMM()
	g.VMOVAPD(shifter, shifted)
	g.VFMADD231PD(fields[0], x, shifted)
	g.VSUBPD(shifter, shifted, whole)
	g.VFNMADD231PD(fields[1], whole, x)
	g.VFNMADD231PD(fields[2], whole, x)
	g.VMOVAPD(c[0], p)
	for _, c := range c[1:] {
		g.VFMADD213PD(c, x, p)
	}
	g.VMOVAPD(shifted, scale)
	g.VPERMI2PD(table[1], table[0], scale) // by the lowest four bits
	g.VPSLLQ(operand.Imm(48), shifted, shifted)
	g.VPADDQ(shifted, scale, scale)
	g.VMULPD(scale, p, p)

	unsure, rest, f := g.K(), g.ZMM(), g.YMM()
	g.VPSUBQ(middle, p, rest)
	g.VPTESTNMQ(near, rest, unsure)
	g.KANDNB(fine, unsure, fine)
	g.KORTESTB(tiny, fine)
	g.JCC(operand.LabelRef("done")) // unless all are fine or tiny
	g.VPXORQ(p, p, tiny, p)
	g.VCVTPD2PS(p, f)
	g.storeDwords(f, out)
	g.ADDQ(operand.Imm(8*group), a)
	g.ADDQ(operand.Imm(8*group), out)
	g.ADDQ(operand.Imm(group), done)
	g.SUBQ(operand.Imm(group), n)
	g.JMP(operand.LabelRef("loop"))
}
