package specializewarps

import (
	"github.com/tilewright/tilewright/dialects/arith"
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
	begins, ends map[ir.Op][]event // before an operation, and after it
	instead      map[ir.Op]func()  // what the role does in the place of operations
	half         *half             // the part of an iteration that is created
	held         map[*group]*stage
}

// An event is what a role does before or after an operation, for a group or, if that is nil, for no group.
type event struct {
	of *group
	do func()
}

// begin and end add what is done before and after an operation, and drop leaves operations out.
func (w *writer) begin(at ir.Op, g *group, do func()) {
	w.begins[at] = append(w.begins[at], event{g, do})
}
func (w *writer) end(at ir.Op, g *group, do func()) { w.ends[at] = append(w.ends[at], event{g, do}) }
func (w *writer) drop(ops ...ir.Op) {
	for _, op := range ops {
		w.instead[op] = func() {}
	}
}

func (w *writer) execute(events []event) {
	for _, e := range events {
		if w.half.has(e.of) {
			e.do()
		}
	}
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
		w.execute(w.begins[op])
		do := w.instead[op]
		switch {
		case do != nil:
			if w.half.runs(op) {
				do()
			}
		case op.HasTrait(ir.Terminator):
		case !w.keeps.live[op]:
		case op.NumResults() > 0 && tileas.IsBuffer(op.Result(0)) && w.groupOf[tileas.RootOf(op.Result(0))] != nil: // open creates it
		case w.keeps.tables[op] != nil:
			w.tableLoop(op, w.keeps.tables[op])
		case w.rebuilt[op] && op.Is(scf.If):
			w.ifOp(op)
		case w.rebuilt[op]:
			w.loopOp(op)
		case op.Is(tileas.MakeTensorMap): // it stays before the roles
		default:
			w.inOneWarp(w.b.Clone(op, w.m))
		}
		w.execute(w.ends[op])
	}
}

// fills reports whether the role fills the stages of a group; otherwise it reads them.
func (w *writer) fills(g *group) bool {
	switch w.keeps {
	case w.compute:
		return !g.pipe.from.Async() && !g.gathered
	case w.mma:
		return g.pipe.from == tileas.ByMMAs
	}
	return true // the producer and the role that copies do nothing else
}

// open executes pipe_acquire or pipe_wait for a group, so that the role holds a stage. The views of it follow.
func (w *writer) open(g *group) *stage {
	t := g.pipe.typ()
	def, types := tileas.PipeWait, t.Read()
	if w.fills(g) {
		def, types = tileas.PipeAcquire, t.Filled()
	}
	out := w.b.Create(def, []ir.Value{g.pipe.value}, types).Results()
	s := &stage{buffers: out[:len(t.Buffers)]}
	if len(out) > len(t.Buffers) {
		s.signal = out[len(t.Buffers)]
	}
	w.held[g] = s
	for i, c := range g.buffers {
		w.m.Values[c.alloc.Result(0)] = w.as(s.buffers[i], c)
		w.views(c.alloc.Result(0))
	}
	return s
}

// views creates the views of a buffer.
func (w *writer) views(buffer ir.Value) {
	for u := range buffer.Uses() {
		if op := u.Owner(); tileas.IsView(op) {
			w.b.Clone(op, w.m)
			w.views(op.Result(0))
		}
	}
}

// handOn commits the stage that the role has filled for a group, or releases one that it has read: that of the group, or
// with a lag that of an earlier iteration.
func (w *writer) handOn(g *group) {
	if w.fills(g) {
		w.b.Create(tileas.PipeCommit, []ir.Value{g.pipe.value}, nil)
		return
	}
	var attrs []ir.NamedAttr
	if g.pipe.lag > 0 {
		attrs = append(attrs, tileas.Number(w.b.Context(), tileas.AttrLag, g.pipe.lag))
	}
	w.b.Create(tileas.PipeRelease, []ir.Value{g.pipe.value}, nil, attrs...)
}

// carried returns which results of an operation the role needs.
func (w *writer) carried(op ir.Op) (out []int) {
	for i, r := range op.Results() {
		if w.keeps.seen[r] {
			out = append(out, i)
		}
	}
	return out
}

// picked returns some of the values.
func (w *writer) picked(vs []ir.Value, kept []int) []ir.Value {
	return ir.Map(kept, func(i int) ir.Value { return w.m.Lookup(vs[i]) })
}

