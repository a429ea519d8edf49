package property

import (
	"cmp"
	"slices"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/analysis/buffers"
	"github.com/tilewright/tilewright/passes/analysis/hazards"
)

// sharedAllocated asks that buffers that are in use at the same time lie apart, and all of them inside what the kernel asks for.
//
// Buffers are taken in the order in which their lives begin, like intervals on a line: what is alive lies
// apart, so that a new one is compared with its two neighbours. n log n for n buffers, where all pairs would be
// n * n.
func sharedAllocated(fn ir.Op, _ *passes.Target) *ir.Diagnostic {
	lives := buffers.Analyze(fn).Lives()
	total, ok := fn.IntAttr(tileas.AttrSharedBytes)
	if !ok && len(lives) > 0 {
		return fn.Errorf("has buffers in shared memory, but no '%s' that says how much they need together", tileas.AttrSharedBytes)
	}
	slices.SortStableFunc(lives, func(a, b *buffers.Life) int { return cmp.Compare(a.Start, b.Start) })
	var alive places
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
		if o := alive.add(place{l, at}); o != nil {
			return l.Op.Errorf("is %d bytes at offset %d, and shares some with a buffer that lives at the same time: %d bytes at offset %d", l.Size, at, o.Size, o.at).
				Note(o.Op.Loc(), "the other buffer")
		}
	}
	return nil
}

// A place is that of a buffer in shared memory.
type place struct {
	*buffers.Life
	at int64
}

// places are those of buffers that live at one time, by offset. They lie apart, so that only neighbours of a new one can be in its way: a kernel may
// have very many buffers.
type places []place

// add adds a buffer, behind those that began to live before it, and returns one that it shares bytes with, or nil.
func (ps *places) add(p place) *place {
	*ps = slices.DeleteFunc(*ps, func(o place) bool { return o.End < p.Start })
	i, _ := slices.BinarySearchFunc(*ps, p.at, func(o place, at int64) int { return cmp.Compare(o.at, at) })
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

// synchronised finds what insert-barriers would still have to insert: nothing. It shares the analysis with the
// pass (package hazards), so that a mistake there shows by execution only.
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
