package pipelineloops

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/schedule/ddg"
)

// An iteration is a place where the operations of one steady-state, prologue or epilogue iteration are put.
type iteration struct {
	x      *expansion
	b      *ir.Builder
	number int // as in a site; in the prologue that is the source iteration for prefetch distance 0
	// carried are the values that the loop carries, as they are here. The prologue has none.
	carried []ir.Value
	// counter returns the source counter at a prefetch distance.
	counter func(prefetch int) ir.Value
	// exists returns whether there is an iteration at a prefetch distance; a zero Value if that is proven.
	exists func(prefetch int) ir.Value
	// back returns the value that a value of the body had so many iterations ago.
	back func(v ir.Value, iterations int) ir.Value
	// outside returns a value from outside of the loop as it is available here.
	outside func(v ir.Value) ir.Value

	made  map[ir.Value]ir.Value // the values defined in this iteration
	again map[again]ir.Value    // rematerialized values
}

type again struct {
	v        ir.Value
	prefetch int
}

func (x *expansion) newIteration(b *ir.Builder, number int) *iteration {
	return &iteration{x: x, b: b, number: number, outside: same, made: make(map[ir.Value]ir.Value), again: make(map[again]ir.Value)}
}

func same(v ir.Value) ir.Value { return v }

// stage returns the stage index at prefetch distance 0 for buffers of so many stages, as a value plus a constant.
func (t *iteration) stage(stages int64) (index ir.Value, ahead int64) {
	switch {
	case t.number < 0:
		return arith.NewI32(t.b, 0), (int64(t.number)%stages + stages) % stages
	case stages > 1: // otherwise it is always stage 0
		index = t.carried[slices.Index(t.x.stageCounts(), stages)]
	}
	return index, int64(max(0, t.number-1))
}

// round returns the parity of the round through so many stages.
func (t *iteration) round(stages int64) ir.Value {
	return t.carried[len(t.x.stageCounts())+slices.Index(t.x.rounds(), stages)]
}

// value returns a value of the old body for the iteration at a prefetch distance.
func (t *iteration) value(v ir.Value, prefetch int) ir.Value {
	x := t.x
	body := x.loop.Body()
	if v.IsBlockArg() && v.Block() == body {
		if v == body.Arg(0) {
			return t.once(v, prefetch, func() ir.Value { return t.counter(prefetch) })
		}
		next, changes := x.g.Carried(v)
		if !changes || t.number < 0 && t.number+prefetch == 0 {
			return t.outside(x.loop.Operand(scf.NumBounds + v.Index() - 1))
		}
		return t.value(next, prefetch-1)
	}
	if r := x.staged[v]; r != nil {
		return t.once(v, prefetch, func() ir.Value { return t.stageOf(r, prefetch) })
	}
	i := x.g.Node(v)
	switch {
	case i < 0:
		return t.outside(v)
	case !x.emitted(i):
		return t.once(v, prefetch, func() ir.Value { return t.clone(x.g.Nodes[i].Op, prefetch).Result(v.Index()) })
	case x.prefetch[i] == prefetch:
		return t.made[v]
	}
	return t.back(v, x.prefetch[i]-prefetch)
}

func (t *iteration) once(v ir.Value, prefetch int, create func() ir.Value) ir.Value {
	k := again{v, prefetch}
	if made, ok := t.again[k]; ok {
		return made
	}
	made := create()
	t.again[k] = made
	return made
}

// clone creates a copy of an operation for the iteration at a prefetch distance.
func (t *iteration) clone(op ir.Op, prefetch int) ir.Op {
	return t.b.CloneWith(op, func(v ir.Value) ir.Value { return t.value(v, prefetch) })
}

// stageOf returns the stage of a buffer that the iteration at a prefetch distance uses.
func (t *iteration) stageOf(r *stagedBuffer, prefetch int) ir.Value {
	if r.stages == 1 {
		return r.buffer
	}
	index, ahead := t.stage(r.stages)
	return tileas.NewStage(t.b, r.buffer, func() ir.Value { return index }, ahead+int64(prefetch))
}

