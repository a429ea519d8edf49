package arith

import (
	"math/bits"

	"github.com/tilewright/tilewright/target/engine/emu/decode"
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/num"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

var integerOps = map[string]decode.Func{
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

var intTypes = []syntax.Type{syntax.U16, syntax.U32, syntax.U64, syntax.S16, syntax.S32, syntax.S64}

// intBinary decodes the integer forms of add and sub.
//
// Addition and subtraction are the most frequent instructions of every kernel, for addresses and counters; their
// loops are written out, without a call for each lane.
func intBinary(d *decode.Decoder, t syntax.Type, sub bool) {
	if d.Opt("cc") {
		carryOp(d, t, sub, false, true)
		return
	}
	sat := d.Opt("sat")
	args := d.Args(3)
	dst, a, b := d.Dst(args[0], t), d.Src(args[1], t), d.Src(args[2], t)
	n := t.Bits()
	ones := num.Mask(n)
	switch {
	case packedInt(t) != syntax.NoType:
		d.Inst.Exec = decode.Map2(dst, a, b, eachPart(packedInt(t), sumInt(packedInt(t), sub, sat)))
	case sat && t != syntax.S32 && t != syntax.U32:
		d.Fail("'.sat' is not supported for type .%s", t)
	case sat:
		d.Inst.Exec = decode.Map2(dst, a, b, sumInt(t, sub, true))
	case sub:
		d.Inst.Exec = func(w *machine.Warp, m uint32) {
			D, A, B := w.Reg(dst), w.Lanes(a), w.Lanes(b)
			if m == machine.Full {
				for i := range D {
					D[i] = (A[i] - B[i]) & ones
				}
				return
			}
			for m != 0 {
				i := machine.Next(&m)
				D[i] = (A[i] - B[i]) & ones
			}
		}
	default:
		d.Inst.Exec = func(w *machine.Warp, m uint32) {
			D, A, B := w.Reg(dst), w.Lanes(a), w.Lanes(b)
			if m == machine.Full {
				for i := range D {
					D[i] = (A[i] + B[i]) & ones
				}
				return
			}
			for m != 0 {
				i := machine.Next(&m)
				D[i] = (A[i] + B[i]) & ones
			}
		}
	}
}

// carryOp decodes add.cc, sub.cc, addc and subc. For subtraction CC.CF
// holds the borrow.
//
// The carry is state of the warp, a bit for each lane, not a register: "CC.CF" is not preserved across calls and has
// no name in PTX.
//
// For sub, bits.Sub64's borrow is 1 when the difference is below zero, and so is bit 32 of a 32-bit difference,
// since the values are zero-extended.
func carryOp(d *decode.Decoder, t syntax.Type, sub, in, out bool) {
	args := d.Args(3)
	dst, a, b := d.Dst(args[0], t), d.Src(args[1], t), d.Src(args[2], t)
	n := t.Bits()
	d.Inst.Exec = func(w *machine.Warp, m uint32) {
		D, A, B := w.Reg(dst), w.Lanes(a), w.Lanes(b)
		for m != 0 {
			i := machine.Next(&m)
			var c uint64
			if in {
				c = uint64(w.Carry >> i & 1)
			}
			var v uint64
			if sub {
				v, c = bits.Sub64(A[i], B[i], c)
			} else {
				v, c = bits.Add64(A[i], B[i], c)
			}
			if n == 32 {
				c = v >> 32 & 1
				v &= num.Mask(32)
			}
			D[i] = v
			if out {
				w.SetCarry(i, c)
			}
		}
	}
}

func decodeCarry(d *decode.Decoder) {
	cc := d.Opt("cc")
	carryOp(d, d.Type(syntax.U32, syntax.S32, syntax.B32, syntax.U64, syntax.S64), d.Stmt.Op == "subc", true, cc)
}

// product is the full 2n-bit product of two n-bit values.
//
// The signed product is the unsigned one less what each negative factor contributes to its upper half.
func product(a, b uint64, t syntax.Type) (hi, lo uint64) {
	if !t.Signed() {
		return bits.Mul64(a, b)
	}
	x, y := num.SignExtend(a, t.Bits()), num.SignExtend(b, t.Bits())
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
//
//	mul.lo.s32    low 32 bits of the 64-bit product    the same for both signs
//	mul.hi.s32    high 32 bits                         differs by sign
//	mul.wide.s32  all 64 bits                          differs by sign
func multiplier(t syntax.Type, part string) (func(a, b uint64) uint64, syntax.Type) {
	n := t.Bits()
	ones := num.Mask(n)
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
	wide := map[syntax.Type]syntax.Type{syntax.U16: syntax.U32, syntax.S16: syntax.S32, syntax.U32: syntax.U64, syntax.S32: syntax.S64}[t]
	if wide == syntax.NoType {
		return nil, syntax.NoType
	}
	ones = num.Mask(2 * n)
	return func(a, b uint64) uint64 { _, lo := product(a, b, t); return lo & ones }, wide
}

func decodeMul(d *decode.Decoder) {
	part := d.OneOf("lo", "hi", "wide")
	if part == "" {
		floatBinary(d, "mul")
		return
	}
	t := d.Type(intTypes...)
	f, out := multiplier(t, part)
	if f == nil {
		d.Fail("'mul.wide' does not exist for type .%s", t)
	}
	args := d.Args(3)
	d.Inst.Exec = decode.Map2(d.Dst(args[0], out), d.Src(args[1], t), d.Src(args[2], t), f)
}

// .sat exists for hi.s32 only; madc reads the carry and with .cc writes it, for the full sum and not for the product.
func decodeMad(d *decode.Decoder) {
	part := d.OneOf("lo", "hi", "wide")
	if part == "" {
		floatFma(d)
		return
	}
	cc, sat := d.Opt("cc"), d.Opt("sat")
	t := d.Type(intTypes...)
	f, out := multiplier(t, part)
	if f == nil {
		d.Fail("'mad.wide' does not exist for type .%s", t)
	}
	args := d.Args(4)
	dst, a, b, c := d.Dst(args[0], out), d.Src(args[1], t), d.Src(args[2], t), d.Src(args[3], out)
	n := out.Bits()
	ones := num.Mask(n)
	in := d.Stmt.Op == "madc"
	switch {
	case sat:
		if part != "hi" || t != syntax.S32 {
			d.Fail("'.sat' is supported for 'mad.hi.s32' only")
		}
		d.Inst.Exec = decode.Map3(dst, a, b, c, func(a, b, c uint64) uint64 {
			return num.ClampSigned(num.SignExtend(f(a, b), 32)+num.SignExtend(c, 32), 32)
		})
	case cc || in:
		d.Inst.Exec = func(w *machine.Warp, m uint32) {
			D, A, B, C := w.Reg(dst), w.Lanes(a), w.Lanes(b), w.Lanes(c)
			for m != 0 {
				i := machine.Next(&m)
				var carry uint64
				if in {
					carry = uint64(w.Carry >> i & 1)
				}
				v, k := bits.Add64(f(A[i], B[i]), C[i], carry)
				if n == 32 {
					k = v >> 32 & 1
					v &= ones
				}
				D[i] = v
				if cc {
					w.SetCarry(i, k)
				}
			}
		}
	default:
		d.Inst.Exec = decode.Map3(dst, a, b, c, func(a, b, c uint64) uint64 { return (f(a, b) + c) & ones })
	}
}

// The difference is taken in the order that makes it positive, as the most negative number has no magnitude of its
// width.
func decodeSad(d *decode.Decoder) {
	t := d.Type(intTypes...)
	args := d.Args(4)
	n := t.Bits()
	d.Inst.Exec = decode.Map3(d.Dst(args[0], t), d.Src(args[1], t), d.Src(args[2], t), d.Src(args[3], t), func(a, b, c uint64) uint64 {
		less := a < b
		if t.Signed() {
			less = num.SignExtend(a, n) < num.SignExtend(b, n)
		}
		if less {
			a, b = b, a
		}
		return (c + a - b) & num.Mask(n)
	})
}

// quotient divides as the hardware does: by zero gives all ones, and the
// remainder is then the dividend.
//
// "div" and "rem" leave a division by zero to the machine; what is given here is what all architectures do.
//
// The smallest number divided by -1 wraps to itself: Go defines it so, and the result in n bits is the same
// ("div" says nothing of it).
func quotient(t syntax.Type, rem bool) func(a, b uint64) uint64 {
	n := t.Bits()
	ones := num.Mask(n)
	return func(a, b uint64) uint64 {
		switch {
		case b == 0 && rem:
			return a
		case b == 0:
			return ones
		case t.Signed() && rem:
			return uint64(num.SignExtend(a, n)%num.SignExtend(b, n)) & ones
		case t.Signed():
			return uint64(num.SignExtend(a, n)/num.SignExtend(b, n)) & ones
		case rem:
			return a % b
		}
		return a / b
	}
}

func decodeDiv(d *decode.Decoder) {
	t := d.Type()
	if t.Float() {
		floatDiv(d, t)
		return
	}
	if !t.Integer() || t.Bits() < 16 {
		d.Fail("type '.%s' is not supported by 'div'", t)
	}
	args := d.Args(3)
	d.Inst.Exec = decode.Map2(d.Dst(args[0], t), d.Src(args[1], t), d.Src(args[2], t), quotient(t, false))
}

func decodeRem(d *decode.Decoder) {
	t := d.Type(intTypes...)
	args := d.Args(3)
	d.Inst.Exec = decode.Map2(d.Dst(args[0], t), d.Src(args[1], t), d.Src(args[2], t), quotient(t, true))
}
