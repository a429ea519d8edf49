package emu

import "math"

var floatOps = map[string]decodeFn{
	"add":      func(d *decoder) { addSub(d, false) },
	"sub":      func(d *decoder) { addSub(d, true) },
	"fma":      floatFma,
	"min":      decodeMinMax,
	"max":      decodeMinMax,
	"abs":      decodeAbsNeg,
	"neg":      decodeAbsNeg,
	"rcp":      decodeUnaryFloat,
	"sqrt":     decodeUnaryFloat,
	"rsqrt":    decodeUnaryFloat,
	"sin":      decodeUnaryFloat,
	"cos":      decodeUnaryFloat,
	"lg2":      decodeUnaryFloat,
	"ex2":      decodeUnaryFloat,
	"tanh":     decodeUnaryFloat,
	"copysign": decodeCopysign,
	"testp":    decodeTestp,
}

// peekType returns the first type among the modifiers left.
func (d *decoder) peekType() scalar {
	for _, m := range d.mods {
		if t, ok := scalarByName[m]; ok {
			return t
		}
	}
	return tNone
}

// roundMode consumes a rounding modifier; it defaults to nearest even.
func (d *decoder) roundMode() rounding {
	return map[string]rounding{"rz": rnZero, "rm": rnDown, "rp": rnUp}[d.oneOf("rn", "rz", "rm", "rp")]
}

func addSub(d *decoder, sub bool) {
	t := d.peekType()
	if t.integer() || packedInt(t) != tNone || t == tB32 || t == tB64 {
		intBinary(d, d.typ(tU16, tU32, tU64, tS16, tS32, tS64, tU16x2, tS16x2, tU8x4, tS8x4, tB32, tB64), sub)
		return
	}
	name := "add"
	if sub {
		name = "sub"
	}
	floatBinary(d, name)
}

// floatBinary decodes the floating-point forms of add, sub and mul.
func floatBinary(d *decoder, name string) {
	r := d.roundMode()
	ftz, sat := d.opt("ftz"), d.opt("sat")
	d.opt("noftz")
	t := d.typ(tF32, tF64, tF16, tF16x2, tBF16, tBF16x2, tF32x2)
	if t == tF32 {
		if src := d.peekType(); src == tF16 || src == tBF16 {
			mixed(d, d.typ(), name, r, sat)
			return
		}
	}
	args := d.args(3)
	dst, a, b := d.dst(args[0], t), d.src(args[1], t), d.src(args[2], t)
	if hf, packed := halfFormat(t); hf != nil {
		h := half{f: hf, ftz: ftz, sat: sat, rnd: r}
		f := map[string]func(a, b uint64) uint64{"add": h.add, "sub": h.sub, "mul": h.mul}[name]
		if packed {
			f = pair2(f)
		}
		d.in.exec = map2(dst, a, b, f)
		return
	}
	if t == tF64 {
		d.in.exec = map2(dst, a, b, binaryF64(name, r))
		return
	}
	f := modF32{ftz, sat}.wrap2(binaryF32(name, r))
	if t == tF32x2 {
		d.in.exec = map2(dst, a, b, func(a, b uint64) uint64 { return f(a&mask(32), b&mask(32)) | f(a>>32, b>>32)<<32 })
		return
	}
	d.in.exec = map2(dst, a, b, f)
}

func binaryF32(name string, r rounding) func(a, b uint64) uint64 {
	switch name {
	case "add":
		return func(a, b uint64) uint64 { return canon(addF32(f32from(a), f32from(b), r)) }
	case "sub":
		return func(a, b uint64) uint64 { return canon(addF32(f32from(a), -f32from(b), r)) }
	}
	return func(a, b uint64) uint64 { return canon(mulF32(f32from(a), f32from(b), r)) }
}

func binaryF64(name string, r rounding) func(a, b uint64) uint64 {
	switch name {
	case "add":
		return func(a, b uint64) uint64 { return f64bits(addF64(f64from(a), f64from(b), r)) }
	case "sub":
		return func(a, b uint64) uint64 { return f64bits(addF64(f64from(a), -f64from(b), r)) }
	}
	return func(a, b uint64) uint64 { return f64bits(mulF64(f64from(a), f64from(b), r)) }
}

