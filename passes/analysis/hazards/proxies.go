package hazards

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/analysis/buffers"
)

// Threads, and their copies in groups, access shared memory through the generic proxy; products that run beside them, and bulk copies, through the asynchronous one. A barrier orders accesses through one proxy; between two
// it takes a fence of each thread that has made the earlier accesses, too (PTX ISA, "Proxies", fence.proxy.async). The other way round waits do it.

// ofThreads reports whether an access goes through the generic proxy.
func ofThreads(a buffers.Access) bool { return !a.Async || a.In(tileas.CopyGroups) }

// inTensorMemory reports whether an access surely is none of shared memory.
func inTensorMemory(a buffers.Access) bool {
	return !a.Where.Any && !slices.ContainsFunc(a.Where.List, func(p buffers.Place) bool { return !p.Root.Is(tileas.AllocTensor) })
}

// generic reports whether what an operation has made is of shared memory, and through the generic proxy.
func (t *touches) generic(as made) bool {
	return slices.ContainsFunc(t.buffers, func(a buffers.Access) bool { return t.hides(a, as) })
}

// hides reports whether an access is one that asynchronous ones have to be fenced from. Objects of mbarriers have a fence of their own, where they are initialised.
func (t *touches) hides(a buffers.Access, as made) bool {
	return a.Async == as.landed && ofThreads(a) && !a.Mbarriers && !inTensorMemory(a)
}

// hiddenFrom reports whether a fence must stand between two operations, of which t comes first; as says what of it. What asynchronous accesses read, threads must not have written since the last fence, and neither what
// they write. That threads have read it matters where the place has gone over to another buffer only: the slots of one buffer are filled again behind barriers or mbarriers that wait for their readers, whose values are in
// registers by then.
func (t *touches) hiddenFrom(later *touches, as made) bool {
	overlap := buffers.Places.OverlapNow
	if as.old {
		overlap = buffers.Places.Overlap
	}
	for _, b := range later.buffers {
		if ofThreads(b) || b.Mbarriers {
			continue
		}
		for _, a := range t.buffers {
			if t.hides(a, as) && (a.Writes || b.Writes && !sameBuffer(a, b)) && overlap(a.Where, b.Where) {
				return true
			}
		}
	}
	return false
}

// sameBuffer reports whether two accesses may be of one buffer.
func sameBuffer(a, b buffers.Access) bool {
	return a.Where.Any || b.Where.Any || slices.ContainsFunc(a.Where.Roots(), func(r ir.Op) bool { return slices.Contains(b.Where.Roots(), r) })
}

// behindFence returns what is left unfenced behind a fence: in a role, what other threads than those of the role have made.
func behindFence(fence ir.Op, unfenced map[made]bool) map[made]bool {
	role, ok := tileas.RoleOf(fence)
	if !ok {
		return nil
	}
	out := make(map[made]bool)
	for m := range unfenced {
		if of, ok := tileas.RoleOf(m.op); !ok || of.Op != role.Op || of.Index != role.Index {
			out[m] = true
		}
	}
	return out
}

// CrossesProxies reports whether anything in a kernel accesses shared memory asynchronously but copies in groups. Without, it has no use for fences.
func CrossesProxies(fn ir.Op) (crosses bool) {
	fn.Walk(func(op ir.Op) ir.WalkResult {
		if steps, ok := ir.Asynchrony.Of(op); ok {
			steps(op, func(s ir.AsyncStep) {
				crosses = crosses || s.Kind == ir.AsyncStart && s.Access.Resource == tileas.SharedMemory && s.Queue != tileas.CopyGroups
			})
		}
		if crosses {
			return ir.Interrupt
		}
		return ir.Advance
	})
	return crosses
}
