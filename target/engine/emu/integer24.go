package emu

// multiplier24 is the product of the low 24 bits of two values: its low 32
// bits, or those from bit 16 on.
func (d *decoder) multiplier24() (f func(a, b uint64) uint64, t scalar, part string) {
	part = d.oneOf("lo", "hi")
	if part == "" {
		d.failInst("'%s' needs .lo or .hi", d.s.op)
	}
	sat := d.s.op == "mad24" && part == "hi" && d.opt("sat")
	t = d.typ(tU32, tS32)
	if sat {
		if part = "sat"; t != tS32 {
			d.failInst("'.sat' is supported for 'mad24.hi.s32' only")
		}
	}
	return func(a, b uint64) uint64 {
		var p uint64
		if t.signed() {
			p = uint64(sext(a, 24) * sext(b, 24))
		} else {
			p = a & mask(24) * (b & mask(24))
		}
		if part != "lo" {
			p >>= 16
		}
		return p & mask(32)
	}, t, part
}

func decodeMul24(d *decoder) {
	f, t, _ := d.multiplier24()
	args := d.args(3)
	d.in.exec = map2(d.dst(args[0], t), d.src(args[1], t), d.src(args[2], t), f)
}

func decodeMad24(d *decoder) {
	f, t, part := d.multiplier24()
	args := d.args(4)
	d.in.exec = map3(d.dst(args[0], t), d.src(args[1], t), d.src(args[2], t), d.src(args[3], t), func(a, b, c uint64) uint64 {
		if part == "sat" {
			return clampInt(sext(f(a, b), 32)+sext(c, 32), 32)
		}
		return (f(a, b) + c) & mask(32)
	})
}

// decodeFns decodes the search for the n-th set bit from a base on, upwards
// or downwards.
func decodeFns(d *decoder) {
	d.typ(tB32)
	args := d.args(4)
	d.in.exec = map3(d.dst(args[0], tB32), d.src(args[1], tB32), d.src(args[2], tB32), d.src(args[3], tS32), func(a, b, c uint64) uint64 {
		n := sext(c, 32)
		pos := sext(b, 32)
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
		return mask(32)
	})
}
