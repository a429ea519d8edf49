package hazards

import (
	"maps"

	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// Each calls found for each access that conflicts with an earlier one, with the first of those in the text, and goes on as if a barrier stood before it: found may
// put one there. It stops when found returns false.
func Each(fn ir.Op, found func(earlier, op ir.Op) bool) {
	if fn.NumRegions() == 0 || fn.Region(0).Empty() {
		return
	}
	w := &walk{found: found, position: make(map[ir.Op]int)}
	fn.Walk(func(op ir.Op) ir.WalkResult {
		w.position[op] = len(w.position)
		return ir.Advance
	})
	w.block(fn.Body(), pending{})
}

// pending is the set of accesses since the last barrier on some way.
type pending map[ir.Op]bool

func (p pending) join(q pending) (grew bool) {
	for op := range q {
		if !p[op] {
			p[op], grew = true, true
		}
	}
	return grew
}

// frame collects what reaches the head and the exit of a loop through continue and break.
type frame struct{ head, exit pending }

type walk struct {
	found    func(earlier, op ir.Op) bool
	position map[ir.Op]int // in the text
	frames   []*frame
	stopped  bool
}

// block walks a block from a state and returns the state behind it; nil when control does not reach its end.
func (w *walk) block(b ir.Block, s pending) pending {
	if b.IsNil() {
		return s
	}
	for op := range b.Ops() {
		s = w.op(op, s)
		if s == nil || w.stopped {
			return nil
		}
	}
	return s
}

func (w *walk) op(op ir.Op, s pending) pending {
	switch {
	case op.Is(tileas.Barrier):
		return pending{}
	case op.Is(scf.If):
		then := w.block(op.Region(0).First(), maps.Clone(s))
		other := w.block(op.Region(1).First(), s)
		if then == nil {
			return other
		}
		if other != nil {
			then.join(other)
		}
		return then
	case op.Is(scf.For), op.Is(scf.Loop):
		return w.loop(op, s)
	case op.Is(scf.Continue), op.Is(scf.Break):
		if len(w.frames) == 0 {
			return nil
		}
		f := w.frames[len(w.frames)-1]
		if op.Is(scf.Continue) {
			f.head.join(s)
		} else {
			f.exit.join(s)
		}
		return nil
	case op.Is(tileas.Level.Return):
		return nil
	}
	if !touchesMemory(op) {
		return s
	}
	if earlier := w.conflicting(s, op); !earlier.IsNil() {
		w.stopped = !w.found(earlier, op)
		return pending{op: true}
	}
	s[op] = true
	return s
}

// conflicting returns the first access of the text among those of s that op conflicts with, or a zero Op.
func (w *walk) conflicting(s pending, op ir.Op) (first ir.Op) {
	for earlier := range s {
		if conflict(earlier, op) && (first.IsNil() || w.position[earlier] < w.position[first]) {
			first = earlier
		}
	}
	return first
}

func (w *walk) loop(op ir.Op, s pending) pending {
	f := &frame{head: maps.Clone(s), exit: pending{}}
	if op.Is(scf.For) {
		f.exit = maps.Clone(s) // it may run zero times
	}
	w.frames = append(w.frames, f)
	for !w.stopped {
		before := maps.Clone(f.head)
		w.block(op.Body(), maps.Clone(f.head))
		if !before.join(f.head) {
			break
		}
	}
	w.frames = w.frames[:len(w.frames)-1]
	if op.Is(scf.For) {
		f.exit.join(f.head)
	}
	return f.exit
}
