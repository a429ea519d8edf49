package hazards

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/tileas/analysis/buffers"
)

// Threads and cp.async access shared memory by the generic proxy, asynchronous MMAs and TMA by the async proxy. A
// barrier orders accesses of one proxy. From the generic to the async proxy it takes also a fence of each thread that
// made the earlier accesses (PTX ISA, "Proxies", fence.proxy.async). In the other direction the waits order them.

// ofThreads reports whether an access uses the generic proxy.
func ofThreads(a buffers.Access) bool { return !a.Async || a.In(tileas.CopyGroups) }

// inTMEM reports whether an access provably does not touch shared memory.
func inTMEM(a buffers.Access) bool {
	return !a.Where.Any && !slices.ContainsFunc(a.Where.List, func(p buffers.Place) bool { return !p.Root.Is(tileas.AllocTMEM) })
}

// generic reports whether an operation has accessed shared memory by the generic proxy.
func (t *touches) generic(as made) bool {
	return slices.ContainsFunc(t.buffers, func(a buffers.Access) bool { return t.hides(a, as) })
}

// hides reports whether an async access must be fenced from an access. mbarrier objects have a fence of their own at
// their initialization.
func (t *touches) hides(a buffers.Access, as made) bool {
	return a.Async == as.landed && ofThreads(a) && !a.Mbarriers && !inTMEM(a)
}

// hiddenFrom reports whether a fence must be between t and a later operation; as says which part of t.
//
// Threads must not have written, since the last fence, what async accesses read or write. Reads by threads matter only
// if the memory has gone to another buffer. Stages of one buffer are refilled after barriers or mbarriers that wait
// for their readers, and the values read are in registers by then.
func (t *touches) hiddenFrom(later *touches, as made) bool {
	return slices.ContainsFunc(later.buffers, func(b buffers.Access) bool {
		return !ofThreads(b) && !b.Mbarriers && slices.ContainsFunc(t.buffers, func(a buffers.Access) bool {
			return t.hides(a, as) && (a.Writes || b.Writes && !sameBuffer(a, b)) && as.overlap(a.Where, b.Where)
		})
	})
}

// sameBuffer reports whether two accesses may be to one buffer.
func sameBuffer(a, b buffers.Access) bool {
	return a.Where.Any || b.Where.Any || slices.ContainsFunc(a.Where.Roots(), func(r ir.Op) bool { return slices.Contains(b.Where.Roots(), r) })
}

// afterFence returns what is unfenced after a fence: inside a role, the accesses of threads outside of it.
func afterFence(fence ir.Op, unfenced []made) []made {
	role, ok := tileas.RoleOf(fence)
	if !ok {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(unfenced), func(m made) bool {
		of, ok := tileas.RoleOf(m.op)
		return ok && of.Op == role.Op && of.Index == role.Index
	})
}

// CrossesProxies reports whether a kernel accesses shared memory by the async proxy. If not, it needs no fences.
func CrossesProxies(fn ir.Op) bool {
	return fn.Contains(func(op ir.Op) (crosses bool) {
		if steps, ok := ir.Asynchrony.Of(op); ok {
			steps(op, func(s ir.AsyncStep) {
				crosses = crosses || s.Kind == ir.AsyncStart && s.Access.Resource == tileas.SharedMemory && s.Queue != tileas.CopyGroups
			})
		}
		return crosses
	})
}
