package distribute

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/analysis/tokens"
)

// Where an access of one CTA comes behind accesses of others, all wait for each other in front of it (nv_tileaa.cluster_sync): that is on every way to it, and all CTAs go the same way. So it is in front of what releases, and behind what acquires,
// for the accesses that tokens order with that: what one CTA has released or acquired the others have too, since order is handed on (PTX ISA, causality order).

func releases(op ir.Op) bool {
	o := op.StringAttr(tile.AttrOrdering)
	return o == "release" || o == "acq_rel"
}

func acquires(op ir.Op) bool {
	o := op.StringAttr(tile.AttrOrdering)
	return o == "acquire" || o == "acq_rel"
}

// wait makes y come behind x of all CTAs; it reports whether it can. By values alone y is behind x in its own CTA, so the token of x has to come to y.
func (p *plan) wait(x, y ir.Op, byToken bool) bool {
	if p.private[y] || tokens.Of(y).IsNil() {
		return false
	}
	if byToken {
		if _, ok := p.syncs[y]; !ok && p.unsynced(x)[y] {
			p.syncs[y] = nil
		}
		return true
	}
	around := y
	for !around.IsNil() && around.Block() != x.Block() {
		around = around.ParentOp()
	}
	if around.IsNil() || around == x || !x.IsBeforeInBlock(around) {
		return false
	}
	p.syncs[y] = append(p.syncs[y], x)
	return true
}

// unsynced returns the accesses that tokens order behind one on a way on which CTAs do not wait for each other yet.
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

// waits is what it costs that CTAs wait for each other.
func (p *plan) waits() (sum float64) {
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

// sync makes CTAs wait for each other.
func (e *emitter) sync() {
	for _, op := range e.orders(releases) {
		if _, ok := e.syncs[op]; !ok && !tokens.Of(op).IsNil() { // nothing is in front of what takes no token
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
