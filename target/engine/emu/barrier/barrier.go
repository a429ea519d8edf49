package barrier

import (
	"github.com/tilewright/tilewright/target/engine/emu/decode"
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

var barrierOps = map[string]decode.Func{
	"bar":     decodeBarrier,
	"barrier": decodeBarrier,
}

// bar.sync is barrier.sync.aligned since the ISA's version 6.0, and .aligned asks for all threads of the warp; a
// divergent one is undefined there, and faults here.
//
//	bar.sync a{, b}            every thread waits until b threads (or all) have arrived at a
//	bar.arrive a, b            arrives and goes on
//	bar.red.op d, a{, b}, p    waits, and gets the combination of p over all threads
//	bar.warp.sync mask         waits for the lanes of the mask only; no state in the CTA
//
// The thread count b is a multiple of the warp size ("bar, barrier").
func decodeBarrier(d *decode.Decoder) {
	if d.Opt("cluster") {
		decodeClusterBarrier(d)
		return
	}
	d.Opt("cta")
	if d.Opt("warp") {
		d.OneOf("sync")
		d.Inst.Kind, d.Inst.AnyPlace = machine.KindSync, true
		d.Inst.Index = d.Src(d.Args(1)[0], syntax.B32)
		d.Inst.Exec = func(*machine.Warp, uint32) {}
		return
	}
	// bar.op is barrier.op.aligned.
	aligned := d.Opt("aligned") || d.Stmt.Op == "bar"
	op := machine.BarrierSync
	switch d.OneOf("sync", "arrive", "red") {
	case "arrive":
		op = machine.BarrierArrive
	case "red":
		op = map[string]machine.BarrierOp{"popc": machine.BarrierPopc, "and": machine.BarrierAnd, "or": machine.BarrierOr}[d.OneOf("popc", "and", "or")]
		if op == machine.BarrierSync {
			d.Fail("'%s.red' needs .popc, .and or .or", d.Stmt.Op)
		}
		if op == machine.BarrierPopc {
			d.Type(syntax.U32)
		} else {
			d.Type(syntax.Pred)
		}
	case "":
		d.Fail("'%s' needs .sync, .arrive or .red", d.Stmt.Op)
	}
	var args []*syntax.Operand
	dst, pdst := int32(machine.SlotSink), int32(machine.PredSink)
	var p machine.PredSrc
	switch op {
	case machine.BarrierPopc, machine.BarrierAnd, machine.BarrierOr:
		args = d.Argc(3, 4)
		if op == machine.BarrierPopc {
			dst = d.Dst(args[0], syntax.U32)
		} else {
			pdst = d.PredDst(args[0])
		}
		p = d.PredSrc(args[len(args)-1])
		args = args[1 : len(args)-1]
	case machine.BarrierArrive:
		args = d.Args(2)
	default:
		args = d.Argc(1, 2)
	}
	id := d.Src(args[0], syntax.U32)
	count := machine.Src(0)
	if len(args) > 1 {
		count = d.Src(args[1], syntax.U32)
	}
	hasCount := len(args) > 1
	d.Counts(machine.BarrierArrivals)
	d.Inst.Kind = machine.KindBarrier
	d.Inst.Exec = func(w *machine.Warp, m uint32) {
		// Divergence is checked first: which of the lanes' operands count would otherwise depend on who comes
		// first.
		if aligned && m != w.Live {
			w.Faultf(machine.FirstLane(m), "barrier is executed by lanes %#x, but lanes %#x of warp %d are live: an aligned barrier must not be divergent", m, w.Live, w.ID)
			return
		}
		lane := machine.FirstLane(m)
		n, want := w.Lanes(id)[lane], uint64(0)
		if hasCount {
			want = w.Lanes(count)[lane]
			if want == 0 || want%machine.WarpSize != 0 {
				w.Faultf(lane, "barrier thread count %d is not a positive multiple of %d", want, machine.WarpSize)
				return
			}
		}
		// The number of the barrier may come from a register, and must then be the same in the warp.
		for k := m; k != 0; {
			if i := machine.Next(&k); w.Lanes(id)[i] != n {
				w.Faultf(i, "lanes of one warp name barriers %d and %d", n, w.Lanes(id)[i])
				return
			}
		}
		if n >= machine.BarrierCount {
			w.Faultf(lane, "barrier %d does not exist, the last one is %d", n, machine.BarrierCount-1)
			return
		}
		w.ArriveAt(int(n), op, want, m, w.Pred(p), dst, pdst)
	}
}
