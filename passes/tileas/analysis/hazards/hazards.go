package hazards

import (
	"cmp"
	"slices"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow"
	"github.com/tilewright/tilewright/passes/tileas/analysis/buffers"
)

// A Hazard is an access that conflicts with an earlier one.
type Hazard struct {
	Op, Earlier ir.Op
	// Before is where the barrier or fence belongs: Op, or the outermost loop around it that has none of the earlier
	// accesses. What else conflicts in the loop needs another one.
	Before ir.Op
	// InFlight says that Earlier is asynchronous and not waited for, so no barrier helps.
	InFlight bool
	// Unfenced says that Op uses the async proxy, Earlier the generic proxy, and no fence_async is between them. A
	// fence must be, with a barrier after it.
	Unfenced bool
}

// Diagnostic describes the hazard at its operation.
func (h Hazard) Diagnostic() *ir.Diagnostic {
	if h.InFlight {
		return h.Op.Errorf("accesses what '%s' accesses while that may be in flight: nothing has waited for it", h.Earlier.Name()).Note(h.Earlier.Loc(), "the asynchronous access")
	}
	// The fence that will stand before this operation covers everything so far.
	if h.Unfenced {
		return h.Op.Errorf("accesses asynchronously what '%s' has accessed, and no fence_async stands between them on some way", h.Earlier.Name()).Note(h.Earlier.Loc(), "the earlier access")
	}
	return h.Op.Errorf("conflicts with an access of other threads ('%s'), and no barrier stands between them on some way", h.Earlier.Name()).
		Note(h.Earlier.Loc(), "the earlier access")
}

// A fact is the accesses since the last barrier, the accesses of threads to shared memory since the last fence, and
// what is in flight. Sets are in order (made.compare) and are not changed.
type fact struct {
	since, unfenced []made
	inFlight        buffers.InFlight
}

// A made is an access since the last barrier.
//
// An old one was made in an earlier iteration of a loop, or started there. The values that it depends on have changed
// since, so equal values in a later access prove nothing about the two.
//
// A landed one is the asynchronous part of the operation, completed by a wait. Otherwise it is what the operation does
// immediately.
type made struct {
	op          ir.Op
	old, landed bool
}

// overlap reports whether it, which touches p, may touch what a later access to q does.
func (m made) overlap(p, q buffers.Places) bool { return p.Overlap(q, !m.old) }

func (m made) compare(o made) int { return cmp.Compare(m.key(), o.key()) }

func (m made) key() int {
	k := 4 * m.op.ID()
	if m.old {
		k += 2
	}
	if m.landed {
		k++
	}
	return k
}

func unite(a, b []made) []made {
	for _, m := range b {
		a = with(a, m)
	}
	return a
}

// with returns a set with m.
func with(set []made, m made) []made {
	at, found := slices.BinarySearchFunc(set, m, made.compare)
	if found {
		return set
	}
	return slices.Concat(set[:at], []made{m}, set[at:])
}

type finder struct {
	buffers *buffers.Buffers
	cache   *ir.OpTable[*touches]
	crosses bool // the kernel needs fences
}

// Find returns the accesses that need a barrier or a wait before them, each once, in the order of the text. Barriers
// before all of them leave no hazard.
func Find(fn ir.Op, b *buffers.Buffers) ([]Hazard, *ir.Diagnostic) {
	f := &finder{buffers: b, cache: ir.NewOpTable[*touches](fn), crosses: CrossesProxies(fn)}
	for op := range fn.All() {
		if op != fn && !ir.RegionBranch.Has(op) && op.NumRegions() > 0 && !op.HasTrait(ir.Pure) {
			return nil, op.Errorf("has regions of which it declares no control flow, so that barriers cannot be placed in it")
		}
	}
	problem := dataflow.Dense[fact]{
		Join: func(a, b fact) fact {
			return fact{unite(a.since, b.since), unite(a.unfenced, b.unfenced), a.inFlight.Join(b.inFlight)}
		},
		Equal: func(a, b fact) bool {
			return slices.Equal(a.since, b.since) && slices.Equal(a.unfenced, b.unfenced) && slices.Equal(a.inFlight, b.inFlight)
		},
		Transfer: func(op ir.Op, s fact) fact { s, _ = f.step(op, s); return s },
	}
	var found []Hazard
	problem.Forward(fn).Walk(func(op ir.Op, s fact) { // operations of regions that are no control flow have none
		if _, h := f.step(op, s); !h.Op.IsNil() {
			found = append(found, h)
		}
	})
	return found, nil
}

// Outside returns the hazards whose barrier or fence belongs before a loop, one for each place.
func Outside(found []Hazard) (out []Hazard) {
	seen := make(map[ir.Op]bool)
	for _, h := range found {
		if !h.InFlight && h.Before != h.Op && !seen[h.Before] {
			out, seen[h.Before] = append(out, h), true
		}
	}
	return out
}

