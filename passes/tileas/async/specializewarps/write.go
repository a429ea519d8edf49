package specializewarps

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// A state is where a role is in a pipe: the stage index, and the parity of the phase that it waits for there.
type state struct{ place, parity ir.Value }

// A writer creates the code of a role.
type writer struct {
	*plan
	b            *ir.Builder
	m            *ir.Mapping
	keeps        *slice
	pipes        []*pipe // the pipes that the role uses; with a common state, one of them
	states       map[*pipe]*state
	accumulators map[*chain]*accumulator // accumulators in progress
	// What the role does for a group before an operation (begins) and after it (ends).
	begins, ends map[ir.Op][]*group
	replaced     map[ir.Op]bool
	skip         func(op ir.Op) // called for replaced operations
	hidden       func(op ir.Op) bool
	late         map[ir.Op]*carry // the loops of late MMAs
	opened       map[*group]bool  // groups whose stage is found, but not waited for
	begin        func(g *group)
	end          func(g *group)
	// finish is called at the end of a rebuilt block.
	finish func(b ir.Block)
	loop   func(old, made ir.Op)
	// before and after are called around each operation that is cloned.
	before, after func(op ir.Op)
}

// write creates the code of a role, whose pipes begin with the given stage and parity.
func (w *writer) write(keeps *slice, first func(r *pipe) (place, parity int64)) {
	w.keeps = keeps
	type start struct{ place, parity int64 }
	var own []*pipe // pipes with a state of their own
	starts := make(map[*pipe]start)
	for _, r := range w.pipes {
		if r.once {
			continue
		}
		place, parity := first(r)
		starts[r] = start{place, parity}
		// Stages of the operands of an MMA, say, go round together.
		if k := slices.IndexFunc(own, func(o *pipe) bool { return starts[o] == starts[r] && o.goesWith(r) }); k >= 0 {
			w.states[r] = w.states[own[k]]
			continue
		}
		w.states[r] = &state{constant(w.b, place), constant(w.b, parity)}
		own = append(own, r)
	}
	w.pipes = own
	w.block(w.fn.Body())
}

// goesWith reports whether two pipes advance in the same blocks by as many stages, of equally many.
func (r *pipe) goesWith(o *pipe) bool {
	sameBlock := func(a, b *group) bool { return a.block == b.block && !a.late && !b.late }
	return r.stages == o.stages && slices.EqualFunc(r.groups, o.groups, sameBlock)
}

// block creates the operations of a block.
func (w *writer) block(src ir.Block) {
	for op := range src.Ops() {
		w.b.Loc = op.Loc()
		for _, g := range w.begins[op] {
			w.begin(g)
		}
		switch {
		case w.replaced[op]:
			if w.skip != nil {
				w.skip(op)
			}
		case op.HasTrait(ir.Terminator):
		case !w.keeps.live[op] || w.hidden != nil && w.hidden(op):
		case w.late[op] != nil:
			w.lateLoop(op, w.late[op])
		case w.rebuilt[op] && op.Is(scf.For):
			w.before(op)
			w.forOp(op)
		case w.rebuilt[op]:
			w.ifOp(op)
		case op.Is(tileas.MakeTensorMap): // it stays before the roles
		default:
			w.before(op)
			if w.keeps.accept != nil {
				w.cloneForOneWarp(op)
			} else {
				w.b.Clone(op, w.m)
			}
			w.after(op)
		}
		for _, g := range w.ends[op] {
			w.end(g)
		}
	}
	if w.finish != nil {
		w.finish(src)
	}
	for _, r := range w.pipes { // a group fills or reads one stage in each execution of its block
		if !r.once && slices.ContainsFunc(r.groups, func(g *group) bool { return g.block == src && !(g.late && w.late != nil) }) {
			*w.states[r] = w.next(r, *w.states[r])
		}
	}
}

// next returns the state one stage further. The parity flips when the index wraps around.
func (w *writer) next(r *pipe, s state) state {
	b, i32 := w.b, w.b.Context().Int(32)
	create := func(def *ir.OpDef, t ir.Type, vs ...ir.Value) ir.Value {
		return b.Create(def, vs, []ir.Type{t}).Result(0)
	}
	if r.stages == 1 {
		return state{s.place, create(arith.XOrI, i32, s.parity, constant(b, 1))}
	}
	last := arith.NewCmpI(b, "eq", s.place, constant(b, r.stages-1))
	place := create(arith.Select, i32, last, constant(b, 0), create(arith.AddI, i32, s.place, constant(b, 1)))
	return state{place, create(arith.XOrI, i32, s.parity, create(arith.ExtUI, i32, last))}
}