// bind makes some of the old values be new ones from here on.
func (w *writer) bind(old []ir.Value, kept []int, made []ir.Value) {
	for k, i := range kept {
		w.m.Values[old[i]] = made[k]
	}
}

// in creates the code of f at the end of a block, at first with the location of an operation.
func (w *writer) in(b ir.Block, of ir.Op, f func()) {
	around := w.b
	w.b = ir.BuilderAtEnd(b).WithLoc(of.Loc())
	f()
	w.b = around
}

// when lets what f creates execute only if a condition holds. Its first location is that of an operation.
func (w *writer) when(condition ir.Value, of ir.Op, f func()) {
	w.choose(condition, of, nil, func() []ir.Value {
		f()
		return nil
	})
}

// choose creates an if: its results are what f returns, where the condition holds, or else the given values.
func (w *writer) choose(condition ir.Value, of ir.Op, otherwise []ir.Value, f func() []ir.Value) []ir.Value {
	made := scf.CreateIf(w.b, condition, ir.TypesOf(otherwise))
	w.in(made.Region(1).First(), of, func() { w.b.Create(scf.Yield, otherwise, nil) })
	w.in(made.Region(0).First(), of, func() {
		results := f()
		w.b.Loc = of.Loc()
		w.b.Create(scf.Yield, results, nil)
	})
	return made.Results()
}

// loopOp rebuilds a loop, with the carried values that the role needs.
func (w *writer) loopOp(op ir.Op) {
	kept, src := w.carried(op), op.Body()
	bounds, inits := startOf(op)
	loop := scf.CreateLoopLike(w.b, op, ir.Map(bounds, w.m.Lookup), w.picked(inits, kept))
	if op.Is(scf.For) {
		w.m.Values[src.Arg(0)] = loop.Body().Arg(0)
	}
	w.bind(carriedArgs(op), kept, carriedArgs(loop))
	w.in(loop.Body(), op, func() {
		w.block(src)
		w.b.Loc = src.Last().Loc()
		w.exit(src.Last(), op)
	})
	w.bind(op.Results(), kept, loop.Results())
}

// exit ends a loop or its iteration, or a branch of an if, with the values that the role needs.
func (w *writer) exit(term, of ir.Op) {
	w.b.Create(term.Def(), w.picked(term.Operands(), w.carried(of)), nil)
}

// ifOp rebuilds an if.
func (w *writer) ifOp(op ir.Op) {
	kept := w.carried(op)
	scf.Else(op)
	made := scf.CreateIf(w.b, w.m.Lookup(op.Operand(0)), ir.Map(kept, func(i int) ir.Type { return op.Result(i).Type() }))
	for i := range 2 {
		w.in(made.Region(i).First(), op, func() {
			src := op.Region(i).First()
			w.block(src)
			w.b.Loc = op.Loc()
			w.exit(src.Last(), ir.ExitTarget(src.Last()))
		})
	}
	w.bind(op.Results(), kept, made.Results())
}

// A peeled loop has its first iteration before it:
//
//	if there is an iteration { first ; for the others { next } ; last } else { inits }
//
// Here first creates that iteration, next another one, and last what follows the loop. The first two return what an
// iteration hands on; next and last take it. What last returns are the results.
type peeled struct {
	first      func() []ir.Value
	next, last func(handed []ir.Value) []ir.Value
}

// peel rebuilds a loop with its first iteration before it, and returns the results. They are the initial values if
// there is no iteration.
func (w *writer) peel(op ir.Op, inits []ir.Value, parts peeled) []ir.Value {
	bounds, counter := ir.Map(op.Operands()[:scf.NumBounds], w.m.Lookup), op.Body().Arg(0)
	return w.choose(w.runs(op), op, inits, func() []ir.Value {
		w.m.Values[counter] = bounds[0]
		handed := parts.first()
		w.b.Loc = op.Loc()
		second := arith.New(w.b, arith.AddI, bounds[0], bounds[2])
		loop := scf.CreateLoopLike(w.b, op, []ir.Value{second, bounds[1], bounds[2]}, handed)
		w.in(loop.Body(), op, func() {
			w.m.Values[counter] = loop.Body().Arg(0)
			handed := parts.next(loop.Body().Args()[1:])
			w.b.Loc = op.Body().Last().Loc()
			w.b.Create(scf.Continue, handed, nil)
		})
		w.b.Loc = op.Loc()
		return parts.last(loop.Results())
	})
}
