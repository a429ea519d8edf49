package pipelineloops

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/schedule/ddg"
	"github.com/tilewright/tilewright/passes/schedule/nest"
)

// A turn is where operations are put.
type turn struct {
	x *expansion
	b *ir.Builder
	// first says which iteration a lead of 0 is for, where that is known: in front of the loop, where it is negative.
	first  int
	static bool
	number int // as a site has it
	// counter returns the counter of the iteration at a lead.
	counter func(lead int) ir.Value
	// exists returns whether there is an iteration at a lead, a zero Value when there surely is.
	exists func(lead int) ir.Value
	// slot returns the place of the iteration at lead 0 in a ring of so many slots, and how many further it is.
	slot func(slots int64) (index ir.Value, ahead int64)
	// round returns the parity of the round of that ring.
	round func(slots int64) ir.Value
	// back returns what a value of the body was so many turns ago.
	back func(v ir.Value, turns int) ir.Value
	// outside returns what a value from outside of the loop is where the turn stands.
	outside func(v ir.Value) ir.Value

	made  map[ir.Value]ir.Value // in this turn
	again map[again]ir.Value    // what is made where it is wanted
}

type again struct {
	v    ir.Value
	lead int
}

func (x *expansion) newTurn(b *ir.Builder) *turn {
	same := func(v ir.Value) ir.Value { return v }
	return &turn{x: x, b: b, outside: same, made: make(map[ir.Value]ir.Value), again: make(map[again]ir.Value)}
}

// value returns what a value of the old body is for the iteration at a lead.
func (t *turn) value(v ir.Value, lead int) ir.Value {
	x := t.x
	body := x.loop.Body()
	if v.IsBlockArg() && v.Block() == body {
		if v == body.Arg(0) {
			return t.once(v, lead, func() ir.Value { return t.counter(lead) })
		}
		next, changes := x.g.Carried(v)
		if !changes || t.static && t.first+lead == 0 {
			return t.outside(x.loop.Operand(scf.NumBounds + v.Index() - 1))
		}
		if j := x.g.Node(next); x.kept[j] {
			return t.back(next, x.lead[j]-(lead-1))
		}
		return t.value(next, lead-1)
	}
	if r := x.rings[v]; r != nil {
		return t.once(v, lead, func() ir.Value { return t.slotOf(r, lead) })
	}
	i := x.g.Node(v)
	switch {
	case i < 0 && x.viewed(v):
		return t.once(v, lead, func() ir.Value { return t.clone(v.DefiningOp(), lead).Result(0) })
	case i < 0:
		return t.outside(v)
	case !x.emitted(i):
		return t.once(v, lead, func() ir.Value { return t.clone(x.g.Nodes[i].Op, lead).Result(v.Index()) })
	case x.lead[i] == lead:
		return t.made[v]
	}
	return t.back(v, x.lead[i]-lead)
}

func (t *turn) once(v ir.Value, lead int, create func() ir.Value) ir.Value {
	k := again{v, lead}
	if made, ok := t.again[k]; ok {
		return made
	}
	made := create()
	t.again[k] = made
	return made
}

// clone puts a copy of an operation for the iteration at a lead.
func (t *turn) clone(op ir.Op, lead int) ir.Op {
	m := ir.NewMapping()
	for _, v := range nest.Inputs(op) {
		m.Values[v] = t.value(v, lead)
	}
	return t.b.Clone(op, m)
}

// slotOf returns the slot of a ring that the iteration at a lead uses.
func (t *turn) slotOf(r *ring, lead int) ir.Value {
	if r.slots == 1 {
		return r.buffer
	}
	index, ahead := t.slot(r.slots)
	var attrs []ir.NamedAttr
	if ahead = (ahead + int64(lead)) % r.slots; ahead > 0 {
		i32 := t.b.Context().Int(32)
		attrs = append(attrs, ir.NamedAttr{Name: tileas.AttrAhead, Value: t.b.Context().IntAttr(i32, ahead)})
	}
	one := r.buffer.Type().(*tileas.BufferType).WithSlots(1)
	return t.b.Create(tileas.BufferSlot, []ir.Value{r.buffer, index}, []ir.Type{one}, attrs...).Result(0)
}

