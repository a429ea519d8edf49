package vectorgen

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// group is how many elements a kernel computes at a time. A pattern takes 64 bits, and half of those as a float.
const group = 8

// Predicates of comparisons: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, CMPPD.
const (
	equal     = 0
	less      = 1
	unordered = 3
	greater   = 14
)

// Immediates of VRANGEPS, which chooses by value and sign and keeps the sign of what it has chosen: the same volume.
const (
	smaller = 4
	larger  = 5
)

// A kernel is a function that is written: a result, operands of the same length, and perhaps more.
type kernel struct {
	g   *generator
	out reg.Register
	in  []reg.Register
	n   reg.Register
}

// begin starts a kernel of a signature.
func (g *generator) begin(name, doc string, operands int, others ...string) *kernel {
	names := []string{"a", "b", "c"}[:operands]
	signature := "func(out"
	for _, p := range names {
		signature += ", " + p
	}
	signature += " *uint64, n int"
	for _, o := range others {
		signature += ", " + o
	}
	name = g.text(name, signature+")")
	g.Pragma("noescape")
	g.Doc(name + " " + doc)
	k := &kernel{g: g, out: g.Load(g.Param("out"), g.GP64())}
	for _, p := range names {
		k.in = append(k.in, g.Load(g.Param(p), g.GP64()))
	}
	k.n = g.Load(g.Param("n"), g.GP64())
	return k
}

// each ends a kernel with a loop over groups.
func (k *kernel) each(body func()) {
	k.g.Label("loop")
	k.g.CMPQ(k.n, operand.Imm(group))
	k.g.JL(operand.LabelRef("done"))
	body()
	for _, p := range append(k.in, k.out) {
		k.g.ADDQ(operand.Imm(8*group), p)
	}
	k.g.SUBQ(operand.Imm(group), k.n)
	k.g.JMP(operand.LabelRef("loop"))
	k.g.Label("done")
	k.g.VZEROUPPER()
	k.g.RET()
}

// dwords loads the lower halves of a group.
func (g *generator) dwords(p reg.Register) reg.VecVirtual {
	if g.avx512 {
		q := g.ZMM()
		g.VMOVDQU64(operand.Mem{Base: p}, q)
		d := g.YMM()
		g.VPMOVQD(q, d)
		return d
	}
	lo, d := g.YMM(), g.YMM()
	g.VMOVUPS(operand.Mem{Base: p}, lo)
	g.VSHUFPS(operand.Imm(0x88), operand.Mem{Base: p, Disp: 32}, lo, d)
	g.VPERMQ(operand.Imm(0xd8), d, d)
	return d
}

// storeDwords stores a group of patterns of 32 bits.
func (g *generator) storeDwords(d reg.VecVirtual, p reg.Register) {
	if g.avx512 {
		q := g.ZMM()
		g.VPMOVZXDQ(d, q)
		g.VMOVDQU64(q, operand.Mem{Base: p})
		return
	}
	lo, hi, x := g.YMM(), g.YMM(), g.XMM()
	g.VPMOVZXDQ(d.AsX(), lo)
	g.VEXTRACTI128(operand.Imm(1), d, x)
	g.VPMOVZXDQ(x, hi)
	g.VMOVDQU(lo, operand.Mem{Base: p})
	g.VMOVDQU(hi, operand.Mem{Base: p, Disp: 32})
}

// words returns the lower halves of a group of patterns of 32 bits.
func (g *generator) words(d reg.VecVirtual) reg.VecVirtual {
	w := g.YMM()
	g.VPACKUSDW(d, d, w)
	g.VPERMQ(operand.Imm(0x08), w, w)
	return w
}

// constant returns where a constant is.
func (g *generator) constant(name string, x operand.Constant) operand.Mem {
	if _, ok := g.constants[name]; !ok {
		g.constants[name] = g.ConstData(name, x)
	}
	return g.constants[name]
}

// all returns a register of equal 32-bit values.
func (g *generator) all(name string, x uint32) reg.VecVirtual {
	r := g.YMM()
	g.VBROADCASTSS(g.constant(name, operand.U32(x)), r)
	return r
}

