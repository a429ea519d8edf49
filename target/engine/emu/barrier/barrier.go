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

// A barrierUse is a decoded bar or barrier instruction of a CTA.
type barrierUse struct {
	op        machine.BarrierOp
	aligned   bool
	id, count machine.Src
	counted   bool            // count is given
	p         machine.PredSrc // of a reduction
	dst, pdst int32
}

// decodeBarrier decodes bar and barrier. bar.sync is barrier.sync.aligned since version 6.0 of the ISA.
//
//	bar.sync a{, b}            every thread waits until b threads (or all) have arrived at a
//	bar.arrive a, b            arrives and goes on
//	bar.red.op d, a{, b}, p    waits, and gets the combination of p over all threads
//	bar.warp.sync mask         waits for the lanes of the mask only; no state in the CTA
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
	b := &barrierUse{dst: machine.SlotSink, pdst: machine.PredSink}
	b.aligned = d.Opt("aligned") || d.Stmt.Op == "bar"
	b.op = barrierOp(d)
	b.operands(d)
	d.Counts(machine.BarrierArrivals)
	d.Inst.Kind, d.Inst.Exec = machine.KindBarrier, b.exec
}

// barrierOp consumes the modifiers that say what the instruction does besides arriving.
func barrierOp(d *decode.Decoder) machine.BarrierOp {
	switch d.OneOf("sync", "arrive", "red") {
	case "sync":
		return machine.BarrierSync
	case "arrive":
		return machine.BarrierArrive
	case "":
		d.Fail("'%s' needs .sync, .arrive or .red", d.Stmt.Op)
	}
	switch d.OneOf("popc", "and", "or") {
	case "popc":
		d.Type(syntax.U32)
		return machine.BarrierPopc
	case "and":
		d.Type(syntax.Pred)
		return machine.BarrierAnd
	case "or":
		d.Type(syntax.Pred)
		return machine.BarrierOr
	}
	d.Fail("'%s.red' needs .popc, .and or .or", d.Stmt.Op)
	return machine.BarrierSync
}

func (b *barrierUse) operands(d *decode.Decoder) {
	var args []*syntax.Operand
	switch b.op {
	case machine.BarrierPopc, machine.BarrierAnd, machine.BarrierOr:
		args = d.Argc(3, 4)
		if b.op == machine.BarrierPopc {
			b.dst = d.Dst(args[0], syntax.U32)
		} else {
			b.pdst = d.PredDst(args[0])
		}
		b.p = d.PredSrc(args[len(args)-1])
		args = args[1 : len(args)-1]
	case machine.BarrierArrive:
		args = d.Args(2)
	default:
		args = d.Argc(1, 2)
	}
	b.id = d.Src(args[0], syntax.U32)
	if b.counted = len(args) > 1; b.counted {
		b.count = d.Src(args[1], syntax.U32)
	}
}

func (b *barrierUse) exec(w *machine.Warp, m uint32) {
	// .aligned asks for all threads of the warp. A divergent one is undefined ("bar, barrier"), and faults here. This
	// comes first: else the fault would depend on whose operands are read first.
	lane := machine.FirstLane(m)
	if b.aligned && m != w.Live {
		w.Faultf(lane, "barrier is executed by lanes %#x, but lanes %#x of warp %d are live: an aligned barrier must not be divergent", m, w.Live, w.ID)
		return
	}
	n, want := w.Lanes(b.id)[lane], uint64(0)
	if b.counted {
		if want = w.Lanes(b.count)[lane]; want == 0 || want%machine.WarpSize != 0 {
			w.Faultf(lane, "barrier thread count %d is not a positive multiple of %d", want, machine.WarpSize)
			return
		}
	}
	// The number of the barrier may come from a register, and must then be the same in the warp.
	for k := m; k != 0; {
		if i := machine.Next(&k); w.Lanes(b.id)[i] != n {
			w.Faultf(i, "lanes of one warp name barriers %d and %d", n, w.Lanes(b.id)[i])
			return
		}
	}
	if n >= machine.BarrierCount {
		w.Faultf(lane, "barrier %d does not exist, the last one is %d", n, machine.BarrierCount-1)
		return
	}
	w.ArriveAt(int(n), b.op, want, m, w.Pred(b.p), b.dst, b.pdst)
}
