package hazards

import (
	"maps"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow"
	"github.com/tilewright/tilewright/passes/analysis/buffers"
)

// A Hazard is an access that conflicts with an earlier one.
type Hazard struct {
	Op, Earlier ir.Op
	// UnderWay says that Earlier is asynchronous and not waited for, so that no barrier helps.
	UnderWay bool
	// Unfenced says that Op goes through the asynchronous proxy and Earlier did not, and that no fence_async stands between them: a fence must, with a barrier behind it.
	Unfenced bool
}

// Diagnostic says what is wrong where the hazard is.
func (h Hazard) Diagnostic() *ir.Diagnostic {
	if h.UnderWay {
		return h.Op.Errorf("accesses what '%s' accesses while that may be under way: nothing has waited for it", h.Earlier.Name()).Note(h.Earlier.Loc(), "the asynchronous access")
	}
	if h.Unfenced {
		return h.Op.Errorf("accesses asynchronously what '%s' has accessed, and no fence_async stands between them on some way", h.Earlier.Name()).Note(h.Earlier.Loc(), "the earlier access")
	}
	return h.Op.Errorf("conflicts with an access of other threads ('%s'), and no barrier stands between them on some way", h.Earlier.Name()).
		Note(h.Earlier.Loc(), "the earlier access")
}

// A fact is what was done since the last barrier, what threads have done to shared memory since the last fence, and what is under way.
type fact struct {
	since    map[made]bool
	unfenced map[made]bool
	under    buffers.InFlight
}

// made is an access since the last barrier. An old one was made before some value that it rests on was made anew, so that the same values in a later access say nothing about the two: it was in
// an earlier iteration of a loop, or started there. One that has landed is the asynchronous part of the operation, where a wait has completed it; else it is what the operation does by itself.
type made struct {
	op          ir.Op
	old, landed bool
}

func join(a, b fact) fact {
	return fact{since: union(a.since, b.since), unfenced: union(a.unfenced, b.unfenced), under: a.under.Join(b.under)}
}

func union(a, b map[made]bool) map[made]bool {
	out := maps.Clone(a)
	if out == nil {
		out = make(map[made]bool, len(b))
	}
	maps.Copy(out, b)
	return out
}

func equal(a, b fact) bool {
	return maps.Equal(a.since, b.since) && maps.Equal(a.unfenced, b.unfenced) && maps.Equal(a.under, b.under)
}

type finder struct {
	buffers *buffers.Buffers
	cache   map[ir.Op]*touches
}

// Find returns the accesses that need a barrier in front of them, or a wait, each once and in the order of the text; barriers in front of all of them leave no other.
func Find(fn ir.Op, b *buffers.Buffers) ([]Hazard, *ir.Diagnostic) {
	f := &finder{buffers: b, cache: make(map[ir.Op]*touches)}
	if err := known(fn); err != nil {
		return nil, err
	}
	problem := dataflow.Dense[fact]{
		Join: join, Equal: equal, Boundary: func(ir.Block) fact { return fact{} },
		Transfer: func(op ir.Op, s fact) fact { s, _ = f.step(op, s); return s },
	}
	found := make(map[ir.Op]Hazard)
	problem.Forward(fn).Walk(func(op ir.Op, s fact) {
		if _, h := f.step(op, s); !h.Op.IsNil() {
			found[op] = h
		}
	})
	var out []Hazard
	fn.Walk(func(op ir.Op) ir.WalkResult {
		if h, ok := found[op]; ok {
			out = append(out, h)
		}
		return ir.Advance
	})
	return out, nil
}

// known reports an operation whose regions run nobody knows when.
func known(fn ir.Op) (err *ir.Diagnostic) {
	fn.Walk(func(op ir.Op) ir.WalkResult {
		if _, ok := ir.RegionBranch.Of(op); op == fn || ok || op.NumRegions() == 0 || op.HasTrait(ir.Pure) {
			return ir.Advance
		}
		err = op.Errorf("has regions of which it declares no control flow, so that barriers cannot be placed in it")
		return ir.Interrupt
	})
	return err
}

