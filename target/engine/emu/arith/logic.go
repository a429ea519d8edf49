package arith

import (
	"github.com/tilewright/tilewright/target/engine/emu/decode"
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/num"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

var logicOps = map[string]decode.Func{
	"and":  decodeBitwise,
	"or":   decodeBitwise,
	"xor":  decodeBitwise,
	"not":  decodeNot,
	"cnot": decodeNot,
	"shl":  decodeShift,
	"shr":  decodeShift,
	"shf":  decodeFunnel,
	"prmt": decodePrmt,
	"lop3": decodeLop3,
}

// BitOps are the bitwise operations by name; and, or and xor need no width, since operands are zero-extended.
var BitOps = map[string]func(a, b uint64) uint64{
	"and": func(a, b uint64) uint64 { return a & b },
	"or":  func(a, b uint64) uint64 { return a | b },
	"xor": func(a, b uint64) uint64 { return a ^ b },
}

// Predicates are masks of the warp, of which all lanes are computed at once.
func decodeBitwise(d *decode.Decoder) {
	t := d.Type(syntax.Pred, syntax.B16, syntax.B32, syntax.B64)
	args := d.Args(3)
	f := BitOps[d.Stmt.Op]
	if t != syntax.Pred {
		d.Inst.Exec = decode.Map2(d.Dst(args[0], t), d.Src(args[1], t), d.Src(args[2], t), f)
		return
	}
	dst, a, b := d.PredDst(args[0]), d.PredSrc(args[1]), d.PredSrc(args[2])
	d.Inst.Exec = func(w *machine.Warp, m uint32) {
		w.SetPred(dst, uint32(f(uint64(w.Pred(a)), uint64(w.Pred(b)))), m)
	}
}

func decodeNot(d *decode.Decoder) {
	cnot := d.Stmt.Op == "cnot"
	t := d.Type(syntax.Pred, syntax.B16, syntax.B32, syntax.B64)
	args := d.Args(2)
	if t == syntax.Pred && !cnot {
		dst, a := d.PredDst(args[0]), d.PredSrc(args[1])
		d.Inst.Exec = func(w *machine.Warp, m uint32) { w.SetPred(dst, ^w.Pred(a), m) }
		return
	}
	ones := num.Mask(t.Bits())
	d.Inst.Exec = decode.Map1(d.Dst(args[0], t), d.Src(args[1], t), func(a uint64) uint64 {
		if !cnot {
			return ^a & ones
		}
		if a == 0 {
			return 1
		}
		return 0
	})
}

// decodeShift decodes shl and shr, whose amount is clamped to the width.
//
// Go's shifts by more than the width give zero, as those of PTX do; of signed numbers the amount is bounded so that
// the sign remains.
func decodeShift(d *decode.Decoder) {
	left := d.Stmt.Op == "shl"
	t := d.Type(syntax.B16, syntax.B32, syntax.B64, syntax.U16, syntax.U32, syntax.U64, syntax.S16, syntax.S32, syntax.S64)
	args := d.Args(3)
	n := t.Bits()
	ones := num.Mask(n)
	f := func(a, b uint64) uint64 { return a >> b }
	switch {
	case left:
		f = func(a, b uint64) uint64 { return a << b & ones }
	case t.Signed():
		f = func(a, b uint64) uint64 { return uint64(num.SignExtend(a, n)>>min(b, 63)) & ones }
	}
	d.Inst.Exec = decode.Map2(d.Dst(args[0], t), d.Src(args[1], t), d.Src(args[2], syntax.U32), f)
}

// decodeFunnel decodes shf: a shift of the 64-bit value b:a.
//
// shf.l of a rotated value has both sources equal: shf.l.wrap x, x, n is a rotation to the left by n. .clamp
// differs from .wrap for amounts of 32 and more only.
func decodeFunnel(d *decode.Decoder) {
	left := d.OneOf("l", "r") == "l"
	clamp := d.OneOf("clamp", "wrap") == "clamp"
	d.Type(syntax.B32)
	args := d.Args(4)
	d.Inst.Exec = decode.Map3(d.Dst(args[0], syntax.B32), d.Src(args[1], syntax.B32), d.Src(args[2], syntax.B32), d.Src(args[3], syntax.U32), func(a, b, c uint64) uint64 {
		if clamp {
			c = min(c, 32)
		} else {
			c &= 31
		}
		v := b<<32 | a
		if left {
			return v << c >> 32
		}
		return v >> c & num.Mask(32)
	})
}

// Bits of the selector choose bytes, or copies of their sign:
//
//	prmt d, a, b, 0x5410      bytes 0 and 1 of a, then bytes 0 and 1 of b (numbers 4 and 5)
//	a selector's bit 3        copies of the byte's sign instead of the byte
func decodePrmt(d *decode.Decoder) {
	d.Type(syntax.B32)
	mode := d.OneOf("f4e", "b4e", "rc8", "ecl", "ecr", "rc16")
	args := d.Args(4)
	d.Inst.Exec = decode.Map3(d.Dst(args[0], syntax.B32), d.Src(args[1], syntax.B32), d.Src(args[2], syntax.B32), d.Src(args[3], syntax.B32), func(a, b, c uint64) uint64 {
		v := b<<32 | a
		var out uint64
		for i := range uint64(4) {
			sel := c >> (4 * i) & 15
			if mode != "" {
				sel = permuteMode(mode, c&3, i)
			}
			x := v >> (8 * (sel & 7)) & 0xff
			if sel&8 != 0 {
				x = uint64(num.SignExtend(x, 8)>>7) & 0xff
			}
			out |= x << (8 * i)
		}
		return out
	})
}

// permuteMode is the source byte of byte i in the special modes of prmt
// with selector value s.
func permuteMode(mode string, s, i uint64) uint64 {
	switch mode {
	case "f4e":
		return s + i
	case "b4e":
		return (s - i) & 7
	case "rc8":
		return s
	case "ecl":
		return max(s, i)
	case "ecr":
		return min(s, i)
	}
	return s&1*2 + i&1 // rc16
}

// The sum of eight minterms is much shorter than a switch over the 256 tables.
//
// The table is the result of the function for a = 0xf0, b = 0xcc, c = 0xaa. The loop tests bit k of it for the inputs
// (k>>2&1, k>>1&1, k&1). The table of a & b | c is 0xea.
func decodeLop3(d *decode.Decoder) {
	boolean := d.OneOf("or", "and")
	d.Type(syntax.B32)
	var args []*syntax.Operand
	if boolean == "" {
		args = d.Args(5)
	} else if args = d.Args(6); args[0].Pred == nil {
		d.FailAt(args[0], "'lop3.%s' needs a destination predicate", boolean)
	}
	if args[4].Kind != syntax.OpInt || args[4].Bits > 255 {
		d.FailAt(args[4], "the table of 'lop3' must be a constant from 0 to 255")
	}
	lut := args[4].Bits
	to := args[0]
	if boolean != "" {
		plain := *to
		plain.Pred = nil
		to = &plain
	}
	dst := d.Dst(to, syntax.B32)
	d.Inst.Exec = decode.Map3(dst, d.Src(args[1], syntax.B32), d.Src(args[2], syntax.B32), d.Src(args[3], syntax.B32), func(a, b, c uint64) uint64 {
		var out uint64
		for k := range 8 {
			if lut>>k&1 == 0 {
				continue
			}
			x, y, z := a, b, c
			if k&4 == 0 {
				x = ^x
			}
			if k&2 == 0 {
				y = ^y
			}
			if k&1 == 0 {
				z = ^z
			}
			out |= x & y & z
		}
		return out & num.Mask(32)
	})
	if boolean != "" {
		lop3Test(d, boolean, dst, args[0].Pred, args[5])
	}
}

// lop3Test adds the predicate of lop3.and and lop3.or: whether the result is
// not zero, combined with a source predicate.
//
// It is a second step after the first, so that the common form without a predicate costs nothing.
func lop3Test(d *decode.Decoder, boolean string, dst int32, to, with *syntax.Operand) {
	p, q := d.PredDst(to), d.PredSrc(with)
	run := d.Inst.Exec
	d.Inst.Exec = func(w *machine.Warp, m uint32) {
		run(w, m)
		var v uint32
		for k := m; k != 0; {
			if i := machine.Next(&k); w.Reg(dst)[i] != 0 {
				v |= 1 << i
			}
		}
		if boolean == "and" {
			v &= w.Pred(q)
		} else {
			v |= w.Pred(q)
		}
		w.SetPred(p, v, m)
	}
}
