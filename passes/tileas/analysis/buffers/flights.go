package buffers

import (
	"maps"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow"
)

// A start identifies the asynchronous accesses that one operation starts in one queue.
type start struct {
	op    ir.Op
	queue *ir.AsyncQueue // nil: an mbarrier completes them
}

// ages count the batches of a queue that were committed since an access was started. Field least counts from the
// latest execution of the operation. Field most counts from the earliest one whose access may be in flight. They
// differ in a pipelined loop, where copies of several iterations are in flight.
type ages struct{ least, most int }

// An InFlight is the accesses that may be in flight at a point: for each start, its least and most age on any path.
// What an mbarrier completes stays: only the run tells which phase a wait is for, and the interpreter checks it there.
type InFlight map[start]ages

// maxAge bounds the counted batches, so that the problem is finite. No wait leaves that many pending.
const maxAge = 64

// Step returns what is in flight after an operation, and the accesses that it may complete for the starting threads
// only. It does not change f.
func (f InFlight) Step(op ir.Op) (next InFlight, completes []ir.Op) {
	steps, ok := ir.Asynchrony.Of(op)
	if !ok {
		return f, nil
	}
	next, cloned := f, false
	steps(op, func(s ir.AsyncStep) {
		// What an mbarrier completes has no age, so a wait for one changes nothing, nor does a start once more.
		if _, has := f[start{op, nil}]; s.Queue == nil && (s.Kind != ir.AsyncStart || has) {
			return
		}
		if !cloned {
			if next, cloned = maps.Clone(f), true; next == nil {
				next = InFlight{}
			}
		}
		switch {
		case s.Kind == ir.AsyncStart:
			k := start{op, s.Queue}
			// The latest execution starts at 0, while accesses of earlier ones may still be in flight.
			next[k] = ages{0, next[k].most}
		case s.Queue == nil:
		case s.Kind == ir.AsyncArrive: // an mbarrier tracks the committed copies from now on
			for k, age := range next {
				if k.queue == s.Queue && age.most > 0 {
					if next[start{k.op, nil}] = (ages{}); age.least > 0 {
						delete(next, k)
					}
				}
			}
		case s.Kind == ir.AsyncCommit:
			for k, age := range next {
				if k.queue == s.Queue {
					next[k] = ages{min(age.least+1, maxAge), min(age.most+1, maxAge)}
				}
			}
		case s.Kind == ir.AsyncWait:
			for k, age := range next {
				if k.queue != s.Queue || age.most <= s.Pending {
					continue
				}
				if !s.Queue.SeenByAll {
					completes = append(completes, k.op)
				}
				// The wait completes all batches but the latest s.Pending.
				if next[k] = (ages{age.least, s.Pending}); age.least > s.Pending {
					delete(next, k)
				}
			}
		}
	})
	return next, completes
}

// Join returns what may be in flight where two paths join.
func (f InFlight) Join(g InFlight) InFlight {
	out := maps.Clone(f)
	if out == nil {
		out = InFlight{}
	}
	for k, age := range g {
		if old, ok := out[k]; ok {
			age = ages{min(age.least, old.least), max(age.most, old.most)}
		}
		out[k] = age
	}
	return out
}

// InQueues iterates, in no order, over the operations whose accesses may be in flight and that a wait for a queue
// completes, with the queue.
func (f InFlight) InQueues() func(yield func(ir.Op, *ir.AsyncQueue) bool) {
	return func(yield func(ir.Op, *ir.AsyncQueue) bool) {
		for k := range f {
			if k.queue != nil && !yield(k.op, k.queue) {
				return
			}
		}
	}
}

// flights computes what is in flight at each point. A kernel without asynchronous operations costs one walk, and has nil.
func (b *Buffers) flights() *dataflow.Points[InFlight] {
	if !b.root.Contains(ir.Asynchrony.Has) {
		return nil
	}
	problem := dataflow.Dense[InFlight]{
		Join: InFlight.Join, Equal: maps.Equal[InFlight, InFlight],
		Transfer: func(op ir.Op, f InFlight) InFlight { f, _ = f.Step(op); return f },
	}
	return problem.Forward(b.root)
}

// startedBy returns the accesses that a start makes.
func (b *Buffers) startedBy(k start) (out []Access) {
	steps, _ := ir.Asynchrony.Of(k.op)
	steps(k.op, func(s ir.AsyncStep) {
		if a, ok := b.started(k.op, s); ok && (k.queue == nil || s.Queue == k.queue) {
			out = append(out, a)
		}
	})
	return out
}
