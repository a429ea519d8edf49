package inflight

import (
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp/sched"
)

// MbarrierBytes is the size of an mbarrier.
const MbarrierBytes = 8

// An Mbarrier is the state of an mbarrier object.
type Mbarrier struct {
	Arrivals int64 // of each phase
	Pending  int64 // arrivals that the current phase still waits for
	Bytes    int64 // expected and not landed; negative: landed and not expected yet
	Phase    uint64
	Copies   []*Flight // in flight, the oldest first
	MMAs     []PendingMMA
	// seen is what a role will have seen that waits for the current phase. Over is the same for earlier phases.
	seen, Over sched.Clock
}

// Step ends the phase if nothing of it is missing.
func (b *Mbarrier) Step() {
	if b.Pending == 0 && b.Bytes == 0 {
		b.Phase++
		b.Pending = b.Arrivals
		b.Over, b.seen = b.Over.Joined(b.seen), nil
	}
}

// Arrive makes n arrivals and expects bytes. seen is what the arriving role has seen.
func (b *Mbarrier) Arrive(op ir.Op, n, bytes int64, seen sched.Clock) error {
	if n > b.Pending {
		return op.Errorf("makes %d arrivals, but the current phase waits for %d more only", n, b.Pending)
	}
	b.seen = b.seen.Joined(seen)
	b.Bytes += bytes
	b.Pending -= n
	b.Step()
	return nil
}