// mixed decodes add.f32.f16 and its like: the first source is a half.
func mixed(d *decoder, t scalar, name string, r rounding, sat bool) {
	hf, _ := halfFormat(t)
	args := d.args(3)
	f := modF32{false, sat}.wrap2(binaryF32(name, r))
	d.in.exec = map2(d.dst(args[0], tF32), d.src(args[1], t), d.src(args[2], tF32), func(a, b uint64) uint64 {
		return f(f32bits(float32(hf.decode(a))), b)
	})
}

// floatFma decodes fma and the floating-point form of mad.
func floatFma(d *decoder) {
	r := d.roundMode()
	ftz, sat, relu := d.opt("ftz"), d.opt("sat"), d.opt("relu")
	oob := d.opt("oob")
	t := d.typ(tF32, tF64, tF16, tF16x2, tBF16, tBF16x2, tF32x2)
	ab := t
	if t == tF32 {
		if src := d.peekType(); src == tF16 || src == tBF16 {
			ab = d.typ()
		}
	}
	args := d.args(4)
	dst, a, b, c := d.dst(args[0], t), d.src(args[1], ab), d.src(args[2], ab), d.src(args[3], t)
	hf, packed := halfFormat(ab)
	switch {
	case hf != nil && ab == t:
		f := half{f: hf, ftz: ftz, sat: sat, relu: relu, rnd: r}.fma
		if oob {
			f = zeroOOB(f)
		}
		if packed {
			f = pair3(f)
		}
		d.in.exec = map3(dst, a, b, c, f)
	case t == tF64:
		d.in.exec = map3(dst, a, b, c, func(a, b, c uint64) uint64 { return f64bits(fmaF64(f64from(a), f64from(b), f64from(c), r)) })
	default:
		f := modF32{ftz, sat}.wrap3(func(a, b, c uint64) uint64 { return canon(fmaF32(f32from(a), f32from(b), f32from(c), r)) })
		switch {
		case hf != nil:
			d.in.exec = map3(dst, a, b, c, func(a, b, c uint64) uint64 {
				return f(f32bits(float32(hf.decode(a))), f32bits(float32(hf.decode(b))), c)
			})
		case t == tF32x2:
			d.in.exec = map3(dst, a, b, c, func(a, b, c uint64) uint64 {
				return f(a&mask(32), b&mask(32), c&mask(32)) | f(a>>32, b>>32, c>>32)<<32
			})
		default:
			d.in.exec = map3(dst, a, b, c, f)
		}
	}
}

// zeroOOB makes the result of a fused operation on halves zero if a factor is
// the NaN that stands for elements outside of a tensor, see TensorMap.
func zeroOOB(f func(a, b, c uint64) uint64) func(a, b, c uint64) uint64 {
	return func(a, b, c uint64) uint64 {
		if a == 0xffff || b == 0xffff {
			return 0
		}
		return f(a, b, c)
	}
}

func decodeMinMax(d *decoder) {
	greatest := d.s.op == "max"
	ftz, nan, xorsign, relu := d.opt("ftz"), d.opt("NaN"), d.opt("xorsign"), d.opt("relu")
	abs := d.opt("abs")
	if xorsign && !abs {
		d.failInst("'.xorsign' needs '.abs'")
	}
	t := d.typ(append([]scalar{tF32, tF64, tF16, tF16x2, tBF16, tBF16x2, tU16x2, tS16x2, tU8x4, tS8x4}, intTypes...)...)
	args := d.argc(3, 4)
	three := len(args) == 4
	if three && (t != tF32 || xorsign) || abs && !xorsign && !three {
		d.failInst("'%s' of three values is supported for .f32 without .xorsign, and .abs alone only there", d.s.op)
	}
	var f func(a, b uint64) uint64
	hf, packed := halfFormat(t)
	switch {
	case hf != nil:
		f = half{f: hf, ftz: ftz}.minMax(greatest, nan, xorsign)
		if packed {
			f = pair2(f)
		}
	case t == tF32:
		f = minMaxF32(greatest, ftz, nan, xorsign)
	case t == tF64:
		f = minMaxF64(greatest)
	case packedInt(t) != tNone:
		f = eachPart(packedInt(t), minMaxInt(greatest, packedInt(t)))
	default:
		f = minMaxInt(greatest, t)
	}
	if relu {
		f = reluInt(t, f)
	}
	if three {
		g := f
		d.in.exec = map3(d.dst(args[0], t), d.src(args[1], t), d.src(args[2], t), d.src(args[3], t), func(a, b, c uint64) uint64 {
			if abs {
				a, b, c = a&^signF32, b&^signF32, c&^signF32
			}
			return g(g(a, b), c)
		})
		return
	}
	d.in.exec = map2(d.dst(args[0], t), d.src(args[1], t), d.src(args[2], t), f)
}

