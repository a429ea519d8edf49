package specializewarps

import (
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// writeLoad creates the code of the producer.
//
// It waits at `empty` for the arrival that is lag stages ahead, since stages are released that much later. The parity
// before the first phase lets the waits of the first round pass.
func (p *plan) writeLoad(w *writer) {
	w.begins, w.replaced = make(map[ir.Op][]*group), make(map[ir.Op]bool)
	for _, g := range p.groups {
		if len(g.stored) > 0 {
			continue
		}
		add(w.begins, g.issue(), g)
		for _, c := range g.copies {
			w.replaced[c.load] = true
		}
	}
	w.begin = w.fill
	w.write(p.load, func(r *pipe) (place, parity int64) { return r.lag, 1 })
}

// fill waits for a stage and starts the loads to it.
func (w *writer) fill(g *group) {
	r := g.pipe
	back := r.stages - r.lag // from the stage of the awaited arrival to the stage to fill
	if !r.once {
		w.b.Create(tileas.MbarrierWait, []ir.Value{w.stage(r, r.empty, 0), w.states[r].parity}, nil)
	}
	full := w.stage(r, r.full, back)
	// The announcement for all loads of the group is the one arrival of the phase.
	w.b.Create(tileas.MbarrierExpect, []ir.Value{full}, nil, number(w.b, tileas.AttrBytes, r.bytes))
	for i, c := range g.copies {
		w.b.Loc = c.load.Loc()
		st := w.b.NewState(tileas.TMALoad, c.load.Loc())
		groups := [][]ir.Value{{w.stage(r, r.buffers[i], back)}, {c.load.OperandNamed(tileas.FieldMap)}, w.values(c.load.OperandsNamed("offsets")), {full}, nil, nil, nil}
		if token := c.load.OperandNamed("token"); !token.IsNil() {
			groups[4] = []ir.Value{w.m.Lookup(token)}
		}
		st.OperandGroups(groups...)
		st.Types = []ir.Type{c.load.Result(0).Type()}
		st.Attrs = append(st.Attrs, c.load.DiscardableAttrs().Entries...)
		if narrow := c.load.Attr(tileas.AttrNarrow); narrow != nil {
			st.SetAttr(tileas.AttrNarrow, narrow)
		}
		w.m.Values[c.load.Result(0)] = w.b.Insert(st).Result(0)
	}
}

// writeCompute creates the code of the consumers: the program, which finds in pipes what it loaded itself before.
func (p *plan) writeCompute(w *writer) {
	w.begins, w.ends, w.replaced = make(map[ir.Op][]*group), make(map[ir.Op][]*group), make(map[ir.Op]bool)
	copies := make(map[ir.Op]*tmaLoad)
	for _, g := range p.groups {
		for _, c := range g.copies {
			copies[c.load] = c
		}
		if len(g.stored) > 0 {
			for _, s := range g.stored {
				w.replaced[s.alloc] = true
			}
			add(w.begins, g.firstStore(), g)
			add(w.begins, g.firstReader(), g)
			continue
		}
		begin := w.dropCopies(g)
		if g.late || g.mmas {
			continue
		}
		add(w.begins, begin, g)
		add(w.begins, g.wait(), g)
		if !g.release.IsNil() && !g.pipe.once {
			add(w.ends, g.release, g)
		}
	}
	w.skip = func(op ir.Op) {
		if c := copies[op]; c != nil {
			w.afterCopy(c)
		}
	}
	w.begin = func(g *group) {
		if len(g.stored) > 0 {
			w.fillOrCommit(g)
		} else {
			w.openOrAwait(g)
		}
	}
	w.end = func(g *group) {
		if g.awaitMMAs {
			w.awaitMMAs(0)
		}
		w.release(g)
	}
	p.dropWaits(w)
	w.finish = func(b ir.Block) {
		d := p.deferrals[b]
		if d == nil {
			return
		}
		// Only MMAs of the last lag iterations stay in flight, so the stage of the one before them is free.
		pending := d.mmas
		for _, g := range p.groups {
			if g.block == b {
				pending = d.mmas * int(max(1, g.pipe.lag))
			}
		}
		w.awaitMMAs(pending)
		for _, g := range p.groups {
			if g.block == b {
				w.release(g)
			}
		}
	}
	w.loop = func(old, made ir.Op) {
		if next := old.Next(); p.deferrals[old.Body()] != nil && !(next.Is(tileas.DotWait) && waitsForAll(next)) {
			w.awaitMMAs(0)
		}
	}
	w.late = make(map[ir.Op]*carry)
	// Both wrap the hooks that are set above.
	p.writeCarries(w)
	p.takeAccumulators(w)
	w.write(p.compute, func(r *pipe) (place, parity int64) {
		if r.byThreads() { // as its producer it finds all stages empty
			return 0, 1
		}
		return 0, 0
	})
}

// dropCopies leaves out the loads of a group, and returns where the first of their buffers was allocated.
func (w *writer) dropCopies(g *group) (begin ir.Op) {
	begin = g.copies[0].alloc
	for _, c := range g.copies {
		w.replaced[c.alloc], w.replaced[c.expect], w.replaced[c.load], w.replaced[c.wait] = true, true, true, true
		if c.alloc.IsBeforeInBlock(begin) {
			begin = c.alloc
		}
	}
	return begin
}

// openOrAwait is called twice for each execution of a group's block: where its buffers were allocated it finds the
// stage, and where the loads were waited for it waits.
func (w *writer) openOrAwait(g *group) {
	if w.opened[g] {
		w.await(g)
	} else {
		w.open(g)
	}
	w.opened[g] = !w.opened[g]
}

// open finds the stage of a group.
func (w *writer) open(g *group) {
	for i, c := range g.buffers() {
		w.m.Values[c.alloc.Result(0)] = w.stage(g.pipe, g.pipe.buffers[i], 0)
	}
}

// afterCopy replaces the token after a load by the token before it: a role that waits for the load is ordered after
// it.
func (w *writer) afterCopy(c *tmaLoad) {
	after := c.load.Result(0)
	if token := c.load.OperandNamed("token"); !token.IsNil() {
		w.m.Values[after] = w.m.Lookup(token)
	} else if after.HasUses() {
		w.m.Values[after] = w.b.Create(tileas.Level.MakeToken, nil, []ir.Type{after.Type()}).Result(0)
	}
}

// await waits for the loads of a group.
func (w *writer) await(g *group) {
	var parity ir.Value
	if g.pipe.once {
		parity = constant(w.b, 0)
	} else {
		parity = w.states[g.pipe].parity
	}
	w.b.Create(tileas.MbarrierWait, []ir.Value{w.stage(g.pipe, g.pipe.full, 0), parity}, nil)
}

// release releases a stage: that of the group, or with a lag that of an earlier iteration.
func (w *writer) release(g *group) {
	w.b.Create(tileas.MbarrierArrive, []ir.Value{w.stage(g.pipe, g.pipe.empty, 0)}, nil, number(w.b, tileas.AttrArrivals, int64(w.warps)))
}

// awaitMMAs waits for all MMAs but the latest.
func (w *writer) awaitMMAs(pending int) {
	w.b.Create(tileas.DotWait, nil, nil, number(w.b, tileas.AttrPending, int64(pending)))
}

func waitsForAll(wait ir.Op) bool {
	n, _ := wait.IntAttr(tileas.AttrPending)
	return n == 0
}

// dropWaits leaves out waits that the end of the block replaces, and fences before MMAs that read only what TMA
// writes. TMA and MMAs use the same proxy.
func (p *plan) dropWaits(w *writer) {
	p.fn.Walk(func(op ir.Op) ir.WalkResult {
		switch {
		case op.Is(tileas.DotWait):
			w.replaced[op] = p.deferrals[op.Block()] != nil
		case op.Is(tileas.FenceAsync):
			w.replaced[op] = forCopies(op, p.stageAllocs)
		}
		return ir.Advance
	})
}

// forCopies reports whether a fence only serves MMAs that read TMA loads. Later MMAs share a fence
// (tileas-make-async-mma), so all up to the next fence count.
func forCopies(fence ir.Op, stageAllocs map[ir.Op]bool) (mmas bool) {
	for op := fence.Next(); !op.IsNil() && !op.Is(tileas.FenceAsync); op = op.Next() {
		switch {
		case op.Is(tileas.DotAsync):
			for _, v := range tileas.Buffers(op) {
				if !stageAllocs[rootOf(v)] {
					return false
				}
			}
			mmas = true
		case op.Is(tileas.TMAStore), op.Is(tileas.TMAReduce), op.Is(tileas.BulkStore), op.NumRegions() > 0 && !ir.IsPure(op):
			return false
		}
	}
	return mmas
}
