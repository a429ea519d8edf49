package machine

import (
	"github.com/tilewright/tilewright/target/engine/emu/hb"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// asyncCopies are the cp.async operations of a warp's threads that have not completed. They take effect as late as
// allowed, when a thread waits for them, so that a missing wait shows. In adversarial mode every other one takes effect
// at once, so that a missing barrier before it shows.
//
// PTX ISA, "cp.async", "cp.async.wait_group": groups belong to the executing thread, hence a queue for each lane. A
// queue for each warp would be wrong as soon as a guard lets some lanes commit and others not.
type asyncCopies struct {
	lanes [WarpSize]laneCopies
}

type laneCopies struct {
	pending []PendingCopy // oldest first
	groups  uint64        // committed so far
	// bulkGroups counts the committed groups of bulk copies.
	bulkGroups uint64
}

// PendingCopy is a cp.async of one thread: addresses in their spaces, at its issue.
type PendingCopy struct {
	Dst, Src syntax.Space
	To, From uint64
	Size     uint8
	Valid    uint8  // bytes to copy; the rest is zeroed
	group    uint64 // number of the group, when committed
}

func (c *asyncCopies) reset() {
	for i := range c.lanes {
		c.lanes[i] = laneCopies{pending: c.lanes[i].pending[:0]}
	}
}

// CommitCopies closes the group of the copies that a lane has started since the last one.
func (w *Warp) CommitCopies(lane int) {
	w.copies.lanes[lane].groups++
	w.CommitOf(hb.Copies, 1<<lane)
}

// WaitCopies performs the copies of a lane but those of the n latest groups.
func (w *Warp) WaitCopies(lane int, n uint64) {
	if g := w.copies.lanes[lane].groups; g > n {
		w.complete(lane, g-n)
	}
}

// CompleteCopies performs all copies of a lane, also those of no group.
func (w *Warp) CompleteCopies(lane int) { w.complete(lane, ^uint64(0)) }

// CountCopies counts, at a wait for all but the n latest groups, the copies of the lanes of m that are in flight, and
// those that it waits for. With all, it waits for copies of no group too.
func (w *Warp) CountCopies(m uint32, n uint64, all bool) {
	if w.sheet == nil {
		return
	}
	for m != 0 {
		l := &w.copies.lanes[Next(&m)]
		w.Count(CopiesInFlight, uint64(len(l.pending)))
		for _, p := range l.pending {
			if all || p.group+n < l.groups {
				w.Count(CopiesAwaited, 1)
			}
		}
	}
}

// StartCopy checks a copy of a lane, where the error can name it, and queues it.
//
// Addresses are checked at once, where line and lane of a fault are still known. The bytes are read when the copy takes
// effect, so that a source which is overwritten too early shows.
func (w *Warp) StartCopy(lane int, p PendingCopy) {
	w.watchCopy(p)
	if w.At(p.Dst, p.To, int(p.Size), lane, true) == nil || p.Valid > 0 && w.Span(p.Src, p.From, int(p.Valid), int(p.Size), lane, false) == nil {
		return
	}
	if w.CTA.Cluster.Chance(2) {
		w.Unseen(func() { w.copy(lane, p) })
		return
	}
	l := &w.copies.lanes[lane]
	p.group = l.groups
	l.pending = append(l.pending, p)
}

// complete performs the copies of a lane that belong to groups below end.
func (w *Warp) complete(lane int, end uint64) {
	l := &w.copies.lanes[lane]
	n := 0
	for _, p := range l.pending {
		if p.group >= end {
			break
		}
		w.Unseen(func() { w.copy(lane, p) })
		n++
	}
	l.pending = append(l.pending[:0], l.pending[n:]...)
}

func (w *Warp) copy(lane int, p PendingCopy) {
	to := w.At(p.Dst, p.To, int(p.Size), lane, true)
	if to == nil {
		return
	}
	if p.Valid > 0 {
		from := w.Span(p.Src, p.From, int(p.Valid), int(p.Size), lane, false)
		if from == nil {
			return
		}
		copy(to, from)
	}
	clear(to[p.Valid:])
}
