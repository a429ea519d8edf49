package emu

import "math/bits"

var integerOps = map[string]decodeFn{
	"mul24": decodeMul24,
	"mad24": decodeMad24,
	"fns":   decodeFns,
	"sad":   decodeSad,
	"div":   decodeDiv,
	"rem":   decodeRem,
	"mul":   decodeMul,
	"mad":   decodeMad,
	"addc":  decodeCarry,
	"subc":  decodeCarry,
	"madc":  decodeMad,
	"popc":  decodeCount,
	"clz":   decodeCount,
	"bfind": decodeBfind,
	"brev":  decodeBrev,
	"bfe":   decodeBfe,
	"bfi":   decodeBfi,
	"bmsk":  decodeBmsk,
	"szext": decodeSzext,
	"dp4a":  decodeDot,
	"dp2a":  decodeDot,
}

var intTypes = []scalar{tU16, tU32, tU64, tS16, tS32, tS64}

// clampInt saturates v to n bits, signed.
func clampInt(v int64, n int) uint64 {
	hi := int64(1)<<(n-1) - 1
	return uint64(max(min(v, hi), -hi-1)) & mask(n)
}

// intBinary decodes the integer forms of add and sub.
func intBinary(d *decoder, t scalar, sub bool) {
	if d.opt("cc") {
		carryOp(d, t, sub, false, true)
		return
	}
	sat := d.opt("sat")
	args := d.args(3)
	dst, a, b := d.dst(args[0], t), d.src(args[1], t), d.src(args[2], t)
	n := t.bits()
	ones := mask(n)
	switch {
	case packedInt(t) != tNone:
		d.in.exec = map2(dst, a, b, eachPart(packedInt(t), sumInt(packedInt(t), sub, sat)))
	case sat && t != tS32 && t != tU32:
		d.failInst("'.sat' is not supported for type .%s", t)
	case sat:
		d.in.exec = map2(dst, a, b, sumInt(t, sub, true))
	case sub:
		d.in.exec = func(w *warp, m uint32) {
			D, A, B := w.reg(dst), w.lanes(a), w.lanes(b)
			if m == full {
				for i := range D {
					D[i] = (A[i] - B[i]) & ones
				}
				return
			}
			for m != 0 {
				i := next(&m)
				D[i] = (A[i] - B[i]) & ones
			}
		}
	default:
		d.in.exec = func(w *warp, m uint32) {
			D, A, B := w.reg(dst), w.lanes(a), w.lanes(b)
			if m == full {
				for i := range D {
					D[i] = (A[i] + B[i]) & ones
				}
				return
			}
			for m != 0 {
				i := next(&m)
				D[i] = (A[i] + B[i]) & ones
			}
		}
	}
}

// carryOp decodes add.cc, sub.cc, addc and subc. For subtraction CC.CF
// holds the borrow.
func carryOp(d *decoder, t scalar, sub, in, out bool) {
	args := d.args(3)
	dst, a, b := d.dst(args[0], t), d.src(args[1], t), d.src(args[2], t)
	n := t.bits()
	d.in.exec = func(w *warp, m uint32) {
		D, A, B := w.reg(dst), w.lanes(a), w.lanes(b)
		for m != 0 {
			i := next(&m)
			var c uint64
			if in {
				c = uint64(w.carry >> i & 1)
			}
			var v uint64
			if sub {
				v, c = bits.Sub64(A[i], B[i], c)
			} else {
				v, c = bits.Add64(A[i], B[i], c)
			}
			if n == 32 {
				c = v >> 32 & 1
				v &= mask(32)
			}
			D[i] = v
			if out {
				w.setCarry(i, c)
			}
		}
	}
}

func (w *warp) setCarry(lane int, c uint64) { w.carry = w.carry&^(1<<lane) | uint32(c)<<lane }

func decodeCarry(d *decoder) {
	cc := d.opt("cc")
	carryOp(d, d.typ(tU32, tS32, tB32, tU64, tS64), d.s.op == "subc", true, cc)
}

// product is the full 2n-bit product of two n-bit values.
func product(a, b uint64, t scalar) (hi, lo uint64) {
	if !t.signed() {
		return bits.Mul64(a, b)
	}
	x, y := sext(a, t.bits()), sext(b, t.bits())
	hi, lo = bits.Mul64(uint64(x), uint64(y))
	if x < 0 {
		hi -= uint64(y)
	}
	if y < 0 {
		hi -= uint64(x)
	}
	return hi, lo
}

// multiplier returns the function of mul.lo, .hi or .wide and the type of
// its result.
func multiplier(t scalar, part string) (func(a, b uint64) uint64, scalar) {
	n := t.bits()
	ones := mask(n)
	switch part {
	case "lo":
		return func(a, b uint64) uint64 { return a * b & ones }, t
	case "hi":
		return func(a, b uint64) uint64 {
			hi, lo := product(a, b, t)
			if n == 64 {
				return hi
			}
			return lo >> n & ones
		}, t
	}
	wide := map[scalar]scalar{tU16: tU32, tS16: tS32, tU32: tU64, tS32: tS64}[t]
	if wide == tNone {
		return nil, tNone
	}
	ones = mask(2 * n)
	return func(a, b uint64) uint64 { _, lo := product(a, b, t); return lo & ones }, wide
}

