package barrier

import (
	"math/bits"

	"github.com/tilewright/tilewright/target/engine/emu/arith"
	"github.com/tilewright/tilewright/target/engine/emu/decode"
	"github.com/tilewright/tilewright/target/engine/emu/fp"
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/num"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

var collectiveOps = map[string]decode.Func{
	"shfl":       decodeShfl,
	"vote":       decodeVote,
	"match":      decodeMatch,
	"redux":      decodeRedux,
	"activemask": decodeActiveMask,
	"elect":      decodeElect,
}

// poison is what a lane gets from a lane that does not take part; the ISA
// leaves the value undefined.
//
// It is easy to recognise in a dump, a NaN as f32, and large as an integer.
const poison = 0x7fabad00

// member marks the instruction as one that waits for the lanes of the
// member mask.
func member(d *decode.Decoder, o *syntax.Operand) {
	if !d.Opt("sync") {
		d.Fail("'%s' without .sync is not supported", d.Stmt.Op)
	}
	d.Inst.Kind, d.Inst.Index = machine.KindSync, d.Src(o, syntax.B32)
}

// The segment mask and the clamp value share operand c as the ISA has it; out of range, a lane gets its own value and
// a false predicate.
//
//	c = segmask << 8 | clamp         segments of 8 lanes, idx: segmask 0x18, clamp 7 -> c = 0x1807
//	lane 13 (0b01101): low = 13 & 0x18 = 8, high = 8 | 7 & ^0x18 = 15: it reads among lanes 8 to 15
//
// down and bfly have 31 for entire warps, up has 0, because it compares the other way round (j >= high).
func decodeShfl(d *decode.Decoder) {
	mode := d.OneOf("up", "down", "bfly", "idx")
	if mode == "" {
		d.Fail("'shfl' needs .up, .down, .bfly or .idx")
	}
	args := d.Args(5)
	member(d, args[4])
	d.Type(syntax.B32, syntax.U32, syntax.S32, syntax.F32)
	pdst := int32(machine.PredSink)
	if q := args[0].Pred; q != nil {
		pdst = d.PredDst(q)
	}
	dst, a, b, c := d.Dst(args[0], syntax.B32), d.Src(args[1], syntax.B32), d.Src(args[2], syntax.B32), d.Src(args[3], syntax.B32)
	d.Inst.Exec = func(w *machine.Warp, m uint32) {
		// Copies, as the destination may be one of the sources and lanes read what others write.
		A, B, C := *w.Lanes(a), *w.Lanes(b), *w.Lanes(c)
		out := w.Reg(dst)
		var ok uint32
		for k := m; k != 0; {
			lane := machine.Next(&k)
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
		w.SetPred(pdst, ok, m)
	}
}

func decodeVote(d *decode.Decoder) {
	mode := d.OneOf("all", "any", "uni", "ballot")
	args := d.Args(3)
	member(d, args[2])
	p := d.PredSrc(args[1])
	if mode == "ballot" {
		d.Type(syntax.B32)
		dst := d.Dst(args[0], syntax.B32)
		d.Inst.Exec = eachMember(d, func(w *machine.Warp, g uint32) {
			v := uint64(w.Pred(p) & g)
			out := w.Reg(dst)
			for k := g; k != 0; {
				out[machine.Next(&k)] = v
			}
		})
		return
	}
	if mode == "" {
		d.Fail("'vote' needs .all, .any, .uni or .ballot")
	}
	d.Type(syntax.Pred)
	dst := d.PredDst(args[0])
	d.Inst.Exec = eachMember(d, func(w *machine.Warp, g uint32) {
		v := w.Pred(p) & g
		var r uint32
		if mode == "all" && v == g || mode == "any" && v != 0 || mode == "uni" && (v == 0 || v == g) {
			r = machine.Full
		}
		w.SetPred(dst, r, g)
	})
}

// eachMember runs f once for each set of lanes with the same member mask.
//
// The lanes that execute together may be several sets with masks of their own, each complete in itself.
func eachMember(d *decode.Decoder, f func(w *machine.Warp, g uint32)) machine.Exec {
	index := d.Inst.Index
	return func(w *machine.Warp, m uint32) {
		masks := *w.Lanes(index) // f may overwrite the register
		for m != 0 {
			g := uint32(masks[machine.FirstLane(m)]) & m
			m &^= g
			f(w, g)
		}
	}
}

// match.all gives the mask or zero and says in the predicate which; match.any always has a mask, of at least the lane
// itself.
func decodeMatch(d *decode.Decoder) {
	mode := d.OneOf("any", "all")
	args := d.Args(3)
	member(d, args[2])
	t := d.Type(syntax.B32, syntax.B64)
	pdst := int32(machine.PredSink)
	if q := args[0].Pred; q != nil && mode == "all" {
		pdst = d.PredDst(q)
	}
	dst, a := d.Dst(args[0], syntax.B32), d.Src(args[1], t)
	d.Inst.Exec = eachMember(d, func(w *machine.Warp, g uint32) {
		A, out := *w.Lanes(a), w.Reg(dst)
		same := func(v uint64) (eq uint32) {
			for k := g; k != 0; {
				if i := machine.Next(&k); A[i] == v {
					eq |= 1 << i
				}
			}
			return eq
		}
		for k := g; k != 0; {
			i := machine.Next(&k)
			eq := same(A[i])
			if mode == "all" && eq != g {
				eq = 0
			}
			out[i] = uint64(eq)
			w.SetPred(pdst, uint32(int32(eq|-eq)>>31), 1<<i)
		}
	})
}

// Float forms exist from sm_100a on, for min and max only.
//
// min and max of f32 are those of the scalar instructions, so that zeros of different sign and NaN are ordered
// alike ("redux.sync": +0.0 > -0.0).
func decodeRedux(d *decode.Decoder) {
	op := d.OneOf("add", "min", "max", "and", "or", "xor")
	args := d.Args(3)
	member(d, args[2])
	t := d.Type(syntax.U32, syntax.S32, syntax.B32, syntax.F32)
	abs, nan := d.Opt("abs"), d.Opt("NaN")
	var f func(a, b uint64) uint64
	switch {
	case t == syntax.F32 && (op == "min" || op == "max"):
		f = fp.MinMaxF32(op == "max", false, nan, false)
	case t != syntax.B32 && t != syntax.F32 && (op == "min" || op == "max"):
		f = arith.MinMaxInt(op == "max", t)
	case t != syntax.B32 && t != syntax.F32 && op == "add":
		f = func(a, b uint64) uint64 { return (a + b) & num.Mask(32) }
	case t == syntax.B32 && (op == "and" || op == "or" || op == "xor"):
		f = arith.BitOps[op]
	default:
		d.Fail("'redux.%s' does not exist for type .%s", op, t)
	}
	dst, a := d.Dst(args[0], t), d.Src(args[1], t)
	d.Inst.Exec = eachMember(d, func(w *machine.Warp, g uint32) {
		A, out := w.Lanes(a), w.Reg(dst)
		read := func(i int) uint64 {
			if abs {
				return A[i] &^ (1 << 31)
			}
			return A[i]
		}
		v := read(machine.FirstLane(g))
		// In order of the lanes: all these operations are associative and commutative, so that the order cannot
		// show.
		for k := g & (g - 1); k != 0; {
			v = f(v, read(machine.Next(&k)))
		}
		for k := g; k != 0; {
			out[machine.Next(&k)] = v
		}
	})
}

// It has no member mask and waits for nobody: what it names is the leaf that happens to execute, which is all that
// the ISA promises.
func decodeActiveMask(d *decode.Decoder) {
	d.Order().Result = true
	d.Type(syntax.B32)
	dst := d.Dst(d.Args(1)[0], syntax.B32)
	d.Inst.Exec = func(w *machine.Warp, m uint32) {
		out := w.Reg(dst)
		for k := m; k != 0; {
			out[machine.Next(&k)] = uint64(m)
		}
	}
}

// decodeElect decodes elect.sync d|p, membermask. The ISA leaves the choice open; it is the lowest lane here.
//
// A program that needs it to be another lane, or the same in two masks, is wrong. One that needs the same lane for the
// same mask each time is right ("elect.sync": the choice is deterministic).
func decodeElect(d *decode.Decoder) {
	args := d.Args(2)
	member(d, args[1])
	if args[0].Pred == nil {
		d.FailAt(args[0], "'elect.sync' needs a destination predicate")
	}
	dst, pdst := int32(machine.SlotSink), d.PredDst(args[0].Pred)
	if args[0].Kind != syntax.OpSink {
		dst = d.Dst(args[0], syntax.B32)
	}
	d.Inst.Exec = eachMember(d, func(w *machine.Warp, g uint32) {
		lead := bits.TrailingZeros32(g)
		out := w.Reg(dst)
		for k := g; k != 0; {
			out[machine.Next(&k)] = uint64(lead)
		}
		w.SetPred(pdst, 1<<lead, g)
	})
}
