package specializewarps

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// part carries the plan out: the roles are made anew behind what the kernel was, which is erased.
func (p *plan) part() {
	body := p.fn.Body()
	old := slices.Collect(body.Ops())
	end := body.Last()
	b := ir.BuilderBefore(end)
	b.Loc = p.fn.Loc()
	kept := p.front()
	for _, r := range p.rings {
		p.allocate(b, r)
	}
	for _, r := range p.sums {
		p.allocateSums(b, r)
	}
	roles := p.roles(b)
	for i := range roles.NumRegions() {
		inner := ir.BuilderAtEnd(roles.Region(i).First())
		inner.Loc = p.fn.Loc()
		w := &writer{plan: p, b: inner, m: ir.NewMapping(), states: make(map[*ring]state), opened: make(map[*group]bool), before: func(ir.Op) {}, after: func(ir.Op) {}}
		switch i {
		case 0:
			w.rings = p.ringsOf(false)
			w.pass(tileas.AttrOpen)
			p.writeCompute(w)
			w.takeTurn(tileas.AttrClose)
		case 1:
			w.rings = p.rings
			p.writeLoad(w)
		case 2:
			if p.chains != nil {
				w.rings = p.ringsOf(true)
				p.writeProducts(w)
			}
		}
		inner.Create(tileas.EndRole, nil, nil)
		if i == 0 {
			deferReleases(roles.Region(i).First())
		}
	}
	sweep(roles)
	slices.Reverse(old)
	for _, op := range old {
		if op != end && !kept[op] {
			op.Erase()
		}
	}
	contract.SetNumWarps(p.fn, p.warps+p.single()+p.idle)
}

// sweep erases what no role has come to use, as places in rings of one slot: what is used behind what uses it.
func sweep(roles ir.Op) {
	var ops []ir.Op
	roles.Walk(func(op ir.Op) ir.WalkResult {
		ops = append(ops, op)
		return ir.Advance
	})
	for _, op := range slices.Backward(ops[1:]) {
		if op.NumRegions() == 0 && ir.IsTriviallyDead(op) {
			op.Erase()
		}
	}
}

// front returns what stays in front of the roles: the tensor maps, and what they are made of.
func (p *plan) front() map[ir.Op]bool {
	s := newSlice(nil, nil)
	p.fn.Walk(func(op ir.Op) ir.WalkResult {
		if op.Is(tileas.MakeTensorMap) {
			s.op(op)
		}
		return ir.Advance
	})
	return s.live
}

// allocate makes the slots of a ring and its mbarriers. One arrival ends a phase of `full`, that of who announces the bytes, and one for each warp that computes one of `empty`.
func (p *plan) allocate(b *ir.Builder, r *ring) {
	for _, c := range r.groups[0].copies {
		t := c.alloc.Result(0).Type().(*tileas.BufferType)
		made := b.Create(tileas.AllocShared, nil, []ir.Type{t.WithSlots(r.slots)})
		if align := c.alloc.Attr(tileas.AttrAlign); align != nil {
			made.SetAttr(tileas.AttrAlign, align)
		}
		r.buffers = append(r.buffers, made.Result(0))
	}
	t := r.groups[0].copies[0].load.OperandNamed("mbarrier").Type().(*tileas.BufferType)
	r.full = mbarriers(b, t, r.slots, 1)
	if !r.once {
		arrivals := int64(p.warps)
		if r.groups[0].products { // the last product that reads a slot tells that
			arrivals = 1
		}
		r.empty = mbarriers(b, t, r.slots, arrivals)
	}
}

// mbarriers makes mbarriers of so many arrivals.
func mbarriers(b *ir.Builder, t *tileas.BufferType, n, arrivals int64) ir.Value {
	all := b.Create(tileas.AllocShared, nil, []ir.Type{t.WithSlots(n)}).Result(0)
	for i := range n {
		one := all
		if n > 1 {
			one = b.Create(tileas.BufferSlot, []ir.Value{all, constant(b, i)}, []ir.Type{t.WithSlots(1)}).Result(0)
		}
		b.Create(tileas.MbarrierInit, []ir.Value{one}, nil, number(b, tileas.AttrArrivals, arrivals))
	}
	return all
}

// roles makes the operation, with a block in each region.
func (p *plan) roles(b *ir.Builder) ir.Op {
	c := b.Context()
	st := b.NewState(tileas.WarpSpecialize, b.Loc)
	names, warps, regs := []ir.Attribute{c.String("compute"), c.String("load")}, []int64{int64(p.warps), 1}, p.regs
	if p.chains != nil {
		names, warps = append(names, c.String("product")), append(warps, 1)
		if p.regs != nil {
			regs = append(regs, p.regs[1])
		}
	}
	if p.idle > 0 {
		names, warps, regs = append(names, c.String("idle")), append(warps, int64(p.idle)), append(regs, p.regs[1])
	}
	st.SetAttr(tileas.AttrRoles, c.Array(names...))
	st.SetAttr(tileas.AttrWarps, c.DenseI32(warps...))
	if regs != nil {
		st.SetAttr(tileas.AttrRegs, c.DenseI32(regs...))
	}
	for range names {
		st.AddRegion().AddBlock()
	}
	return b.Insert(st)
}

func constant(b *ir.Builder, n int64) ir.Value { return arith.NewInt(b, b.Context().Int(32), n) }

func number(b *ir.Builder, name string, n int64) ir.NamedAttr {
	return ir.NamedAttr{Name: name, Value: b.Context().IntAttr(b.Context().Int(32), n)}
}
