package barrier

import (
	"github.com/tilewright/tilewright/target/engine/emu/decode"
	"github.com/tilewright/tilewright/target/engine/emu/machine"
)

// .release and .acquire are the defaults and .relaxed drops them; memory is sequentially consistent here, so that all
// are one.
//
// There is one per cluster and it has no number. Each thread arrives once and waits once in turn; a second
// arrival before the wait is a fault (machine).
func decodeClusterBarrier(d *decode.Decoder) {
	what := d.OneOf("arrive", "wait")
	aligned := d.Opt("aligned")
	order := d.Order()
	if order.Sem = d.Sem(machine.Release); what == "wait" {
		order.Sem = machine.Acquire
	}
	order.Scope = machine.ScopeCluster
	d.Args(0)
	d.Inst.Kind = machine.KindBarrier
	d.Inst.Exec = func(w *machine.Warp, m uint32) {
		if aligned && m != w.Live {
			w.Faultf(machine.FirstLane(m), "barrier is executed by lanes %#x, but lanes %#x of warp %d are live: an aligned barrier must not be divergent", m, w.Live, w.ID)
			return
		}
		if what == "arrive" {
			w.ArriveCluster(m)
		} else {
			w.WaitCluster(m)
		}
	}
	if what == "" {
		d.Fail("'barrier.cluster' needs .arrive or .wait")
	}
}