// canonical replaces the NaNs of f32.
func (g *generator) canonical(y, nan reg.VecVirtual) {
	if g.avx512 {
		m := g.K()
		g.VCMPPS(operand.Imm(unordered), y, y, m)
		g.VMOVAPS(nan, m, y)
		return
	}
	m := g.YMM()
	g.VCMPPS(operand.Imm(unordered), y, y, m)
	g.VBLENDVPS(m, nan, y, y)
}

// A format is how a group of elements becomes eight f32 and back, rounded to nearest even.
type format struct {
	name   string
	vector func() reg.VecVirtual
	decode func(p reg.Register) reg.VecVirtual
	encode func(y reg.VecVirtual, p reg.Register)
}

// formats returns the formats of kernels for floats.
func (g *generator) formats() []format {
	return []format{g.f32Format(), g.f16Format(), g.bf16Format()}
}

// arithmeticFormats is formats for kernels that need no groups without gaps.
func (g *generator) arithmeticFormats() []format {
	f := g.formats()
	if g.avx512 {
		f[0] = g.f32InPlace()
	}
	return f
}

// f32InPlace is f32 as its patterns are in memory: each second number of a vector is zero, and stays zero in sums,
// products, minima and so on. A quotient of zeros becomes a NaN, whose pattern ends there too.
func (g *generator) f32InPlace() format {
	return format{"F32", g.ZMM, func(p reg.Register) reg.VecVirtual {
		y := g.ZMM()
		g.VMOVDQU64(operand.Mem{Base: p}, y)
		return y
	}, func(y reg.VecVirtual, p reg.Register) {
		g.canonical(y, g.pattern("nanInPlace", 0x7fc00000))
		g.VMOVDQU64(y, operand.Mem{Base: p})
	}}
}

func (g *generator) f32Format() format {
	return format{"F32", g.YMM, g.dwords, func(y reg.VecVirtual, p reg.Register) {
		g.canonical(y, g.all("nanF32", 0x7fc00000))
		g.storeDwords(y, p)
	}}
}

func (g *generator) f16Format() format {
	decode := func(p reg.Register) reg.VecVirtual {
		y := g.YMM()
		if g.avx512 {
			q, w := g.ZMM(), g.XMM()
			g.VMOVDQU64(operand.Mem{Base: p}, q)
			g.VPMOVQW(q, w)
			g.VCVTPH2PS(w, y)
			return y
		}
		g.VCVTPH2PS(g.words(g.dwords(p)).AsX(), y)
		return y
	}
	return format{"F16", g.YMM, decode, func(y reg.VecVirtual, p reg.Register) {
		g.canonical(y, g.all("nanF32", 0x7fc00000))
		x, lo, hi := g.XMM(), g.YMM(), g.YMM()
		g.VCVTPS2PH(operand.Imm(0), y, x)
		if g.avx512 {
			q := g.ZMM()
			g.VPMOVZXWQ(x, q)
			g.VMOVDQU64(q, operand.Mem{Base: p})
			return
		}
		g.VPMOVZXWQ(x, lo)
		g.VPSRLDQ(operand.Imm(8), x, x)
		g.VPMOVZXWQ(x, hi)
		g.VMOVDQU(lo, operand.Mem{Base: p})
		g.VMOVDQU(hi, operand.Mem{Base: p, Disp: 32})
	}}
}

func (g *generator) bf16Format() format {
	decode := func(p reg.Register) reg.VecVirtual {
		y := g.dwords(p)
		g.VPSLLD(operand.Imm(16), y, y)
		return y
	}
	return format{"BF16", g.YMM, decode, func(y reg.VecVirtual, p reg.Register) {
		// Half of the last kept place, less one where that place is even, carries when rounding goes up.
		m, r := g.YMM(), g.YMM()
		g.VCMPPS(operand.Imm(unordered), y, y, m)
		g.VPSRLD(operand.Imm(16), y, r)
		g.VPAND(g.all("one", 1), r, r)
		g.VPADDD(g.all("half", 0x7fff), r, r)
		g.VPADDD(y, r, r)
		g.VPSRLD(operand.Imm(16), r, r)
		g.VBLENDVPS(m, g.all("nanBF16", 0x7fc0), r, r)
		g.storeDwords(r, p)
	}}
}

