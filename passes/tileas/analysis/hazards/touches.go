package hazards

import (
	"math"
	"slices"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes/analysis/tokens"
	"github.com/tilewright/tilewright/passes/tileas/analysis/buffers"
)

// A touches is what an operation does to memory that threads share.
type touches struct {
	op            ir.Op
	buffers       []buffers.Access
	reads, writes bool           // global memory
	undeclared    bool           // anything
	fence         bool           // makes stores visible to the async proxy; other threads may start async accesses after a barrier
	globals       *ir.AsyncQueue // the queue of its async global writes; nil: it has none
	immediate     bool           // part of it is complete when the operation is, and not only started
	// The mbarrier whose phase it waits for, and that which its asynchronous accesses signal.
	awaits, signals buffers.Places
}

func (t *touches) any() bool { return len(t.buffers) > 0 || t.reads || t.writes || t.fence }

// of returns what an operation itself does.
func (f *finder) of(op ir.Op) *touches {
	if t := *f.cache.At(op); t != nil {
		return t
	}
	t := &touches{op: op}
	*f.cache.At(op) = t
	if _, ok := tileas.StepLoop(op); ok {
		// Its first step already reads all of it, so a barrier before the loop serves every step.
		for inner := range op.Body().Ops() {
			t.buffers = append(t.buffers, f.of(inner).buffers...)
		}
		t.immediate = len(t.buffers) > 0
		return t
	}
	if op.Is(tileas.FenceAsync) {
		t.fence, t.immediate = true, true
		return t
	}
	f.buffers.Accesses(op, func(a buffers.Access) {
		if a.Free {
			return
		}
		t.buffers = append(t.buffers, a)
		t.immediate = t.immediate || !a.Async
	})
	global := func(e ir.Effect, async bool) {
		if e.Resource != nil || e.Kind != ir.Read && e.Kind != ir.Write {
			return
		}
		t.immediate = t.immediate || !async
		t.reads = t.reads || e.Kind == ir.Read
		t.writes = t.writes || e.Kind == ir.Write
	}
	list, declared := ir.MemoryEffects.Of(op)
	if declared && op.NumRegions() == 0 {
		list(op, func(e ir.Effect) { global(e, false) })
	}
	if steps, ok := ir.Asynchrony.Of(op); ok {
		declared = true
		steps(op, func(s ir.AsyncStep) {
			if s.Kind == ir.AsyncWait && !s.Object.IsNil() {
				t.awaits = f.buffers.Of(s.Object)
			}
			if s.Kind == ir.AsyncStart {
				global(s.Access, true)
				if !s.Object.IsNil() {
					t.signals = f.buffers.Of(s.Object)
				}
				if s.Access.Resource == nil && s.Queue != nil && s.Access.Kind == ir.Write {
					t.globals = s.Queue
				}
			}
		})
	}
	// Without declared effects, package buffers reports an access to everything.
	if !declared && len(t.buffers) > 0 {
		t.reads, t.writes, t.undeclared = true, true, true
	}
	return t
}

// conflicts reports whether a barrier must be between t and a later operation; as says which part of t, and whether it
// may be from an earlier iteration.
func (t *touches) conflicts(later *touches, as made) bool {
	// A fence works like a store: other threads may start async reads only after a barrier.
	if t.fence {
		return slices.ContainsFunc(later.buffers, func(a buffers.Access) bool { return a.Async && !a.Writes })
	}
	for _, a := range t.buffers {
		if a.Async != as.landed { // the other part is recorded as another made
			continue
		}
		for _, b := range later.buffers {
			if (a.Writes || b.Writes) && !a.SeenByAll() && as.overlap(a.Where, b.Where) && !(a.Exact && b.Exact && ownCells(t.op, later.op)) {
				return true
			}
		}
	}
	// A signal may end a phase. All threads must have seen the phase before: to a wait, two ahead look like none.
	if as.overlap(t.awaits, later.signals) {
		return true
	}
	return (t.writes && later.reads || (t.writes || t.reads) && later.writes) && (t.undeclared || later.undeclared || tokens.OrderedAfter(later.op, t.op, true, math.MaxInt))
}

// ownCells reports whether two operations move a buffer in TMEM to or from the same registers, so that each thread
// accesses only its own cells.
func ownCells(x, y ir.Op) bool {
	bufferX, l := moved(x)
	bufferY, layoutY := moved(y)
	// Of an element in several threads, one may store before another has loaded.
	return l.Dims() > 0 && bufferX == bufferY && l.Equal(layoutY) && l.FreeMask(linear.Lane) == 0 && l.FreeMask(linear.Warp) == 0
}

// moved returns the buffer in TMEM and the register layout that an operation moves data between, if it does.
func moved(op ir.Op) (buffer ir.Value, l linear.Layout) {
	switch {
	case op.Is(tileas.TMEMLoad):
		buffer = op.Operand(0)
		l, _ = tileas.LayoutOf(op.Result(0).Type())
	case op.Is(tileas.TMEMStore), op.Is(tileas.TMEMScale):
		buffer = op.Operand(1)
		l, _ = tileas.LayoutOf(op.Operand(0).Type())
	}
	return buffer, l
}

// provablyMeets reports whether a later operation provably accesses what async accesses of t in a queue write, or
// writes what they access.
func (t *touches) provablyMeets(later *touches, queue *ir.AsyncQueue) bool {
	return slices.ContainsFunc(t.buffers, func(a buffers.Access) bool {
		return a.In(queue) && a.Exact && slices.ContainsFunc(later.buffers, func(b buffers.Access) bool {
			return (a.Writes || b.Writes) && b.Exact && !a.InOrder(b) && a.Where.Overlap(b.Where, false)
		})
	})
}

// provablyOrdered reports whether a later operation accesses global memory and must come, by its token, after an
// access of t that a queue still has in flight. Tokens are not followed through control flow: only the run decides
// there which access a token stands for.
func (t *touches) provablyOrdered(later *touches, queue *ir.AsyncQueue) bool {
	return queue == t.globals && (later.reads || later.writes) && tokens.OrderedAfter(later.op, t.op, false, math.MaxInt)
}
