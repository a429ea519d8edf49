package specializewarps

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/schedule"
	"github.com/tilewright/tilewright/passes/schedule/cost"
	"github.com/tilewright/tilewright/passes/schedule/ddg"
	"github.com/tilewright/tilewright/target/sm"
)

// A carry is a loop whose iterations end with a product that only the next one takes, behind another product of its own, as in attention: the sum of P V, which the next iteration scales when it has had Q K^T.
//
//	for { S = dot_async Q, K ; dot_wait S ; ... P = exp(S) ; T = O * scale ; O' = dot_async P, V, T ; dot_wait O' }
//
// becomes
//
//	for { S = dot_async Q, K ; dot_wait S, O ; ... P = exp(S) ; T = O * scale ; O' = dot_async P, V, T } ; dot_wait O'
//
// so that the two products, P V of one iteration and Q K^T of the next, follow each other on the tensor cores with nothing in between: one stretch of products and one of arithmetic an iteration. That is what two groups of warps
// can take turns with (FlashAttention 3, section 3.1). V's slot is free an iteration later. Where a thread has the registers, P V is late besides, so that the same group has arithmetic beside it.
type carry struct {
	loop          ir.Op
	first, second ir.Op // the products
	at, dropped   ir.Op // the waits for them
	index         int   // of the sum, among what the loop carries
	late          *late // how the second product is started an iteration later; nil: it is handed on
}

// carryOf returns that of a loop body; nil: it is not of this kind.
func carryOf(b ir.Block, mine map[ir.Op]bool) *carry {
	loop := b.ParentOp()
	if !loop.Is(scf.For) {
		return nil
	}
	c := &carry{loop: loop}
	for op := range b.Ops() {
		switch {
		case op.Is(tileas.DotAsync):
			if !ownFactors(op, mine) || !c.second.IsNil() {
				return nil
			}
			if c.first.IsNil() {
				c.first = op
			} else {
				c.second = op
			}
		case op.Is(tileas.DotWait):
			switch {
			case !zero(op) || op.NumOperands() != 1:
				return nil
			case !c.second.IsNil() && c.dropped.IsNil() && op.Operand(0) == c.second.Result(0):
				c.dropped = op
			case !c.first.IsNil() && c.second.IsNil() && c.at.IsNil() && op.Operand(0) == c.first.Result(0):
				c.at = op
			default:
				return nil
			}
		case op.NumRegions() > 0 && !ir.IsPure(op):
			return nil
		}
	}
	if c.at.IsNil() || c.dropped.IsNil() {
		return nil
	}
	sum := c.dropped.Result(0)
	if !sum.HasOneUse() || sum.FirstUse().Owner() != b.Last() || !c.second.Result(0).HasOneUse() {
		return nil
	}
	c.index = sum.FirstUse().Index()
	for u := range b.Arg(1 + c.index).Uses() { // it is unfinished up to the first wait
		top := u.Owner().AncestorIn(b.Region())
		if top.IsNil() || !c.at.IsBeforeInBlock(top) || top == b.Last() {
			return nil
		}
	}
	return c
}

// ownFactors reports whether a product takes registers, and buffers that copies of the load role fill: nothing that threads write to memory, which would need a barrier in front of it.
func ownFactors(product ir.Op, mine map[ir.Op]bool) bool {
	return !slices.ContainsFunc(product.Operands()[:2], func(v ir.Value) bool {
		_, buffer := v.Type().(*tileas.BufferType)
		return buffer && !mine[rootOf(v)]
	})
}

// findCarries finds the loops that hand on products under way.
func (p *plan) findCarries(mayBeLate bool) {
	for _, g := range p.groups {
		if _, tried := p.carries[g.block]; !tried {
			p.carries[g.block] = carryOf(g.block, p.mine)
		}
	}
	if !mayBeLate || !p.arch.Has(sm.WgmmaSync) { // sums in tensor memory are not handed through registers
		return
	}
	for b, c := range p.carries {
		if c == nil || !p.lateFits(c) {
			continue
		}
		var own []*group // of what the product reads
		alone := true    // and nothing else does
		for _, g := range p.groups {
			if g.block == b && g.reads(c.second) {
				own, alone = append(own, g), alone && g.readBy(c.second)
			}
		}
		if !alone {
			continue
		}
		if c.late = c.lateOf(); c.late == nil {
			continue
		}
		for _, g := range own {
			g.late = true
		}
	}
}

// reads reports whether an operation reads the slots of a group.
func (g *group) reads(op ir.Op) bool {
	return slices.ContainsFunc(g.copies, func(c *tensorCopy) bool { return slices.Contains(c.users, op) })
}

// readBy reports whether nothing but an operation reads the slots of a group.
func (g *group) readBy(op ir.Op) bool {
	return !slices.ContainsFunc(g.copies, func(c *tensorCopy) bool {
		return slices.ContainsFunc(c.users, func(u ir.Op) bool { return u != op })
	})
}

