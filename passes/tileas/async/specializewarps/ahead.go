package specializewarps

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// An ahead is a loop in which the MMA warp issues the first MMAs of the next iteration before it waits for threads in
// this one:
//
//	for { S = dot Q, K ; threads ; O += dot P, V }
//
// becomes
//
//	if there is an iteration { S = dot Q, K ; for the others { S = dot Q, K ; threads ; O += dot P, V } ; threads ; O += dot P, V }
//
// So threads find the next S when they have handed over P, and their softmax runs during P V (FlashAttention 4).
type ahead struct {
	late   map[*group]bool // the groups of the loop; true: those of its late MMAs
	ofMMAs map[ir.Op]bool  // the MMAs; true: those that are late
}

// aheadOf returns how the MMA warp is ahead of threads in a loop; nil if it is not.
//
// Nothing may wait for a late MMA that its own turn comes after. So the operands of the first MMAs are loaded before
// those of the late ones, and threads take the accumulators of the first ones before they hand over to the late ones.
func (p *plan) aheadOf(loop ir.Op) *ahead {
	b := loop.Body()
	a := &ahead{late: make(map[*group]bool), ofMMAs: make(map[ir.Op]bool)}
	var first ir.Op // of the late MMAs
	for _, t := range turnsOf(p.handbacks) {
		if t.loop == loop {
			first, a.late[t.group] = ir.Earliest(first, t.mma), true
		}
	}
	for op := range b.Ops() {
		if g := p.stored[op]; g != nil {
			first, a.late[g] = ir.Earliest(first, op), true
		}
	}
	if first.IsNil() || slices.ContainsFunc(b.Args(), func(v ir.Value) bool { return p.mma.seen[v] }) {
		return nil
	}
	for _, g := range p.groups {
		if g.block == b && g.mmas && g.handed() {
			first = ir.Earliest(first, g.firstReader())
		}
	}
	prompt := false
	for op := range b.Ops() {
		switch {
		case op.NumRegions() > 0 && p.mma.live[op]:
			return nil
		case op.Is(tileas.DotAsync):
			a.ofMMAs[op] = !op.IsBeforeInBlock(first)
			prompt = prompt || op.IsBeforeInBlock(first)
		}
	}
	if !prompt {
		return nil
	}
	for _, c := range p.chains {
		switch {
		case c.block != b && len(c.in[b]) > 0:
			return nil
		case c.block == b:
			a.late[c.group] = a.ofMMAs[c.mmas[0]]
			if a.ofMMAs[c.mmas[len(c.mmas)-1]] != a.late[c.group] || !a.late[c.group] && !c.end.IsBeforeInBlock(first) {
				return nil
			}
		}
	}
	return a.withGroups(p, b)
}

// withGroups adds the groups of a loop's operands; nil if some MMA that is late shares one with another MMA.
func (a *ahead) withGroups(p *plan, b ir.Block) *ahead {
	var last, next ir.Op // the last loads of the first MMAs, and the first ones of the late MMAs
	for _, g := range ir.Filter(p.groups, func(g *group) bool { return g.block == b && g.mmas }) {
		late := a.ofMMAs[g.buffers[0].users[0]]
		if g.readBy(func(op ir.Op) bool { return a.ofMMAs[op] != late }) {
			return nil
		}
		a.late[g] = late
		for o, other := range a.late {
			if o.pipe == g.pipe && other != late { // loads that share a pipe are read in the order of the text
				return nil
			}
		}
		switch {
		case g.handed():
		case late:
			next = ir.Earliest(next, g.issue())
		default:
			last = ir.Latest(last, g.issue())
		}
	}
	if !next.IsNil() && !last.IsNil() && !last.IsBeforeInBlock(next) {
		return nil
	}
	return a
}

// aheadLoop rebuilds a loop in which the MMA warp is ahead of threads.
func (w *writer) aheadLoop(loop ir.Op, a *ahead) {
	part := func(late bool) []ir.Value { // the first MMAs of an iteration, or the late ones; they hand nothing on
		whole := w.half
		w.half = &half{a, late}
		w.block(loop.Body())
		w.half = whole
		return nil
	}
	w.peel(loop, nil, peeled{
		first: func() []ir.Value { return part(false) },
		next:  func([]ir.Value) []ir.Value { return append(part(false), part(true)...) },
		last:  func([]ir.Value) []ir.Value { return part(true) },
	})
}

// A half is the first MMAs of an iteration, or the late ones. A nil half is the whole iteration.
type half struct {
	of   *ahead
	late bool
}

// has reports whether a group belongs to it, and runs whether an operation does: all but the MMAs of the other half.
func (h *half) has(g *group) bool { return h == nil || h.of.late[g] == h.late }
func (h *half) runs(op ir.Op) bool {
	if h == nil {
		return true
	}
	late, mma := h.of.ofMMAs[op]
	return !mma || late == h.late
}
