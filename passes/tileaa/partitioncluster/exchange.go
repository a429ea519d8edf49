package partitioncluster

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa/strip"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/analysis/tokens"
)

// Exchanges between CTAs: where a plan needs what other CTAs have.

// across returns the variant in which CTAs reduce or scan a dimension jointly, each its subtile; uncut: there is
// none.
func (k *kernel) across(op ir.Op) variant {
	row, ok := strip.Rows.Of(op)
	if !ok || row.Combine == nil {
		return uncut
	}
	for i, a := range k.axes(op) {
		if a.Kind != strip.Parallel && k.divides(op, a) {
			return variant(i)
		}
	}
	return uncut
}

// wantOfSink makes a result of what is executed once, in a form.
func (p *plan) wantOfSink(op ir.Op, v ir.Value, f form) {
	k, ok := p.chosen[op]
	if !ok { // a sink that this partial plan does not choose for yet
		return
	}
	p.use(op, k)
	if k == uncut {
		if p.guarded(op) {
			p.share(op)
		}
		if f != replicated {
			p.slice(wanted{v, f})
		}
		return
	}
	d := p.axes(op)[k].Dim(true, v.Index())
	switch {
	case d < 0:
		p.fail("all CTAs need the result of '%s', which happens in parts", op.Name())
	case form(d) != f:
		p.gather(v, form(d), f)
	}
}

// share gives all CTAs the results of what the first one does.
func (p *plan) share(op ir.Op) {
	p.shared[op] = true
	for _, v := range op.Results() {
		if !tokens.Is(v) && !exchangeable(v) {
			p.fail("all CTAs need the result of '%s', which must happen once", op.Name())
		}
	}
}

// gather replicates a value of which CTAs have parts, and takes a part of another form out of it if that is needed.
func (p *plan) gather(v ir.Value, have, f form) {
	if !exchangeable(v) {
		p.fail("all CTAs need addresses of which each has parts")
		return
	}
	p.gathers[v] = have
	if w := (wanted{v, f}); f != replicated && !p.slices[w] {
		p.slices[w] = true
		p.divisible(w)
	}
}

// exchangeable reports whether CTAs can exchange a value.
func exchangeable(v ir.Value) bool { return arith.NumberLike.Check(ir.ElementType(v.Type())) }

// exchanges calls add with how many elements go through each exchange of the plan, and where it is.
func (p *plan) exchanges(add func(at ir.Op, elements float64)) {
	for v := range p.gathers {
		at := v.DefiningOp()
		if at.IsNil() {
			at = v.Block().First()
		}
		add(at, elements(v))
	}
	each := func(op ir.Op, a strip.Axis) {
		for i, v := range op.Results() {
			n := elements(v)
			if d := a.Dim(true, i); d >= 0 { // of a scan, only the ends are exchanged
				n /= float64(tile.Shape(v.Type())[d])
			}
			if !tokens.Is(v) {
				add(op, n*float64(p.ctas))
			}
		}
	}
	for op := range p.joined {
		if v := p.variants[op]; slices.Contains(v, p.across(op)) {
			each(op, p.axes(op)[p.across(op)])
		}
	}
	for op := range p.shared {
		each(op, strip.Axis{})
	}
}
