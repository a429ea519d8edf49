package buffers

import (
	"cmp"
	"slices"
	"strings"

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

// A flight is what is known of a start whose accesses may be in flight.
type flight struct {
	start
	ages
}

func (x flight) compare(o flight) int {
	return cmp.Or(cmp.Compare(x.op.ID(), o.op.ID()), strings.Compare(x.queue.String(), o.queue.String()))
}

// An InFlight is the accesses that may be in flight at a point: each start, with its least and most age on any path, in
// order (flight.compare). What an mbarrier completes stays: only the run tells which phase a wait is for, and the
// interpreter checks it there.
type InFlight []flight

// with sets what is known of a start, in place.
func (f InFlight) with(x flight) InFlight {
	at, found := slices.BinarySearchFunc(f, x, flight.compare)
	if found {
		f[at] = x
		return f
	}
	return slices.Insert(f, at, x)
}

// of returns the ages of a start, and whether it may be in flight.
func (f InFlight) of(k start) (ages, bool) {
	if at, found := slices.BinarySearchFunc(f, flight{start: k}, flight.compare); found {
		return f[at].ages, true
	}
	return ages{}, false
}

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
		own := start{op, s.Queue}
		age, started := next.of(own)
		// What an mbarrier completes has no age, so a wait for one changes nothing. Nor does a start once more, or a
		// step of a queue that is empty.
		if s.Kind == ir.AsyncStart && started && age.least == 0 || s.Kind != ir.AsyncStart &&
			(s.Queue == nil || !slices.ContainsFunc(next, func(x flight) bool { return x.queue == s.Queue })) {
			return
		}
		if !cloned {
			next, cloned = slices.Clone(f), true
		}
		switch {
		case s.Kind == ir.AsyncStart:
			// The latest execution starts at 0, while accesses of earlier ones may still be in flight.
			next = next.with(flight{own, ages{0, age.most}})
		case s.Kind == ir.AsyncArrive: // an mbarrier tracks the committed copies from now on
			for _, x := range slices.Clone(next) {
				if x.queue == s.Queue && x.most > 0 {
					next = next.with(flight{start: start{x.op, nil}})
				}
			}
			next = slices.DeleteFunc(next, func(x flight) bool { return x.queue == s.Queue && x.most > 0 && x.least > 0 })
		case s.Kind == ir.AsyncCommit:
			for i, x := range next {
				if x.queue == s.Queue {
					next[i].ages = ages{min(x.least+1, maxAge), min(x.most+1, maxAge)}
				}
			}
		case s.Kind == ir.AsyncWait:
			for i, x := range next {
				if x.queue != s.Queue || x.most <= s.Pending {
					continue
				}
				if !s.Queue.SeenByAll {
					completes = append(completes, x.op)
				}
				next[i].most = s.Pending
			}
			// The wait completes all batches but the latest s.Pending.
			next = slices.DeleteFunc(next, func(x flight) bool { return x.queue == s.Queue && x.least > s.Pending })
		}
	})
	return next, completes
}

// Join returns what may be in flight where two paths join.
func (f InFlight) Join(g InFlight) InFlight {
	if slices.Equal(f, g) {
		return f
	}
	out := slices.Clone(f)
	for _, x := range g {
		if old, ok := out.of(x.start); ok {
			x.ages = ages{min(x.least, old.least), max(x.most, old.most)}
		}
		out = out.with(x)
	}
	return out
}

// InQueues iterates over the operations whose accesses may be in flight and that a wait for a queue
// completes, with the queue.
func (f InFlight) InQueues() func(yield func(ir.Op, *ir.AsyncQueue) bool) {
	return func(yield func(ir.Op, *ir.AsyncQueue) bool) {
		for _, x := range f {
			if x.queue != nil && !yield(x.op, x.queue) {
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
		Join: InFlight.Join, Equal: slices.Equal[InFlight],
		Transfer: func(op ir.Op, f InFlight) InFlight { f, _ = f.Step(op); return f },
	}
	return problem.Forward(b.root)
}

// startedBy returns the accesses that a start makes.
func (b *Buffers) startedBy(k start) (out []Access) {
	steps, _ := ir.Asynchrony.Of(k.op)
	steps(k.op, func(s ir.AsyncStep) {
		if a, ok := b.started(s); ok && (k.queue == nil || s.Queue == k.queue) {
			out = append(out, a)
		}
	})
	return out
}