func decodeMul(d *decoder) {
	part := d.oneOf("lo", "hi", "wide")
	if part == "" {
		floatBinary(d, "mul")
		return
	}
	t := d.typ(intTypes...)
	f, out := multiplier(t, part)
	if f == nil {
		d.failInst("'mul.wide' does not exist for type .%s", t)
	}
	args := d.args(3)
	d.in.exec = map2(d.dst(args[0], out), d.src(args[1], t), d.src(args[2], t), f)
}

func decodeMad(d *decoder) {
	part := d.oneOf("lo", "hi", "wide")
	if part == "" {
		floatFma(d)
		return
	}
	cc, sat := d.opt("cc"), d.opt("sat")
	t := d.typ(intTypes...)
	f, out := multiplier(t, part)
	if f == nil {
		d.failInst("'mad.wide' does not exist for type .%s", t)
	}
	args := d.args(4)
	dst, a, b, c := d.dst(args[0], out), d.src(args[1], t), d.src(args[2], t), d.src(args[3], out)
	n := out.bits()
	ones := mask(n)
	in := d.s.op == "madc"
	switch {
	case sat:
		if part != "hi" || t != tS32 {
			d.failInst("'.sat' is supported for 'mad.hi.s32' only")
		}
		d.in.exec = map3(dst, a, b, c, func(a, b, c uint64) uint64 { return clampInt(sext(f(a, b), 32)+sext(c, 32), 32) })
	case cc || in:
		d.in.exec = func(w *warp, m uint32) {
			D, A, B, C := w.reg(dst), w.lanes(a), w.lanes(b), w.lanes(c)
			for m != 0 {
				i := next(&m)
				var carry uint64
				if in {
					carry = uint64(w.carry >> i & 1)
				}
				v, k := bits.Add64(f(A[i], B[i]), C[i], carry)
				if n == 32 {
					k = v >> 32 & 1
					v &= ones
				}
				D[i] = v
				if cc {
					w.setCarry(i, k)
				}
			}
		}
	default:
		d.in.exec = map3(dst, a, b, c, func(a, b, c uint64) uint64 { return (f(a, b) + c) & ones })
	}
}

func decodeSad(d *decoder) {
	t := d.typ(intTypes...)
	args := d.args(4)
	n := t.bits()
	d.in.exec = map3(d.dst(args[0], t), d.src(args[1], t), d.src(args[2], t), d.src(args[3], t), func(a, b, c uint64) uint64 {
		less := a < b
		if t.signed() {
			less = sext(a, n) < sext(b, n)
		}
		if less {
			a, b = b, a
		}
		return (c + a - b) & mask(n)
	})
}

// quotient divides as the hardware does: by zero gives all ones, and the
// remainder is then the dividend.
func quotient(t scalar, rem bool) func(a, b uint64) uint64 {
	n := t.bits()
	ones := mask(n)
	return func(a, b uint64) uint64 {
		switch {
		case b == 0 && rem:
			return a
		case b == 0:
			return ones
		case t.signed() && rem:
			return uint64(sext(a, n)%sext(b, n)) & ones
		case t.signed():
			return uint64(sext(a, n)/sext(b, n)) & ones
		case rem:
			return a % b
		}
		return a / b
	}
}

func decodeDiv(d *decoder) {
	t := d.typ()
	if t.float() {
		floatDiv(d, t)
		return
	}
	if !t.integer() || t.bits() < 16 {
		d.failInst("type '.%s' is not supported by 'div'", t)
	}
	args := d.args(3)
	d.in.exec = map2(d.dst(args[0], t), d.src(args[1], t), d.src(args[2], t), quotient(t, false))
}

func decodeRem(d *decoder) {
	t := d.typ(intTypes...)
	args := d.args(3)
	d.in.exec = map2(d.dst(args[0], t), d.src(args[1], t), d.src(args[2], t), quotient(t, true))
}

func minMaxInt(greatest bool, t scalar) func(a, b uint64) uint64 {
	n := t.bits()
	return func(a, b uint64) uint64 {
		less := a < b
		if t.signed() {
			less = sext(a, n) < sext(b, n)
		}
		if less == greatest {
			return b
		}
		return a
	}
}

func decodeCount(d *decoder) {
	t := d.typ(tB32, tB64)
	args := d.args(2)
	dst, a := d.dst(args[0], tU32), d.src(args[1], t)
	n := t.bits()
	if d.s.op == "popc" {
		d.in.exec = map1(dst, a, func(a uint64) uint64 { return uint64(bits.OnesCount64(a)) })
		return
	}
	d.in.exec = map1(dst, a, func(a uint64) uint64 { return uint64(bits.LeadingZeros64(a) - (64 - n)) })
}

