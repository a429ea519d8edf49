package specializewarps

import (
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// writeLoad creates the code of the producer.
func (p *plan) writeLoad(w *writer) {
	for _, g := range ir.Filter(p.groups, func(g *group) bool { return g.from == tileas.ByTMA }) {
		w.begin(g.issue(), g, func() { w.fill(g) })
	}
	for _, m := range ir.Filter(p.builds, ir.InLoop) {
		w.begin(m, nil, func() { // the map is where the last one was, and loads may still use that
			w.drain(ir.Filter(p.pipes, func(r *pipe) bool { return !r.once && r.from == tileas.ByTMA }), ir.NamedAttr{Name: tileas.AttrLanded, Value: w.b.Context().Unit()})
		})
	}
	w.write(p.load)
	// In a cluster, MMAs of other CTAs may say that stages are free: of a pair, or after multicast loads.
	if contract.CTAsOf(p.fn) > 1 {
		w.drain(ir.Filter(p.pipes, func(r *pipe) bool { return r.from == tileas.ByTMA && r.to == tileas.ByMMAs && !r.once }))
	}
}

// drain waits for all that the role has started to fill stages of some pipes, or for those that read them.
func (w *writer) drain(pipes []*pipe, attrs ...ir.NamedAttr) {
	if values := ir.Map(pipes, func(r *pipe) ir.Value { return r.value }); len(values) > 0 {
		w.b.Create(tileas.PipeDrain, values, nil, attrs...)
	}
}

// fill waits for a free stage and starts the loads to it.
func (w *writer) fill(g *group) {
	s := w.open(g)
	for _, c := range g.buffers {
		w.m.Values[c.fill.OperandNamed("mbarrier")] = s.signal
		load := w.b.Clone(c.fill, w.m)
		w.b.Loc = load.Loc()
		if g.pipe.typ().TwoCTAs {
			load.SetAttr(tile.AttrTwoCTAs, w.b.Context().Unit())
		}
	}
	w.handOn(g)
}

// writeCompute creates the code of the consumers: the program, which finds in pipes what it loaded itself before.
func (p *plan) writeCompute(w *writer) {
	p.deferWaits(w)
	for _, c := range p.carries {
		w.writeLate(c)
	}
	for _, g := range p.groups {
		if g.handed() {
			w.writeFill(g)
			continue
		}
		for _, c := range g.buffers {
			w.instead[c.fill] = func() { w.afterCopy(c) }
		}
		if g.late || g.mmas {
			continue
		}
		w.begin(g.wait(), g, func() { w.open(g) })
		if !g.release.IsNil() && !g.pipe.once {
			w.end(g.release, g, func() {
				if g.awaitMMAs {
					tileas.NewDotWait(w.b, 0)
				}
				w.handOn(g)
			})
		}
	}
	p.takeAccumulators(w)
	p.handBack(w)
	w.write(p.compute)
}

// writeFill makes the threads of a role fill the stages of a group. A stage is full after the last store, or will be when
// the copies have landed.
func (w *writer) writeFill(g *group) {
	w.begin(ir.Earliest(ir.Map(g.buffers, func(c *filled) ir.Op { return c.fill })...), g, func() { w.open(g) })
	w.begin(g.handOn(), g, func() {
		if g.from == tileas.ByThreads && !g.buffers[0].fenced() { // the fence stands in the loop of the MMAs
			w.b.Create(tileas.FenceAsync, nil, nil)
		}
		w.handOn(g)
	})
}

// deferWaits lets MMAs stay in flight at the end of loop bodies, and waits for them after the loops.
func (p *plan) deferWaits(w *writer) {
	for b, mmas := range p.deferrals {
		w.drop(b.Collect(tileas.DotWait.Is)...)
		w.begin(b.Last(), nil, func() {
			// Only MMAs of this iteration stay in flight, so the stage of the one before is free.
			tileas.NewDotWait(w.b, mmas)
			for _, g := range ir.Filter(p.groups, func(g *group) bool { return g.block == b }) {
				w.handOn(g)
			}
		})
		if next := b.ParentOp().Next(); !next.Is(tileas.DotWait) || !waitsForAll(next) {
			w.end(b.ParentOp(), nil, func() { tileas.NewDotWait(w.b, 0) })
		}
	}
}

// afterCopy replaces the token after a load by the token before it: a role that waits for the load is ordered after
// it.
func (w *writer) afterCopy(c *filled) {
	after := c.fill.Result(0)
	if token := c.fill.OperandNamed("token"); !token.IsNil() {
		w.m.Values[after] = w.m.Lookup(token)
	} else if after.HasUses() {
		w.m.Values[after] = w.b.Create(tileas.Level.MakeToken, nil, []ir.Type{after.Type()}).Result(0)
	}
}

func waitsForAll(wait ir.Op) bool {
	n, _ := wait.IntAttr(tileas.AttrPending)
	return n == 0
}

// forCopies reports whether a fence only serves MMAs whose buffers need none of the consumers: those that TMA fills, by the
// same proxy, or copies, after which the MMA warp has a fence. Later MMAs share a fence (tileas-make-async-mma), so all up
// to the next fence count.
func (p *plan) forCopies(fence ir.Op) (mmas bool) {
	ends := []tileas.End{tileas.ByTMA}
	if p.chains != nil {
		ends = append(ends, tileas.ByCopies)
	}
	for op := fence.Next(); !op.IsNil() && !op.Is(tileas.FenceAsync); op = op.Next() {
		switch {
		case op.Is(tileas.DotAsync):
			if !p.readsStages(op, ends...) {
				return false
			}
			mmas = true
		case tileas.StoresLater(op), op.NumRegions() > 0 && !ir.IsPure(op):
			return false
		}
	}
	return mmas
}
