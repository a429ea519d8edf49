package dataflow

import (
	"fmt"
	"sort"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/ir"
)

var d = &ir.Dialect{Name: "d"}

func row(name string, traits ir.Traits, caps ...ir.CapImpl) *ir.OpDef {
	return d.Op(ir.OpDef{Name: name, Traits: traits, Successors: -1, Caps: caps,
		Attrs:    []ir.Field{{Name: "value", Kind: ir.I32Kind, Arity: ir.Optional}},
		Operands: []ir.Field{{Name: "in", Type: ir.AnyType, Arity: ir.Variadic}},
		Results:  []ir.Field{{Name: "out", Type: ir.AnyType, Arity: ir.Variadic}},
		Regions:  []ir.Field{{Name: "bodies", Arity: ir.Variadic}}})
}

var (
	fn    = row("fn", ir.IsolatedFromAbove)
	con   = row("const", ir.Pure|ir.ConstantLike)
	add   = row("add", ir.Pure)
	use   = row("use", 0)
	wrap  = row("wrap", ir.NoTerminator) // regions of which nothing is known
	ret   = row("ret", ir.Terminator)
	br    = row("br", ir.Terminator, ir.BranchOp.Is(func(op ir.Op, _ int) (int, int) { return 0, op.NumOperands() }))
	cond  = row("cond", ir.Terminator, ir.BranchOp.Is(func(op ir.Op, _ int) (int, int) { return 1, op.NumOperands() }))
	yield = row("yield", ir.Terminator|ir.Pure)
	// cif: operand 0 chooses the region.
	cif = row("if", ir.RecursiveEffects, ir.RegionBranch.Is(func(op, from ir.Op, add func(ir.RegionEdge)) {
		if !from.IsNil() {
			add(ir.RegionEdge{From: from, Hi: from.NumOperands(), To: op, Region: ir.RegionExit})
			return
		}
		for i := range op.NumRegions() {
			add(ir.RegionEdge{From: op, To: op, Region: i})
		}
	}))
	// loop: initial values; ended by again (next values) or stop (results), which may stand in an if.
	loop = row("loop", ir.RecursiveEffects, ir.RegionBranch.Is(func(op, from ir.Op, add func(ir.RegionEdge)) {
		switch {
		case from.IsNil():
			add(ir.RegionEdge{From: op, Hi: op.NumOperands(), To: op, Region: 0})
		case from.Def().Name == "again":
			add(ir.RegionEdge{From: from, Hi: from.NumOperands(), To: op, Region: 0})
		default:
			add(ir.RegionEdge{From: from, Hi: from.NumOperands(), To: op, Region: ir.RegionExit})
		}
	}))
	again = row("again", ir.Terminator|ir.Pure, ir.RegionExitOp.Is(enclosing))
	stop  = row("stop", ir.Terminator|ir.Pure, ir.RegionExitOp.Is(enclosing))
	// count: an induction variable and one carried value.
	count = row("count", ir.RecursiveEffects, ir.RegionBranch.Is(func(op, from ir.Op, add func(ir.RegionEdge)) {
		if from.IsNil() {
			from = op
		}
		add(ir.RegionEdge{From: from, Hi: from.NumOperands(), To: op, Region: 0, FirstInput: 1})
		add(ir.RegionEdge{From: from, Hi: from.NumOperands(), To: op, Region: ir.RegionExit})
	}))
)

func enclosing(term ir.Op) ir.Op {
	for p := term.ParentOp(); !p.IsNil(); p = p.ParentOp() {
		if p.Def().Name == "loop" {
			return p
		}
	}
	return ir.Op{}
}

type maker struct{ *ir.Builder }

func newFn(args int) (ir.Op, maker, []ir.Value) {
	c := ir.NewContext(d)
	top := ir.NewBuilder(c.NewArena())
	st := top.NewState(fn, nil)
	ts := make([]ir.Type, args)
	for i := range ts {
		ts[i] = c.Int(32)
	}
	body := st.AddRegion().AddBlock(ts...)
	return top.Insert(st), maker{ir.BuilderAtEnd(body)}, body.Args()
}

func (m maker) c(v int64) ir.Value {
	i32 := m.Context().Int(32)
	return m.Create(con, nil, []ir.Type{i32}, ir.NamedAttr{Name: "value", Value: m.Context().IntAttr(i32, v)}).Result(0)
}
func (m maker) add(a, b ir.Value) ir.Value {
	return m.Create(add, []ir.Value{a, b}, []ir.Type{m.Context().Int(32)}).Result(0)
}
func (m maker) do(def *ir.OpDef, vs ...ir.Value) ir.Op { return m.Create(def, vs, nil) }
func (m maker) br(def *ir.OpDef, succs []ir.Block, vs ...ir.Value) ir.Op {
	st := m.NewState(def, nil)
	st.Operands, st.Succs = vs, succs
	return m.Insert(st)
}

