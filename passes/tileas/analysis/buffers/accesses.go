package buffers

import (
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// An Access is what an operation does to buffers.
type Access struct {
	Writes bool
	Free   bool // it only ends the lifetime of the memory, which no thread notices
	Where  Places
	// Exact says that the access is provably to all of Where.
	Exact bool
	// Async says that the operation only starts the access; it lasts until something has waited for it.
	Async bool
	// Object is the mbarrier that is signaled at completion; a zero Value: a queue completes the access.
	Object ir.Value
	// Mbarriers says that the buffer holds mbarriers, which asynchronous accesses touch too.
	Mbarriers bool
	queue     *ir.AsyncQueue // the queue that it was started in
}

// SeenByAll reports whether every thread that has waited for the access sees its result.
func (a Access) SeenByAll() bool { return a.queue != nil && a.queue.SeenByAll }

// In reports whether the access was started in a queue.
func (a Access) In(q *ir.AsyncQueue) bool { return a.Async && a.queue == q }

// InOrder reports whether a later access takes effect after this one without a wait, since both are in a queue that
// keeps their order.
func (a Access) InOrder(later Access) bool {
	return a.queue != nil && a.queue == later.queue && a.queue.Ordered
}

// Accesses calls add for each access that an operation itself makes or starts, without its regions. A wait adds
// nothing: what it completes was added at its start.
func (b *Buffers) Accesses(op ir.Op, add func(Access)) {
	if op.Is(tileas.Barrier) || op.Is(tileas.ClusterBarrier) || op.Is(tileas.Level.ClusterSync) || op.Is(tileas.BarrierArrive) || op.Is(tileas.FenceAsync) || tileas.IsPingPong(op) { // they only order accesses; their declared effects are for generic passes
		return
	}
	list, declared := ir.MemoryEffects.Of(op)
	if declared {
		list(op, func(e ir.Effect) {
			if a, ok := b.access(e); ok {
				add(a)
			}
		})
	}
	if steps, ok := ir.Asynchrony.Of(op); ok {
		declared = true
		steps(op, func(s ir.AsyncStep) {
			if a, ok := b.started(s); ok {
				add(a)
			}
		})
	}
	if !declared && op != b.root && !op.HasTrait(ir.Pure) && !op.HasTrait(ir.RecursiveEffects) && !op.HasTrait(ir.Terminator) {
		add(Access{Writes: true, Where: Places{Any: true}})
	}
}

// access returns the access of an effect; ok is false for an effect on something else.
func (b *Buffers) access(e ir.Effect) (a Access, ok bool) {
	switch {
	case e.Kind == ir.Allocate, e.Resource != tileas.SharedMemory && e.Resource != tileas.TMEM:
		return a, false
	case e.Resource == tileas.TMEM && e.Value.IsNil(): // the release of all TMEM, where all threads synchronize
		return a, false
	}
	a = Access{Writes: e.Kind != ir.Read, Free: e.Kind == ir.Free, Where: Places{Any: true}}
	if !e.Value.IsNil() && tileas.IsBuffer(e.Value) {
		a.Where = b.Of(e.Value)
		list := a.Where.List
		a.Mbarriers = tileas.IsBarriers(e.Value.Type())
		a.Exact = len(list) == 1 && list[0].To-list[0].From == sizeOf(e.Value)
	}
	return a, true
}

// started returns the access that a step starts.
func (b *Buffers) started(s ir.AsyncStep) (a Access, ok bool) {
	if s.Kind != ir.AsyncStart {
		return a, false
	}
	a, ok = b.access(s.Access)
	a.Async, a.queue, a.Object = true, s.Queue, s.Object
	a.Exact = a.Exact && !a.Mbarriers // waiting at an mbarrier in use is no conflict
	return a, ok
}
