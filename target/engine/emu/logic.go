package emu

var logicOps = map[string]decodeFn{
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

var bitOps = map[string]func(a, b uint64) uint64{
	"and": func(a, b uint64) uint64 { return a & b },
	"or":  func(a, b uint64) uint64 { return a | b },
	"xor": func(a, b uint64) uint64 { return a ^ b },
}

func decodeBitwise(d *decoder) {
	t := d.typ(tPred, tB16, tB32, tB64)
	args := d.args(3)
	f := bitOps[d.s.op]
	if t != tPred {
		d.in.exec = map2(d.dst(args[0], t), d.src(args[1], t), d.src(args[2], t), f)
		return
	}
	dst, a, b := d.predDst(args[0]), d.predSrc(args[1]), d.predSrc(args[2])
	d.in.exec = func(w *warp, m uint32) {
		w.setPred(dst, uint32(f(uint64(w.pred(a)), uint64(w.pred(b)))), m)
	}
}

func decodeNot(d *decoder) {
	cnot := d.s.op == "cnot"
	t := d.typ(tPred, tB16, tB32, tB64)
	args := d.args(2)
	if t == tPred && !cnot {
		dst, a := d.predDst(args[0]), d.predSrc(args[1])
		d.in.exec = func(w *warp, m uint32) { w.setPred(dst, ^w.pred(a), m) }
		return
	}
	ones := mask(t.bits())
	d.in.exec = map1(d.dst(args[0], t), d.src(args[1], t), func(a uint64) uint64 {
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
func decodeShift(d *decoder) {
	left := d.s.op == "shl"
	t := d.typ(tB16, tB32, tB64, tU16, tU32, tU64, tS16, tS32, tS64)
	args := d.args(3)
	n := t.bits()
	ones := mask(n)
	f := func(a, b uint64) uint64 { return a >> b }
	switch {
	case left:
		f = func(a, b uint64) uint64 { return a << b & ones }
	case t.signed():
		f = func(a, b uint64) uint64 { return uint64(sext(a, n)>>min(b, 63)) & ones }
	}
	d.in.exec = map2(d.dst(args[0], t), d.src(args[1], t), d.src(args[2], tU32), f)
}

// decodeFunnel decodes shf: a shift of the 64-bit value b:a.
func decodeFunnel(d *decoder) {
	left := d.oneOf("l", "r") == "l"
	clamp := d.oneOf("clamp", "wrap") == "clamp"
	d.typ(tB32)
	args := d.args(4)
	d.in.exec = map3(d.dst(args[0], tB32), d.src(args[1], tB32), d.src(args[2], tB32), d.src(args[3], tU32), func(a, b, c uint64) uint64 {
		if clamp {
			c = min(c, 32)
		} else {
			c &= 31
		}
		v := b<<32 | a
		if left {
			return v << c >> 32
		}
		return v >> c & mask(32)
	})
}

func decodePrmt(d *decoder) {
	d.typ(tB32)
	mode := d.oneOf("f4e", "b4e", "rc8", "ecl", "ecr", "rc16")
	args := d.args(4)
	d.in.exec = map3(d.dst(args[0], tB32), d.src(args[1], tB32), d.src(args[2], tB32), d.src(args[3], tB32), func(a, b, c uint64) uint64 {
		v := b<<32 | a
		var out uint64
		for i := range uint64(4) {
			sel := c >> (4 * i) & 15
			if mode != "" {
				sel = permuteMode(mode, c&3, i)
			}
			x := v >> (8 * (sel & 7)) & 0xff
			if sel&8 != 0 {
				x = uint64(sext(x, 8)>>7) & 0xff
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

func decodeLop3(d *decoder) {
	boolean := d.oneOf("or", "and")
	d.typ(tB32)
	var args []*operand
	if boolean == "" {
		args = d.args(5)
	} else if args = d.args(6); args[0].pred == nil {
		d.badOperand(args[0], "'lop3.%s' needs a destination predicate", boolean)
	}
	if args[4].kind != opInt || args[4].bits > 255 {
		d.badOperand(args[4], "the table of 'lop3' must be a constant from 0 to 255")
	}
	lut := args[4].bits
	to := args[0]
	if boolean != "" {
		plain := *to
		plain.pred = nil
		to = &plain
	}
	dst := d.dst(to, tB32)
	d.in.exec = map3(dst, d.src(args[1], tB32), d.src(args[2], tB32), d.src(args[3], tB32), func(a, b, c uint64) uint64 {
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
		return out & mask(32)
	})
	if boolean != "" {
		d.lop3Test(boolean, dst, args[0].pred, args[5])
	}
}

// lop3Test adds the predicate of lop3.and and lop3.or: whether the result is
// not zero, combined with a source predicate.
func (d *decoder) lop3Test(boolean string, dst int32, to, with *operand) {
	p, q := d.predDst(to), d.predSrc(with)
	run := d.in.exec
	d.in.exec = func(w *warp, m uint32) {
		run(w, m)
		var v uint32
		for k := m; k != 0; {
			if i := next(&k); w.reg(dst)[i] != 0 {
				v |= 1 << i
			}
		}
		if boolean == "and" {
			v &= w.pred(q)
		} else {
			v |= w.pred(q)
		}
		w.setPred(p, v, m)
	}
}
