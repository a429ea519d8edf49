package partitioncluster

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/analysis/tokens"
)

// If an access of one CTA comes after accesses of others, the cluster synchronizes before it
// (nv_tileaa.cluster_sync), on every path to it. It also does before a release, and after an acquire, for the
// accesses that tokens order with that. What one CTA has released or acquired, the others then have too, since
// causality order is transitive (PTX ISA, Causality order).

func releases(op ir.Op) bool {
	o := op.StringAttr(tile.AttrOrdering)
	return o == "release" || o == "acq_rel"
}

func acquires(op ir.Op) bool {
	o := op.StringAttr(tile.AttrOrdering)
	return o == "acquire" || o == "acq_rel"
}

// wait makes y come after the x of all CTAs, and reports whether it can. If the order is by values alone, y comes
// after x only in its own CTA, so the token of x is passed to y.
func (p *plan) wait(x, y ir.Op, byToken bool) bool {
	if p.private[y] || tokens.Of(y).IsNil() {
		return false
	}
	if byToken {
		// One synchronization on the path orders all accesses before it, also those of other pairs.
		if _, ok := p.syncs[y]; !ok && p.unsynced(x)[y] {
			p.syncs[y] = nil
		}
		return true
	}
	around := y
	// The token of x must dominate y: x has to be in a block around y, and before it.
	for !around.IsNil() && around.Block() != x.Block() {
		around = around.ParentOp()
	}
	if around.IsNil() || around == x || !x.IsBeforeInBlock(around) {
		return false
	}
	p.syncs[y] = append(p.syncs[y], x)
	return true
}

// unsynced returns the accesses that tokens order after one on a path without a cluster synchronization yet.
func (p *plan) unsynced(x ir.Op) map[ir.Op]bool {
	after := func(op ir.Op) []ir.Value {
		if acquires(op) && !p.private[op] {
			return nil
		}
		return []ir.Value{tokens.After(op)}
	}
	return p.reach(after(x), func(op ir.Op) []ir.Value {
		if !tokens.Access(op) {
			return onlyTokens(op)
		}
		if _, ok := p.syncs[op]; ok || releases(op) && !p.private[op] {
			return nil
		}
		return after(op)
	})
}

// orders are the accesses that release or acquire for others than the CTA.
func (p *plan) orders(of func(ir.Op) bool) (list []ir.Op) {
	for _, op := range p.sinks {
		if of(op) && !p.private[op] {
			list = append(list, op)
		}
	}
	return list
}

// waits is the cost of the synchronizations of a plan.
func (p *plan) waits() (sum float64) {
	// One of the two barriers of an exchange.
	for _, op := range p.orders(acquires) {
		sum += p.exchange / 2 * p.often(op)
	}
	for _, op := range p.orders(releases) {
		if _, ok := p.syncs[op]; !ok {
			sum += p.exchange / 2 * p.often(op)
		}
	}
	for op := range p.syncs {
		sum += p.exchange / 2 * p.often(op)
	}
	return sum
}

// sync makes the synchronizations of a plan.
func (e *emitter) sync() {
	for _, op := range e.orders(releases) {
		if _, ok := e.syncs[op]; !ok && !tokens.Of(op).IsNil() { // nothing comes before an access without a token
			e.syncs[op] = nil
		}
	}
	for _, op := range e.all {
		if others, ok := e.syncs[op]; ok {
			e.syncBefore(op, others)
		}
	}
	for _, op := range e.orders(acquires) {
		e.syncAfter(op)
	}
}

func (e *emitter) syncBefore(op ir.Op, others []ir.Op) {
	b := ir.BuilderBefore(op)
	b.SetLocOf(op)
	t := tokens.Of(op)
	if len(others) > 0 {
		all := []ir.Value{t}
		for _, x := range others {
			all = append(all, tokens.After(x))
		}
		t = b.Create(tileaa.Level.JoinTokens, all, []ir.Type{t.Type()}).Result(0)
	}
	tokens.Set(op, b.Create(tileaa.Level.ClusterSync, []ir.Value{t}, []ir.Type{t.Type()}).Result(0))
}

func (e *emitter) syncAfter(op ir.Op) {
	t := tokens.After(op)
	if t.IsNil() || !t.HasUses() {
		return
	}
	b := ir.BuilderBefore(op.Next())
	b.SetLocOf(op)
	all := b.Create(tileaa.Level.ClusterSync, []ir.Value{t}, []ir.Type{t.Type()})
	t.ReplaceAllUsesWith(all.Result(0))
	all.SetOperand(0, t)
}