// flushed is f32 whose subnormal operands and results are zeros of their sign.
func (g *generator) flushed(f32 format) format {
	flush := func(x reg.VecVirtual) {
		if g.avx512 {
			small := g.K()
			g.VPTESTNMD(g.pattern("exponentInPlace", 0x7f800000), x, small)
			g.VPANDD(g.pattern("signInPlace", 1<<31), x, small, x)
			return
		}
		m, zero := g.YMM(), g.YMM()
		g.VPAND(g.all("exponentF32", 0x7f800000), x, m)
		g.VPXOR(zero, zero, zero)
		g.VPCMPEQD(zero, m, m)
		g.VPAND(g.all("magnitudeF32", 0x7fffffff), m, m)
		g.VPANDN(x, m, x)
	}
	return format{"F32FTZ", f32.vector, func(p reg.Register) reg.VecVirtual {
		x := f32.decode(p)
		flush(x)
		return x
	}, func(y reg.VecVirtual, p reg.Register) {
		flush(y)
		f32.encode(y, p)
	}}
}

func (g *generator) arithmetic() {
	formats := g.arithmeticFormats()
	f32 := formats[0]
	for _, f := range append(formats, g.flushed(f32)) {
		for _, op := range []struct {
			name string
			do   func(ops ...operand.Op)
		}{{"add", g.VADDPS}, {"sub", g.VSUBPS}, {"mul", g.VMULPS}, {"div", g.VDIVPS}} {
			k := g.begin(op.name+f.name, "combines elements.", 2)
			k.each(func() {
				x, y, r := f.decode(k.in[0]), f.decode(k.in[1]), f.vector()
				op.do(y, x, r)
				f.encode(r, k.out)
			})
		}
	}
	g.neighbours("addF32", func(x, y reg.VecVirtual) reg.VecVirtual {
		g.VADDPS(y, x, x)
		return x
	})
	for _, f := range []format{f32, g.flushed(f32)} {
		k := g.begin("fma"+f.name, "adds to products, rounding once.", 3)
		k.each(func() {
			x, y, z := f.decode(k.in[0]), f.decode(k.in[1]), f.decode(k.in[2])
			g.VFMADD231PS(x, y, z)
			f.encode(z, k.out)
		})
	}
	k := g.begin("sqrtF32", "takes square roots.", 1)
	k.each(func() {
		r := f32.vector()
		g.VSQRTPS(f32.decode(k.in[0]), r)
		f32.encode(r, k.out)
	})
}

// order makes the minima and maxima. By sign and magnitude, patterns of f32 compare like the values, and -0 is less
// than +0.
func (g *generator) order() {
	key := func(x reg.VecVirtual) reg.VecVirtual {
		s := g.YMM()
		g.VPSRAD(operand.Imm(31), x, s)
		g.VPSRLD(operand.Imm(1), s, s)
		g.VPXOR(x, s, s)
		return s
	}
	for _, f := range g.arithmeticFormats() {
		for _, more := range []bool{false, true} {
			for _, propagate := range []bool{false, true} {
				name := map[bool]string{false: "min", true: "max"}[more] + f.name
				if propagate {
					name += "NaN"
				}
				choose := func(x, y reg.VecVirtual) reg.VecVirtual {
					forX, forY := y, x // what stands for a NaN
					if propagate {
						forX, forY = x, y
					}
					r := f.vector()
					if g.avx512 {
						xNaN, yNaN := g.K(), g.K()
						g.VRANGEPS(operand.Imm(map[bool]uint64{false: smaller, true: larger}[more]), y, x, r)
						g.VCMPPS(operand.Imm(unordered), x, x, xNaN)
						g.VCMPPS(operand.Imm(unordered), y, y, yNaN)
						g.VMOVAPS(forX, xNaN, r)
						g.VMOVAPS(forY, yNaN, r)
						return r
					}
					p, q, second := key(x), key(y), g.YMM()
					if more {
						g.VPCMPGTD(p, q, second)
					} else {
						g.VPCMPGTD(q, p, second)
					}
					g.VBLENDVPS(second, y, x, r)
					xNaN, yNaN := g.YMM(), g.YMM()
					g.VCMPPS(operand.Imm(unordered), x, x, xNaN)
					g.VCMPPS(operand.Imm(unordered), y, y, yNaN)
					g.VBLENDVPS(xNaN, forX, r, r)
					g.VBLENDVPS(yNaN, forY, r, r)
					return r
				}
				k := g.begin(name, "chooses elements.", 2)
				k.each(func() { f.encode(choose(f.decode(k.in[0]), f.decode(k.in[1])), k.out) })
				if f.name == "F32" {
					g.neighbours(name, choose)
				}
			}
		}
	}
}

