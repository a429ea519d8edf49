package buffers

import (
	"maps"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow"
)

// A start names the asynchronous accesses that one operation starts in one queue.
type start struct {
	op    ir.Op
	queue *ir.AsyncQueue // nil: only an object knows when they have completed
}

// ages are how many batches of the queue were committed since an access was started: since the latest time that the operation ran, and since the earliest time of which the access may still be
// under way. They differ in a pipelined loop, where the copies of several iterations are under way at once.
type ages struct{ least, most int }

// InFlight is which accesses may be under way at a point: for each start its ages, the least and the most on any way. What no queue
// completes stays: of which phase of its mbarrier a wait speaks is known when the program runs, and the interpreter checks it there.
type InFlight map[start]ages

// maxAge bounds the batches that are counted, so that the problem is finite; no wait leaves so many.
const maxAge = 64

// Step returns what is under way behind an operation, and what it may complete for the threads that have started it alone. f is not changed.
func (f InFlight) Step(op ir.Op) (next InFlight, completes []ir.Op) {
	steps, ok := ir.Asynchrony.Of(op)
	if !ok {
		return f, nil
	}
	next = maps.Clone(f)
	if next == nil {
		next = InFlight{}
	}
	steps(op, func(s ir.AsyncStep) {
		switch {
		case s.Kind == ir.AsyncStart:
			k := start{op, s.Queue}
			next[k] = ages{0, next[k].most}
		case s.Queue == nil:
		case s.Kind == ir.AsyncArrive: // from now on an object tells of what is committed
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
				if next[k] = (ages{age.least, s.Pending}); age.least > s.Pending {
					delete(next, k)
				}
			}
		}
	})
	return next, completes
}

// Join returns what may be under way where two ways meet.
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

// InQueues calls yield for each operation that started something that may be under way and that a wait for a queue completes, with that queue, in no order.
func (f InFlight) InQueues() func(yield func(ir.Op, *ir.AsyncQueue) bool) {
	return func(yield func(ir.Op, *ir.AsyncQueue) bool) {
		for k := range f {
			if k.queue != nil && !yield(k.op, k.queue) {
				return
			}
		}
	}
}

// Flights is where asynchronous accesses of a kernel are under way.
type Flights struct {
	b      *Buffers
	points *dataflow.Points[InFlight]
}

// Flights computes what is under way at each point. A kernel without asynchronous operations costs one walk.
func (b *Buffers) Flights() Flights {
	found := false
	b.root.Walk(func(op ir.Op) ir.WalkResult {
		if _, found = ir.Asynchrony.Of(op); found {
			return ir.Interrupt
		}
		return ir.Advance
	})
	if !found {
		return Flights{b: b}
	}
	problem := dataflow.Dense[InFlight]{
		Join: InFlight.Join, Equal: maps.Equal[InFlight, InFlight], Boundary: func(ir.Block) InFlight { return nil },
		Transfer: func(op ir.Op, f InFlight) InFlight { f, _ = f.Step(op); return f },
	}
	return Flights{b, problem.Forward(b.root)}
}

// each calls f with each operation and each access of buffers that may be under way when control comes to it. At an operation that completes an access, it still is.
func (f Flights) each(visit func(op ir.Op, under Access)) {
	if f.points == nil {
		return
	}
	f.points.Walk(func(op ir.Op, under InFlight) {
		for k := range under {
			steps, _ := ir.Asynchrony.Of(k.op)
			steps(k.op, func(s ir.AsyncStep) {
				if a, ok := f.b.started(k.op, s); ok && (k.queue == nil || s.Queue == k.queue) {
					visit(op, a)
				}
			})
		}
	})
}
