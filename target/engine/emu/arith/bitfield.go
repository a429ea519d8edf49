package arith

import (
	"math/bits"

	"github.com/tilewright/tilewright/target/engine/emu/decode"
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/num"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// Values are zero-extended to 64 bits, so that the count of ones needs no width, and that of leading zeros is off by
// a constant.
func decodeCount(d *decode.Decoder) {
	t := d.Type(syntax.B32, syntax.B64)
	args := d.Args(2)
	dst, a := d.Dst(args[0], syntax.U32), d.Src(args[1], t)
	n := t.Bits()
	if d.Stmt.Op == "popc" {
		d.Inst.Exec = decode.Map1(dst, a, func(a uint64) uint64 { return uint64(bits.OnesCount64(a)) })
		return
	}
	d.Inst.Exec = decode.Map1(dst, a, func(a uint64) uint64 { return uint64(bits.LeadingZeros64(a) - (64 - n)) })
}

// Of a negative number the most significant bit that is not a copy of the sign is looked for, hence the complement.
// All ones stand for "none".
func decodeBfind(d *decode.Decoder) {
	shift := d.Opt("shiftamt")
	t := d.Type(syntax.U32, syntax.U64, syntax.S32, syntax.S64)
	args := d.Args(2)
	n := t.Bits()
	d.Inst.Exec = decode.Map1(d.Dst(args[0], syntax.U32), d.Src(args[1], t), func(a uint64) uint64 {
		if t.Signed() && a>>(n-1) != 0 {
			a = ^a & num.Mask(n)
		}
		if a == 0 {
			return num.Mask(32)
		}
		if shift {
			return uint64(bits.LeadingZeros64(a) - (64 - n))
		}
		return uint64(bits.Len64(a) - 1)
	})
}

func decodeBrev(d *decode.Decoder) {
	t := d.Type(syntax.B32, syntax.B64)
	args := d.Args(2)
	d.Inst.Exec = decode.Map1(d.Dst(args[0], t), d.Src(args[1], t), func(a uint64) uint64 { return bits.Reverse64(a) >> (64 - t.Bits()) })
}

// Position and length are bytes of their operands and may reach beyond the value. The rules for that case are
// pseudo-code in the ISA ("bfe"), and this is it without the loop over bits.
//
// For bfe.s32 of 0x000000f0 at 4, length 4: the field is 0xf, its top bit the sign, the result -1. At 28, length 8:
// four bits are there. The upper ones are copies of bit 31, the value's own sign: the sign is that of bit min(pos + len
// - 1, msb).
func decodeBfe(d *decode.Decoder) {
	t := d.Type(syntax.U32, syntax.U64, syntax.S32, syntax.S64)
	args := d.Args(4)
	n := t.Bits()
	d.Inst.Exec = decode.Map3(d.Dst(args[0], t), d.Src(args[1], t), d.Src(args[2], syntax.U32), d.Src(args[3], syntax.U32), func(a, b, c uint64) uint64 {
		at, size := int(b&0xff), int(c&0xff)
		if size == 0 {
			return 0
		}
		v := uint64(0)
		if at < n {
			v = a >> at
		}
		if t.Signed() {
			// Bits from beyond the top are copies of the sign bit of the field.
			top := min(at+size-1, n-1)
			v = uint64(num.SignExtend(a, n) >> min(at, n-1))
			if at > top { // the field lies beyond the value
				return uint64(num.SignExtend(a, n)>>(n-1)) & num.Mask(n)
			}
			if w := top - at + 1; w < 64 {
				v = uint64(num.SignExtend(v, w))
			}
			return v & num.Mask(n)
		}
		return v & num.Mask(min(size, n))
	})
}

// The lanes have a loop of their own: there is no Map of four sources, for one instruction.
//
// The lanes of b outside of the field stay. A position beyond the value inserts nothing, and a length beyond it
// is cut ("bfi").
func decodeBfi(d *decode.Decoder) {
	t := d.Type(syntax.B32, syntax.B64)
	args := d.Args(5)
	n := t.Bits()
	dst, a, b, c, e := d.Dst(args[0], t), d.Src(args[1], t), d.Src(args[2], t), d.Src(args[3], syntax.U32), d.Src(args[4], syntax.U32)
	d.Inst.Exec = func(w *machine.Warp, m uint32) {
		D, A, B, C, E := w.Reg(dst), w.Lanes(a), w.Lanes(b), w.Lanes(c), w.Lanes(e)
		for m != 0 {
			i := machine.Next(&m)
			at, size := int(C[i]&0xff), int(E[i]&0xff)
			field := num.Mask(size) << at & num.Mask(n)
			if at >= n {
				field = 0
			}
			D[i] = B[i]&^field | A[i]<<at&field
		}
	}
}

// .clamp bounds both operands by 32, .wrap takes them modulo 32: with .wrap a length of 32 is one of 0.
func decodeBmsk(d *decode.Decoder) {
	clamp := d.OneOf("clamp", "wrap") == "clamp"
	d.Type(syntax.B32)
	args := d.Args(3)
	d.Inst.Exec = decode.Map2(d.Dst(args[0], syntax.B32), d.Src(args[1], syntax.U32), d.Src(args[2], syntax.U32), func(a, b uint64) uint64 {
		if !clamp {
			a, b = a&31, b&31
		}
		if a >= 32 {
			return 0
		}
		return num.Mask(int(min(b, 32))) << a & num.Mask(32)
	})
}

// A width of zero leaves no bit, also in the signed form; Go's shifts would sign-extend from nothing.
func decodeSzext(d *decode.Decoder) {
	clamp := d.OneOf("clamp", "wrap") == "clamp"
	t := d.Type(syntax.U32, syntax.S32)
	args := d.Args(3)
	d.Inst.Exec = decode.Map2(d.Dst(args[0], t), d.Src(args[1], t), d.Src(args[2], syntax.U32), func(a, b uint64) uint64 {
		if !clamp {
			b &= 31
		}
		switch {
		case b >= 32:
			return a
		case b == 0:
			return 0
		case t.Signed():
			return uint64(num.SignExtend(a, int(b))) & num.Mask(32)
		}
		return a & num.Mask(int(b))
	})
}

// decodeFns decodes the search for the n-th set bit from a base on, upwards
// or downwards.
//
//	fns 0b10110, base 2, offset 2     from bit 2 up, the second set bit: 4
//	offset -1                         from bit 2 down, the first: 2
//	offset 0                          bit 2 itself, if it is set
func decodeFns(d *decode.Decoder) {
	d.Type(syntax.B32)
	args := d.Args(4)
	d.Inst.Exec = decode.Map3(d.Dst(args[0], syntax.B32), d.Src(args[1], syntax.B32), d.Src(args[2], syntax.B32), d.Src(args[3], syntax.S32), func(a, b, c uint64) uint64 {
		n := num.SignExtend(c, 32)
		pos := num.SignExtend(b, 32)
		step := int64(1)
		switch {
		case n == 0:
			n, step = 1, 32 // only the base itself
		case n < 0:
			n, step = -n, -1
		}
		for ; pos >= 0 && pos < 32; pos += step {
			if a>>pos&1 != 0 {
				if n--; n == 0 {
					return uint64(pos)
				}
			}
		}
		return num.Mask(32)
	})
}