// regions creates an operation with results i32 and regions of one block with that many arguments each.
func (m maker) regions(def *ir.OpDef, results int, operands []ir.Value, args ...int) (ir.Op, []maker) {
	st := m.NewState(def, nil)
	st.Operands = operands
	for range results {
		st.Types = append(st.Types, m.Context().Int(32))
	}
	var in []maker
	for _, n := range args {
		b := st.AddRegion().AddBlock()
		for range n {
			b.AddArg(m.Context().Int(32))
		}
		in = append(in, maker{ir.BuilderAtEnd(b)})
	}
	return m.Insert(st), in
}

// A constant is one value, or any when it is not known.
type constant struct {
	v   int64
	any bool
}

func (c constant) String() string {
	if c.any {
		return "any"
	}
	return fmt.Sprint(c.v)
}

var propagation = &Forward[constant]{
	Join: func(a, b constant) constant {
		if a == b {
			return a
		}
		return constant{any: true}
	},
	Equal:   func(a, b constant) bool { return a == b },
	Unknown: func(ir.Value) constant { return constant{any: true} },
	Transfer: func(op ir.Op, in, out []constant) {
		switch {
		case op.Is(con):
			v, _ := op.IntAttr("value")
			out[0] = constant{v: v}
		case op.Is(add) && !in[0].any && !in[1].any:
			out[0] = constant{v: in[0].v + in[1].v}
		}
	},
	TakesEdge: func(e ir.RegionEdge, in []constant) bool {
		return !e.From.Is(cif) || in[0].any || (in[0].v == 0) == (e.Region == 1)
	},
	TakesSuccessor: func(op ir.Op, i int, in []constant) bool {
		return !op.Is(cond) || in[0].any || (in[0].v == 0) == (i == 1)
	},
}

func want(t *testing.T, s *Facts[constant], name string, v ir.Value, want string) {
	t.Helper()
	got := "none"
	if f, ok := s.Of(v); ok {
		got = f.String()
	}
	if got != want {
		t.Errorf("%s: got %s, want %s", name, got, want)
	}
}

func TestConstantPropagation(t *testing.T) {
	t.Parallel()
	f, m, x := newFn(1)
	two := m.c(2)
	four := m.add(two, two)
	unknown := m.add(four, x[0])

	// Only the first region is entered.
	taken, in := m.regions(cif, 1, []ir.Value{two}, 0, 0)
	in[0].do(yield, four)
	dead := in[1].add(two, x[0])
	in[1].do(yield, dead)

	// Both are.
	both, in := m.regions(cif, 2, []ir.Value{x[0]}, 0, 0)
	in[0].do(yield, two, in[0].c(7))
	in[1].do(yield, two, in[1].c(8))

	// a stays 2 around the loop, b does not; the break inside the if carries what it finds.
	lp, in := m.regions(loop, 2, []ir.Value{two, m.c(0)}, 2)
	a, b := in[0].Block().Arg(0), in[0].Block().Arg(1)
	_, leave := in[0].regions(cif, 0, []ir.Value{x[0]}, 0, 0)
	leave[0].do(stop, leave[0].add(a, two), b)
	leave[1].do(yield)
	in[0].do(again, a, in[0].add(b, m.c(1)))

	// Nothing is known about an induction variable, nor about regions of unknown operations.
	ct, in := m.regions(count, 1, []ir.Value{two}, 2)
	iv, carried := in[0].Block().Arg(0), in[0].Block().Arg(1)
	in[0].do(yield, carried)
	_, in = m.regions(wrap, 0, nil, 1)
	arg := in[0].Block().Arg(0)
	inside := in[0].add(four, two)

	// A loop that is never left: what follows is not reached.
	_, in = m.regions(loop, 0, nil, 0)
	in[0].do(again)
	after := m.add(two, two)
	m.do(ret)

	s := propagation.Run(f)
	want(t, s, "sum", four, "4")
	want(t, s, "unknown", unknown, "any")
	want(t, s, "if with one region", taken.Result(0), "4")
	want(t, s, "region not entered", dead, "none")
	want(t, s, "if that agrees", both.Result(0), "2")
	want(t, s, "if that does not", both.Result(1), "any")
	want(t, s, "carried", a, "2")
	want(t, s, "changed", b, "any")
	want(t, s, "early exit", lp.Result(0), "4")
	want(t, s, "early exit of changed", lp.Result(1), "any")
	want(t, s, "induction variable", iv, "any")
	want(t, s, "carried by count", carried, "2")
	want(t, s, "result of count", ct.Result(0), "2")
	want(t, s, "argument of unknown region", arg, "any")
	want(t, s, "inside unknown region", inside, "6")
	want(t, s, "behind an endless loop", after, "none")
	if s.Executed(after.DefiningOp()) || s.Executed(dead.DefiningOp()) || !s.Executed(inside.DefiningOp()) {
		t.Error("reachability")
	}
}

