package machine

// clusterBarrier is the barrier of a cluster, which has separate arrive
// and wait operations.
//
// PTX ISA, "barrier.cluster": each thread arrives and then waits; a second arrival without a wait in between is
// undefined, and faults. There is one such barrier, and phases of it cannot overlap: nobody can arrive at the next
// one before having waited for this one.
type clusterBarrier struct {
	arrived [][]uint32 // per CTA and warp
	waiting []waiter
}

// ArriveCluster adds lanes to the barrier of the cluster, which does not block them.
func (w *Warp) ArriveCluster(m uint32) {
	g := w.CTA.Cluster
	a := &g.barrier.arrived[w.CTA.Rank][w.ID]
	if *a&m != 0 {
		w.Faultf(FirstLane(*a&m), "thread arrives twice at the cluster barrier without a wait")
		return
	}
	*a |= m
	if w.watch != nil {
		w.watch.ArriveCluster()
	}
	w.atBarrier(keyCluster, true, false)
	g.tryCluster()
}

// WaitCluster blocks lanes until the phase at which they arrived completes.
func (w *Warp) WaitCluster(m uint32) {
	g := w.CTA.Cluster
	// Lanes whose phase has completed pass, see tryCluster.
	if g.barrier.arrived[w.CTA.Rank][w.ID]&m == 0 {
		if w.passed&m == m {
			w.passed &^= m
			w.atCluster(true)
			if w.watch != nil {
				w.watch.LeaveCluster(m, w.Live)
			}
			return
		}
		w.Faultf(FirstLane(m), "thread waits at the cluster barrier without having arrived")
		return
	}
	w.atCluster(false)
	w.Cur.State = SplitBarrier
	g.barrier.waiting = append(g.barrier.waiting, waiter{w: w, s: w.Cur, m: m})
	g.tryCluster()
}

// tryCluster completes the cluster barrier when all live threads of the
// cluster have arrived: threads that wait go on, the others pass their
// next wait.
func (g *Cluster) tryCluster() {
	any := false
	for i, c := range g.CTAs {
		for j, w := range c.Warps {
			if w.Live&^g.barrier.arrived[i][j] != 0 {
				return
			}
			any = any || g.barrier.arrived[i][j] != 0
		}
	}
	if !any {
		return
	}
	for _, c := range g.CTAs {
		if c.trace != nil {
			c.trace.complete(keyCluster)
		}
	}
	for _, w := range g.warps {
		w.Publish()
		w.passed = g.barrier.arrived[w.CTA.Rank][w.ID]
	}
	if g.watch != nil {
		g.watch.CompleteCluster()
	}
	for _, x := range g.barrier.waiting {
		if x.w.watch != nil {
			x.w.watch.LeaveCluster(x.m, x.w.Live)
		}
		x.s.State = SplitReady
		x.w.passed &^= x.m
		if x.w.Cur == nil {
			x.w.Pick()
		}
	}
	g.barrier.waiting = g.barrier.waiting[:0]
	for _, a := range g.barrier.arrived {
		clear(a)
	}
}