// reluInt clamps negative signed results to zero.
func reluInt(t scalar, f func(a, b uint64) uint64) func(a, b uint64) uint64 {
	return func(a, b uint64) uint64 {
		v := f(a, b)
		if t == tS16x2 {
			for _, sh := range []uint{0, 16} {
				if v>>(sh+15)&1 != 0 {
					v &^= 0xffff << sh
				}
			}
			return v
		}
		if sext(v, t.bits()) < 0 {
			return 0
		}
		return v
	}
}

func minMaxF64(greatest bool) func(a, b uint64) uint64 {
	return func(a, b uint64) uint64 {
		switch {
		case fmtF64.isNaN(a) && fmtF64.isNaN(b):
			return fmtF64.nan
		case fmtF64.isNaN(a):
			return b
		case fmtF64.isNaN(b):
			return a
		}
		if less(a, b, 1<<63) == greatest {
			return b
		}
		return a
	}
}

func decodeAbsNeg(d *decoder) {
	neg := d.s.op == "neg"
	ftz := d.opt("ftz")
	t := d.typ(tF32, tF64, tF16, tF16x2, tBF16, tBF16x2, tS16, tS32, tS64, tS8x4, tS16x2)
	if packedInt(t) != tNone {
		if !neg {
			d.failInst("type '.%s' is not supported by 'abs'", t)
		}
		args := d.args(2)
		f := eachPart(packedInt(t), sumInt(packedInt(t), true, false))
		d.in.exec = map1(d.dst(args[0], t), d.src(args[1], t), func(a uint64) uint64 { return f(0, a) })
		return
	}
	args := d.args(2)
	dst, a := d.dst(args[0], t), d.src(args[1], t)
	n := t.bits()
	var sign uint64 = 1 << (n - 1)
	if _, packed := halfFormat(t); packed {
		sign = 0x80008000
	}
	var f func(a uint64) uint64
	switch {
	case t.integer() && neg:
		f = func(a uint64) uint64 { return -a & mask(n) }
	case t.integer():
		f = func(a uint64) uint64 {
			if sext(a, n) < 0 {
				a = -a
			}
			return a & mask(n)
		}
	case neg:
		f = func(a uint64) uint64 { return a ^ sign }
	default:
		f = func(a uint64) uint64 { return a &^ sign }
	}
	if hf, packed := halfFormat(t); ftz && hf != nil {
		fl := half{f: hf}.flush
		if packed {
			fl = pair1(fl)
		}
		g := f
		f = func(a uint64) uint64 { return g(fl(a)) }
	} else if ftz {
		g := f
		f = func(a uint64) uint64 { return g(flush(a)) }
	}
	d.in.exec = map1(dst, a, f)
}

// approxF32 are the approximate functions of one f32.
var approxF32 = map[string]func(a uint64) uint64{
	"rcp": rcpApprox, "sqrt": sqrtApprox, "rsqrt": rsqrtApprox, "sin": sinApprox, "cos": cosApprox,
	"lg2": lg2Approx, "ex2": ex2Approx, "tanh": tanhApprox,
}

