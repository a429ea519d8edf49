package specializewarps

import (
	"maps"
	"math"
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/analysis/tokens"
	"github.com/tilewright/tilewright/passes/machine/cost"
	"github.com/tilewright/tilewright/passes/schedule"
)

// A role that starts loads or copies may read from a table where they are:
//
//	for %i { %page = load %table[%i] ; tma_load %keys[%page] }
//
// Memory takes longer than the iteration, as a rule. So the role reads as many iterations ahead as hide that:
//
//	if there is an iteration {
//	  for %i iter_args(%page = load %table[first], %next = load %table[second]) {
//	    %later = load %table[%i + 2] ; tma_load %keys[%page] ; continue %next, %later
//	  }
//	}
//
// An iteration that does not exist reads what the present one did.

// A table is what a role reads in each iteration of a loop.
type table struct {
	reads []ir.Op // in the order of the text
	needs []ir.Op // these, and what they are computed from in the loop
	ahead int     // iterations
}

// findTables finds what a role can read ahead in the loop of a group.
func (p *plan) findTables(s *slice, g *group) {
	loop := g.block.ParentOp()
	if g.once() || !loop.Is(scf.For) || s.tables[loop] != nil {
		return
	}
	step, ok := ir.ConstantValue(loop.Operand(2)).(*ir.IntegerAttr)
	if !ok || step.Value >= math.MaxInt32/mostStages {
		return
	}
	t := &table{}
	t.reads = ir.Filter(slices.Collect(g.block.Ops()), func(op ir.Op) bool {
		after := tokens.After(op)
		return s.live[op] && repeatable(op) && needsOf(g.block, op) != nil && (s != p.compute || after.IsNil() || !after.HasUses())
	})
	latency := 0
	for _, op := range t.reads {
		latency = max(latency, p.model.Of(op).Latency)
		t.needs = append(t.needs, needsOf(g.block, op)...)
	}
	slices.SortFunc(t.needs, ir.Op.CompareInBlock)
	if t.needs = slices.Compact(t.needs); len(t.reads) > 0 {
		cycles := p.cyclesIn(g.block)
		t.ahead = min(max(1, (latency+cycles-1)/cycles), mostStages)
		s.tables[loop] = t
	}
}

// needsOf returns a read of a loop, and what it is computed from in the loop; nil if an earlier iteration decides on that,
// or another read.
func needsOf(body ir.Block, read ir.Op) (needs []ir.Op) {
	work := ir.NewWorklist(read)
	for op := range work.All() {
		needs = append(needs, op)
		for _, v := range ir.Inputs(op) {
			def := v.DefiningOp()
			switch {
			case v == body.Arg(0) || def.IsNil() && v.Block() != body || !def.IsNil() && def.Block() != body:
			case def.IsNil(), !ir.IsPure(def):
				return nil
			default:
				work.Add(def)
			}
		}
	}
	return needs
}

// readAhead lets consumers beside an MMA warp read ahead what they compute with, as scales: what they load after they have
// waited for an MMA comes later than the next one by the latency of memory. They take registers for it as far as there are
// any.
func (p *plan) readAhead() {
	if p.chains == nil {
		return
	}
	for _, g := range p.groups {
		p.findTables(p.compute, g)
	}
	if len(p.compute.tables) == 0 {
		return
	}
	left := p.forTensors() - p.tensors()
	maps.DeleteFunc(p.compute.tables, func(_ ir.Op, t *table) bool {
		return t.ahead*ir.Sum(t.reads, func(op ir.Op) int { return schedule.Registers(op.Result(0)) }) > left
	})
}

// cyclesIn returns how many cycles the busiest unit takes for an iteration of a loop; 1 at least.
func (p *plan) cyclesIn(b ir.Block) int {
	var all cost.Timing
	for op := range b.Ops() {
		all.Add(p.model.Of(op), 1)
	}
	return max(1, all.Work())
}

// tableLoop rebuilds a loop in which the role reads ahead.
func (w *writer) tableLoop(op ir.Op, t *table) {
	kept, src := w.carried(op), op.Body()
	bounds, inits := ir.Map(op.Operands()[:scf.NumBounds], w.m.Lookup), w.picked(op.Operands()[scf.NumBounds:], kept)
	w.bind(op.Results(), kept, w.choose(w.runs(op), op, inits, func() []ir.Value {
		var read []ir.Value
		for k := range t.ahead {
			read = append(read, w.read(t, w.later(op, bounds, bounds[0], k))...)
		}
		loop := scf.CreateLoopLike(w.b, op, bounds, slices.Concat(inits, read))
		w.in(loop.Body(), op, func() {
			args := loop.Body().Args()
			w.bind(src.Args()[1:], kept, args[1:])
			now := args[1+len(kept):]
			later := w.read(t, w.later(op, bounds, args[0], t.ahead))
			for i, read := range t.reads {
				w.instead[read] = func() { w.m.Values[read.Result(0)] = now[i] }
			}
			w.m.Values[src.Arg(0)] = args[0]
			w.block(src)
			w.b.Loc = src.Last().Loc()
			w.b.Create(scf.Continue, slices.Concat(w.picked(src.Last().Operands(), kept), now[len(t.reads):], later), nil)
		})
		return loop.Results()[:len(kept)]
	}))
}

// later returns the counter so many iterations after one, or its own if there is no such iteration.
func (w *writer) later(loop ir.Op, bounds []ir.Value, counter ir.Value, iterations int) ir.Value {
	step, _ := ir.ConstantValue(loop.Operand(2)).(*ir.IntegerAttr) // findTables has seen it
	of := scf.Bounds{Lower: bounds[0], Upper: bounds[1], Step: bounds[2], Less: scf.Less(loop)}
	_, ahead := of.Ahead(w.b, counter, arith.NewInt(w.b, counter.Type(), int64(iterations)*step.Value))
	return ahead
}

// read reads a table for the iteration with a counter.
func (w *writer) read(t *table, counter ir.Value) []ir.Value {
	made := map[ir.Value]ir.Value{t.reads[0].Block().Arg(0): counter}
	for _, op := range t.needs {
		again := w.b.CloneWith(op, func(v ir.Value) ir.Value {
			if m, ok := made[v]; ok {
				return m
			}
			return w.m.Lookup(v)
		})
		w.inOneWarp(again)
		for i, r := range op.Results() {
			made[r] = again.Result(i)
		}
	}
	return ir.Map(t.reads, func(op ir.Op) ir.Value { return made[op.Result(0)] })
}
