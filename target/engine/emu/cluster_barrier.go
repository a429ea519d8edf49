package emu

// clusterBarrier is the barrier of a cluster, which has separate arrive
// and wait operations.
type clusterBarrier struct {
	arrived [][]uint32 // per CTA and warp
	waiting []waiter
}

func decodeClusterBarrier(d *decoder) {
	what := d.oneOf("arrive", "wait")
	aligned := d.opt("aligned")
	d.oneOf("acquire", "release", "relaxed")
	d.args(0)
	d.in.kind = kindBarrier
	d.in.exec = func(w *warp, m uint32) {
		if aligned && m != w.live {
			w.faultf(laneOf(m), "barrier is executed by lanes %#x, but lanes %#x of warp %d are live: an aligned barrier must not be divergent", m, w.live, w.id)
			return
		}
		if what == "arrive" {
			w.arriveCluster(m)
		} else {
			w.waitCluster(m)
		}
	}
	if what == "" {
		d.failInst("'barrier.cluster' needs .arrive or .wait")
	}
}

// arriveCluster adds lanes to the barrier of the cluster, which does not block them.
func (w *warp) arriveCluster(m uint32) {
	g := w.cta.group
	a := &g.barrier.arrived[w.cta.rank][w.id]
	if *a&m != 0 {
		w.faultf(laneOf(*a&m), "thread arrives twice at the cluster barrier without a wait")
		return
	}
	*a |= m
	g.tryCluster()
}

// waitCluster blocks lanes until the phase at which they arrived completes.
func (w *warp) waitCluster(m uint32) {
	g := w.cta.group
	// Lanes whose phase has completed pass, see tryCluster.
	if g.barrier.arrived[w.cta.rank][w.id]&m == 0 {
		if w.passed&m == m {
			w.passed &^= m
			return
		}
		w.faultf(laneOf(m), "thread waits at the cluster barrier without having arrived")
		return
	}
	w.cur.state = splitBarrier
	g.barrier.waiting = append(g.barrier.waiting, waiter{w: w, s: w.cur, m: m})
	g.tryCluster()
}

// tryCluster completes the cluster barrier when all live threads of the
// cluster have arrived: threads that wait go on, the others pass their
// next wait.
func (g *group) tryCluster() {
	any := false
	for i, c := range g.ctas {
		for j, w := range c.warps {
			if w.live&^g.barrier.arrived[i][j] != 0 {
				return
			}
			any = any || g.barrier.arrived[i][j] != 0
		}
	}
	if !any {
		return
	}
	for _, w := range g.warps {
		w.publish()
		w.passed = g.barrier.arrived[w.cta.rank][w.id]
	}
	for _, x := range g.barrier.waiting {
		x.s.state = splitReady
		x.w.passed &^= x.m
		if x.w.cur == nil {
			x.w.pick()
		}
	}
	g.barrier.waiting = g.barrier.waiting[:0]
	for _, a := range g.barrier.arrived {
		clear(a)
	}
}