// synchronises reports whether all threads that run an operation meet there. Those of a role do at every barrier inside it, since all its warps come to it, and roles begin and
// end with all threads of the tile block. So on each way only accesses of one group of threads are compared; what two roles do at the same time is not looked at here.
func synchronises(op ir.Op) bool {
	return op.Is(tileas.Barrier) || op.Is(tileas.ClusterBarrier) || op.Is(tileas.Level.ClusterSync) || op.Is(tileas.WarpSpecialize) || op.Is(tileas.EndRole)
}

// step returns the fact behind an operation, in front of which a barrier stands if it needs one, and a fence, and what it conflicts with, if anything.
func (f *finder) step(op ir.Op, s fact) (fact, Hazard) {
	var h Hazard
	if synchronises(op) {
		if op.Is(tileas.Level.ClusterSync) { // other CTAs do not wait for what this one has under way
			h = f.underWay(op, f.of(op), s)
		}
		return fact{unfenced: s.unfenced, under: s.under}, h
	}
	t := f.of(op)
	if t.any() {
		h = f.against(op, t, s)
		if s.since == nil || !h.Op.IsNil() && !h.UnderWay {
			s.since = make(map[made]bool)
		}
		if h.Unfenced {
			s.unfenced = nil
		}
		if t.now {
			s.since = union(s.since, map[made]bool{{op: op}: true})
		}
		if m := (made{op: op}); t.fence {
			s.unfenced = behindFence(op, s.unfenced)
		} else if t.generic(m) {
			s.unfenced = union(s.unfenced, map[made]bool{m: true})
		}
	}
	if op.HasTrait(ir.Terminator) {
		left := ir.ExitTarget(op)
		if left.IsNil() {
			left = op.ParentOp()
		}
		s.since, s.unfenced = aged(left, s.since), aged(left, s.unfenced)
	}
	under, completes := s.under.Step(op)
	for _, c := range completes {
		m := made{c, true, true}
		s.since = union(s.since, map[made]bool{m: true})
		if f.of(c).generic(m) {
			s.unfenced = union(s.unfenced, map[made]bool{m: true})
		}
	}
	s.under = under
	return s, h
}

// aged makes the accesses inside an operation old when control leaves its region: values there are made anew when it comes back.
func aged(left ir.Op, since map[made]bool) map[made]bool {
	var out map[made]bool
	for m := range since {
		if m.old || !left.IsAncestorOf(m.op) {
			continue
		}
		if out == nil {
			out = maps.Clone(since)
		}
		delete(out, m)
		out[made{m.op, true, m.landed}] = true
	}
	if out == nil {
		return since
	}
	return out
}

// against looks for an earlier access that an operation conflicts with: first one that is under way.
func (f *finder) against(op ir.Op, t *touches, s fact) Hazard {
	if h := f.underWay(op, t, s); h.UnderWay {
		return h
	}
	if e := first(s.unfenced, func(m made) bool { return f.of(m.op).hiddenFrom(t, m) }); !e.IsNil() {
		return Hazard{Op: op, Earlier: e, Unfenced: true}
	}
	if e := first(s.since, func(m made) bool { return f.of(m.op).conflicts(t, m) }); !e.IsNil() {
		return Hazard{Op: op, Earlier: e}
	}
	return Hazard{}
}

// underWay looks for an access that is under way.
func (f *finder) underWay(op ir.Op, t *touches, s fact) Hazard {
	for earlier, queue := range s.under.InQueues() {
		if e := f.of(earlier); e.surelyMeets(t, queue) || e.surelyOrders(t, queue) {
			return Hazard{Op: op, Earlier: earlier, UnderWay: true}
		}
	}
	return Hazard{}
}

// first returns the first operation of accesses of which something holds.
func first(all map[made]bool, holds func(made) bool) (e ir.Op) {
	for m := range all {
		if (e.IsNil() || m.op.ID() < e.ID()) && holds(m) {
			e = m.op
		}
	}
	return e
}
