package machine

import (
	"fmt"
	"math/bits"
)

// BarrierCount is the number of barriers of a CTA.
const BarrierCount = 16

// barrier is one of a CTA's named barriers.
//
// PTX ISA, "bar, barrier". Producers may arrive and consumers sync at one barrier, so that the two are one kind of
// operation; mixing in a .red is unpredictable by the ISA, and faults.
type barrier struct {
	number  int
	arrived []uint32 // lanes of each warp that have arrived
	want    uint64   // threads that complete it; zero: all live threads
	waiting []waiter
	op      BarrierOp
	pop     uint64 // .red: arrived threads whose predicate holds
	total   uint64 // .red: arrived threads
	used    bool
}

type waiter struct {
	w *Warp
	s *Split
	m uint32
	// dst and pdst take the result of a .red.
	dst, pdst int32
}

// BarrierOp is what a barrier does besides waiting.
type BarrierOp uint8

const (
	BarrierSync BarrierOp = iota
	BarrierArrive
	BarrierPopc
	BarrierAnd
	BarrierOr
)

func (b *barrier) reset() {
	clear(b.arrived)
	*b = barrier{number: b.number, arrived: b.arrived, waiting: b.waiting[:0]}
}

// ArriveAt adds lanes to a barrier and blocks them unless it is an arrival
// only.
func (w *Warp) ArriveAt(n int, op BarrierOp, want uint64, m, pred uint32, dst, pdst int32) {
	b := &w.CTA.barriers[n]
	kind := op
	if kind == BarrierArrive {
		kind = BarrierSync
	}
	switch {
	case !b.used:
		b.used, b.want, b.op = true, want, kind
	case b.want != want:
		w.misfit(fmt.Sprintf("one number of threads in all uses of a phase of barrier %d: here %d, before it %d (0 means all)", n, want, b.want))
		w.Faultf(FirstLane(m), "barrier %d is used with thread count %d and, in the same phase, %d (0 means all)", n, b.want, want)
		return
	case b.op != kind:
		w.misfit(fmt.Sprintf("one operation in all uses of a phase of barrier %d", n))
		w.Faultf(FirstLane(m), "barrier %d is used with different operations in the same phase", n)
		return
	}
	if b.arrived[w.ID]&m != 0 {
		w.misfit(fmt.Sprintf("the end of the phase of barrier %d before the thread arrives again", n))
		w.Faultf(FirstLane(b.arrived[w.ID]&m), "thread arrives twice in the same phase of barrier %d", n)
		return
	}
	if w.sheet != nil {
		w.sheet.Arrivals[n]++
	}
	w.atBarrier(keyBarrier+uint64(n), true, op != BarrierArrive)
	if w.watch != nil {
		w.watch.Arrive(n)
	}
	b.arrived[w.ID] |= m
	b.total += uint64(bits.OnesCount32(m))
	b.pop += uint64(bits.OnesCount32(m & pred))
	if op != BarrierArrive {
		w.Cur.State = SplitBarrier
		b.waiting = append(b.waiting, waiter{w, w.Cur, m, dst, pdst})
	}
	if got := w.CTA.tryBarrier(b); b.used && b.want > 0 && got > b.want {
		w.misfit(fmt.Sprintf("a count of barrier %d that its threads do not exceed: %d arrive where %d are expected", n, got, b.want))
		w.Faultf(FirstLane(m), "%d threads arrive at barrier %d, which waits for %d", got, n, b.want)
	}
}

// tryBarrier completes a barrier when all its threads have arrived. Without a count these are all live threads of the
// CTA. With one, a warp contributes 32 as soon as its live lanes have arrived.
//
// Counts go by warps in the ISA, not by active threads ("bar, barrier"): a warp of which some lanes have exited
// completes its share of a counted barrier.
func (c *CTA) tryBarrier(b *barrier) (got uint64) {
	all := true
	for i, w := range c.Warps {
		a := b.arrived[i]
		missing := w.Live &^ a
		if missing != 0 {
			all = false
		}
		switch {
		// A warp that has not come counts nothing, an entire one its 32 threads, a divergent one its lanes.
		case a == 0:
		case missing == 0:
			got += WarpSize
		default:
			got += uint64(bits.OnesCount32(a))
		}
	}
	if b.want == 0 && !all || b.want > 0 && got != b.want {
		return got
	}
	for i, w := range c.Warps {
		// What the arrived warps wrote through the generic proxy is now the CTA's: a later proxy fence of any of them
		// covers it.
		if b.arrived[i] != 0 {
			w.Publish()
		}
	}
	if c.trace != nil {
		c.trace.complete(keyBarrier + uint64(b.number))
	}
	if sheet := c.Warps[0].sheet; sheet != nil {
		sheet.Phases[b.number]++
	}
	if g := c.Cluster; g.watch != nil {
		g.watch.Complete(int(c.Rank), b.number)
	}
	for _, x := range b.waiting {
		if x.w.watch != nil {
			x.w.watch.Leave(b.number, x.m, x.w.Live)
		}
		// The combined predicate of a reduction is known now, and not at the arrival.
		x.s.State = SplitReady
		switch b.op {
		case BarrierPopc:
			out := x.w.Reg(x.dst)
			for k := x.m; k != 0; {
				out[Next(&k)] = b.pop
			}
		case BarrierAnd, BarrierOr:
			if b.op == BarrierAnd && b.pop == b.total || b.op == BarrierOr && b.pop > 0 {
				x.w.SetPred(x.pdst, Full, x.m)
			} else {
				x.w.SetPred(x.pdst, 0, x.m)
			}
		}
		if x.w.Cur == nil {
			x.w.Pick()
		}
	}
	b.reset()
	return got
}

// threadsGone looks again at the barriers that wait for all live threads
// after lanes of w have exited, and at the lanes of w that wait for each
// other.
func (c *CTA) threadsGone(w *Warp) {
	for i := range c.barriers {
		if b := &c.barriers[i]; b.used && len(b.waiting) > 0 && b.want == 0 {
			c.tryBarrier(b)
		}
	}
	c.Cluster.tryCluster()
	w.retrySync()
}