// compare makes the comparisons: each relation of two elements has its answer.
func (g *generator) compare() {
	for _, f := range g.arithmeticFormats() {
		k := g.begin("compare"+f.name, "relates elements. The answers are those for less, equal, greater and unordered.", 2, "answers *uint64")
		answers := g.Load(g.Param("answers"), g.GP64())
		var answer [4]reg.VecVirtual
		inPlace := f.name == "F32" && g.avx512
		for i := range answer {
			if answer[i] = f.vector(); inPlace {
				g.VBROADCASTSD(operand.Mem{Base: answers, Disp: 8 * i}, answer[i])
			} else {
				g.VBROADCASTSS(operand.Mem{Base: answers, Disp: 8 * i}, answer[i])
			}
		}
		k.each(func() {
			if inPlace {
				x, y, r := f.decode(k.in[0]), f.decode(k.in[1]), f.vector()
				g.VMOVAPS(answer[3], r)
				for i, relation := range []uint64{less, equal, greater} {
					m := g.K()
					g.VCMPPS(operand.Imm(relation), y, x, m)
					g.VMOVAPS(answer[i], m, r)
				}
				g.VMOVDQU64(r, operand.Mem{Base: k.out})
				return
			}
			x, y, r, m := f.decode(k.in[0]), f.decode(k.in[1]), g.YMM(), g.YMM()
			g.VCMPPS(operand.Imm(less), y, x, m)
			g.VBLENDVPS(m, answer[0], answer[3], r)
			g.VCMPPS(operand.Imm(equal), y, x, m)
			g.VBLENDVPS(m, answer[1], r, r)
			g.VCMPPS(operand.Imm(greater), y, x, m)
			g.VBLENDVPS(m, answer[2], r, r)
			g.storeDwords(r, k.out)
		})
	}
}

// integers makes arithmetic, of which a mask keeps the lower bits, and comparisons.
func (g *generator) integers() {
	lanes, vector := g.lanes(precision{})
	for _, op := range []struct {
		name string
		do   func(ops ...operand.Op)
	}{{"addI", g.VPADDQ}, {"subI", g.VPSUBQ}, {"andI", g.VANDPD}, {"orI", g.VORPD}, {"xorI", g.VXORPD}} {
		k := g.begin(op.name, "combines elements. Of the results it keeps the bits of a mask.", 2, "mask uint64")
		mask := vector()
		at, _ := g.Param("mask").Resolve()
		g.VBROADCASTSD(at.Addr, mask)
		k.each(func() {
			for i := range group / lanes {
				x := vector()
				g.VMOVUPD(operand.Mem{Base: k.in[0], Disp: 8 * lanes * i}, x)
				op.do(operand.Mem{Base: k.in[1], Disp: 8 * lanes * i}, x, x)
				g.VANDPD(mask, x, x)
				g.VMOVUPD(x, operand.Mem{Base: k.out, Disp: 8 * lanes * i})
			}
		})
	}
	k := g.begin("compareI", "relates elements as signed numbers, of which the bits of x are changed. The answers are those for less, equal and greater.", 2, "x uint64", "answers *uint64")
	answers, x := g.Load(g.Param("answers"), g.GP64()), vector()
	at, _ := g.Param("x").Resolve()
	g.VBROADCASTSD(at.Addr, x)
	var answer [3]reg.VecVirtual
	for i := range answer {
		answer[i] = vector()
		g.VBROADCASTSD(operand.Mem{Base: answers, Disp: 8 * i}, answer[i])
	}
	k.each(func() {
		for i := range group / lanes {
			a, b, r := vector(), vector(), vector()
			g.VXORPD(operand.Mem{Base: k.in[0], Disp: 8 * lanes * i}, x, a)
			g.VXORPD(operand.Mem{Base: k.in[1], Disp: 8 * lanes * i}, x, b)
			if g.avx512 {
				m := g.K()
				g.VMOVAPD(answer[2], r)
				g.VPCMPGTQ(a, b, m)
				g.VMOVAPD(answer[0], m, r)
				g.VPCMPEQQ(a, b, m)
				g.VMOVAPD(answer[1], m, r)
			} else {
				m := vector()
				g.VPCMPGTQ(a, b, m)
				g.VBLENDVPD(m, answer[0], answer[2], r)
				g.VPCMPEQQ(a, b, m)
				g.VBLENDVPD(m, answer[1], r, r)
			}
			g.VMOVUPD(r, operand.Mem{Base: k.out, Disp: 8 * lanes * i})
		}
	})
}

