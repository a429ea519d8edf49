package stripmine

import (
	"maps"
	"slices"

	"github.com/tilewright/tilewright/dialects/tileaa/strip"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/analysis/tokens"
)

// A phase is one loop over the parts of a class.
type phase struct {
	sinks    []ir.Op
	pulled   map[ir.Op]bool // what is rematerialized in the loop for them
	before   ir.Op          // where the loop is
	moved    []ir.Op        // what used results of the sinks and was before that place; it comes after the loop
	kind     strip.Kind     // of the scans in it
	accesses []ir.Op        // sinks and what is pulled that touch memory
}

// A plan is how a chain is split along one class.
type plan struct {
	*chain
	id     int
	phases []*phase
	stage  []ir.Op        // loads that must happen once, before the loops: the plan is valid only if they do
	pairs  []pair         // the writes that these must not be repeated after
	stuck  ir.Op          // an operation that the plan fails at
	kept   map[ir.Op]bool // loads that are not split and cannot be repeated
}

// A planner walks the block, with the phase that is open.
type planner struct {
	*plan
	open    *phase
	repeats int            // operations that were pulled
	tainted map[ir.Op]bool // operations in place that need what the open phase completes
	needs   map[ir.Op]bool // the same of what is pulled, by memory
	effects []ir.Op        // those with effects, so far
}

// plan plans a split along a class. A walk may find loads that must be kept, which changes what can be pulled, so
// it is repeated until it finds no other.
func (c *chain) plan(id int) *plan {
	kept := make(map[ir.Op]bool)
	for {
		n := len(kept)
		if p := c.walk(id, kept); len(kept) == n {
			return p
		}
	}
}

// walk plans with what must be kept, and adds to that.
func (c *chain) walk(id int, kept map[ir.Op]bool) *plan {
	p := &planner{plan: &plan{chain: c, id: id, kept: kept}}
	first, last := c.ops[0], c.ops[len(c.ops)-1]
	for op := first; ; op = op.Next() {
		p.visit(op)
		if !p.stuck.IsNil() {
			return p.plan
		}
		if op == last {
			p.close(op.Next())
			return p.plan
		}
	}
}

// maxRepeats is how many times the operations of a chain its sinks may need together: a chain in which each store
// needs all before it would grow with the square.
const maxRepeats = 8

// sink reports whether an operation of the chain must be executed by a loop.
func (p *planner) sink(op ir.Op) bool {
	a, ok := p.axisIn(op, p.id)
	return ok && (collects(a) || ir.MayWrite(op) || !p.lazy(op))
}

// lazy reports whether an operation may be rematerialized: it has no effects, or loads without being ordered against
// other threads.
func (m *miner) lazy(op ir.Op) bool {
	return ir.HasNoEffects(op) || !ir.MayWrite(op) && (tokens.Access(op) || m.carrier(op) != nil)
}

// collects reports whether an axis makes one result of all parts.
func collects(a strip.Axis) bool { return a.Kind == strip.Reduced || a.Kind == strip.Summed }

func (p *planner) visit(op ir.Op) {
	_, cut := p.axisIn(op, p.id)
	cut = cut && p.member[op]
	switch {
	case cut && p.sink(op):
		p.addSink(op)
	case cut: // rematerialized where it is needed
		if p.open != nil && slices.ContainsFunc(p.open.accesses, func(x ir.Op) bool { return !ir.HasNoEffects(op) && !p.mayPass(x, op) }) {
			p.close(op)
		}
	default:
		p.inPlace(op)
	}
	if !ir.HasNoEffects(op) {
		p.effects = append(p.effects, op)
	}
}

// inPlace visits an operation that stays in place.
func (p *planner) inPlace(op ir.Op) {
	if p.open == nil {
		return
	}
	if op.NumRegions() == 0 && op.HasTrait(ir.Pure) && !op.HasTrait(ir.Terminator) {
		if p.usesOpen(op) {
			p.tainted[op] = true
			p.open.moved = append(p.open.moved, op)
		}
		return
	}
	// Control may leave the block in an operation with regions, and such an operation may use what the phase
	// completes. So the loop must be complete before it.
	stays := op.NumRegions() > 0 || op.HasTrait(ir.Terminator) || p.usesOpen(op)
	stays = stays || !ir.HasNoEffects(op) && slices.ContainsFunc(p.open.accesses, func(x ir.Op) bool { return p.mustFollow(x, op) })
	if stays {
		p.close(op)
	}
}