func decodeUnaryFloat(d *decoder) {
	op := d.s.op
	approx := d.opt("approx")
	ftz := d.opt("ftz")
	rounded := d.oneOf("rn", "rz", "rm", "rp")
	r := map[string]rounding{"rz": rnZero, "rm": rnDown, "rp": rnUp}[rounded]
	t := d.typ(tF32, tF64, tF16, tF16x2, tBF16, tBF16x2)
	if approx == (rounded != "") || rounded != "" && op != "rcp" && op != "sqrt" {
		d.failInst("'%s' needs .approx or a rounding mode that it supports", op)
	}
	args := d.args(2)
	dst, a := d.dst(args[0], t), d.src(args[1], t)
	f := approxF32[op]
	hf, packed := halfFormat(t)
	switch {
	case hf != nil:
		if op != "ex2" && op != "tanh" {
			d.failInst("type '.%s' is not supported by '%s'", t, op)
		}
		h := half{f: hf, ftz: ftz}
		fn := map[string]func(float64) float64{"ex2": math.Exp2, "tanh": math.Tanh}[op]
		f = func(a uint64) uint64 { return h.out(fn(h.in(a))) }
		if packed {
			f = pair1(f)
		}
	case t == tF64:
		f = unaryF64(op, approx, r)
		if f == nil {
			d.failInst("type '.%s' is not supported by '%s'", t, op)
		}
	default:
		if !approx && op == "rcp" {
			f = func(a uint64) uint64 { return canon(divF32(1, f32from(a), r)) }
		} else if !approx {
			f = func(a uint64) uint64 { return canon(sqrtF32(f32from(a), r)) }
		}
		f = modF32{ftz: ftz}.wrap1(f)
	}
	d.in.exec = map1(dst, a, f)
}

func unaryF64(op string, approx bool, r rounding) func(a uint64) uint64 {
	switch op {
	case "rcp":
		if approx {
			// The hardware keeps only the upper half of operand and result.
			return func(a uint64) uint64 { return f64bits(1/f64from(a&^mask(32))) &^ mask(32) }
		}
		return func(a uint64) uint64 { return f64bits(divF64(1, f64from(a), r)) }
	case "sqrt":
		return func(a uint64) uint64 { return f64bits(sqrtF64(f64from(a), r)) }
	case "rsqrt":
		return func(a uint64) uint64 { return f64bits(rsqrt(f64from(a))) }
	}
	return nil
}

// floatDiv decodes the floating-point forms of div after their type.
func floatDiv(d *decoder, t scalar) {
	mode := d.oneOf("approx", "full", "rn", "rz", "rm", "rp")
	r := map[string]rounding{"rz": rnZero, "rm": rnDown, "rp": rnUp}[mode]
	ftz := d.opt("ftz")
	args := d.args(3)
	var f func(a, b uint64) uint64
	switch {
	case mode == "" || t != tF32 && t != tF64:
		d.failInst("'div.%s' needs a rounding mode, .approx or .full, and type .f32 or .f64", t)
	case t == tF64:
		f = func(a, b uint64) uint64 { return f64bits(divF64(f64from(a), f64from(b), r)) }
	case mode == "approx":
		f = modF32{ftz: ftz}.wrap2(divApprox)
	default:
		f = modF32{ftz: ftz}.wrap2(func(a, b uint64) uint64 { return canon(divF32(f32from(a), f32from(b), r)) })
	}
	d.in.exec = map2(d.dst(args[0], t), d.src(args[1], t), d.src(args[2], t), f)
}

func decodeCopysign(d *decoder) {
	t := d.typ(tF32, tF64)
	args := d.args(3)
	sign := uint64(1) << (t.bits() - 1)
	d.in.exec = map2(d.dst(args[0], t), d.src(args[1], t), d.src(args[2], t), func(a, b uint64) uint64 { return a&sign | b&^sign })
}

func decodeTestp(d *decoder) {
	what := d.oneOf("finite", "infinite", "number", "notanumber", "normal", "subnormal")
	t := d.typ(tF32, tF64)
	args := d.args(2)
	f := map[scalar]*format{tF32: fmtF32, tF64: fmtF64}[t]
	dst, a := d.predDst(args[0]), d.src(args[1], t)
	if what == "" {
		d.failInst("'testp' needs a test")
	}
	d.in.exec = func(w *warp, m uint32) {
		A := w.lanes(a)
		var v uint32
		for k := m; k != 0; {
			i := next(&k)
			if testp(what, A[i]&^f.sign(), f) {
				v |= 1 << i
			}
		}
		w.setPred(dst, v, m)
	}
}

// testp tests a magnitude.
func testp(what string, v uint64, f *format) bool {
	inf := f.infinity()
	tiny := v>>f.mbits == 0
	switch what {
	case "finite":
		return v < inf
	case "infinite":
		return v == inf
	case "number":
		return v <= inf
	case "notanumber":
		return v > inf
	case "normal":
		return v < inf && !tiny
	}
	return tiny && v != 0 // subnormal
}