// choice makes what chooses elements by bits.
func (g *generator) choice() {
	k := g.begin("choose", "takes elements of b where those of a are odd, else those of c.", 3)
	k.each(func() {
		for _, half := range []int{0, 32} {
			m, c := g.YMM(), g.YMM()
			g.VMOVDQU(operand.Mem{Base: k.in[0], Disp: half}, m)
			g.VPSLLQ(operand.Imm(63), m, m)
			g.VMOVUPD(operand.Mem{Base: k.in[2], Disp: half}, c)
			g.VBLENDVPD(m, operand.Mem{Base: k.in[1], Disp: half}, c, c)
			g.VMOVUPD(c, operand.Mem{Base: k.out, Disp: half})
		}
	})
}

// neighbours makes the kernel of f32 that combines the two elements of each pair.
func (g *generator) neighbours(name string, combine func(x, y reg.VecVirtual) reg.VecVirtual) {
	k := g.begin(name+"Pairs", "combines neighbours.", 1)
	f := g.arithmeticFormats()[0]
	order := f.vector()
	if g.avx512 {
		g.VPMOVZXBQ(g.constant("evenFirst", operand.U64(0x0705030106040200)), order)
	}
	k.each(func() {
		x := f.decode(k.in[0])
		g.ADDQ(operand.Imm(8*group), k.in[0])
		y, first, second := f.decode(k.in[0]), f.vector(), f.vector()
		if g.avx512 {
			g.VUNPCKLPD(y, x, first) // within quarters of 128 bits
			g.VUNPCKHPD(y, x, second)
			r := combine(first, second)
			g.VPERMPD(r, order, r)
			f.encode(r, k.out)
			return
		}
		g.VSHUFPS(operand.Imm(0x88), y, x, first) // within halves of 128 bits
		g.VSHUFPS(operand.Imm(0xdd), y, x, second)
		r := combine(first, second)
		g.VPERMPD(operand.Imm(0xd8), r, r)
		f.encode(r, k.out)
	})
}

// negations makes what changes bits of all elements.
func (g *generator) negations() {
	k := g.begin("xor", "changes the bits of elements that are set in x.", 1, "x uint64")
	lanes, vector := g.lanes(precision{})
	x := vector()
	m, _ := g.Param("x").Resolve()
	g.VBROADCASTSD(m.Addr, x)
	k.each(func() {
		for i := range group / lanes {
			r := vector()
			g.VXORPD(operand.Mem{Base: k.in[0], Disp: 8 * lanes * i}, x, r)
			g.VMOVUPD(r, operand.Mem{Base: k.out, Disp: 8 * lanes * i})
		}
	})
}