// emit creates the operations whose prefetch distance is accepted by runs, in the order of the steps.
func (t *iteration) emit(runs func(prefetch int) bool) {
	x := t.x
	left := 0 // copies of the current group that are still to come
	var last *group
	expected := false // the bytes of its TMA loads are announced
	for _, s := range x.steps {
		if s.group >= 0 {
			t.sync(s.group, runs)
			last = x.groups[s.group]
			left = len(last.nodes)
			expected = false
			continue
		}
		prefetch, tensor := x.prefetch[s.node], x.byTMA(s.node)
		if runs(prefetch) {
			if tensor && !expected {
				t.expect(last)
				expected = true
			}
			t.put(s.node, last)
		}
		if x.g.Nodes[s.node].Async() {
			x.copied = x.copied || runs(prefetch) && !tensor
			if left--; left == 0 && x.copied && last.commits { // once there is a copy every iteration has all groups, also those that copy nothing, so that waits can count
				t.b.Create(tileas.CommitGroup, nil, []ir.Type{tileas.Group(t.b.Context())})
			}
		}
	}
}

// put creates the operation of a node, for the iteration at its prefetch distance. A copy is one of the given group.
func (t *iteration) put(i int, of *group) {
	n, prefetch := &t.x.g.Nodes[i], t.x.prefetch[i]
	var exists ir.Value
	if n.Role == ddg.Ahead {
		exists = t.exists(prefetch)
	}
	var mbarrier ir.Value
	if t.x.byTMA(i) {
		mbarrier = t.mbarrier(of.full, prefetch)
	}
	op := t.clone(n.Op, prefetch)
	if !mbarrier.IsNil() {
		tile.SetOptional(op, "mbarrier", mbarrier)
	}
	switch {
	case n.Op.Is(tileas.DotWait):
		op.SetAttr(tileas.AttrPending, tileas.Number(t.b.Context(), tileas.AttrPending, int64(t.x.pending[site{t.number, step{i, -1}}])).Value)
	case exists.IsNil():
	case n.Async():
		tile.SetOptional(op, tile.FieldPredicate, exists)
	default:
		t.empty(op, exists)
	}
	for k, r := range n.Op.Results() {
		t.made[r] = op.Result(k)
	}
}

// empty makes a load read nothing if its iteration does not exist, by a size of 0 in one dimension of its array.
func (t *iteration) empty(op ir.Op, exists ir.Value) {
	if op.Is(tileas.Level.Load) {
		maskOff(op, exists)
		return
	}
	a := tile.AccessOf(op)
	// Best is a dimension whose bounds are tested anyway, with an offset that changes in each iteration: there a
	// changing size costs nothing. If none is tested, a dimension of extent 1 takes one test for the entire tile.
	best, most := len(a.Sizes)-1, 0
	for d, extent := range tile.Shape(a.Tile) {
		score := 0
		switch {
		case a.Checked(d) && a.Offsets[d].Block() == t.b.Block():
			score = 3
		case a.Checked(d):
			score = 2
		case extent == 1:
			score = 1
		}
		if score > most {
			best, most = d, score
		}
	}
	b := ir.BuilderBefore(op).WithLoc(op.Loc())
	size := a.Sizes[best]
	lo, _ := op.OperandRange(op.Def().OperandField("sizes"))
	op.SetOperand(lo+best, arith.New(b, arith.Select, exists, size, arith.NewInt(b, size.Type(), 0)))
	if flags := slices.Clone(op.Attr(tile.AttrBounds).(*ir.DenseArrayAttr).Values); flags[best] == 0 {
		flags[best] = 1
		op.SetAttr(tile.AttrBounds, b.Context().DenseArray(b.Context().Int(1), flags...))
	}
}

// maskOff adds a condition to the mask of a load through pointers.
func maskOff(op ir.Op, unless ir.Value) {
	b := ir.BuilderBefore(op).WithLoc(op.Loc())
	mask, all := op.OperandNamed("mask"), unless
	if ptrs, tensor := op.OperandNamed("ptrs").Type().(*ir.TensorType); tensor {
		t := b.Context().Tensor(ptrs.Shape, unless.Type(), ptrs.Encoding)
		all = b.Create(tileas.Level.Splat, []ir.Value{unless}, []ir.Type{t}).Result(0)
	}
	if !mask.IsNil() {
		all = arith.New(b, arith.AndI, mask, all)
	}
	tile.SetOptional(op, "mask", all)
}