// synchronises reports whether all threads that execute an operation synchronize there. A barrier inside a role
// synchronizes the role's warps, and roles begin and end with all threads of the CTA. So each path compares accesses
// of one group of threads only.
func synchronises(op ir.Op) bool {
	return op.Is(tileas.Barrier) || op.Is(tileas.ClusterBarrier) || op.Is(tileas.Level.ClusterSync) || op.Is(tileas.WarpSpecialize) || op.Is(tileas.EndRole)
}

// step returns the fact after an operation, and its hazard, if any. It assumes that a needed barrier or fence then
// stands before the operation.
func (f *finder) step(op ir.Op, s fact) (fact, Hazard) {
	var h Hazard
	if synchronises(op) {
		// A barrier orders what came before it. It is no fence, and completes nothing in flight.
		if op.Is(tileas.Level.ClusterSync) || op.NumOperands() > 0 { // accesses in flight must be complete for other CTAs too
			h = f.inFlight(op, f.of(op), s)
		}
		return fact{unfenced: s.unfenced, inFlight: s.inFlight}, h
	}
	t := f.of(op)
	if t.any() {
		h = f.against(op, t, s)
		// The barrier before this operation orders all earlier accesses.
		if !h.Op.IsNil() && !h.InFlight {
			s.since = nil
		}
		if h.Unfenced {
			s.unfenced = nil
		}
		if t.immediate {
			s.since = with(s.since, made{op: op})
		}
		if m := (made{op: op}); t.fence {
			s.unfenced = afterFence(op, s.unfenced)
		} else if f.crosses && t.generic(m) {
			s.unfenced = with(s.unfenced, m)
		}
	}
	// Where control leaves a region, values of the next execution differ.
	if op.HasTrait(ir.Terminator) {
		left := ir.ExitTarget(op)
		if left.IsNil() {
			left = op.ParentOp()
		}
		s.since, s.unfenced = aged(left, s.since), aged(left, s.unfenced)
	}
	under, completes := s.inFlight.Step(op)
	for _, c := range completes {
		m := made{c, true, true}
		s.since = with(s.since, m)
		if f.crosses && f.of(c).generic(m) {
			s.unfenced = with(s.unfenced, m)
		}
	}
	s.inFlight = under
	return s, h
}

// aged marks the accesses inside an operation as old when control leaves its region: values there change when it comes
// back.
func aged(left ir.Op, since []made) []made {
	inside := func(m made) bool { return !m.old && left.IsAncestorOf(m.op) }
	if !slices.ContainsFunc(since, inside) {
		return since
	}
	out := slices.Clone(since)
	for i, m := range out {
		out[i].old = m.old || inside(m)
	}
	slices.SortFunc(out, made.compare)
	return slices.Compact(out)
}

// against returns the hazard of an operation with an earlier access: first one in flight, since a barrier would not
// help.
func (f *finder) against(op ir.Op, t *touches, s fact) Hazard {
	if h := f.inFlight(op, t, s); h.InFlight {
		return h
	}
	if e, at := meets(op, s.unfenced, func(m made) bool { return f.of(m.op).hiddenFrom(t, m) }); !e.IsNil() {
		return Hazard{Op: op, Earlier: e, Before: at, Unfenced: true}
	}
	if e, at := meets(op, s.since, func(m made) bool { return f.of(m.op).conflicts(t, m) }); !e.IsNil() {
		return Hazard{Op: op, Earlier: e, Before: at}
	}
	return Hazard{}
}

// inFlight returns the hazard of an operation with an access in flight.
func (f *finder) inFlight(op ir.Op, t *touches, s fact) Hazard {
	for earlier, queue := range s.inFlight.InQueues() {
		if e := f.of(earlier); e.provablyMeets(t, queue) || e.provablyOrdered(t, queue) {
			return Hazard{Op: op, Earlier: earlier, InFlight: true}
		}
	}
	return Hazard{}
}

// meets returns the first of the operations that an operation conflicts with, and the outermost loop around the
// operation that has none of them, or the operation.
func meets(op ir.Op, all []made, conflicts func(made) bool) (first, before ir.Op) {
	var loops []ir.Op
	for _, m := range all {
		if !conflicts(m) {
			continue
		}
		if first.IsNil() {
			first, loops = m.op, []ir.Op{op}
			for loop := ir.LoopAround(op, false); !loop.IsNil(); loop = ir.LoopAround(loop, false) {
				loops = append(loops, loop)
			}
		}
		for len(loops) > 1 && loops[len(loops)-1].IsAncestorOf(m.op) {
			loops = loops[:len(loops)-1]
		}
	}
	if first.IsNil() {
		return first, op
	}
	return first, loops[len(loops)-1]
}