// repetitions makes what repeats elements.
func (g *generator) repetitions() {
	name := g.text("repeat", "func(out, a *uint64, rows, n int)")
	g.Pragma("noescape")
	g.Doc(name + " stores each of some elements n times, which is some groups.")
	lanes, vector := g.lanes(precision{})
	out, a, rows, n := g.Load(g.Param("out"), g.GP64()), g.Load(g.Param("a"), g.GP64()), g.Load(g.Param("rows"), g.GP64()), g.Load(g.Param("n"), g.GP64())
	left, x := g.GP64(), vector()
	g.Label("row")
	g.VBROADCASTSD(operand.Mem{Base: a}, x)
	g.MOVQ(n, left)
	g.Label("group")
	for i := range group / lanes {
		g.VMOVUPD(x, operand.Mem{Base: out, Disp: 8 * lanes * i})
	}
	g.ADDQ(operand.Imm(8*group), out)
	g.SUBQ(operand.Imm(group), left)
	g.JNE(operand.LabelRef("group"))
	g.ADDQ(operand.Imm(8), a)
	g.DECQ(rows)
	g.JNE(operand.LabelRef("row"))
	g.VZEROUPPER()
	g.RET()
}

// pairs makes what takes pairs apart.
func (g *generator) pairs() {
	g.text("split", "func(first, second, a *uint64, n int)")
	g.Pragma("noescape")
	g.Doc("split stores n first and n second elements of pairs.")
	first, second, a, n := g.Load(g.Param("first"), g.GP64()), g.Load(g.Param("second"), g.GP64()), g.Load(g.Param("a"), g.GP64()), g.Load(g.Param("n"), g.GP64())
	g.steps(n, func() {
		for half := range 2 {
			x, y, z := g.YMM(), g.YMM(), g.YMM()
			g.VMOVUPD(operand.Mem{Base: a, Disp: 64 * half}, x)
			g.VMOVUPD(operand.Mem{Base: a, Disp: 64*half + 32}, y)
			g.VUNPCKLPD(y, x, z)
			g.VUNPCKHPD(y, x, x)
			g.VPERMQ(operand.Imm(0xd8), z, z)
			g.VPERMQ(operand.Imm(0xd8), x, x)
			g.VMOVUPD(z, operand.Mem{Base: first, Disp: 32 * half})
			g.VMOVUPD(x, operand.Mem{Base: second, Disp: 32 * half})
		}
		g.ADDQ(operand.Imm(8*group), first)
		g.ADDQ(operand.Imm(8*group), second)
		g.ADDQ(operand.U32(16*group), a)
	})
}

// conversions are those between the formats of which f32 is one, and to and from f64.
func (g *generator) conversions() {
	fs := g.formats()
	f32, f16, bf16 := fs[0], fs[1], fs[2]
	for _, c := range [][2]format{{f16, f32}, {bf16, f32}, {f32, f16}, {f32, bf16}} {
		k := g.begin("convert"+c[0].name+"To"+c[1].name, "converts elements.", 1)
		k.each(func() { c[1].encode(c[0].decode(k.in[0]), k.out) })
	}
	for _, f := range fs {
		k := g.begin("convert"+f.name+"ToF64", "converts elements.", 1)
		k.each(func() {
			y := f.decode(k.in[0])
			lo, hi, x := g.YMM(), g.YMM(), g.XMM()
			g.canonical(y, g.all("nanF32", 0x7fc00000))
			if g.avx512 {
				q := g.ZMM()
				g.VCVTPS2PD(y, q)
				g.VMOVUPD(q, operand.Mem{Base: k.out})
				return
			}
			g.VCVTPS2PD(y.AsX(), lo)
			g.VEXTRACTF128(operand.Imm(1), y, x)
			g.VCVTPS2PD(x, hi)
			g.VMOVUPD(lo, operand.Mem{Base: k.out})
			g.VMOVUPD(hi, operand.Mem{Base: k.out, Disp: 32})
		})
	}
	k := g.begin("convertF64ToF32", "converts elements.", 1)
	k.each(func() {
		lo, hi, y := g.XMM(), g.XMM(), g.YMM()
		if g.avx512 {
			q := g.ZMM()
			g.VMOVUPD(operand.Mem{Base: k.in[0]}, q)
			g.VCVTPD2PS(q, y)
			f32.encode(y, k.out)
			return
		}
		g.VCVTPD2PSY(operand.Mem{Base: k.in[0]}, lo)
		g.VCVTPD2PSY(operand.Mem{Base: k.in[0], Disp: 32}, hi)
		g.VINSERTF128(operand.Imm(1), hi, lo.AsY(), y)
		f32.encode(y, k.out)
	})
}

