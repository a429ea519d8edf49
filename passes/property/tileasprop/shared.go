package tileasprop

import (
	"cmp"
	"slices"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/tileas/analysis/buffers"
	"github.com/tilewright/tilewright/passes/tileas/analysis/hazards"
)

// sharedAllocated checks that buffers in use at the same time are disjoint, and all inside the memory that the
// kernel asks for. Buffers are taken in the order in which their live ranges begin, like intervals on a line.
// Live buffers are disjoint, so a new one is compared only to its two neighbours. That takes n log n for n
// buffers; all pairs would take n * n.
func sharedAllocated(fn ir.Op, _ *passes.Target) *ir.Diagnostic {
	lives := buffers.Analyze(fn).Lives()
	total, ok := fn.IntAttr(tileas.AttrSharedBytes)
	if !ok && len(lives) > 0 {
		return fn.Errorf("has buffers in shared memory, but no '%s' that says how much they need together", tileas.AttrSharedBytes)
	}
	slices.SortStableFunc(lives, func(a, b *buffers.Life) int { return cmp.Compare(a.Start, b.Start) })
	var alive liveBuffers
	for _, l := range lives {
		at, ok := l.Op.IntAttr(tileas.AttrOffset)
		switch {
		case !ok:
			return l.Op.Errorf("has no offset in shared memory")
		case at < 0 || at%l.Align != 0:
			return l.Op.Errorf("is at offset %d, which is no multiple of %d", at, l.Align)
		case at > total-l.Size:
			return l.Op.Errorf("needs %d bytes at offset %d, but the kernel has %d bytes of shared memory", l.Size, at, total)
		}
		if o := alive.add(placedBuffer{l, at}); o != nil {
			return l.Op.Errorf("is %d bytes at offset %d, and shares some with a buffer that lives at the same time: %d bytes at offset %d", l.Size, at, o.Size, o.at).
				Note(o.Op.Loc(), "the other buffer")
		}
	}
	return nil
}

// A placedBuffer is a buffer with its offset in shared memory.
type placedBuffer struct {
	*buffers.Life
	at int64
}

// liveBuffers are the buffers that live at one time, by offset. They lie apart, so only the neighbours of a new one can
// overlap it: a kernel may have very many buffers.
type liveBuffers []placedBuffer

// add adds a buffer, after those that began to live before it, and returns one that it shares bytes with, or nil.
func (ps *liveBuffers) add(p placedBuffer) *placedBuffer {
	*ps = slices.DeleteFunc(*ps, func(o placedBuffer) bool { return o.End < p.Start })
	i, _ := slices.BinarySearchFunc(*ps, p.at, func(o placedBuffer, at int64) int { return cmp.Compare(o.at, at) })
	if p.Size > 0 {
		if i > 0 && (*ps)[i-1].at+(*ps)[i-1].Size > p.at {
			return &(*ps)[i-1]
		}
		if i < len(*ps) && (*ps)[i].at < p.at+p.Size {
			return &(*ps)[i]
		}
		*ps = slices.Insert(*ps, i, p)
	}
	return nil
}

// synchronised checks that insert-barriers would insert nothing. It shares the analysis with the pass (package
// hazards), so a mistake there shows only by execution.
func synchronised(fn ir.Op, _ *passes.Target) *ir.Diagnostic {
	found, err := hazards.Find(fn, buffers.Analyze(fn))
	if err != nil {
		return err
	}
	for _, h := range found {
		return h.Diagnostic()
	}
	return nil
}

// fenced finds the accesses that insert-barriers would have to insert fences for.
func fenced(fn ir.Op, _ *passes.Target) *ir.Diagnostic {
	// Without asynchronous accesses no fence is needed, and the analysis is not run.
	if !hazards.CrossesProxies(fn) {
		return nil
	}
	found, err := hazards.Find(fn, buffers.Analyze(fn))
	if err != nil {
		return err
	}
	for _, h := range found {
		if h.Unfenced {
			return h.Diagnostic()
		}
	}
	return nil
}
