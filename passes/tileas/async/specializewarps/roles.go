package specializewarps

import (
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// writeLoad creates the code of the producer.
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
	w.before = func(op ir.Op) {
		if !op.Is(tileas.BuildTensorMap) {
			return
		}
		// The map is where the last one was, and loads may still use that.
		var pipes []ir.Value
		for _, r := range p.pipes {
			if !r.once && r.groups[0].from() == tileas.ByTMA {
				pipes = append(pipes, r.value)
			}
		}
		if len(pipes) > 0 {
			w.b.Create(tileas.PipeDrain, pipes, nil, ir.NamedAttr{Name: tileas.AttrLanded, Value: w.b.Context().Unit()})
		}
	}
	w.write(p.load)
	// In a cluster, MMAs of other CTAs may say that stages are free: of a pair, or after multicast loads.
	if contract.CTAsOf(p.fn) > 1 {
		p.drain(w)
	}
}

// drain waits until MMAs have read what the producer has loaded.
func (p *plan) drain(w *writer) {
	var pipes []ir.Value
	for _, r := range p.pipes {
		if r.typ().From == tileas.ByTMA && r.typ().To == tileas.ByMMAs && !r.once {
			pipes = append(pipes, r.value)
		}
	}
	if len(pipes) > 0 {
		w.b.Create(tileas.PipeDrain, pipes, nil)
	}
}

// fill waits for a free stage and starts the loads to it.
func (w *writer) fill(g *group) {
	s := w.open(g, tileas.PipeAcquire)
	for i, c := range g.copies {
		w.b.Loc = c.load.Loc()
		st := w.b.NewState(tileas.TMALoad, c.load.Loc())
		st.OperandGroups([]ir.Value{s.buffers[i]}, []ir.Value{w.m.Lookup(c.load.OperandNamed(tileas.FieldMap))}, w.values(c.load.OperandsNamed("offsets")),
			[]ir.Value{s.signal}, w.values(c.load.OperandsNamed("token")), nil, nil)
		st.Types = []ir.Type{c.load.Result(0).Type()}
		st.Attrs = append(st.Attrs, c.load.DiscardableAttrs().Entries...)
		if narrow := c.load.Attr(tileas.AttrNarrow); narrow != nil {
			st.SetAttr(tileas.AttrNarrow, narrow)
		}
		if g.pipe.typ().TwoCTAs {
			st.SetAttr(tile.AttrTwoCTAs, w.b.Context().Unit())
		}
		w.m.Values[c.load.Result(0)] = w.b.Insert(st).Result(0)
	}
	w.commit(g)
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
			add(w.begins, g.handOn(), g)
			continue
		}
		w.dropCopies(g)
		if g.late || g.mmas {
			continue
		}
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
			w.open(g, tileas.PipeWait)
		}
	}
	w.end = func(g *group) {
		if g.awaitMMAs {
			tileas.NewDotWait(w.b, 0)
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
		tileas.NewDotWait(w.b, pending)
		for _, g := range p.groups {
			if g.block == b {
				w.release(g)
			}
		}
	}
	w.loop = func(old, made ir.Op) {
		if next := old.Next(); p.deferrals[old.Body()] != nil && !(next.Is(tileas.DotWait) && waitsForAll(next)) {
			tileas.NewDotWait(w.b, 0)
		}
	}
	w.late = make(map[ir.Op]*carry)
	// Both wrap the hooks that are set above.
	p.writeCarries(w)
	p.takeAccumulators(w)
	p.handBack(w)
	w.write(p.compute)
}

// dropCopies leaves out the loads of a group.
func (w *writer) dropCopies(g *group) {
	for _, c := range g.copies {
		w.replaced[c.alloc], w.replaced[c.expect], w.replaced[c.load], w.replaced[c.wait] = true, true, true, true
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

func waitsForAll(wait ir.Op) bool {
	n, _ := wait.IntAttr(tileas.AttrPending)
	return n == 0
}

// dropWaits leaves out waits that the end of the block replaces, waits for copies that only the MMA warp needs, and
// fences before MMAs that read only what TMA writes. TMA and MMAs use the same proxy.
func (p *plan) dropWaits(w *writer) {
	for op := range p.fn.All() {
		switch {
		case op.Is(tileas.DotWait):
			w.replaced[op] = p.deferrals[op.Block()] != nil
		case op.Is(tileas.FenceAsync):
			w.replaced[op] = forCopies(op, p.fenceless)
		case op.Is(tileas.WaitGroup) && p.servesHanded(op):
			w.replaced[op] = true
		}
	}
}

// forCopies reports whether a fence only serves MMAs that read fenceless buffers. Later MMAs share a fence
// (tileas-make-async-mma), so all up to the next fence count.
func forCopies(fence ir.Op, fenceless map[ir.Op]bool) (mmas bool) {
	for op := fence.Next(); !op.IsNil() && !op.Is(tileas.FenceAsync); op = op.Next() {
		switch {
		case op.Is(tileas.DotAsync):
			for _, v := range tileas.Buffers(op) {
				if !fenceless[tileas.RootOf(v)] {
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