// memory makes what extends elements in memory to patterns or f64, and what stores them.
func (g *generator) memory() {
	lanes, vector := g.lanes(precision{})
	for _, size := range []int{1, 2, 4} {
		g.rows(fmt.Sprintf("load%d", 8*size), "uint64", "extends", size, func(out, from reg.Register) {
			for half := range group / lanes {
				y, from := vector(), operand.Mem{Base: from, Disp: half * lanes * size}
				switch size {
				case 1:
					g.VPMOVZXBQ(from, y)
				case 2:
					g.VPMOVZXWQ(from, y)
				case 4:
					g.VPMOVZXDQ(from, y)
				}
				g.VMOVUPD(y, operand.Mem{Base: out, Disp: 32 * half})
			}
		})
	}
	for _, format := range []string{"F16", "BF16"} {
		g.rows("widen"+format, "float64", "widens", 2, func(out, from reg.Register) {
			for half := range group / lanes {
				y, from := vector(), operand.Mem{Base: from, Disp: 2 * lanes * half}
				single := g.XMM() // half as wide as y
				if g.avx512 {
					single = g.YMM()
				}
				if format == "F16" {
					g.VCVTPH2PS(from, single)
				} else {
					g.VPMOVZXWD(from, single)
					g.VPSLLD(operand.Imm(16), single, single)
				}
				g.VCVTPS2PD(single, y)
				g.VMOVUPD(y, operand.Mem{Base: out, Disp: 32 * half})
			}
		})
	}
	for _, size := range []int{2, 4} {
		bits := map[int]string{2: "16", 4: "32"}[size]
		name := g.text("store"+bits, "func(data *byte, a *uint64, n int)")
		g.Pragma("noescape")
		g.Doc(name + " stores the lower bits of elements.")
		data, a, n := g.Load(g.Param("data"), g.GP64()), g.Load(g.Param("a"), g.GP64()), g.Load(g.Param("n"), g.GP64())
		g.steps(n, func() {
			switch {
			case size == 4:
				g.VMOVDQU(g.dwords(a), operand.Mem{Base: data})
			case g.avx512:
				q, w := g.ZMM(), g.XMM()
				g.VMOVDQU64(operand.Mem{Base: a}, q)
				g.VPMOVQW(q, w)
				g.VMOVDQU(w, operand.Mem{Base: data})
			default:
				g.VMOVDQU(g.words(g.dwords(a)).AsX(), operand.Mem{Base: data})
			}
			g.ADDQ(operand.Imm(uint64(group*size)), data)
			g.ADDQ(operand.Imm(8*group), a)
		})
	}
}

// rows makes what reads rows of elements, a group after the other.
func (g *generator) rows(name, elem, verb string, size int, read func(out, from reg.Register)) {
	name = g.text(name, "func(out *"+elem+", data *byte, rows, n, step, ahead int)")
	g.Pragma("noescape")
	g.Doc(name + " " + verb + " n elements of each of some rows, which are step bytes apart. It asks for those that are so many bytes ahead too, which may not exist.")
	out, data, rows := g.Load(g.Param("out"), g.GP64()), g.Load(g.Param("data"), g.GP64()), g.Load(g.Param("rows"), g.GP64())
	n, step, ahead := g.Load(g.Param("n"), g.GP64()), g.Load(g.Param("step"), g.GP64()), g.Load(g.Param("ahead"), g.GP64())
	from, left := g.GP64(), g.GP64()
	g.Label("row")
	g.MOVQ(data, from)
	g.MOVQ(n, left)
	g.Label("group")
	g.PREFETCHT0(operand.Mem{Base: from, Index: ahead, Scale: 1})
	read(out, from)
	g.ADDQ(operand.Imm(uint64(group*size)), from)
	g.ADDQ(operand.Imm(8*group), out)
	g.SUBQ(operand.Imm(group), left)
	g.JNE(operand.LabelRef("group"))
	g.ADDQ(step, data)
	g.DECQ(rows)
	g.JNE(operand.LabelRef("row"))
	g.VZEROUPPER()
	g.RET()
}