// usesOpen reports whether an operation needs, itself or by what would be pulled for it, what the open phase completes.
func (p *planner) usesOpen(op ir.Op) bool {
	if known, ok := p.needs[op]; ok {
		return known
	}
	p.needs[op] = false
	op.Walk(func(inner ir.Op) ir.WalkResult {
		if slices.ContainsFunc(inner.Operands(), p.fromOpen) {
			p.needs[op] = true
			return ir.Interrupt
		}
		return ir.Advance
	})
	return p.needs[op]
}

// fromOpen reports whether a value is what the open phase completes, or is made from that.
func (p *planner) fromOpen(v ir.Value) bool {
	def := v.DefiningOp()
	if tokens.Is(v) || def.IsNil() || def.Block() != p.block {
		return false
	}
	return p.tainted[def] || slices.Contains(p.open.sinks, def) || (p.pullable(def) || ir.IsTensor(v) && p.free(v)) && p.usesOpen(def)
}

// pullable reports whether an operation is rematerialized in the loops. The class splits it and it is no sink, or
// its result is too large to keep from loop to loop.
func (p *planner) pullable(op ir.Op) bool {
	if !p.member[op] || !p.lazy(op) {
		return false
	}
	if _, cut := p.axisIn(op, p.id); cut {
		return !p.sink(op)
	}
	return !p.kept[op] && p.repeatable(op)
}

// maxKept is how large a tensor may be, in words, that a loop does not split and keeps in registers: eight of each
// thread of four warps.
const maxKept = 1024

// repeatable reports whether it is better to rematerialize an unsplit operation in each part than to keep its
// result. That is so if the result is large, and comes from memory in a few steps.
func (p *planner) repeatable(op ir.Op) bool {
	if op.NumRegions() > 0 || op.NumResults() == 0 || !ir.IsTensor(op.Result(0)) || words(op.Result(0)) <= maxKept {
		return false
	}
	row, ok := strip.Rows.Of(op)
	if !ok || row.Combine != nil {
		return false
	}
	for _, v := range op.Operands() {
		if !ir.IsTensor(v) || p.free(v) || words(v) <= maxKept {
			continue
			// An operand that is itself pullable is rematerialized too, so the result still comes from memory.
		}
		if def := v.DefiningOp(); def.IsNil() || def.Block() != p.block || !p.pullable(def) {
			return false
		}
	}
	return true
}

// addSink adds a sink to the open phase, or to a new one.
func (p *planner) addSink(op ir.Op) {
	if a, _ := p.axisIn(op, p.id); !collects(a) && slices.ContainsFunc(op.Results(), func(v ir.Value) bool { return ir.IsTensor(v) && v.HasUses() }) {
		p.stuck = op // it is executed once, and several loops may need its parts
		return
	}
	pulled := make(map[ir.Op]bool)
	p.pull(op, pulled)
	// Pulled operations are repeated in each phase.
	if p.repeats += len(pulled); p.repeats > maxRepeats*len(p.ops) {
		p.stuck = op
		return
	}
	kind := p.orderOf(pulled)
	if kind == mixed {
		p.stuck = op
		return
	}
	if p.open != nil && !p.joins(op, pulled, kind) {
		p.close(op)
	}
	if p.open == nil {
		p.open = &phase{pulled: make(map[ir.Op]bool)}
		p.tainted, p.needs = make(map[ir.Op]bool), make(map[ir.Op]bool)
	}
	o := p.open
	if kind != strip.Parallel {
		o.kind = kind
	}
	o.sinks = append(o.sinks, op)
	for x := range pulled {
		o.pulled[x] = true
	}
	o.accesses = o.accesses[:0]
	for x := range o.pulled {
		if !ir.HasNoEffects(x) {
			o.accesses = append(o.accesses, x)
		}
	}
	for _, x := range o.sinks {
		if !ir.HasNoEffects(x) {
			o.accesses = append(o.accesses, x)
		}
	}
	slices.SortFunc(o.accesses, ir.Op.CompareInBlock)
	clear(p.needs)
	p.checkLoads(op, pulled)
}

