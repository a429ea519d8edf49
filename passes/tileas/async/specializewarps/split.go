package specializewarps

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// split carries the plan out: it clones each role from the kernel's body, and erases the body.
func (p *plan) split() {
	body := p.fn.Body()
	old := slices.Collect(body.Ops())
	end := body.Last()
	b := ir.BuilderBefore(end).WithLoc(p.fn.Loc())
	kept := p.front()
	for _, r := range slices.Concat(p.pipes, p.accumulators, p.backs) {
		p.create(b, r)
	}
	scratch := ir.NewMapping()
	for _, m := range p.builds {
		b.Clone(m.Operand(0).DefiningOp(), scratch)
	}
	all := p.roles()
	roles := p.specialize(b, all)
	for i, r := range all {
		inner := ir.BuilderAtEnd(roles.Region(i).First()).WithLoc(p.fn.Loc())
		w := &writer{plan: p, b: inner, m: ir.NewMapping(), held: make(map[*group]*stage), begins: make(map[ir.Op][]event), ends: make(map[ir.Op][]event),
			instead: make(map[ir.Op]func())}
		for _, m := range p.builds {
			w.m.Values[m.Operand(0)] = scratch.Lookup(m.Operand(0))
		}
		r.write(w)
		inner.Create(tileas.EndRole, nil, nil)
		if i == 0 {
			deferReleases(roles.Region(i).First())
		}
	}
	ir.EraseDead(roles) // such as constants of parities
	// Uses are erased before definitions.
	slices.Reverse(old)
	for _, op := range old {
		if op != end && !kept[op] {
			op.Erase()
		}
	}
	contract.SetNumWarps(p.fn, p.allWarps())
}

// front returns what stays before the roles: tensor maps, and what they are computed from.
func (p *plan) front() map[ir.Op]bool {
	s := newSlice(nil, "", false)
	for _, op := range p.fn.Collect(tileas.MakeTensorMap.Is) {
		s.op(op)
	}
	return s.live
}

// create creates a pipe and its stages. They are in shared memory if they replace buffers there, otherwise in TMEM.
func (p *plan) create(b *ir.Builder, r *pipe) {
	var stages []ir.Value
	var types []*tileas.BufferType
	for i, t := range r.types {
		t = t.WithStages(r.stages)
		types = append(types, t)
		if old := r.groups[0].buffers; old != nil {
			stages = append(stages, tileas.Alloc(b, t, tileas.Alignment(old[i].alloc)))
		} else {
			stages = append(stages, b.Create(tileas.AllocTMEM, nil, []ir.Type{t}).Result(0))
		}
	}
	typ := tileas.Pipe(b.Context(), r.from, r.to, p.paired && (r.from == tileas.ByMMAs || r.to == tileas.ByMMAs), types)
	if r.back {
		typ = tileas.PipeBack(b.Context(), types)
	}
	r.value = b.Create(tileas.PipeCreate, stages, []ir.Type{typ}).Result(0)
}

// A role is what some warps execute.
type role struct {
	name  string
	warps int
	regs  int64
	write func(*writer)
}

// roles returns the roles, that of the consumers first.
func (p *plan) roles() []role {
	out := []role{{"compute", p.warps, p.regs.Consumer, func(w *writer) {
		// `open` lets the first group of warps begin. `close` takes the last signal back, so each named barrier ends
		// as it began.
		w.pingPong(tileas.PingPongSignal, tileas.AttrOpen)
		p.writeCompute(w)
		w.pingPong(tileas.PingPongWait, tileas.AttrClose)
	}}}
	if p.gatherers > 0 {
		out = append(out, role{"gather", p.gatherers, p.regs.Copier, p.writeGather})
	}
	if p.loads {
		out = append(out, role{"load", 1, p.regs.Other, p.writeLoad})
	}
	if p.chains != nil {
		out = append(out, role{"product", 1, p.regs.Other, p.writeMMAs})
	}
	if p.regs.Idle > 0 {
		out = append(out, role{"idle", p.regs.Idle, p.regs.Other, func(*writer) {}})
	}
	return out
}

// specialize creates the warp_specialize operation, with an empty block per role.
func (p *plan) specialize(b *ir.Builder, roles []role) ir.Op {
	c := b.Context()
	st := b.NewState(tileas.WarpSpecialize, b.Loc)
	for range roles {
		st.AddRegion().AddBlock()
	}
	st.SetAttr(tileas.AttrRoles, c.Array(ir.Map(roles, func(r role) ir.Attribute { return c.String(r.name) })...))
	st.SetAttr(tileas.AttrWarps, c.DenseI32(ir.Map(roles, func(r role) int64 { return int64(r.warps) })...))
	if p.regs.Move() {
		st.SetAttr(tileas.AttrRegs, c.DenseI32(ir.Map(roles, func(r role) int64 { return r.regs })...))
	}
	return b.Insert(st)
}