// writeCarries makes the compute role hand products on, and its groups of warps take turns with them.
func (p *plan) writeCarries(w *writer) {
	at, dropped, loops := make(map[ir.Op]*carry), make(map[ir.Op]*carry), make(map[ir.Op]*carry)
	firsts, seconds := make(map[ir.Op]bool), make(map[ir.Op]bool)
	for _, c := range p.carries {
		switch {
		case c == nil:
		case c.late != nil:
			w.replaced[c.at], w.replaced[c.dropped], w.replaced[c.second] = true, true, true
			w.late[c.loop] = c
		default:
			at[c.at], dropped[c.dropped], loops[c.loop] = c, c, c
			firsts[c.first], seconds[c.second] = true, true
			w.replaced[c.at], w.replaced[c.dropped] = true, true
		}
	}
	skip, loop := w.skip, w.loop
	w.skip = func(op ir.Op) {
		switch {
		case at[op] != nil:
			c := at[op]
			carried := c.loop.Body().Arg(1 + c.index)
			done := w.finished(0, w.m.Lookup(c.first.Result(0)), w.m.Lookup(carried))
			w.m.Values[op.Result(0)], w.m.Values[carried] = done[0], done[1]
		case dropped[op] != nil:
			w.m.Values[op.Result(0)] = w.m.Lookup(op.Operand(0))
		default:
			skip(op)
		}
	}
	w.loop = func(old, made ir.Op) {
		if c := loops[old]; c != nil {
			w.pass()
			w.m.Values[old.Result(c.index)] = w.finished(0, made.Result(c.index))[0]
			return
		}
		loop(old, made)
	}
	w.before = func(op ir.Op) {
		if seconds[op] || loops[op] != nil {
			w.takeTurn()
		}
	}
	w.after = func(op ir.Op) {
		if firsts[op] {
			w.pass()
		}
	}
}

// finished waits for all products but the latest, and returns some finished.
func (w *writer) finished(pending int, products ...ir.Value) []ir.Value {
	var types []ir.Type
	for _, v := range products {
		types = append(types, v.Type())
	}
	return w.b.Create(tileas.DotWait, products, types, number(w.b, tileas.AttrPending, int64(pending))).Results()
}

// firstTurn is the first of the named barriers of turns: from the least on, since a kernel has all up to the highest number that it uses.
const firstTurn = 1

// takeTurn and pass are the ends of a stretch of products; nothing where warps take no turns.
func (w *writer) takeTurn(ends ...string) { w.turn(tileas.TakeTurn, ends) }
func (w *writer) pass(ends ...string)     { w.turn(tileas.PassTurn, ends) }

func (w *writer) turn(def *ir.OpDef, ends []string) {
	if w.turns < 2 {
		return
	}
	attrs := []ir.NamedAttr{number(w.b, tileas.AttrID, firstTurn), number(w.b, tileas.AttrGroups, w.turns)}
	for _, end := range ends {
		attrs = append(attrs, ir.NamedAttr{Name: end, Value: w.b.Context().Unit()})
	}
	w.b.Create(def, nil, nil, attrs...)
}

// giveTurns decides whether groups of warps take turns: where each has rows of its own of both products, so that its arithmetic needs no other one.
func (p *plan) giveTurns() {
	if p.warps < 2*warpgroup || p.warps%warpgroup != 0 {
		return
	}
	turns := int64(0)
	for _, c := range p.carries {
		switch {
		case c == nil:
		case !p.rowsApart(c.first) || !p.rowsApart(c.second):
			return
		default:
			turns = int64(p.warps / warpgroup)
		}
	}
	p.turns = turns
}

// rowsApart reports whether each warp has rows of its own of a product: then no group needs anything of another one, neither for reductions of rows nor to make a factor of the result.
func (p *plan) rowsApart(product ir.Op) bool {
	m := tileas.MMAOf(product)
	return m != nil && m.WarpsM == p.warps && m.WarpsN == 1 && !m.Transposed
}

// alternates reports why roles do not make an iteration of a loop shorter than the scheduler does without. Of several tile blocks on an SM one has its products beside the arithmetic of another: each has the units to itself
// for its share of the time, and what bounds them all is what they have for a unit.
func (p *plan) alternates(ctx context.Context, c *carry) error {
	blocks := max(1, int(contract.KernelSpecOf(p.fn).Occupancy))
	if blocks > 1 && p.turns > 0 {
		return errors.New("another tile block on the SM has products beside the arithmetic of this one")
	}
	model := cost.NewModel(p.arch, p.warps)
	g, err := ddg.Build(c.loop, model)
	if err != nil {
		return nil // nothing else puts arithmetic beside its products
	}
	busy, alone := p.cyclesOf(c, model)
	whole, err := schedule.Iterative.Schedule(ctx, g, schedule.LimitsOf(p.fn, p.arch).In(c.loop))
	if err != nil {
		return nil
	}
	parted, scheduled := max(busy, alone/blocks), max(busy, whole.II*whole.Unit/blocks)
	if p.turns > 0 && scheduled <= parted || scheduled < parted {
		return fmt.Errorf("an iteration is scheduled in %d cycles as a whole, and would take %d with roles", scheduled, parted)
	}
	return nil
}

// cyclesOf estimates an iteration of a role's loop: what its busiest unit has to do, than which none is shorter however many share the SM, and how long one takes by itself. That is what one group of warps does one thing
// after the other: its share of the products that it waits for, of which a late one is none, and its share of the arithmetic, in which it has the units to itself while another group multiplies.
func (p *plan) cyclesOf(c *carry, model *cost.Model) (busiest, alone int) {
	var busy [sm.NumUnits]int
	serial, wait := 0, 0
	for op := range c.loop.Body().Ops() {
		if op.Is(tileas.TMALoad) || op.Is(tileas.MbarrierWait) || op.Is(tileas.MbarrierExpect) { // of the role that loads, or over when it comes to it
			continue
		}
		t := model.Of(op)
		for u, n := range t.Busy {
			busy[u] += n
		}
		if c.late != nil && op == c.second {
			continue
		}
		serial += t.Work()
		if op.Is(tileas.DotAsync) {
			wait += max(0, t.Latency-t.Work())
		}
	}
	busiest = slices.Max(busy[:])
	return busiest, max(busiest, wait+serial/max(1, int(p.turns)))
}