func TestConstantPropagationThroughBlocks(t *testing.T) {
	t.Parallel()
	f, m, x := newFn(1)
	i32 := m.Context().Int(32)
	r := f.Region(0)
	head, left, right := r.AddBlock(i32, i32), r.AddBlock(), r.AddBlock()
	one := m.c(1)
	m.br(br, []ir.Block{head}, one, m.c(0))
	h := maker{ir.BuilderAtEnd(head)}
	h.br(cond, []ir.Block{left, right}, head.Arg(0))
	l := maker{ir.BuilderAtEnd(left)}
	l.br(br, []ir.Block{head}, head.Arg(0), l.add(head.Arg(1), one))
	maker{ir.BuilderAtEnd(right)}.do(ret, x[0])
	s := propagation.Run(f)
	want(t, s, "invariant argument", head.Arg(0), "1")
	want(t, s, "counter", head.Arg(1), "any")
	if s.Executed(right.First()) {
		t.Error("the branch is never taken")
	}
}

// A lattice of unbounded height ends, by widening or without.
func TestGrowthIsBounded(t *testing.T) {
	t.Parallel()
	f, m, _ := newFn(0)
	lp, in := m.regions(loop, 1, []ir.Value{m.c(0)}, 1)
	n := in[0].Block().Arg(0)
	_, leave := in[0].regions(cif, 0, []ir.Value{n}, 0, 0)
	leave[0].do(stop, n)
	leave[1].do(yield)
	in[0].do(again, in[0].add(n, in[0].c(1)))
	m.do(ret)
	const top = 1 << 60
	largest := &Forward[int64]{ // the largest value
		Join:    func(a, b int64) int64 { return max(a, b) },
		Equal:   func(a, b int64) bool { return a == b },
		Unknown: func(ir.Value) int64 { return top },
		Transfer: func(op ir.Op, in, out []int64) {
			if op.Is(con) {
				out[0], _ = op.IntAttr("value")
				return
			}
			out[0] = min(in[0]+in[1], top)
		},
	}
	if v, ok := largest.Run(f).Of(lp.Result(0)); !ok || v != top {
		t.Errorf("got %d %v", v, ok)
	}
	largest.Widen = func(_ ir.Value, old, grown int64) int64 { return top / 2 }
	if v, ok := largest.Run(f).Of(lp.Result(0)); !ok || v < top/2 {
		t.Errorf("got %d %v", v, ok)
	}
}

type set map[ir.Value]bool

func (s set) with(add, remove []ir.Value) set {
	out := set{}
	for v := range s {
		out[v] = true
	}
	for _, v := range remove {
		delete(out, v)
	}
	for _, v := range add {
		out[v] = true
	}
	return out
}

func union(a, b set) set {
	out := a.with(nil, nil)
	for v := range b {
		out[v] = true
	}
	return out
}

var liveness = &Dense[set]{
	Join:     union,
	Equal:    func(a, b set) bool { return len(union(a, b)) == len(a) && len(a) == len(b) },
	Boundary: func(ir.Block) set { return set{} },
	Transfer: func(op ir.Op, live set) set { return live.with(op.Operands(), op.Results()) },
	Edge:     func(_ ir.Op, to Place, live set) set { return live.with(nil, to.Defs()) },
}

func names(s set, names map[ir.Value]string) string {
	var out []string
	for v := range s {
		out = append(out, names[v])
	}
	sort.Strings(out)
	return strings.Join(out, " ")
}

