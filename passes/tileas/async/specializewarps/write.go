package specializewarps

import (
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// A writer creates the code of a role.
type writer struct {
	*plan
	b            *ir.Builder
	m            *ir.Mapping
	keeps        *slice
	accumulators map[*chain]ir.Value // the stages of accumulators in progress
	// What the role does for a group before an operation (begins) and after it (ends).
	begins, ends map[ir.Op][]*group
	replaced     map[ir.Op]bool
	skip         func(op ir.Op) // called for replaced operations
	hidden       func(op ir.Op) bool
	late         map[ir.Op]*carry // the loops of late MMAs
	ahead        map[ir.Op]*ahead // the loops in which the MMA warp is ahead of threads
	held         map[*group]*stage
	early        []ir.Op // views of stages that are not held yet
	begin        func(g *group)
	end          func(g *group)
	// finish is called at the end of a rebuilt block.
	finish func(b ir.Block)
	loop   func(old, made ir.Op)
	// before and after are called around each operation that is cloned.
	before, after func(op ir.Op)
}

// A stage is one that a role holds.
type stage struct {
	buffers []ir.Value
	signal  ir.Value // the mbarrier that TMA loads or MMAs signal
}

// write creates the code of a role.
func (w *writer) write(keeps *slice) {
	w.keeps = keeps
	w.block(w.fn.Body())
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
		case w.tooEarly(op):
			w.early = append(w.early, op)
		case w.late[op] != nil:
			w.lateLoop(op, w.late[op])
		case w.ahead[op] != nil:
			w.aheadLoop(op, w.ahead[op])
		case w.rebuilt[op] && op.Is(scf.For):
			w.before(op)
			w.forOp(op)
		case w.rebuilt[op] && op.Is(scf.Loop):
			w.loopOp(op)
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
	for _, g := range w.groups {
		if g.block == src {
			delete(w.held, g)
		}
	}
}

// tooEarly reports whether an operation is a view of a stage that the role does not hold yet. It follows the wait.
func (w *writer) tooEarly(op ir.Op) bool {
	if !tileas.IsView(op) {
		return false
	}
	g := w.groupOf[rootOf(op.Result(0))]
	return g != nil && w.held[g] == nil
}

// open executes pipe_acquire or pipe_wait for a group, so that the role holds a stage.
func (w *writer) open(g *group, def *ir.OpDef) *stage {
	t := g.pipe.typ()
	types := t.Filled()
	if def == tileas.PipeWait {
		types = t.Read()
	}
	out := w.b.Create(def, []ir.Value{g.pipe.value}, types).Results()
	s := &stage{buffers: out[:len(t.Buffers)]}
	if len(out) > len(t.Buffers) {
		s.signal = out[len(t.Buffers)]
	}
	w.held[g] = s
	for i, c := range g.buffers() {
		w.m.Values[c.alloc.Result(0)] = s.buffers[i]
	}
	var rest []ir.Op
	for _, op := range w.early {
		if w.tooEarly(op) {
			rest = append(rest, op)
		} else {
			w.b.Clone(op, w.m)
		}
	}
	w.early = rest
	return s
}

// commit hands on the stage that a group has filled.
func (w *writer) commit(g *group) { w.b.Create(tileas.PipeCommit, []ir.Value{g.pipe.value}, nil) }

// release frees a stage: that of the group, or with a lag that of an earlier iteration.
func (w *writer) release(g *group) {
	var attrs []ir.NamedAttr
	if g.pipe.lag > 0 {
		attrs = append(attrs, number(w.b, tileas.AttrLag, g.pipe.lag))
	}
	w.b.Create(tileas.PipeRelease, []ir.Value{g.pipe.value}, nil, attrs...)
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

func (w *writer) values(vs []ir.Value) (out []ir.Value) {
	for _, v := range vs {
		out = append(out, w.m.Lookup(v))
	}
	return out
}

// forOp rebuilds a loop, with the carried values that the role needs.
func (w *writer) forOp(op ir.Op) {
	kept := w.carried(op)
	pick := func(vs []ir.Value) (out []ir.Value) {
		for _, i := range kept {
			out = append(out, w.m.Lookup(vs[i]))
		}
		return out
	}
	bounds := w.values(op.Operands()[:scf.NumBounds])
	loop := scf.CreateFor(w.b, bounds[0], bounds[1], bounds[2], pick(op.Operands()[scf.NumBounds:]), op.InherentAttrs()...)
	loop.SetDiscardableAttrs(op.DiscardableAttrs())
	body := loop.Body()
	w.m.Values[op.Body().Arg(0)] = body.Arg(0)
	for k, i := range kept {
		w.m.Values[op.Body().Arg(1+i)] = body.Arg(1 + k)
	}
	around := w.b
	w.b = ir.BuilderAtEnd(body)
	w.block(op.Body())
	w.b.Loc = op.Body().Last().Loc()
	w.b.Create(scf.Continue, pick(op.Body().Last().Operands()), nil)
	w.b = around
	for k, i := range kept {
		w.m.Values[op.Result(i)] = loop.Result(k)
	}
	if w.loop != nil {
		w.loop(op, loop)
	}
}

// loopOp rebuilds an scf.loop.
func (w *writer) loopOp(op ir.Op) {
	kept, src := w.carried(op), op.Body()
	st := w.b.NewState(scf.Loop, op.Loc())
	for _, i := range kept {
		st.Operands, st.Types = append(st.Operands, w.m.Lookup(op.Operand(i))), append(st.Types, op.Result(i).Type())
	}
	body := st.AddRegion().AddBlock(st.Types...)
	loop := w.b.Insert(st)
	for k, i := range kept {
		w.m.Values[src.Arg(i)] = body.Arg(k)
	}
	around := w.b
	w.b = ir.BuilderAtEnd(body)
	w.block(src)
	w.b.Loc = src.Last().Loc()
	w.exit(src.Last(), op)
	w.b = around
	for k, i := range kept {
		w.m.Values[op.Result(i)] = loop.Result(k)
	}
}

// exit ends a loop or its iteration, with the carried values that the role needs.
func (w *writer) exit(term, loop ir.Op) {
	var vs []ir.Value
	for _, i := range w.carried(loop) {
		vs = append(vs, w.m.Lookup(term.Operand(i)))
	}
	w.b.Create(term.Def(), vs, nil)
}

// ifOp rebuilds an if.
func (w *writer) ifOp(op ir.Op) {
	kept := w.carried(op)
	var types []ir.Type
	for _, i := range kept {
		types = append(types, op.Result(i).Type())
	}
	made := scf.CreateIf(w.b, w.m.Lookup(op.Operand(0)), types)
	around := w.b
	for i := range 2 {
		w.b = ir.BuilderAtEnd(made.Region(i).First())
		var yields []ir.Value
		if !op.Region(i).Empty() {
			src := op.Region(i).First()
			w.block(src)
			w.b.Loc = op.Loc()
			if to := ir.ExitTarget(src.Last()); to != op {
				w.exit(src.Last(), to)
				continue
			}
			for _, k := range kept {
				yields = append(yields, w.m.Lookup(src.Last().Operand(k)))
			}
		}
		w.b.Create(scf.Yield, yields, nil)
	}
	w.b = around
	for k, i := range kept {
		w.m.Values[op.Result(i)] = made.Result(k)
	}
}

func add(m map[ir.Op][]*group, op ir.Op, g *group) { m[op] = append(m[op], g) }
