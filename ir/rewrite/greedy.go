package rewrite

import "github.com/tilewright/tilewright/ir"

// A Config steers Apply. The zero Config is the usual one.
type Config struct {
	// MaxIterations bounds how often everything is looked at (default 10); the last time changes nothing when the patterns converge.
	MaxIterations int
	// MaxRewrites bounds the number of changes (default 1000 and 100 for each operation), for patterns that undo each other.
	MaxRewrites int
	// NoFold turns folding off, NoConstantHoisting the merging and moving of constants, NoErase the erasing of dead operations.
	NoFold, NoConstantHoisting, NoErase bool
	// Trace, when set, is told of every change when it has been made: the name of a pattern, or one of "fold", "fold-in-place",
	// "constant-to-the-right", "hoist-constant", "merge-constant" and "erase-dead", and the operation that it was made to.
	Trace func(what, op string, loc ir.Location)
}

// A Result says what Apply did.
type Result struct {
	Changed bool
	// Converged is false when a limit of the Config was hit.
	Converged  bool
	Iterations int
	// Applied counts the rewrites of each pattern by its name; Folded and Erased what the driver did itself.
	Applied        map[string]int
	Folded, Erased int
}

func (r *Result) join(o Result) {
	r.Changed = r.Changed || o.Changed
	r.Converged = r.Converged && o.Converged
	r.Iterations = max(r.Iterations, o.Iterations)
	r.Folded += o.Folded
	r.Erased += o.Erased
	for name, n := range o.Applied {
		r.Applied[name] += n
	}
}

// Apply applies patterns to everything inside root until none applies, folding and erasing dead operations on the way. Isolated
// operations inside are handled one after the other, each on its own; root itself is not rewritten.
func Apply(root ir.Op, patterns *Set, cfg Config) Result {
	if cfg.MaxIterations <= 0 {
		cfg.MaxIterations = 10
	}
	d := &driver{root: root, set: patterns, cfg: cfg, constants: newConstants(root), isolated: root.HasTrait(ir.IsolatedFromAbove)}
	d.result.Applied = make(map[string]int)
	d.rw = NewRewriter(ir.NewBuilder(root.InnerArena()), Listener{Inserted: d.push, Modified: d.push, Erasing: d.erasing})
	d.run()
	d.result.Changed = d.rw.changes > 0
	for _, inner := range isolatedIn(root) {
		d.result.join(Apply(inner, patterns, cfg))
	}
	return d.result
}

// isolatedIn returns the isolated operations inside root that are not inside others.
func isolatedIn(root ir.Op) (out []ir.Op) {
	root.Walk(func(op ir.Op) ir.WalkResult {
		if op == root || !op.HasTrait(ir.IsolatedFromAbove) {
			return ir.Advance
		}
		out = append(out, op)
		return ir.SkipBelow
	})
	return out
}

// A driver rewrites what is in one arena inside root.
type driver struct {
	root      ir.Op
	set       *Set
	cfg       Config
	rw        *Rewriter
	constants *constants
	result    Result
	budget    int  // changes that are left
	isolated  bool // nothing inside root uses what is outside

	made []ir.Op // constants made for the fold in progress

	work   []ir.Op // a stack
	queued []bool  // by operation number: is on work
}

func (d *driver) run() {
	for d.result.Iterations < d.cfg.MaxIterations {
		d.result.Iterations++
		n := d.collect()
		if d.budget == 0 {
			d.budget = d.cfg.MaxRewrites
			if d.budget <= 0 {
				d.budget = 1000 + 100*n
			}
		}
		before := d.rw.changes
		for len(d.work) > 0 {
			op := d.work[len(d.work)-1]
			d.work = d.work[:len(d.work)-1]
			d.queued[op.ID()] = false
			if op.Erased() || op.Block().IsNil() {
				continue
			}
			if d.visit(op) {
				if d.budget--; d.budget == 0 {
					return
				}
			}
		}
		if d.rw.changes == before {
			d.result.Converged = true
			return
		}
	}
}

// collect puts everything inside root on the worklist, so that what stands first is taken first.
func (d *driver) collect() int {
	d.root.Walk(func(op ir.Op) ir.WalkResult {
		if op == d.root {
			return ir.Advance
		}
		d.push(op)
		if op.HasTrait(ir.IsolatedFromAbove) {
			return ir.SkipBelow
		}
		return ir.Advance
	})
	for i, j := 0, len(d.work)-1; i < j; i, j = i+1, j-1 {
		d.work[i], d.work[j] = d.work[j], d.work[i]
	}
	return len(d.work)
}

func (d *driver) push(op ir.Op) {
	id := op.ID()
	if op == d.root || op.Arena() != d.rw.Arena() {
		return
	}
	if !d.isolated && !d.root.IsAncestorOf(op) {
		return // an operand is defined outside root
	}
	if id >= len(d.queued) {
		d.queued = append(d.queued, make([]bool, max(id+1-len(d.queued), len(d.queued)))...)
	}
	if !d.queued[id] {
		d.queued[id] = true
		d.work = append(d.work, op)
	}
}

// erasing puts what the erasure may make dead on the worklist, and the operation around it, which may become simpler.
func (d *driver) erasing(op ir.Op) {
	op.Walk(func(inner ir.Op) ir.WalkResult {
		for i := range inner.NumOperands() {
			if v := inner.Operand(i); !v.IsNil() {
				if def := v.DefiningOp(); !def.IsNil() {
					d.push(def)
				}
			}
		}
		if inner.HasTrait(ir.IsolatedFromAbove) {
			return ir.SkipBelow
		}
		return ir.Advance
	})
	if p := op.ParentOp(); !p.IsNil() {
		d.push(p)
	}
}

// visit changes op in one way, if any applies.
func (d *driver) visit(op ir.Op) bool {
	def := op.Def()
	loc := ir.Location(nil)
	if d.cfg.Trace != nil {
		loc = op.Loc()
	}
	what := d.change(op, def)
	if what == "" {
		return false
	}
	if d.cfg.Trace != nil {
		d.cfg.Trace(what, def.FullName(), loc)
	}
	return true
}

// change changes op and returns what it did; "" for nothing.
func (d *driver) change(op ir.Op, def *ir.OpDef) string {
	if !d.cfg.NoErase && ir.IsTriviallyDead(op) {
		d.rw.Erase(op)
		d.result.Erased++
		return "erase-dead"
	}
	if !d.cfg.NoFold {
		if what := d.fold(op, def); what != "" {
			d.result.Folded++
			return what
		}
	}
	for _, p := range d.set.of(def) {
		d.rw.SetInsertionPointBefore(op)
		d.rw.SetLocOf(op)
		before := d.rw.changes
		if p.Rewrite(op, d.rw) {
			d.result.Applied[p.Name]++
			return p.Name
		}
		if d.rw.changes != before {
			panic("rewrite: pattern " + p.Name + " changed the IR but reports that it did not")
		}
	}
	return ""
}
