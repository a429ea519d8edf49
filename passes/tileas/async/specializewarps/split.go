package specializewarps

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// split carries the plan out: it clones each role from the kernel's body, and erases the body.
func (p *plan) split() {
	body := p.fn.Body()
	old := slices.Collect(body.Ops())
	end := body.Last()
	b := ir.BuilderBefore(end)
	b.Loc = p.fn.Loc()
	kept := p.front()
	for _, r := range p.pipes {
		p.allocate(b, r)
	}
	for _, r := range p.accumulators {
		p.allocateAccumulators(b, r)
	}
	roles := p.roles(b)
	for i := range roles.NumRegions() {
		inner := ir.BuilderAtEnd(roles.Region(i).First())
		inner.Loc = p.fn.Loc()
		w := &writer{plan: p, b: inner, m: ir.NewMapping(), states: make(map[*pipe]*state), opened: make(map[*group]bool), before: func(ir.Op) {}, after: func(ir.Op) {}}
		switch i {
		case 0:
			w.pipes = p.pipesOf(false)
			w.pingPongSignal(tileas.AttrOpen)
			// `open` lets the first group of warps begin. `close` takes the last signal back, so each named barrier
			// ends as it began.
			p.writeCompute(w)
			w.pingPongWait(tileas.AttrClose)
		case 1:
			w.pipes = slices.DeleteFunc(slices.Clone(p.pipes), (*pipe).byThreads)
			p.writeLoad(w)
		case 2:
			if p.chains != nil {
				w.pipes = p.pipesOf(true)
				p.writeMMAs(w)
			}
		}
		inner.Create(tileas.EndRole, nil, nil)
		if i == 0 {
			deferReleases(roles.Region(i).First())
		}
	}
	sweep(roles)
	// Uses are erased before definitions.
	slices.Reverse(old)
	for _, op := range old {
		if op != end && !kept[op] {
			op.Erase()
		}
	}
	contract.SetNumWarps(p.fn, p.warps+p.single()+p.idle)
}

// sweep erases what no role uses, such as indices into pipes of one stage, from uses to definitions.
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

// front returns what stays before the roles: tensor maps, and what they are computed from.
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

// allocate creates the stages of a pipe and its mbarriers. A phase of `full` completes with one arrival, of the thread
// that announces the bytes, or with one per warp that fills the stage. A phase of `empty` completes with one arrival per
// consumer warp.
func (p *plan) allocate(b *ir.Builder, r *pipe) {
	for _, c := range r.groups[0].buffers() {
		t := c.alloc.Result(0).Type().(*tileas.BufferType)
		made := b.Create(tileas.AllocShared, nil, []ir.Type{t.WithStages(r.stages)})
		if align := c.alloc.Attr(tileas.AttrAlign); align != nil {
			made.SetAttr(tileas.AttrAlign, align)
		}
		r.buffers = append(r.buffers, made.Result(0))
	}
	t, arrivals := p.mbarrierType(), int64(1)
	if r.byThreads() {
		arrivals = int64(p.warps)
	}
	r.full = mbarriers(b, t, r.stages, arrivals)
	if !r.once {
		arrivals := int64(p.warps)
		if r.groups[0].mmas { // the last MMA that reads the stage signals it
			arrivals = 1
		}
		r.empty = mbarriers(b, t, r.stages, arrivals)
	}
}

// mbarrierType returns the type of an mbarrier's buffer.
func (p *plan) mbarrierType() *tileas.BufferType {
	return p.groups[0].copies[0].load.OperandNamed("mbarrier").Type().(*tileas.BufferType)
}

// mbarriers creates n mbarriers, each initialized to a number of arrivals.
func mbarriers(b *ir.Builder, t *tileas.BufferType, n, arrivals int64) ir.Value {
	all := b.Create(tileas.AllocShared, nil, []ir.Type{t.WithStages(n)}).Result(0)
	for i := range n {
		one := all
		if n > 1 {
			one = b.Create(tileas.BufferStage, []ir.Value{all, constant(b, i)}, []ir.Type{t.WithStages(1)}).Result(0)
		}
		b.Create(tileas.MbarrierInit, []ir.Value{one}, nil, number(b, tileas.AttrArrivals, arrivals))
	}
	return all
}

// roles creates the warp_specialize operation, with an empty block per role.
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
