package rewrite

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/tilewright/tilewright/ir"
)

// A Config steers Apply. The zero Config is the usual one.
type Config struct {
	// MaxIterations bounds how often everything is looked at (default 10); the last time changes nothing when the
	// patterns converge.
	MaxIterations int
	// MaxRewrites bounds the number of changes (default 1000 and 100 for each operation), for patterns that undo each
	// other.
	MaxRewrites int
	// NoFold turns folding off, NoConstantHoisting the merging and moving of constants, NoErase the erasing of dead
	// operations.
	NoFold, NoConstantHoisting, NoErase bool
	// Trace, when set, is called after every change, with the operation that was changed. what is the name of a
	// pattern, or the name of a built-in step. Steps are "fold", "fold-in-place", "constant-to-the-right",
	// "hoist-constant", "merge-constant" and "erase-dead". Isolated operations are then handled one after the other.
	Trace func(what, op string, loc ir.Location)
	// More, when set, is asked before every change whether there may be another; when not, Apply ends as if a limit
	// was hit. Isolated operations are then handled one after the other, so that the changes come in the same order
	// each time.
	More func() bool
	// Workers is how many isolated operations are handled at the same time; 0: as many as there are processors.
	Workers int
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

// Apply applies patterns to everything inside root until none applies, folding and erasing dead operations on the
// way. Isolated operations inside are handled in parallel, each on its own, when what is around them is done; root
// itself is not rewritten. A pattern therefore changes nothing outside the isolated operation that its own is in, and
// looks into no other one.
func Apply(root ir.Op, patterns *Set, cfg Config) Result {
	if cfg.MaxIterations <= 0 {
		cfg.MaxIterations = 10
	}
	if cfg.Workers <= 0 {
		cfg.Workers = runtime.GOMAXPROCS(0)
	}
	if cfg.Trace != nil || cfg.More != nil {
		cfg.Workers = 1
	}
	return newDriver(patterns, cfg).apply(root)
}

// apply rewrites what is inside root, isolated operations included.
func (d *driver) apply(root ir.Op) Result {
	result := d.one(root)
	inner := isolatedIn(root)
	results := make([]Result, len(inner))
	if workers := min(d.cfg.Workers, len(inner)); workers > 1 {
		d.parallel(inner, results, workers)
	} else {
		for i, op := range inner {
			results[i] = d.apply(op)
		}
	}
	for _, r := range results {
		result.join(r)
	}
	return result
}

func (d *driver) parallel(ops []ir.Op, results []Result, workers int) {
	var next atomic.Int64
	var group sync.WaitGroup
	var panics ir.Panics
	for range workers {
		group.Go(func() {
			defer panics.Keep()
			worker := newDriver(d.set, d.cfg)
			// What is nested in one of them is handled by its worker, or each level would multiply the number of
			// goroutines.
			worker.cfg.Workers = 1
			for i := int(next.Add(1)) - 1; i < len(ops); i = int(next.Add(1)) - 1 {
				results[i] = worker.apply(ops[i])
			}
		})
	}
	group.Wait()
	panics.Again()
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

// A driver rewrites what is in one arena inside root, one root after the other.
type driver struct {
	set       *Set
	cfg       Config
	root      ir.Op
	rw        *Rewriter
	constants constants
	result    Result
	budget    int  // changes that are left
	isolated  bool // nothing inside root uses what is outside

	made     []ir.Op        // constants made for the fold in progress
	operands []ir.Attribute // of the fold in progress
	values   []ir.Value

	work   []ir.Op // a stack
	around []ir.Op // of which something inside was erased, to be looked at when work is empty
	queued []bool  // by operation number: is on work or around
}

func newDriver(patterns *Set, cfg Config) *driver {
	return &driver{set: patterns, cfg: cfg}
}

// one rewrites what is inside root, without what is inside isolated operations there.
func (d *driver) one(root ir.Op) Result {
	d.root, d.isolated, d.budget = root, root.HasTrait(ir.IsolatedFromAbove), 0
	d.result = Result{Applied: make(map[string]int)}
	d.constants.reset(root)
	d.rw = NewRewriter(ir.NewBuilder(root.InnerArena()), Listener{Inserted: d.push, Modified: d.push, Erasing: d.erasing})
	d.run()
	for _, op := range slices.Concat(d.work, d.around) { // left when a limit was hit
		d.queued[op.ID()] = false
	}
	d.work, d.around = d.work[:0], d.around[:0]
	d.result.Changed = d.rw.changes > 0
	return d.result
}

func (d *driver) run() {
	for d.result.Iterations < d.cfg.MaxIterations {
		d.result.Iterations++
		n := d.collect()
		if d.budget == 0 {
			d.budget = d.cfg.MaxRewrites
			if d.budget <= 0 {
				// In proportion to what there is: a fixed number would stop large programs, and without one two
				// patterns that undo each other never end.
				d.budget = 1000 + 100*n
			}
		}
		before := d.rw.changes
		// A stack and no queue: what a rewrite made or touched is looked at next, while the chain that it belongs to
		// is short.
		for d.takeAround(); len(d.work) > 0; d.takeAround() {
			op := d.work[len(d.work)-1]
			d.work = d.work[:len(d.work)-1]
			d.queued[op.ID()] = false
			if op.Erased() || op.Block().IsNil() {
				continue
			}
			if d.cfg.More != nil && !d.cfg.More() {
				return
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

// takeAround puts what waits for it on the worklist once that is empty. To look at an operation costs as much as
// there is inside it, so that is done once for all that is erased there and not each time.
func (d *driver) takeAround() {
	if len(d.work) == 0 {
		d.work, d.around = d.around, d.work
	}
}

// collect puts everything inside root on the worklist, so that what stands first is taken first.
func (d *driver) collect() int {
	d.collectIn(d.root)
	slices.Reverse(d.work)
	return len(d.work)
}

func (d *driver) collectIn(owner ir.Op) {
	for i := range owner.NumRegions() {
		for b := range owner.Region(i).Blocks() {
			for op := b.First(); !op.IsNil(); op = op.Next() {
				d.push(op)
				if op.NumRegions() > 0 && !op.HasTrait(ir.IsolatedFromAbove) {
					d.collectIn(op)
				}
			}
		}
	}
}

func (d *driver) push(op ir.Op) { d.pushOn(&d.work, op) }

func (d *driver) pushOn(list *[]ir.Op, op ir.Op) {
	id := op.ID()
	// Another arena is that of an isolated operation, which another worker may be at.
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
		*list = append(*list, op)
	}
}

// erasing puts what the erasure may make dead on the worklist, and the operation around it, which may become simpler.
func (d *driver) erasing(op ir.Op) {
	d.unused(op)
	if p := op.ParentOp(); !p.IsNil() {
		d.pushOn(&d.around, p)
	}
}

// unused puts what defines the operands of op, and of what is inside it, on the worklist.
func (d *driver) unused(op ir.Op) {
	for i := range op.NumOperands() {
		if v := op.Operand(i); !v.IsNil() {
			if def := v.DefiningOp(); !def.IsNil() {
				d.push(def)
			}
		}
	}
	if op.NumRegions() == 0 || op.HasTrait(ir.IsolatedFromAbove) {
		return
	}
	for i := range op.NumRegions() {
		for b := range op.Region(i).Blocks() {
			for inner := b.First(); !inner.IsNil(); inner = inner.Next() {
				d.unused(inner)
			}
		}
	}
}

// visit changes op in one way, if any applies.
func (d *driver) visit(op ir.Op) bool {
	def := op.Def()
	if d.cfg.Trace == nil {
		return d.change(op, def) != ""
	}
	loc := op.Loc()
	what := d.change(op, def)
	if what != "" {
		d.cfg.Trace(what, def.FullName(), loc)
	}
	return what != ""
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
			// The driver would take the IR for converged, and analyses for valid, that are not.
			panic("rewrite: pattern " + p.Name + " changed the IR but reports that it did not")
		}
	}
	return ""
}