func TestLiveness(t *testing.T) {
	t.Parallel()
	f, m, x := newFn(3)
	// x0 is used in the loop only, x1 after it, x2 by one of two regions.
	first := m.do(use, x[2])
	lp, in := m.regions(loop, 1, []ir.Value{x[1]}, 1)
	a := in[0].Block().Arg(0)
	sum := in[0].add(a, x[0])
	inner, leave := in[0].regions(cif, 0, []ir.Value{sum}, 0, 0)
	inThen := leave[0].do(use, x[2])
	leave[0].do(stop, sum)
	leave[1].do(yield)
	back := in[0].do(again, sum)
	last := m.do(use, lp.Result(0), x[1])
	m.do(ret)
	nm := map[ir.Value]string{x[0]: "x0", x[1]: "x1", x[2]: "x2", a: "a", sum: "sum", lp.Result(0): "r"}
	s := liveness.Backward(f)
	for _, tc := range []struct {
		at   string
		got  func() (set, bool)
		want string
	}{
		{"entry", func() (set, bool) { return s.Before(first) }, "x0 x1 x2"},
		{"start of the loop", func() (set, bool) { return s.AtStart(a.Block()) }, "a x0 x1 x2"},
		{"after sum", func() (set, bool) { return s.After(sum.DefiningOp()) }, "sum x0 x1 x2"},
		{"before the if", func() (set, bool) { return s.Before(inner) }, "sum x0 x1 x2"},
		{"in then, behind the use", func() (set, bool) { return s.After(inThen) }, "sum x1"},
		{"before going round", func() (set, bool) { return s.Before(back) }, "sum x0 x1 x2"},
		{"behind the loop", func() (set, bool) { return s.Before(last) }, "r x1"},
		{"at the end", func() (set, bool) { return s.After(last) }, ""},
	} {
		live, ok := tc.got()
		if got := names(live, nm); !ok || got != tc.want {
			t.Errorf("%s: got %q %v, want %q", tc.at, got, ok, tc.want)
		}
	}
	walked := 0
	s.Walk(func(op ir.Op, live set) {
		walked++
		if again, ok := s.After(op); !ok || names(again, nm) != names(live, nm) {
			t.Errorf("walk and query differ behind %s", op.Name())
		}
	})
	if walked != 10 {
		t.Errorf("walked %d operations, want 10", walked)
	}
}

func TestLivenessInEndlessLoop(t *testing.T) {
	t.Parallel()
	f, m, x := newFn(2)
	first := m.do(use, x[1])
	_, in := m.regions(loop, 0, []ir.Value{x[0]}, 1)
	a := in[0].Block().Arg(0)
	in[0].do(again, in[0].add(a, x[1]))
	s := liveness.Backward(f)
	live, ok := s.After(first)
	if got := names(live, map[ir.Value]string{x[0]: "x0", x[1]: "x1", a: "a"}); !ok || got != "x0 x1" {
		t.Errorf("got %q %v", got, ok)
	}
}

// A dense forward problem through blocks: how many uses have certainly been executed (at most 3).
func TestDenseForward(t *testing.T) {
	t.Parallel()
	f, m, x := newFn(1)
	r := f.Region(0)
	left, right, join, dead := r.AddBlock(), r.AddBlock(), r.AddBlock(), r.AddBlock()
	m.do(use)
	m.br(cond, []ir.Block{left, right}, x[0])
	l, rr := maker{ir.BuilderAtEnd(left)}, maker{ir.BuilderAtEnd(right)}
	l.do(use)
	l.br(br, []ir.Block{join})
	_, in := rr.regions(cif, 0, []ir.Value{x[0]}, 0, 0)
	in[0].do(use)
	in[0].do(yield)
	two := in[1].do(use)
	in[1].do(use)
	in[1].do(yield)
	tail := rr.br(br, []ir.Block{join})
	end := maker{ir.BuilderAtEnd(join)}.do(ret)
	never := maker{ir.BuilderAtEnd(dead)}.do(ret)
	uses := &Dense[int]{
		Join:     func(a, b int) int { return min(a, b) },
		Equal:    func(a, b int) bool { return a == b },
		Boundary: func(ir.Block) int { return 0 },
		Transfer: func(op ir.Op, n int) int {
			if op.Is(use) {
				n++
			}
			return min(n, 3)
		},
	}
	s := uses.Forward(f)
	for _, tc := range []struct {
		op   ir.Op
		want int
	}{{two, 1}, {tail, 2}, {end, 2}} {
		if got, ok := s.Before(tc.op); !ok || got != tc.want {
			t.Errorf("%s: got %d %v, want %d", tc.op.Name(), got, ok, tc.want)
		}
	}
	if got, _ := s.After(two); got != 2 {
		t.Errorf("after: got %d", got)
	}
	if _, ok := s.Before(never); ok {
		t.Error("a block that is not reached has a fact")
	}
}