// emit puts the operations of a turn whose iterations, by their leads, are among those asked for.
func (t *turn) emit(runs func(lead int) bool) {
	x := t.x
	left := 0 // the copies of the last group that are not put yet
	var last *group
	expected := false // the bytes of its tensor copies are announced
	for _, s := range x.steps {
		if s.group >= 0 {
			t.meet(s.group, runs)
			last = x.groups[s.group]
			left = len(last.nodes)
			expected = false
			continue
		}
		lead := x.lead[s.node]
		tensor := x.g.Nodes[s.node].Op.Is(tileas.TMALoad)
		if tensor && runs(lead) && !expected {
			t.expect(last)
			expected = true
		}
		if runs(lead) {
			t.put(s.node)
		}
		if x.g.Nodes[s.node].Async() {
			x.copied = x.copied || runs(lead) && !tensor
			if left--; left == 0 && x.copied && last.commits { // once there is a copy every turn has all groups, also those that copy nothing, so that waits can count
				t.b.Create(tileas.CommitGroup, nil, []ir.Type{tileas.Group(t.b.Context())})
			}
		}
	}
}

// put puts the operation of a node, for the iteration at its lead.
func (t *turn) put(i int) {
	n, lead := &t.x.g.Nodes[i], t.x.lead[i]
	var exists ir.Value
	if n.Role == ddg.Ahead {
		exists = t.exists(lead)
	}
	var mbarrier ir.Value
	if n.Op.Is(tileas.TMALoad) {
		mbarrier = t.mbarrier(t.x.groupOf(i).tally, lead)
	}
	op := t.clone(n.Op, lead)
	if !mbarrier.IsNil() {
		at, _ := op.OperandRange(op.Def().OperandField("mbarrier"))
		op.SetOperand(at, mbarrier)
	}
	switch {
	case n.Op.Is(tileas.DotWait):
		t.finish(op, i)
	case exists.IsNil():
	case n.Async():
		only(op, exists)
	default:
		t.empty(op, exists)
	}
	for k, r := range n.Op.Results() {
		t.made[r] = op.Result(k)
	}
}

// only makes a copy copy something only where its iteration exists.
func only(op ir.Op, exists ir.Value) {
	tile.SetOptional(op, tile.FieldPredicate, exists)
}

// empty makes a load read nothing where its iteration does not exist: its object then has no extent in one dimension.
func (t *turn) empty(op ir.Op, exists ir.Value) {
	if op.Is(tileas.Level.Load) {
		maskOff(op, exists)
		return
	}
	a := tile.AccessOf(op)
	bounds, _ := op.Attr(tile.AttrBounds).(*ir.DenseArrayAttr)
	tested := func(d int) bool { return bounds == nil || bounds.Values[d] != 0 }
	// A dimension that is tested anyway, and with a new offset in each turn: there the test of a changing size costs nothing.
	best, most := len(a.Sizes)-1, 0
	for d := range a.Sizes {
		score := 0
		if tested(d) {
			score++
			if a.Offsets[d].Block() == t.b.Block() {
				score++
			}
		}
		if score > most {
			best, most = d, score
		}
	}
	b := ir.BuilderBefore(op)
	b.Loc = op.Loc()
	size := a.Sizes[best]
	none := arith.NewInt(b, size.Type(), 0)
	lo, _ := op.OperandRange(op.Def().OperandField("sizes"))
	op.SetOperand(lo+best, b.Create(arith.Select, []ir.Value{exists, size, none}, []ir.Type{size.Type()}).Result(0))
	if !tested(best) {
		flags := append([]int64(nil), bounds.Values...)
		flags[best] = 1
		op.SetAttr(tile.AttrBounds, b.Context().DenseArray(b.Context().Int(1), flags...))
	}
}

// maskOff makes a load through pointers read nothing unless a condition holds.
func maskOff(op ir.Op, unless ir.Value) {
	b := ir.BuilderBefore(op)
	b.Loc = op.Loc()
	mask, all := op.OperandNamed("mask"), unless
	if ptrs, tensor := op.OperandNamed("ptrs").Type().(*ir.TensorType); tensor {
		t := b.Context().Tensor(ptrs.Shape, unless.Type(), ptrs.Encoding)
		all = b.Create(tileas.Level.Splat, []ir.Value{unless}, []ir.Type{t}).Result(0)
	}
	if !mask.IsNil() {
		all = b.Create(arith.AndI, []ir.Value{mask, all}, []ir.Type{all.Type()}).Result(0)
	}
	tile.SetOptional(op, "mask", all)
}
