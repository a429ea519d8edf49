package buffers

import (
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// An Access is what an operation does to buffers.
type Access struct {
	Op     ir.Op
	Writes bool
	Free   bool // it only ends the life of the memory, which no thread notices
	Where  Places
	// Exact says that the access is surely to all of Where, not to some of it.
	Exact bool
	// Async says that the access is only started: it goes on until something has waited for it.
	Async bool
	// Object is the mbarrier that is told when it has completed; a zero Value: a queue completes it.
	Object ir.Value
	// Mbarriers says that it is of mbarriers, which asynchronous accesses look at too.
	Mbarriers bool
	queue     *ir.AsyncQueue // that it was started in
}

// SeenByAll reports whether all threads that have waited for the access see what it has done.
func (a Access) SeenByAll() bool { return a.queue != nil && a.queue.SeenByAll }

// In reports whether the access was started in a queue.
func (a Access) In(q *ir.AsyncQueue) bool { return a.Async && a.queue == q }

// InOrder reports whether a later access takes effect behind this one by itself, since both are in a queue that keeps their order.
func (a Access) InOrder(later Access) bool {
	return a.queue != nil && a.queue == later.queue && a.queue.Ordered
}

// Accesses calls add for each access that an operation itself makes or starts, not for those of the operations in its regions. What a wait completes was added where it started.
func (b *Buffers) Accesses(op ir.Op, add func(Access)) {
	if op.Is(tileas.Barrier) || op.Is(tileas.ClusterBarrier) || op.Is(tileas.Level.ClusterSync) || op.Is(tileas.BarrierArrive) || op.Is(tileas.FenceAsync) || tileas.IsTurn(op) { // they order accesses and make none, whatever generic passes must take them for
		return
	}
	list, declared := ir.MemoryEffects.Of(op)
	if declared {
		list(op, func(e ir.Effect) {
			if a, ok := b.access(op, e); ok {
				add(a)
			}
		})
	}
	if steps, ok := ir.Asynchrony.Of(op); ok {
		declared = true
		steps(op, func(s ir.AsyncStep) {
			if a, ok := b.started(op, s); ok {
				add(a)
			}
		})
	}
	if !declared && op != b.root && !op.HasTrait(ir.Pure) && !op.HasTrait(ir.RecursiveEffects) && !op.HasTrait(ir.Terminator) {
		add(Access{Op: op, Writes: true, Where: Places{Any: true}})
	}
}

// access returns what an effect does to buffers; ok is false if it is of something else.
func (b *Buffers) access(op ir.Op, e ir.Effect) (a Access, ok bool) {
	switch {
	case e.Kind == ir.Allocate, e.Resource != tileas.SharedMemory && e.Resource != tileas.TensorMemory:
		return a, false
	case e.Resource == tileas.TensorMemory && e.Value.IsNil(): // the end of all of it, where all threads meet
		return a, false
	}
	a = Access{Op: op, Writes: e.Kind != ir.Read, Free: e.Kind == ir.Free, Where: Places{Any: true}}
	if !e.Value.IsNil() && isBuffer(e.Value) {
		a.Where = b.Of(e.Value)
		list := a.Where.List
		a.Mbarriers = tileas.IsBarriers(e.Value.Type())
		a.Exact = len(list) == 1 && list[0].To-list[0].From == sizeOf(e.Value)
	}
	return a, true
}

// started returns the access that a step starts.
func (b *Buffers) started(op ir.Op, s ir.AsyncStep) (a Access, ok bool) {
	if s.Kind != ir.AsyncStart {
		return a, false
	}
	a, ok = b.access(op, s.Access)
	a.Async, a.queue, a.Object = true, s.Queue, s.Object
	if !s.Access.Value.IsNil() && tileas.IsBarriers(s.Access.Value.Type()) { // those are there to be looked at meanwhile
		a.Exact = false
	}
	return a, ok
}
