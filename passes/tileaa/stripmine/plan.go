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
	pulled   map[ir.Op]bool // what is made again in the loop for them
	before   ir.Op          // where the loop stands
	moved    []ir.Op        // what used results of the sinks and stood in front of that place; it comes behind the loop
	kind     strip.Kind     // of the scans in it
	accesses []ir.Op        // sinks and what is pulled that touch memory
}

// A plan is how a chain is cut along a class.
type plan struct {
	*chain
	id     int
	phases []*phase
	stage  []ir.Op        // loads that must happen once, in front: the plan stands only when they do
	pairs  []pair         // the writes that these must not be repeated behind
	stuck  ir.Op          // an operation that the plan fails at
	kept   map[ir.Op]bool // loads that are not cut and cannot be repeated
}

// planner walks the block with the phase that is open.
type planner struct {
	*plan
	open    *phase
	repeats int            // operations that were pulled
	tainted map[ir.Op]bool // operations in place that need what the open phase completes
	needs   map[ir.Op]bool // the same of what is pulled, by memory
	effects []ir.Op        // those with effects, so far
}

// plan plans a cut along a class.
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

// maxRepeats is how many times the operations of a chain its sinks may need together: a chain in which each store needs all before it would grow with the square.
const maxRepeats = 8

// sink reports whether an operation of the chain must be executed by a loop.
func (p *planner) sink(op ir.Op) bool {
	a, ok := p.axisIn(op, p.id)
	return ok && (collects(a) || ir.MayWrite(op) || !p.lazy(op))
}

// lazy reports whether an operation may be made again: it has no effects, or loads without being ordered against other threads.
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
	case cut: // made again where it is needed
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

// inPlace passes an operation that stays where it is.
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
	// Control may leave the block in an operation with regions, or use there what is complete.
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
	return p.tainted[def] || slices.Contains(p.open.sinks, def) || (p.pullable(def) || isTensor(v) && p.free(v)) && p.usesOpen(def)
}

// pullable reports whether an operation is made again in the loops: one that the class cuts and that is no sink, or one too large to be kept from loop to loop.
func (p *planner) pullable(op ir.Op) bool {
	if !p.member[op] || !p.lazy(op) {
		return false
	}
	if _, cut := p.axisIn(op, p.id); cut {
		return !p.sink(op)
	}
	return !p.kept[op] && p.repeatable(op)
}

// maxKept is how large a tensor may be, in words, that a loop does not cut and keeps in registers: eight of each thread of four warps.
const maxKept = 1024

// repeatable reports whether an operation that is not cut is better made again in each part than kept: its result is large, and comes from memory in a few steps.
func (p *planner) repeatable(op ir.Op) bool {
	if op.NumRegions() > 0 || op.NumResults() == 0 || !isTensor(op.Result(0)) || words(op.Result(0)) <= maxKept {
		return false
	}
	row, ok := strip.Rows.Of(op)
	if !ok || row.Combine != nil {
		return false
	}
	for _, v := range op.Operands() {
		if !isTensor(v) || p.free(v) || words(v) <= maxKept {
			continue
		}
		if def := v.DefiningOp(); def.IsNil() || def.Block() != p.block || !p.pullable(def) {
			return false
		}
	}
	return true
}

// addSink adds a sink to the open phase, or to a new one.
func (p *planner) addSink(op ir.Op) {
	if a, _ := p.axisIn(op, p.id); !collects(a) && slices.ContainsFunc(op.Results(), func(v ir.Value) bool { return isTensor(v) && v.HasUses() }) {
		p.stuck = op // it happens once, and its parts may be needed in several loops
		return
	}
	pulled := make(map[ir.Op]bool)
	p.pull(op, pulled)
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
	slices.SortFunc(o.accesses, inOrder)
	clear(p.needs)
	p.checkLoads(op, pulled)
}

// pull collects what must be made again for an operation.
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

// mixed stands for scans in both directions.
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

// checkLoads looks at what lies between the loads of a sink and the phase: what must come after a load and happens before it is made again asks for a copy of what was loaded.
func (p *planner) checkLoads(op ir.Op, pulled map[ir.Op]bool) {
	for _, x := range slices.SortedFunc(maps.Keys(pulled), inOrder) {
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

// close ends the open phase; its loop stands in front of an operation.
func (p *planner) close(before ir.Op) {
	if p.open == nil {
		return
	}
	p.open.before = before
	p.phases = append(p.phases, p.open)
	p.open = nil
}