// pipesIn returns the pipes with groups inside an operation.
func (w *writer) pipesIn(op ir.Op) (out []*pipe) {
	for _, r := range w.pipes {
		if !r.once && slices.ContainsFunc(r.groups, func(g *group) bool { return op.IsAncestorOf(g.block.ParentOp()) || g.block.ParentOp() == op }) {
			out = append(out, r)
		}
	}
	return out
}

// carried returns which results of an operation the role needs.
func (w *writer) carried(op ir.Op) (out []int) {
	for i := range op.NumResults() {
		if w.keeps.carried(op, i) {
			out = append(out, i)
		}
	}
	return out
}

// statesOf returns the states of pipes as values, and take sets them from values.
func (w *writer) statesOf(pipes []*pipe) (out []ir.Value) {
	for _, r := range pipes {
		s := w.states[r]
		out = append(out, s.place, s.parity)
	}
	return out
}

func (w *writer) take(pipes []*pipe, from []ir.Value) {
	for i, r := range pipes {
		*w.states[r] = state{from[2*i], from[2*i+1]}
	}
}

func (w *writer) values(vs []ir.Value) (out []ir.Value) {
	for _, v := range vs {
		out = append(out, w.m.Lookup(v))
	}
	return out
}

// forOp rebuilds a loop, with the carried values that the role needs and the states of the pipes in it.
func (w *writer) forOp(op ir.Op) {
	kept, pipes := w.carried(op), w.pipesIn(op)
	pick := func(vs []ir.Value) (out []ir.Value) {
		for _, i := range kept {
			out = append(out, w.m.Lookup(vs[i]))
		}
		return out
	}
	inits := append(pick(op.Operands()[scf.NumBounds:]), w.statesOf(pipes)...)
	bounds := w.values(op.Operands()[:scf.NumBounds])
	loop := scf.CreateFor(w.b, bounds[0], bounds[1], bounds[2], inits, op.InherentAttrs()...)
	loop.SetDiscardableAttrs(op.DiscardableAttrs())
	body := loop.Body()
	w.m.Values[op.Body().Arg(0)] = body.Arg(0)
	for k, i := range kept {
		w.m.Values[op.Body().Arg(1+i)] = body.Arg(1 + k)
	}
	w.take(pipes, body.Args()[1+len(kept):])
	around := w.b
	w.b = ir.BuilderAtEnd(body)
	w.block(op.Body())
	w.b.Loc = op.Body().Last().Loc()
	w.b.Create(scf.Continue, append(pick(op.Body().Last().Operands()), w.statesOf(pipes)...), nil)
	w.b = around
	for k, i := range kept {
		w.m.Values[op.Result(i)] = loop.Result(k)
	}
	w.take(pipes, loop.Results()[len(kept):])
	if w.loop != nil {
		w.loop(op, loop)
	}
}

// ifOp rebuilds an if. Both branches yield the states, whether or not they use the pipes.
func (w *writer) ifOp(op ir.Op) {
	kept, pipes := w.carried(op), w.pipesIn(op)
	var types []ir.Type
	for _, i := range kept {
		types = append(types, op.Result(i).Type())
	}
	before := w.statesOf(pipes)
	for _, v := range before {
		types = append(types, v.Type())
	}
	made := scf.CreateIf(w.b, w.m.Lookup(op.Operand(0)), types)
	around := w.b
	for i := range 2 {
		w.b = ir.BuilderAtEnd(made.Region(i).First())
		w.take(pipes, before)
		var yields []ir.Value
		if !op.Region(i).Empty() {
			src := op.Region(i).First()
			w.block(src)
			w.b.Loc = op.Loc()
			for _, k := range kept {
				yields = append(yields, w.m.Lookup(src.Last().Operand(k)))
			}
		}
		w.b.Create(scf.Yield, append(yields, w.statesOf(pipes)...), nil)
	}
	w.b = around
	for k, i := range kept {
		w.m.Values[op.Result(i)] = made.Result(k)
	}
	w.take(pipes, made.Results()[len(kept):])
}

// stage returns the stage of a pipe, some stages further than the state says.
func (w *writer) stage(r *pipe, all ir.Value, further int64) ir.Value {
	if r.stages == 1 {
		return all
	}
	var attrs []ir.NamedAttr
	if further %= r.stages; further > 0 {
		attrs = append(attrs, number(w.b, tileas.AttrAhead, further))
	}
	one := all.Type().(*tileas.BufferType).WithStages(1)
	return w.b.Create(tileas.BufferStage, []ir.Value{all, w.states[r].place}, []ir.Type{one}, attrs...).Result(0)
}

func add(m map[ir.Op][]*group, op ir.Op, g *group) { m[op] = append(m[op], g) }