func decodeBfind(d *decoder) {
	shift := d.opt("shiftamt")
	t := d.typ(tU32, tU64, tS32, tS64)
	args := d.args(2)
	n := t.bits()
	d.in.exec = map1(d.dst(args[0], tU32), d.src(args[1], t), func(a uint64) uint64 {
		if t.signed() && a>>(n-1) != 0 {
			a = ^a & mask(n)
		}
		if a == 0 {
			return mask(32)
		}
		if shift {
			return uint64(bits.LeadingZeros64(a) - (64 - n))
		}
		return uint64(bits.Len64(a) - 1)
	})
}

func decodeBrev(d *decoder) {
	t := d.typ(tB32, tB64)
	args := d.args(2)
	d.in.exec = map1(d.dst(args[0], t), d.src(args[1], t), func(a uint64) uint64 { return bits.Reverse64(a) >> (64 - t.bits()) })
}

func decodeBfe(d *decoder) {
	t := d.typ(tU32, tU64, tS32, tS64)
	args := d.args(4)
	n := t.bits()
	d.in.exec = map3(d.dst(args[0], t), d.src(args[1], t), d.src(args[2], tU32), d.src(args[3], tU32), func(a, b, c uint64) uint64 {
		at, size := int(b&0xff), int(c&0xff)
		if size == 0 {
			return 0
		}
		v := uint64(0)
		if at < n {
			v = a >> at
		}
		if t.signed() {
			// Bits from beyond the top are copies of the sign bit of the field.
			top := min(at+size-1, n-1)
			v = uint64(sext(a, n) >> min(at, n-1))
			if at > top { // the field lies beyond the value
				return uint64(sext(a, n)>>(n-1)) & mask(n)
			}
			if w := top - at + 1; w < 64 {
				v = uint64(sext(v, w))
			}
			return v & mask(n)
		}
		return v & mask(min(size, n))
	})
}

func decodeBfi(d *decoder) {
	t := d.typ(tB32, tB64)
	args := d.args(5)
	n := t.bits()
	dst, a, b, c, e := d.dst(args[0], t), d.src(args[1], t), d.src(args[2], t), d.src(args[3], tU32), d.src(args[4], tU32)
	d.in.exec = func(w *warp, m uint32) {
		D, A, B, C, E := w.reg(dst), w.lanes(a), w.lanes(b), w.lanes(c), w.lanes(e)
		for m != 0 {
			i := next(&m)
			at, size := int(C[i]&0xff), int(E[i]&0xff)
			field := mask(size) << at & mask(n)
			if at >= n {
				field = 0
			}
			D[i] = B[i]&^field | A[i]<<at&field
		}
	}
}

func decodeBmsk(d *decoder) {
	clamp := d.oneOf("clamp", "wrap") == "clamp"
	d.typ(tB32)
	args := d.args(3)
	d.in.exec = map2(d.dst(args[0], tB32), d.src(args[1], tU32), d.src(args[2], tU32), func(a, b uint64) uint64 {
		if !clamp {
			a, b = a&31, b&31
		}
		if a >= 32 {
			return 0
		}
		return mask(int(min(b, 32))) << a & mask(32)
	})
}

func decodeSzext(d *decoder) {
	clamp := d.oneOf("clamp", "wrap") == "clamp"
	t := d.typ(tU32, tS32)
	args := d.args(3)
	d.in.exec = map2(d.dst(args[0], t), d.src(args[1], t), d.src(args[2], tU32), func(a, b uint64) uint64 {
		if !clamp {
			b &= 31
		}
		switch {
		case b >= 32:
			return a
		case b == 0:
			return 0
		case t.signed():
			return uint64(sext(a, int(b))) & mask(32)
		}
		return a & mask(int(b))
	})
}

// decodeDot decodes dp4a and dp2a: sums of products of bytes, or of 16-bit
// halves of a and bytes of b.
func decodeDot(d *decoder) {
	half := d.s.op == "dp2a"
	part := ""
	if half {
		part = d.oneOf("lo", "hi")
	}
	ta, tb := d.typ(tU32, tS32), d.typ(tU32, tS32)
	out := tU32
	if ta.signed() || tb.signed() {
		out = tS32
	}
	args := d.args(4)
	elem := func(t scalar, v uint64, n int) int64 {
		if t.signed() {
			return sext(v, n)
		}
		return int64(v & mask(n))
	}
	d.in.exec = map3(d.dst(args[0], out), d.src(args[1], ta), d.src(args[2], tb), d.src(args[3], out), func(a, b, c uint64) uint64 {
		s := int64(c)
		if half {
			if part == "hi" {
				b >>= 16
			}
			for i := range 2 {
				s += elem(ta, a>>(16*i), 16) * elem(tb, b>>(8*i), 8)
			}
		} else {
			for i := range 4 {
				s += elem(ta, a>>(8*i), 8) * elem(tb, b>>(8*i), 8)
			}
		}
		return uint64(s) & mask(32)
	})
}
