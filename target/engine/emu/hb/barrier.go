package hb

// A meeting is a barrier of a CTA or cluster: who waits learns what all that arrived knew (PTX ISA, "bar, barrier",
// "barrier.cluster").
type meeting struct {
	agent     agent  // its clock is the number of phases that are over
	completed uint32 //
	all       view   // of those that have arrived in this phase
	last      view   // of the phase before
}

func (b *meeting) prepare(c *Cluster, rank int) {
	if b.agent == 0 {
		b.agent = c.agent(agentInfo{kind: barrierPhases, rank: rank, warp: -1})
	}
}

func (b *meeting) arrive(w *Warp, release bool) {
	b.prepare(w.c, w.rank)
	if w.phase(b.agent) < b.completed {
		w.c.l.report.add(Finding{Kind: Participants, Second: w.here(w.pc),
			Missing: "an order between the phase of the barrier that is over and this arrival, which could count in it"})
	}
	if release {
		b.all.join(w.hand())
	} else {
		b.all.loose.join(&w.v.loose)
		if w.fenced != nil && w.fenced.scope >= InCluster { // it releases for the arrival
			b.all.join(w.fenced.v)
		}
	}
	w.tick()
}

func (b *meeting) complete() {
	b.completed++
	b.all.learn(b.agent, b.completed)
	b.last, b.all = b.all, b.last
	b.all.clear()
}

func (b *meeting) leave(w *Warp, m, live uint32) {
	w.flush()
	w.active, w.live = m, live
	w.learns(&b.last)
	w.gain().loose.learn(b.agent, b.completed)
}

// Arrive says that the warp arrives at barrier n of its CTA.
func (w *Warp) Arrive(n int) { w.c.barriers[w.rank][n].arrive(w, true) }

// Complete says that barrier n of a CTA is complete.
func (c *Cluster) Complete(rank, n int) { c.barriers[rank][n].complete() }

// Leave says that lanes of the warp, of those that have not exited, go on after barrier n of its CTA, which is complete.
func (w *Warp) Leave(n int, m, live uint32) { w.c.barriers[w.rank][n].leave(w, m, live) }

// ArriveCluster says that the warp arrives at the barrier of the cluster.
func (w *Warp) ArriveCluster() { w.c.cluster.arrive(w, w.order == nil || w.order.Sem != Relaxed) }

// CompleteCluster says that the barrier of the cluster is complete.
func (c *Cluster) CompleteCluster() { c.cluster.complete() }

// LeaveCluster says that lanes of the warp go on after the barrier of the cluster. The default of its wait is to acquire.
func (w *Warp) LeaveCluster(m, live uint32) { w.c.cluster.leave(w, m, live) }
