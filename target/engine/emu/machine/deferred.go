package machine

// DeferredWrite is an operation that has been issued and writes registers later: a
// wgmma.mma_async or a tcgen05.ld. It takes effect when its warp waits for
// it; until then its destination registers count as not written.
type DeferredWrite struct {
	Group   uint64
	Perform func()
	Defs    []int32
}

// RegisterQueue holds such operations of a warp, oldest first.
//
// PTX ISA, "wgmma.mma_async", "tcgen05.ld": reading such a register, or writing it, before the wait is undefined. Its
// mask of written lanes is cleared at the issue, so that the ordinary check for uninitialised registers finds it, at
// no cost for other instructions.
type RegisterQueue struct {
	Pending []DeferredWrite
	Groups  uint64 // committed so far
}

func (q *RegisterQueue) reset() { *q = RegisterQueue{Pending: q.Pending[:0]} }

// Writes reports whether one of the operations will write a register.
func (q *RegisterQueue) Writes(slot int32) bool {
	for _, p := range q.Pending {
		if contains(p.Defs, slot) {
			return true
		}
	}
	return false
}

// Finish performs the operations of groups below end.
func (q *RegisterQueue) Finish(w *Warp, end uint64) {
	n := 0
	for _, p := range q.Pending {
		if p.Group >= end || w.Err != nil {
			break
		}
		w.Unseen(p.Perform)
		n++
	}
	done := q.Pending[:n]
	for _, p := range done {
		for _, r := range p.Defs {
			w.Init[r] = Full
		}
	}
	// A register that a later operation still owes stays unwritten.
	for _, p := range q.Pending[n:] {
		for _, r := range p.Defs {
			w.Init[r] = 0
		}
	}
	q.Pending = append(q.Pending[:0], q.Pending[n:]...)
}
