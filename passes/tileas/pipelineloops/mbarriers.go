package pipelineloops

import (
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/schedule/ddg"
)

// Tensor copies of a group report to one mbarrier, which expects the bytes of all of them. Mbarriers are a ring as the slots are, so that the iteration that takes a place again does so behind the wait of the one that had it: its
// copies come behind what reads the slots. The parity of a phase is that of the round of the ring, which the loop carries beside the place.

// A tally is the ring of mbarriers of a group.
type tally struct {
	ring
	bytes int64 // of a phase
	// at is the group where the phase of an iteration is waited for, lead which iteration that is in a turn: those of what reads first.
	at, lead int
	from     int // the lead of the copies
	phases   *phases
}

// tensorCopy reports whether a buffer is filled by a tensor copy.
func (x *expansion) tensorCopy(b ddg.Buffer) bool { return x.g.Nodes[b.Copy].Op.Is(tileas.TMALoad) }

// findTallies finds which mbarriers groups need, and where each is waited for; in returns the last group that starts no later than an operation.
func (x *expansion) findTallies(in func(node int) int) error {
	for k, g := range x.groups {
		first := -1 // how many groups start between the copies and what reads them first
		for _, b := range x.g.Buffers {
			if !x.tensorCopy(b) || !slices.Contains(g.nodes, b.Copy) {
				continue
			}
			if g.tally == nil {
				g.tally = &tally{from: x.lead[b.Copy]}
			}
			t := g.tally
			if t.from != x.lead[b.Copy] {
				return fmt.Errorf("copies that start at one time are for different iterations")
			}
			t.bytes += b.Type().TileBytes()
			t.slots = max(t.slots, x.rings[b.Root].slots)
			for _, r := range b.Readers {
				if between := (x.lead[b.Copy]-x.lead[r])*len(x.groups) + in(r); first < 0 || between < first {
					first, t.at, t.lead = between, in(r), x.lead[r]
				}
			}
		}
		if g.tally != nil && first < 0 {
			return fmt.Errorf("nothing reads what group %d copies", k)
		}
	}
	x.findPhases()
	return nil
}

// allocateTallies makes the mbarriers, but those that there are already. Behind them a barrier lets copies use them, which tileas-insert-barriers finds.
func (x *expansion) allocateTallies(b *ir.Builder) {
	for _, g := range x.groups {
		if g.tally != nil && g.tally.phases == nil {
			x.allocateTally(b, g)
		}
	}
}

func (x *expansion) allocateTally(b *ir.Builder, g *group) {
	var t *tileas.BufferType
	for _, i := range g.nodes {
		if x.counts(i) {
			t = x.g.Nodes[i].Op.OperandNamed("mbarrier").Type().(*tileas.BufferType)
		}
	}
	g.tally.buffer = b.Create(tileas.AllocShared, nil, []ir.Type{t.WithSlots(g.tally.slots)}).Result(0)
	g.tally.each(b, func(one ir.Value) {
		b.Create(tileas.MbarrierInit, []ir.Value{one}, nil, ir.NamedAttr{Name: tileas.AttrArrivals, Value: b.Context().IntAttr(b.Context().Int(32), 1)})
	})
}

// counts reports whether an mbarrier counts a copy.
func (x *expansion) counts(i int) bool { return x.g.Nodes[i].Op.Is(tileas.TMALoad) }

// each calls f with each mbarrier of a ring.
func (y *tally) each(b *ir.Builder, f func(one ir.Value)) {
	if y.slots == 1 {
		f(y.buffer)
		return
	}
	one := y.buffer.Type().(*tileas.BufferType).WithSlots(1)
	for s := range y.slots {
		f(b.Create(tileas.BufferSlot, []ir.Value{y.buffer, constant32(b, s)}, []ir.Type{one}).Result(0))
	}
}

// endTallies ends the mbarriers behind the loop, where the loop runs again in another one and their phases do not go on: an mbarrier must not be initialised twice (PTX ISA, mbarrier.init).
func (x *expansion) endTallies(b *ir.Builder) {
	for _, g := range x.groups {
		if g.tally != nil && g.tally.phases == nil {
			g.tally.each(b, func(one ir.Value) { b.Create(tileas.MbarrierInval, []ir.Value{one}, nil) })
		}
	}
}

// tallies reports whether mbarriers count some of the copies.
func (x *expansion) tallies() bool {
	return slices.ContainsFunc(x.groups, func(g *group) bool { return g.tally != nil })
}

// inLoop reports whether an operation is in a loop.
func inLoop(op ir.Op) bool {
	for p := op.ParentOp(); !p.IsNil(); p = p.ParentOp() {
		if _, ok := ir.LoopLike.Of(p); ok {
			return true
		}
	}
	return false
}

// rounds returns the different numbers of slots of mbarriers, for each of which the loop carries the parity of the round.
func (x *expansion) rounds() (out []int64) {
	for _, g := range x.groups {
		if g.tally != nil && g.tally.phases == nil && !slices.Contains(out, g.tally.slots) {
			out = append(out, g.tally.slots)
		}
	}
	slices.Sort(out)
	return out
}

// mbarrier returns that of the iteration at a lead.
func (t *turn) mbarrier(y *tally, lead int) ir.Value {
	return t.once(y.buffer, lead, func() ir.Value { return t.slotOf(&y.ring, lead) })
}