// pull collects what must be rematerialized for an operation.
func (p *planner) pull(op ir.Op, pulled map[ir.Op]bool) {
	a, _ := p.axisIn(op, p.id)
	for _, v := range p.tensorsUsed(op) {
		if a.Kind == strip.Summed && v == op.Operand(strip.Into) {
			continue // it is there before the loop
		}
		if def := v.DefiningOp(); !def.IsNil() && def.Block() == p.block && !pulled[def] && p.pullable(def) {
			pulled[def] = true
			p.pull(def, pulled)
		}
	}
}

// mixed means scans in both directions.
const mixed strip.Kind = 255

// orderOf returns the order that scans among operations need.
func (p *planner) orderOf(ops map[ir.Op]bool) strip.Kind {
	kind := strip.Parallel
	for op := range ops {
		if a, ok := p.axisIn(op, p.id); ok && a.Kind != strip.Parallel {
			if kind != strip.Parallel && kind != a.Kind {
				return mixed
			}
			kind = a.Kind
		}
	}
	return kind
}

// joins reports whether a sink can be in the open phase.
func (p *planner) joins(op ir.Op, pulled map[ir.Op]bool, kind strip.Kind) bool {
	if kind != strip.Parallel && p.open.kind != strip.Parallel && kind != p.open.kind || p.usesOpen(op) {
		return false
	}
	if !ir.HasNoEffects(op) && slices.ContainsFunc(p.open.accesses, func(x ir.Op) bool { return !p.mayPass(x, op) }) {
		return false
	}
	for x := range pulled {
		if ir.HasNoEffects(x) || p.open.pulled[x] {
			continue
		}
		for _, s := range p.open.sinks {
			if ir.HasNoEffects(s) {
				continue
			}
			if s.IsBeforeInBlock(x) && !p.mayPass(s, x) || x.IsBeforeInBlock(s) && !p.mayPass(x, s) {
				return false
			}
		}
	}
	return true
}

// checkLoads looks at what is between the loads of a sink and the phase. If an access must come after a load, and
// would happen before the load is repeated, the tile must be kept.
func (p *planner) checkLoads(op ir.Op, pulled map[ir.Op]bool) {
	for _, x := range slices.SortedFunc(maps.Keys(pulled), ir.Op.CompareInBlock) {
		if ir.HasNoEffects(x) {
			continue
		}
		add := func(write ir.Op) {
			if pr := (pair{x, write}); !slices.Contains(p.pairs, pr) {
				p.pairs = append(p.pairs, pr)
			}
		}
		if !ir.HasNoEffects(op) && !p.mayPass(x, op) {
			add(op)
		}
		for i := len(p.effects) - 1; i >= 0 && x.IsBeforeInBlock(p.effects[i]); i-- {
			u := p.effects[i]
			switch {
			case slices.Contains(p.open.sinks, u):
				if !p.mayPass(x, u) {
					add(u)
				}
			case u != x && !p.lazyLoad(u) && p.mustFollow(x, u):
				add(u)
			}
		}
		// A load that is not split is kept in registers or as a tile. One that is split goes to memory of the CTA
		// (stage).
		bad := slices.ContainsFunc(p.pairs, func(pr pair) bool { return pr.load == x })
		switch _, cut := p.axisIn(x, p.id); {
		case bad && !cut:
			p.kept[x] = true
		case bad && !tokens.Access(x):
			p.stuck = x
		case bad && !slices.Contains(p.stage, x):
			p.stage = append(p.stage, x)
		}
	}
}

// lazyLoad reports whether an operation is a load of the chain that moves to the loops itself.
func (p *planner) lazyLoad(op ir.Op) bool { return p.pullable(op) && !ir.HasNoEffects(op) }

// close ends the open phase; its loop is placed before an operation.
func (p *planner) close(before ir.Op) {
	if p.open == nil {
		return
	}
	p.open.before = before
	p.phases = append(p.phases, p.open)
	p.open = nil
}
