package emu

import "math/bits"

var collectiveOps = map[string]decodeFn{
	"shfl":       decodeShfl,
	"vote":       decodeVote,
	"match":      decodeMatch,
	"redux":      decodeRedux,
	"activemask": decodeActiveMask,
	"elect":      decodeElect,
}

// poison is what a lane gets from a lane that does not take part; the ISA
// leaves the value undefined.
const poison = 0x7fabad00

// member marks the instruction as one that waits for the lanes of the
// member mask.
func (d *decoder) member(o *operand) {
	if !d.opt("sync") {
		d.failInst("'%s' without .sync is not supported", d.s.op)
	}
	d.in.kind, d.in.index = kindSync, d.src(o, tB32)
}

func decodeShfl(d *decoder) {
	mode := d.oneOf("up", "down", "bfly", "idx")
	if mode == "" {
		d.failInst("'shfl' needs .up, .down, .bfly or .idx")
	}
	args := d.args(5)
	d.member(args[4])
	d.typ(tB32, tU32, tS32, tF32)
	pdst := int32(predSink)
	if q := args[0].pred; q != nil {
		pdst = d.predDst(q)
	}
	dst, a, b, c := d.dst(args[0], tB32), d.src(args[1], tB32), d.src(args[2], tB32), d.src(args[3], tB32)
	d.in.exec = func(w *warp, m uint32) {
		A, B, C := *w.lanes(a), *w.lanes(b), *w.lanes(c)
		out := w.reg(dst)
		var ok uint32
		for k := m; k != 0; {
			lane := next(&k)
			bval, cval, seg := int(B[lane]&31), int(C[lane]&31), int(C[lane]>>8&31)
			low := lane & seg
			high := low | cval&^seg
			var j int
			var in bool
			switch mode {
			case "up":
				j = lane - bval
				in = j >= high
			case "down":
				j = lane + bval
				in = j <= high
			case "bfly":
				j = lane ^ bval
				in = j <= high
			default:
				j = low | bval&^seg
				in = j <= high
			}
			if in {
				ok |= 1 << lane
			} else {
				j = lane
			}
			if j &= 31; m>>j&1 != 0 {
				out[lane] = A[j]
			} else {
				out[lane] = poison
			}
		}
		w.setPred(pdst, ok, m)
	}
}

func decodeVote(d *decoder) {
	mode := d.oneOf("all", "any", "uni", "ballot")
	args := d.args(3)
	d.member(args[2])
	p := d.predSrc(args[1])
	if mode == "ballot" {
		d.typ(tB32)
		dst := d.dst(args[0], tB32)
		d.in.exec = d.eachMember(func(w *warp, g uint32) {
			v := uint64(w.pred(p) & g)
			out := w.reg(dst)
			for k := g; k != 0; {
				out[next(&k)] = v
			}
		})
		return
	}
	if mode == "" {
		d.failInst("'vote' needs .all, .any, .uni or .ballot")
	}
	d.typ(tPred)
	dst := d.predDst(args[0])
	d.in.exec = d.eachMember(func(w *warp, g uint32) {
		v := w.pred(p) & g
		var r uint32
		if mode == "all" && v == g || mode == "any" && v != 0 || mode == "uni" && (v == 0 || v == g) {
			r = full
		}
		w.setPred(dst, r, g)
	})
}

// eachMember runs f once for each set of lanes with the same member mask.
func (d *decoder) eachMember(f func(w *warp, g uint32)) execFn {
	index := d.in.index
	return func(w *warp, m uint32) {
		masks := *w.lanes(index) // f may overwrite the register
		for m != 0 {
			g := uint32(masks[laneOf(m)]) & m
			m &^= g
			f(w, g)
		}
	}
}

func decodeMatch(d *decoder) {
	mode := d.oneOf("any", "all")
	args := d.args(3)
	d.member(args[2])
	t := d.typ(tB32, tB64)
	pdst := int32(predSink)
	if q := args[0].pred; q != nil && mode == "all" {
		pdst = d.predDst(q)
	}
	dst, a := d.dst(args[0], tB32), d.src(args[1], t)
	d.in.exec = d.eachMember(func(w *warp, g uint32) {
		A, out := *w.lanes(a), w.reg(dst)
		same := func(v uint64) (eq uint32) {
			for k := g; k != 0; {
				if i := next(&k); A[i] == v {
					eq |= 1 << i
				}
			}
			return eq
		}
		for k := g; k != 0; {
			i := next(&k)
			eq := same(A[i])
			if mode == "all" && eq != g {
				eq = 0
			}
			out[i] = uint64(eq)
			w.setPred(pdst, uint32(int32(eq|-eq)>>31), 1<<i)
		}
	})
}

func decodeRedux(d *decoder) {
	op := d.oneOf("add", "min", "max", "and", "or", "xor")
	args := d.args(3)
	d.member(args[2])
	t := d.typ(tU32, tS32, tB32, tF32)
	abs, nan := d.opt("abs"), d.opt("NaN")
	var f func(a, b uint64) uint64
	switch {
	case t == tF32 && (op == "min" || op == "max"):
		f = minMaxF32(op == "max", false, nan, false)
	case t != tB32 && t != tF32 && (op == "min" || op == "max"):
		f = minMaxInt(op == "max", t)
	case t != tB32 && t != tF32 && op == "add":
		f = func(a, b uint64) uint64 { return (a + b) & mask(32) }
	case t == tB32 && (op == "and" || op == "or" || op == "xor"):
		f = bitOps[op]
	default:
		d.failInst("'redux.%s' does not exist for type .%s", op, t)
	}
	dst, a := d.dst(args[0], t), d.src(args[1], t)
	d.in.exec = d.eachMember(func(w *warp, g uint32) {
		A, out := w.lanes(a), w.reg(dst)
		read := func(i int) uint64 {
			if abs {
				return A[i] &^ (1 << 31)
			}
			return A[i]
		}
		v := read(laneOf(g))
		for k := g & (g - 1); k != 0; {
			v = f(v, read(next(&k)))
		}
		for k := g; k != 0; {
			out[next(&k)] = v
		}
	})
}

func decodeActiveMask(d *decoder) {
	d.typ(tB32)
	dst := d.dst(d.args(1)[0], tB32)
	d.in.exec = func(w *warp, m uint32) {
		out := w.reg(dst)
		for k := m; k != 0; {
			out[next(&k)] = uint64(m)
		}
	}
}

// decodeElect decodes elect.sync d|p, membermask. The ISA leaves the
// choice open; it is the lowest lane here.
func decodeElect(d *decoder) {
	args := d.args(2)
	d.member(args[1])
	if args[0].pred == nil {
		d.badOperand(args[0], "'elect.sync' needs a destination predicate")
	}
	dst, pdst := int32(slotSink), d.predDst(args[0].pred)
	if args[0].kind != opSink {
		dst = d.dst(args[0], tB32)
	}
	d.in.exec = d.eachMember(func(w *warp, g uint32) {
		lead := bits.TrailingZeros32(g)
		out := w.reg(dst)
		for k := g; k != 0; {
			out[next(&k)] = uint64(lead)
		}
		w.setPred(pdst, 1<<lead, g)
	})
}
