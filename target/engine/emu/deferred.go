package emu

// deferredWrite is an operation that has been issued and writes registers later: a
// wgmma.mma_async or a tcgen05.ld. It takes effect when its warp waits for
// it; until then its destination registers count as not written.
type deferredWrite struct {
	group   uint64
	perform func()
	defs    []int32
}

// registerQueue holds such operations of a warp, oldest first.
type registerQueue struct {
	pending []deferredWrite
	groups  uint64 // committed so far
}

func (q *registerQueue) reset() { *q = registerQueue{pending: q.pending[:0]} }

// writes reports whether one of the operations will write a register.
func (q *registerQueue) writes(slot int32) bool {
	for _, p := range q.pending {
		if contains(p.defs, slot) {
			return true
		}
	}
	return false
}

// finish performs the operations of groups below end.
func (q *registerQueue) finish(w *warp, end uint64) {
	n := 0
	for _, p := range q.pending {
		if p.group >= end || w.err != nil {
			break
		}
		p.perform()
		n++
	}
	done := q.pending[:n]
	for _, p := range done {
		for _, r := range p.defs {
			w.init[r] = full
		}
	}
	// A register that a later operation still owes stays unwritten.
	for _, p := range q.pending[n:] {
		for _, r := range p.defs {
			w.init[r] = 0
		}
	}
	q.pending = append(q.pending[:0], q.pending[n:]...)
}
