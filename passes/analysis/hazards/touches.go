package hazards

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/analysis/buffers"
)

// touches is what an operation does to memory that threads share.
type touches struct {
	op            ir.Op
	buffers       []buffers.Access
	reads, writes bool           // global memory
	undeclared    bool           // anything
	fence         bool           // lets asynchronous accesses see what its thread has stored: others may start them behind a barrier
	globals       *ir.AsyncQueue // that accesses of global memory are started in; nil: none is in one
	now           bool           // something of it is done when the operation is, not only started
}

func (t *touches) any() bool { return len(t.buffers) > 0 || t.reads || t.writes || t.fence }

// of returns what an operation itself does.
func (f *finder) of(op ir.Op) *touches {
	if t := f.cache[op]; t != nil {
		return t
	}
	t := &touches{op: op}
	f.cache[op] = t
	if _, ok := tileas.StepLoop(op); ok {
		// What it reads it reads in its first step already: a barrier in front of it serves all of them.
		for inner := range op.Body().Ops() {
			t.buffers = append(t.buffers, f.of(inner).buffers...)
		}
		t.now = len(t.buffers) > 0
		return t
	}
	if op.Is(tileas.FenceAsync) {
		t.fence, t.now = true, true
		return t
	}
	f.buffers.Accesses(op, func(a buffers.Access) {
		if a.Free {
			return
		}
		t.buffers = append(t.buffers, a)
		t.now = t.now || !a.Async
	})
	global := func(e ir.Effect, async bool) {
		if e.Resource != nil || e.Kind != ir.Read && e.Kind != ir.Write {
			return
		}
		t.now = t.now || !async
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
			if s.Kind == ir.AsyncStart {
				global(s.Access, true)
				if s.Access.Resource == nil && s.Queue != nil && s.Access.Kind == ir.Write {
					t.globals = s.Queue
				}
			}
		})
	}
	if !declared && len(t.buffers) > 0 {
		t.reads, t.writes, t.undeclared = true, true, true
	}
	return t
}

// conflicts reports whether a barrier must stand between two operations, of which t comes first; as says what of it, and whether in an earlier iteration perhaps.
func (t *touches) conflicts(later *touches, as made) bool {
	if t.fence {
		return slices.ContainsFunc(later.buffers, func(a buffers.Access) bool { return a.Async && !a.Writes })
	}
	overlap := buffers.Places.OverlapNow
	if as.old {
		overlap = buffers.Places.Overlap
	}
	for _, a := range t.buffers {
		if a.Async != as.landed { // what has only started others neither see nor disturb; copies that an mbarrier counts are seen by all who wait for it
			continue
		}
		for _, b := range later.buffers {
			if (a.Writes || b.Writes) && !a.SeenByAll() && overlap(a.Where, b.Where) && !(a.Exact && b.Exact && ownCells(t.op, later.op)) {
				return true
			}
		}
	}
	if !t.writes && !(t.reads && later.writes) || !later.reads && !later.writes {
		return false
	}
	return t.undeclared || later.undeclared || orderedAfter(later.op, t.op)
}

// ownCells reports whether two operations move the same buffer in tensor memory between there and the same registers, so that each thread meets its own accesses alone.
func ownCells(x, y ir.Op) bool {
	bufferX, layoutX := moved(x)
	bufferY, layoutY := moved(y)
	if bufferX.IsNil() || bufferY.IsNil() || bufferX != bufferY || !layoutX.Layout.Equal(layoutY.Layout) {
		return false
	}
	l := layoutX.Layout // of what several threads hold, one may store what another one has not loaded yet
	return l.FreeMask(linear.Lane) == 0 && l.FreeMask(linear.Warp) == 0
}

// moved returns the buffer in tensor memory and the layout of the registers that an operation moves between, if it does.
func moved(op ir.Op) (buffer ir.Value, layout *tileas.LayoutAttr) {
	var tensor ir.Value
	switch {
	case op.Is(tileas.TensorLoad):
		buffer, tensor = op.Operand(0), op.Result(0)
	case op.Is(tileas.TensorStore), op.Is(tileas.TensorMul):
		buffer, tensor = op.Operand(1), op.Operand(0)
	default:
		return ir.Value{}, nil
	}
	layout, ok := tensor.Type().(*ir.TensorType).Encoding.(*tileas.LayoutAttr)
	if !ok {
		return ir.Value{}, nil
	}
	return buffer, layout
}

// surelyMeets reports whether a later operation accesses what asynchronous accesses of t in a queue write, or writes what they access.
func (t *touches) surelyMeets(later *touches, queue *ir.AsyncQueue) bool {
	for _, a := range t.buffers {
		for _, b := range later.buffers {
			if a.In(queue) && (a.Writes || b.Writes) && a.Exact && b.Exact && !a.InOrder(b) && a.Where.Overlap(b.Where) {
				return true
			}
		}
	}
	return false
}

// surelyOrders reports whether a later operation accesses global memory and must come, by its token, after t has, of which a queue still has the access under way. Ways of tokens through control flow
// are not followed: which access one stands for there only the run tells.
func (t *touches) surelyOrders(later *touches, queue *ir.AsyncQueue) bool {
	if queue != t.globals || !later.reads && !later.writes {
		return false
	}
	seen := make(map[ir.Value]bool)
	work := tokens(later.op)
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		def := v.DefiningOp()
		if seen[v] || def.IsNil() || def.NumRegions() > 0 {
			continue
		}
		seen[v] = true
		if def == t.op {
			return true
		}
		work = append(work, tokens(def)...)
	}
	return false
}

// orderedAfter reports whether a token that op takes comes, perhaps through joins and control flow, from earlier.
func orderedAfter(op, earlier ir.Op) bool {
	seen := make(map[ir.Value]bool)
	work := tokens(op)
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[v] {
			continue
		}
		seen[v] = true
		def := v.DefiningOp()
		switch {
		case def.IsNil():
			// Through a loop it may come from anywhere in or before it.
			return true
		case def == earlier:
			return true
		case def.NumRegions() > 0:
			return true
		}
		work = append(work, tokens(def)...)
	}
	return false
}

func tokens(op ir.Op) (out []ir.Value) {
	for _, v := range op.Operands() {
		if _, ok := v.Type().(*tile.TokenType); ok {
			out = append(out, v)
		}
	}
	return out
}
