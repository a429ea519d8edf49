package inflight

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp/sched"
)

// A Flight is an asynchronous operation that has started and not landed.
type Flight struct {
	Op      ir.Op
	Source  []Span    // global memory that it reads, or writes: nobody may write it
	Bytes   int64     // that it signals to the mbarrier
	Signals *Mbarrier // the mbarrier at which it arrives when it lands
	// UntilEnd says that the end of the kernel waits for it.
	UntilEnd bool
	Land     func() error
	// Shared says that other CTAs have started it, or may have.
	Shared bool
}

// A Span is a range of addresses in global memory.
type Span struct{ Lo, Hi uint64 }

// A Queue is the flights of a CTA, or of one warp role, in an ir.AsyncQueue.
type Queue struct {
	Open    []*Flight
	Batches [][]*Flight // committed, the oldest first
	Landed  uint64      // batches that have landed
}

// Flights is everything in flight in a CTA.
type Flights struct {
	Queues map[*ir.AsyncQueue]*Queue
	Copies []*Flight // the oldest first
}

// Queue returns the queue of an ir.AsyncQueue.
func (f *Flights) Queue(q *ir.AsyncQueue) *Queue {
	if f.Queues == nil {
		f.Queues = make(map[*ir.AsyncQueue]*Queue)
	}
	if f.Queues[q] == nil {
		f.Queues[q] = &Queue{}
	}
	return f.Queues[q]
}

// LeftOfOwn is Left without multicast copies, which other CTAs may have started.
func (f *Flights) LeftOfOwn() ir.Op {
	for _, c := range f.Copies {
		if !c.UntilEnd && !c.Shared {
			return c.Op
		}
	}
	return ir.Op{}
}

// Left returns an operation that has not landed when the kernel ends, or a zero Op.
func (f *Flights) Left() ir.Op {
	for _, c := range f.Copies {
		if !c.UntilEnd {
			return c.Op
		}
	}
	return ir.Op{}
}

// End lands what the end of the kernel waits for.
func (f *Flights) End() error {
	for len(f.Copies) > 0 {
		if err := f.LandOne(f.Copies[0]); err != nil {
			return err
		}
	}
	return nil
}

// LeftInQueues returns an operation that only a wait for one of the queues could land, or a zero Op. Other warp roles
// may wait for flights that signal an mbarrier.
func (f *Flights) LeftInQueues() ir.Op {
	for _, q := range f.Queues {
		for _, l := range slices.Concat(append(slices.Clone(q.Batches), q.Open)...) {
			if l.Signals == nil && !l.UntilEnd && slices.Contains(f.Copies, l) {
				return l.Op
			}
		}
	}
	return ir.Op{}
}

// Reads rejects a write to global memory that a flight accesses.
func (f *Flights) Reads(addr, size uint64) error {
	for _, c := range f.Copies {
		for _, s := range c.Source {
			if addr < s.Hi && s.Lo < addr+size {
				return &busyError{c.Op}
			}
		}
	}
	return nil
}

// A busyError is a write to memory that a flight accesses.
type busyError struct{ op ir.Op }

func (e *busyError) Error() string {
	return "writes what '" + e.op.Name() + "' is still " + e.verb() + ": nothing has waited for that"
}

func (e *busyError) verb() string {
	if e.op.Is(tileas.BulkStore) || e.op.Is(tileas.TMAStore) || e.op.Is(tileas.TMAReduce) {
		return "writing"
	}
	return "reading"
}

// LandOne lands a flight.
func (f *Flights) LandOne(l *Flight) error {
	f.Remove(l)
	return l.Land()
}

// Remove says that a flight lands. Its own CTA must know, if another one waits for it.
func (f *Flights) Remove(l *Flight) {
	f.Copies = slices.DeleteFunc(f.Copies, func(c *Flight) bool { return c == l })
}

// Complete lands all but the latest batches of a queue.
func (f *Flights) Complete(q *Queue, pending int64) error {
	for int64(len(q.Batches)) > pending {
		batch := q.Batches[0]
		q.Batches = q.Batches[1:]
		q.Landed++
		for _, l := range batch {
			if err := f.LandOne(l); err != nil {
				return err
			}
		}
	}
	return nil
}

// ArriveAfter makes n arrivals at an mbarrier when all committed batches of a queue have landed. From then on only a
// wait for that mbarrier lands them. seen is what the arriving role has seen.
func (f *Flights) ArriveAfter(q *Queue, op ir.Op, b *Mbarrier, n int64, seen sched.Clock) {
	var all []*Flight
	for i, batch := range q.Batches {
		all, q.Batches[i] = append(all, batch...), nil
	}
	for _, l := range all {
		l.Signals = b
	}
	b.Copies = append(b.Copies, &Flight{Op: op, Land: func() error {
		for _, l := range all {
			if err := f.LandOne(l); err != nil {
				return err
			}
		}
		return b.Arrive(op, n, 0, seen)
	}})
}

// A PendingMMA is an MMA that signals an mbarrier, and the queue of the role that started it. MMAs land in the order of
// that queue, whichever role waits.
type PendingMMA struct {
	*Flight
	Queue *Queue
}

// LandMMA lands the oldest MMA that signals an mbarrier, after all MMAs that its role started before.
func (f *Flights) LandMMA(b *Mbarrier) error {
	p := b.MMAs[0]
	left := int64(len(p.Queue.Batches))
	for _, batch := range p.Queue.Batches {
		if left--; batch[0] == p.Flight {
			break
		}
	}
	return f.Complete(p.Queue, left)
}