// columns makes what extends elements of neighbouring columns to patterns, row by row: four rows of eight columns are two
// squares, which are transposed in registers.
func (g *generator) columns() {
	for _, size := range []int{2, 4} {
		name := map[int]string{2: "columns16", 4: "columns32"}[size]
		g.text(name, "func(out *uint64, data *byte, n, row, step int)")
		g.Pragma("noescape")
		g.Doc(name + " extends n elements of each of eight columns. The distance of rows is in elements, that of columns in bytes.")
		out, data, n := g.Load(g.Param("out"), g.GP64()), g.Load(g.Param("data"), g.GP64()), g.Load(g.Param("n"), g.GP64())
		row, step := g.Load(g.Param("row"), g.GP64()), g.Load(g.Param("step"), g.GP64())
		g.SHLQ(operand.Imm(3), row)
		step3, far := g.GP64(), g.GP64()
		g.LEAQ(operand.Mem{Base: step, Index: step, Scale: 2}, step3)
		g.LEAQ(operand.Mem{Base: data, Index: step, Scale: 4}, far) // the second square's columns
		g.Label("loop")
		at := g.GP64()
		g.MOVQ(out, at)
		var rows [2][4]reg.VecVirtual
		for half, base := range []reg.Register{data, far} {
			var c [4]reg.VecVirtual
			for j, from := range []operand.Mem{{Base: base}, {Base: base, Index: step, Scale: 1}, {Base: base, Index: step, Scale: 2}, {Base: base, Index: step3, Scale: 1}} {
				c[j] = g.YMM()
				if size == 2 {
					g.VPMOVZXWQ(from, c[j])
				} else {
					g.VPMOVZXDQ(from, c[j])
				}
			}
			for k := range 2 { // pairs of columns, then pairs of pairs
				even, odd := g.YMM(), g.YMM()
				g.VPUNPCKLQDQ(c[2*k+1], c[2*k], even)
				g.VPUNPCKHQDQ(c[2*k+1], c[2*k], odd)
				c[2*k], c[2*k+1] = even, odd
			}
			for i := range 4 {
				rows[half][i] = g.YMM()
				g.VPERM2I128(operand.Imm([]uint64{0x20, 0x20, 0x31, 0x31}[i]), c[2+i%2], c[i%2], rows[half][i])
			}
		}
		for i := range 4 {
			for half := range rows {
				g.VMOVDQU(rows[half][i], operand.Mem{Base: at, Disp: 32 * half})
			}
			g.ADDQ(row, at)
		}
		g.MOVQ(at, out)
		g.ADDQ(operand.Imm(uint64(4*size)), data)
		g.ADDQ(operand.Imm(uint64(4*size)), far)
		g.SUBQ(operand.Imm(4), n)
		g.JNE(operand.LabelRef("loop"))
		g.VZEROUPPER()
		g.RET()
	}
}

// steps ends a function with a loop over groups.
func (g *generator) steps(n reg.Register, body func()) {
	g.Label("loop")
	g.CMPQ(n, operand.Imm(group))
	g.JL(operand.LabelRef("done"))
	body()
	g.SUBQ(operand.Imm(group), n)
	g.JMP(operand.LabelRef("loop"))
	g.Label("done")
	g.VZEROUPPER()
	g.RET()
}

// features makes what x/sys/cpu does not tell.
func (g *generator) features() {
	g.text("cpuid1", "func() uint32")
	g.Doc("cpuid1 returns reg.ECX of leaf 1 of CPUID.")
	g.MOVL(operand.U32(1), reg.EAX)
	g.XORL(reg.ECX, reg.ECX)
	g.CPUID()
	g.Store(reg.ECX, g.ReturnIndex(0))
	g.RET()
}