// expect announces the bytes of the copies of a group, in front of the first of them.
func (t *turn) expect(g *group) {
	y := g.tally
	c := t.b.Context()
	operands := []ir.Value{t.mbarrier(y, y.from)}
	if exists := t.exists(y.from); !exists.IsNil() {
		operands = append(operands, exists)
	}
	t.b.Create(tileas.MbarrierExpect, operands, nil, ir.NamedAttr{Name: tileas.AttrBytes, Value: c.IntAttr(c.Int(32), y.bytes)})
}

// arrived waits for the copies of tensors that are read first from where warps meet for group k on.
func (t *turn) arrived(k int, runs func(lead int) bool) {
	for _, g := range t.x.groups {
		if y := g.tally; y != nil && y.at == k && runs(y.lead) {
			parity := t.parity
			if y.phases != nil {
				parity = t.phase
			}
			t.b.Create(tileas.MbarrierWait, []ir.Value{t.mbarrier(y, y.lead), parity(y)}, nil)
		}
	}
}

// parity returns the parity of the round in which the iteration that is waited for has its place in the ring.
func (t *turn) parity(y *tally) ir.Value {
	slots, lead := y.slots, y.lead
	if t.static {
		return constant32(t.b, int64(t.first+lead)/slots%2)
	}
	i32 := t.b.Context().Int(32)
	p := t.round(slots)
	flip := func(by ir.Value) { p = t.b.Create(arith.XOrI, []ir.Value{p, by}, []ir.Type{i32}).Result(0) }
	index, ahead := t.slot(slots)
	ahead += int64(lead)
	if ahead/slots%2 == 1 {
		flip(constant32(t.b, 1))
	}
	if rest := ahead % slots; rest > 0 {
		over := arith.NewCmpI(t.b, "sge", index, constant32(t.b, slots-rest))
		flip(t.b.Create(arith.ExtUI, []ir.Value{over}, []ir.Type{i32}).Result(0))
	}
	return p
}

// nextRound returns the parity of the round of the next turn.
func nextRound(b *ir.Builder, parity, slot ir.Value, slots int64) ir.Value {
	i32 := parity.Type()
	if slots == 1 {
		return b.Create(arith.XOrI, []ir.Value{parity, constant32(b, 1)}, []ir.Type{i32}).Result(0)
	}
	last := arith.NewCmpI(b, "eq", slot, constant32(b, slots-1))
	return b.Create(arith.XOrI, []ir.Value{parity, b.Create(arith.ExtUI, []ir.Value{last}, []ir.Type{i32}).Result(0)}, []ir.Type{i32}).Result(0)
}

// outside returns what an expansion may leave without a use in front of the loop: buffers and mbarriers that it has its own in the place of, views of them, and numbers that parities are made of.
func (x *expansion) outside() (out []ir.Op) {
	add := func(v ir.Value) {
		if def := v.DefiningOp(); !def.IsNil() && !x.loop.IsAncestorOf(def) && !slices.Contains(out, def) { // a buffer that the body makes goes with it
			out = append(out, def)
		}
	}
	for _, b := range x.g.Buffers {
		if !x.tensorCopy(b) {
			continue
		}
		x.views(b.Root, add)
		add(b.Root)
		add(x.g.Nodes[b.Copy].Op.OperandNamed("mbarrier"))
	}
	if len(out) == 0 {
		return nil
	}
	for _, n := range x.g.Nodes {
		for _, v := range n.Op.Operands() {
			if def := v.DefiningOp(); n.Role == ddg.Glue && !def.IsNil() && !x.loop.IsAncestorOf(def) {
				add(v)
			}
		}
	}
	for i := range x.g.Yields() {
		if x.g.Parity(i) {
			add(x.loop.Operand(scf.NumBounds + i))
		}
	}
	return out
}

// views calls add with the views of a buffer that are made in front of the loop, those of views first.
func (x *expansion) views(v ir.Value, add func(ir.Value)) {
	for u := range v.Uses() {
		if op := u.Owner(); !x.loop.IsAncestorOf(op) && op.NumResults() == 1 && x.viewed(op.Result(0)) {
			x.views(op.Result(0), add)
			add(op.Result(0))
		}
	}
}

// eraseUnused erases an operation that nothing uses any more, but for those that make mbarriers of the memory that it allocates.
func eraseUnused(op ir.Op) {
	if op.NumResults() != 1 || !op.Is(tileas.AllocShared) && !ir.IsPure(op) {
		return
	}
	var inits []ir.Op
	for u := range op.Result(0).Uses() {
		if !u.Owner().Is(tileas.MbarrierInit) && !u.Owner().Is(tileas.MbarrierInval) {
			return
		}
		inits = append(inits, u.Owner())
	}
	for _, init := range inits {
		init.Erase()
	}
	op.Erase()
}

// viewed reports whether a value is a view of a buffer, made in front of the loop, that has slots.
func (x *expansion) viewed(v ir.Value) bool {
	for def := v.DefiningOp(); !def.IsNil(); def = v.DefiningOp() {
		if !tileas.IsView(def) {
			return false
		}
		if v = def.Operand(0); x.rings[v] != nil {
			return true
		}
	}
	return false
}
