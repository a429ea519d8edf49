package partitioncluster

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/dialects/tileaa/strip"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/analysis/tokens"
)

// A form is how a CTA has a value: replicated, or its part along a dimension.
type form int

const replicated form = -1

// A variant is how an operation is executed: replicated, or partitioned along one of its axes.
type variant int

const uncut variant = -1

// A wanted is a value in the form that some operation needs.
type wanted struct {
	v ir.Value
	f form
}

// A plan says in which variants each operation of a kernel is executed.
type plan struct {
	*kernel
	variants map[ir.Op][]variant
	merged   map[*merge]form
	chosen   map[ir.Op]variant // of sinks
	joined   map[ir.Op]bool    // reductions and scans that CTAs do together
	slices   map[wanted]bool   // parts that are taken out of replicated values
	gathers  map[ir.Value]form // partitioned values that all CTAs gather
	shared   map[ir.Op]bool    // what the first CTA executes, with results for all
	seen     map[wanted]bool
	syncs    map[ir.Op][]ir.Op // accesses before which the cluster synchronizes, and others whose tokens those take
	reason   string            // why there is no such plan; "" when there is
}

// try makes the plan for the choices of the first sinks, ignoring the others. joined are the reductions and scans
// that CTAs do jointly.
func (k *kernel) try(choices []variant, joined map[ir.Op]bool) *plan {
	p := &plan{kernel: k, variants: make(map[ir.Op][]variant), chosen: make(map[ir.Op]variant), joined: joined, merged: make(map[*merge]form), slices: make(map[wanted]bool),
		gathers: make(map[ir.Value]form), shared: make(map[ir.Op]bool), syncs: make(map[ir.Op][]ir.Op), seen: make(map[wanted]bool)}
	for i, v := range choices {
		p.chosen[k.sinks[i]] = v
	}
	// Partitioned sinks first: the first form in which a merge is wanted is the form that it gets.
	for i, v := range choices {
		if v != uncut {
			p.use(k.sinks[i], v)
		}
	}
	for i, v := range choices {
		if v == uncut {
			p.use(k.sinks[i], uncut)
		}
	}
	for _, op := range k.control {
		for i, v := range op.Operands() {
			if len(k.into[flowOperand{op, i}]) == 0 {
				p.want(v, replicated)
			}
		}
	}
	// What nothing needs is still carried, and must have a form.
	for _, m := range k.merges {
		if _, ok := p.merged[m]; !ok {
			p.merge(m, replicated)
		}
	}
	return p
}

func (p *plan) fail(format string, args ...any) {
	if p.reason == "" {
		p.reason = fmt.Sprintf(format, args...)
	}
}

// use executes an operation in a variant, which determines the forms of its operands.
func (p *plan) use(op ir.Op, k variant) {
	for _, have := range p.variants[op] {
		if have == k {
			return
		}
	}
	p.variants[op] = append(p.variants[op], k)
	if p.reason != "" {
		return
	}
	if len(p.variants[op]) > 1 && !ir.HasNoEffects(op) && (p.isSink[op] || tile.IsOrdered(op)) {
		p.fail("'%s' is needed both in parts and replicated, and must happen once", op.Name())
		return
	}
	for i, v := range op.Operands() {
		f := replicated
		if k != uncut {
			f = form(p.axes(op)[k].Dim(false, i))
		}
		p.want(v, f)
	}
	if op.NumRegions() > 0 { // of reductions: scalars from outside
		op.Walk(func(inner ir.Op) ir.WalkResult {
			for _, v := range inner.Operands() {
				if inner != op && !op.IsAncestorOf(v.Block().ParentOp()) && v.Block().ParentOp() != op {
					p.want(v, replicated)
				}
			}
			return ir.Advance
		})
	}
}

// want requires a value in a form.
func (p *plan) want(v ir.Value, f form) {
	w := wanted{v, f}
	if p.reason != "" || p.seen[w] || tokens.Is(v) {
		return
	}
	p.seen[w] = true
	if m := p.mergeOf[v]; m != nil {
		switch have, ok := p.merged[m]; {
		case !ok:
			p.merge(m, f)
		case have == f:
		case have == replicated:
			p.slice(w)
		default:
			p.gather(v, have, f)
		}
		return
	}
	op := v.DefiningOp()
	switch {
	case op.IsNil(): // a parameter
		return
	case p.isSink[op]:
		p.wantOfSink(op, v, f)
		return
	// The operands of a joint reduction are partitioned in any case. Only its result is in another form.
	case p.joined[op]:
		k := p.across(op)
		p.use(op, k)
		if d := form(p.axes(op)[k].Dim(true, v.Index())); d == replicated && f != replicated {
			p.slice(w)
		} else if d != f {
			p.gather(v, d, f)
		}
		return
	case f == replicated:
		p.use(op, uncut)
		return
	}
	for k, a := range p.axes(op) {
		if a.Kind == strip.Parallel && a.Dim(true, v.Index()) == int(f) && p.divides(op, a) {
			p.use(op, variant(k))
			return
		}
	}
	// No axis of the operation has this dimension: all of it is computed, and a subtile taken out.
	p.slice(w)
}

// slice takes a part out of a replicated value.
func (p *plan) slice(w wanted) {
	p.slices[w] = true
	if p.divisible(w) {
		p.want(w.v, replicated)
	}
}

func (p *plan) divisible(w wanted) bool {
	t := w.v.Type().(*ir.TensorType)
	n := int64(p.ctas)
	if t.Shape[w.f]%n != 0 {
		p.fail("%d elements cannot be partitioned among %d CTAs", t.Shape[w.f], n)
	}
	return t.Shape[w.f]%n == 0
}

// merge fixes the form of what control flow merges.
func (p *plan) merge(m *merge, f form) {
	p.merged[m] = f
	for _, v := range m.sources {
		if f != replicated && tile.Shape(v.Type())[f]%int64(p.ctas) != 0 {
			p.fail("what '%s' carries cannot be partitioned among %d CTAs", m.by.Name(), p.ctas)
		}
		// A value of a loop may be among its own sources; seen ends the recursion.
		p.want(v, f)
	}
}

// divides reports whether all dimensions of an axis can be partitioned among the CTAs.
func (k *kernel) divides(op ir.Op, a strip.Axis) bool {
	for _, d := range a.Dims {
		v := ir.Value{}
		if d.Result {
			v = op.Result(d.Index)
		} else {
			v = op.Operand(d.Index)
		}
		if tile.Shape(v.Type())[d.Dim]%int64(k.ctas) != 0 {
			return false
		}
	}
	if runs, ok := op.Attr(tile.AttrRuns).(*ir.DenseArrayAttr); ok { // a part keeps entire runs
		d := a.Dims[0].Dim
		if size := tile.Shape(op.Operand(0).Type())[d] / int64(k.ctas); d < len(runs.Values) && size%runs.Values[d] != 0 {
			return false
		}
	}
	return true
}

// guarded reports whether only the first CTA executes an operation: it has effects outside of the CTA, and is not
// partitioned.
func (p *plan) guarded(op ir.Op) bool {
	return p.isSink[op] && p.variants[op][0] == uncut && !p.private[op] && !everywhere(op)
}

// everywhere reports whether every CTA executes an operation: what orders grids and addresses does so for the
// accesses of a CTA.
func everywhere(op ir.Op) bool {
	l := tileaa.Level
	return op.Is(l.GridWait) || op.Is(l.GridLaunch) || op.Is(l.FenceAlias)
}
