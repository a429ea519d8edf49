package specializewarps

import (
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// writeLoad makes the role that loads. It is ahead in the ring of `empty` by as many arrivals as slots are freed late; with them, the parity of a phase before the first one lets the first round pass.
func (p *plan) writeLoad(w *writer) {
	w.at, w.replaced = make(map[ir.Op][]*group), make(map[ir.Op]bool)
	for _, g := range p.groups {
		add(w.at, g.issue(), g)
		for _, c := range g.copies {
			w.replaced[c.load] = true
		}
	}
	w.begin = w.fill
	w.write(p.load, func(r *ring) (place, parity int64) { return r.behind, 1 })
}

// fill waits for a slot and starts the copies to it.
func (w *writer) fill(g *group) {
	r := g.ring
	back := r.slots - r.behind // from the place of the arrival that is waited for to that of the slot
	if !r.once {
		w.b.Create(tileas.MbarrierWait, []ir.Value{w.slot(r, r.empty, 0), w.states[r].parity}, nil)
	}
	full := w.slot(r, r.full, back)
	w.b.Create(tileas.MbarrierExpect, []ir.Value{full}, nil, number(w.b, tileas.AttrBytes, r.bytes))
	for i, c := range g.copies {
		w.b.Loc = c.load.Loc()
		st := w.b.NewState(tileas.TMALoad, c.load.Loc())
		groups := [][]ir.Value{{w.slot(r, r.buffers[i], back)}, {c.load.OperandNamed(tileas.FieldMap)}, w.values(c.load.OperandsNamed("offsets")), {full}, nil, nil, nil}
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

// writeCompute makes the role that computes: the program, which finds in a ring what it copied.
func (p *plan) writeCompute(w *writer) {
	w.at, w.behind, w.replaced = make(map[ir.Op][]*group), make(map[ir.Op][]*group), make(map[ir.Op]bool)
	copies := make(map[ir.Op]*tensorCopy)
	for _, g := range p.groups {
		for _, c := range g.copies {
			copies[c.load] = c
		}
		begin := w.leaveOut(g)
		if g.late || g.products {
			continue
		}
		add(w.at, begin, g)
		add(w.at, g.wait(), g)
		if !g.release.IsNil() && !g.ring.once {
			add(w.behind, g.release, g)
		}
	}
	w.skip = func(op ir.Op) {
		if c := copies[op]; c != nil {
			w.afterCopy(c)
		}
	}
	w.begin = w.comeTo
	w.end = func(g *group) {
		if g.settle {
			w.settle(0)
		}
		w.free(g)
	}
	p.dropWaits(w)
	w.finish = func(b ir.Block) {
		d := p.deferrals[b]
		if d == nil {
			return
		}
		pending := d.products
		for _, g := range p.groups {
			if g.block == b {
				pending = d.products * int(max(1, g.ring.behind))
			}
		}
		w.settle(pending)
		for _, g := range p.groups {
			if g.block == b {
				w.free(g)
			}
		}
	}
	w.loop = func(old, made ir.Op) {
		if next := old.Next(); p.deferrals[old.Body()] != nil && !(next.Is(tileas.DotWait) && zero(next)) {
			w.settle(0)
		}
	}
	w.late = make(map[ir.Op]*carry)
	p.writeCarries(w)
	p.takeSums(w)
	w.write(p.compute, func(*ring) (place, parity int64) { return 0, 0 })
}

// leaveOut leaves out the copies of a group, and returns where the first of their buffers was made.
func (w *writer) leaveOut(g *group) (begin ir.Op) {
	begin = g.copies[0].alloc
	for _, c := range g.copies {
		w.replaced[c.alloc], w.replaced[c.expect], w.replaced[c.load], w.replaced[c.wait] = true, true, true, true
		if c.alloc.IsBeforeInBlock(begin) {
			begin = c.alloc
		}
	}
	return begin
}

// comeTo is called twice for a group in each making of its block: where its buffers were made, it finds the slot, and where the copies were waited for, it waits.
func (w *writer) comeTo(g *group) {
	if w.opened[g] {
		w.await(g)
	} else {
		w.open(g)
	}
	w.opened[g] = !w.opened[g]
}

// open finds the slot of a group.
func (w *writer) open(g *group) {
	for i, c := range g.copies {
		w.m.Values[c.alloc.Result(0)] = w.slot(g.ring, g.ring.buffers[i], 0)
	}
}

// afterCopy gives what comes behind a copy by a token what comes in front of it: who waits for the copy is behind it.
func (w *writer) afterCopy(c *tensorCopy) {
	after := c.load.Result(0)
	if token := c.load.OperandNamed("token"); !token.IsNil() {
		w.m.Values[after] = w.m.Lookup(token)
	} else if after.HasUses() {
		w.m.Values[after] = w.b.Create(tileas.Level.MakeToken, nil, []ir.Type{after.Type()}).Result(0)
	}
}

// await waits for the copies of a group.
func (w *writer) await(g *group) {
	parity := w.states[g.ring].parity
	if g.ring.once {
		parity = constant(w.b, 0)
	}
	w.b.Create(tileas.MbarrierWait, []ir.Value{w.slot(g.ring, g.ring.full, 0), parity}, nil)
}

// free says that a slot is free: that of the group, or of the one before.
func (w *writer) free(g *group) {
	w.b.Create(tileas.MbarrierArrive, []ir.Value{w.slot(g.ring, g.ring.empty, 0)}, nil, number(w.b, tileas.AttrArrivals, int64(w.warps)))
}

// settle waits for all products but the latest.
func (w *writer) settle(pending int) {
	w.b.Create(tileas.DotWait, nil, nil, number(w.b, tileas.AttrPending, int64(pending)))
}

func zero(wait ir.Op) bool {
	n, _ := wait.IntAttr(tileas.AttrPending)
	return n == 0
}

// dropWaits leaves out waits that others take the place of, and fences in front of products that read nothing but what copies bring.
func (p *plan) dropWaits(w *writer) {
	p.fn.Walk(func(op ir.Op) ir.WalkResult {
		switch {
		case op.Is(tileas.DotWait):
			w.replaced[op] = p.deferrals[op.Block()] != nil
		case op.Is(tileas.FenceAsync):
			w.replaced[op] = forCopies(op, p.mine)
		}
		return ir.Advance
	})
}

// forCopies reports whether a fence is for products alone that read what copies bring. Products behind one share it (tileas-materialize-products), so that all up to the next fence count.
func forCopies(fence ir.Op, mine map[ir.Op]bool) (products bool) {
	for op := fence.Next(); !op.IsNil() && !op.Is(tileas.FenceAsync); op = op.Next() {
		switch {
		case op.Is(tileas.DotAsync):
			for _, v := range tileas.Buffers(op) {
				if !mine[rootOf(v)] {
					return false
				}
			}
			products = true
		case op.Is(tileas.TMAStore), op.Is(tileas.TMAReduce), op.Is(tileas.BulkStore), op.NumRegions() > 0 && !ir.IsPure(op):
			return false
		}
	}
	return products
}
