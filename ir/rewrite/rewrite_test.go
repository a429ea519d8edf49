package rewrite

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/ir"
)

var dialect = &ir.Dialect{Name: "r"}

var (
	constant = dialect.Op(ir.OpDef{Name: "const", Traits: ir.Pure | ir.ConstantLike,
		Attrs: []ir.Field{{Name: "value", Kind: ir.I32Kind}}, Results: []ir.Field{{Name: "r", Type: ir.AnyType}}})
	add = dialect.Op(ir.OpDef{Name: "add", Traits: ir.Pure | ir.Commutative, Fold: foldAdd,
		Operands: []ir.Field{{Name: "a", Type: ir.AnyType}, {Name: "b", Type: ir.AnyType}}, Results: []ir.Field{{Name: "r", Type: ir.AnyType}}})
	mul = dialect.Op(ir.OpDef{Name: "mul", Traits: ir.Pure,
		Operands: []ir.Field{{Name: "a", Type: ir.AnyType}, {Name: "b", Type: ir.AnyType}}, Results: []ir.Field{{Name: "r", Type: ir.AnyType}}})
	print = dialect.Op(ir.OpDef{Name: "print", Operands: []ir.Field{{Name: "a", Type: ir.AnyType}}})
	fn    = dialect.Op(ir.OpDef{Name: "fn", Traits: ir.IsolatedFromAbove | ir.NoTerminator, Regions: []ir.Field{{Name: "body"}}})
	scope = dialect.Op(ir.OpDef{Name: "scope", Traits: ir.RecursiveEffects | ir.NoTerminator, Regions: []ir.Field{{Name: "body"}}})
	keep  = dialect.Op(ir.OpDef{Name: "keep", Traits: ir.NoTerminator, Regions: []ir.Field{{Name: "body"}},
		Caps: []ir.CapImpl{KeepsConstants.Is(func(ir.Op) bool { return true })}})
	pair = dialect.Op(ir.OpDef{Name: "pair", Traits: ir.Pure, Results: []ir.Field{{Name: "r", Type: ir.AnyType, Arity: ir.Variadic}},
		Fold: func(op ir.Op, _ []ir.Attribute) []ir.FoldResult {
			c := op.Context()
			return []ir.FoldResult{{Attr: c.IntAttr(c.Int(32), 5)}, {Attr: c.String("no constant")}}
		}})
)

func init() {
	dialect.Materialize = func(b *ir.Builder, value ir.Attribute, t ir.Type, loc ir.Location) ir.Op {
		if _, ok := value.(*ir.IntegerAttr); !ok {
			return ir.Op{}
		}
		b.Loc = loc
		return b.Create(constant, nil, []ir.Type{t}, ir.NamedAttr{Name: "value", Value: value})
	}
	mul.Attach(Canonicalizers.Is([]Pattern{{Name: "mul-by-two-is-add", Rewrite: func(op ir.Op, rw *Rewriter) bool {
		if c, ok := ir.ConstantValue(op.Operand(1)).(*ir.IntegerAttr); !ok || c.Value != 2 {
			return false
		}
		rw.ReplaceWithNew(op, add, []ir.Value{op.Operand(0), op.Operand(0)}, op.ResultTypes())
		return true
	}}}))
	scope.Attach(Canonicalizers.Is([]Pattern{{Name: "inline-scope", Rewrite: func(op ir.Op, rw *Rewriter) bool {
		rw.InlineBefore(op.Body(), op)
		rw.Erase(op)
		return true
	}}}))
}

func foldAdd(op ir.Op, operands []ir.Attribute) []ir.FoldResult {
	a, _ := operands[0].(*ir.IntegerAttr)
	b, _ := operands[1].(*ir.IntegerAttr)
	switch {
	case b != nil && b.Value == 0:
		return []ir.FoldResult{{Value: op.Operand(0)}}
	case a != nil && b != nil:
		return []ir.FoldResult{{Attr: op.Context().IntAttr(a.Type(), a.Value+b.Value)}}
	}
	return nil
}

// A maker builds operations with short calls.
type maker struct{ *ir.Builder }

func newFn() (ir.Op, maker, ir.Value) {
	c := ir.NewContext(dialect)
	return addFn(ir.NewBuilder(c.NewArena()))
}

func addFn(top *ir.Builder) (ir.Op, maker, ir.Value) {
	st := top.NewState(fn, nil)
	body := st.AddRegion().AddBlock(top.Context().Int(32))
	return top.Insert(st), maker{ir.BuilderAtEnd(body)}, body.Arg(0)
}

func (m maker) c(v int64) ir.Value {
	i32 := m.Context().Int(32)
	return m.Create(constant, nil, []ir.Type{i32}, ir.NamedAttr{Name: "value", Value: m.Context().IntAttr(i32, v)}).Result(0)
}
func (m maker) op(def *ir.OpDef, a, b ir.Value) ir.Value {
	return m.Create(def, []ir.Value{a, b}, []ir.Type{m.Context().Int(32)}).Result(0)
}
func (m maker) print(v ir.Value) { m.Create(print, []ir.Value{v}, nil) }
func (m maker) region(def *ir.OpDef) maker {
	st := m.NewState(def, nil)
	body := st.AddRegion().AddBlock()
	m.Insert(st)
	return maker{ir.BuilderAtEnd(body)}
}

// text spells what is inside op: "1=const 5; print 1; ...", arguments as x.
func text(op ir.Op) string {
	nums := map[ir.Value]int{}
	var sb strings.Builder
	var block func(b ir.Block)
	block = func(b ir.Block) {
		for op := range b.Ops() {
			if op.NumResults() > 0 {
				nums[op.Result(0)] = len(nums) + 1
				fmt.Fprintf(&sb, "%d=", nums[op.Result(0)])
			}
			sb.WriteString(op.Def().Name)
			if v, ok := op.IntAttr("value"); ok {
				fmt.Fprintf(&sb, " %d", v)
			}
			for _, v := range op.Operands() {
				if v.IsBlockArg() {
					sb.WriteString(" x")
				} else {
					fmt.Fprintf(&sb, " %d", nums[v])
				}
			}
			for i := range op.NumRegions() {
				sb.WriteString(" {")
				for b := range op.Region(i).Blocks() {
					block(b)
				}
				sb.WriteString("}")
			}
			sb.WriteString("; ")
		}
	}
	block(op.Body())
	return strings.TrimSuffix(sb.String(), "; ")
}

func TestGreedy(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name  string
		build func(m maker, x ir.Value)
		cfg   Config
		want  string
	}{
		{"folds chains", func(m maker, x ir.Value) { m.print(m.op(add, m.op(add, m.c(1), m.c(2)), m.op(add, m.c(3), m.c(4)))) }, Config{},
			"1=const 10; print 1"},
		{"folds to an existing value", func(m maker, x ir.Value) { m.print(m.op(add, m.c(0), x)) }, Config{}, "print x"},
		{"constant to the right", func(m maker, x ir.Value) { m.print(m.op(add, m.c(7), x)) }, Config{}, "1=const 7; 2=add x 1; print 2"},
		{"merges and hoists constants, in order", func(m maker, x ir.Value) {
			m.print(m.c(1))
			in := m.region(keep)
			in.print(in.c(1))
			in.print(in.c(1))
			m.print(m.c(2))
			m.print(m.c(1))
		}, Config{}, "1=const 1; 2=const 2; print 1; keep {3=const 1; print 3; print 3; }; print 2; print 1"},
		{"no hoisting", func(m maker, x ir.Value) {
			m.print(m.c(1))
			m.print(m.op(add, m.c(2), m.c(3)))
			m.print(m.c(1))
		}, Config{NoConstantHoisting: true}, "1=const 1; print 1; 2=const 5; print 2; 3=const 1; print 3"},
		{"no folding", func(m maker, x ir.Value) { m.print(m.op(add, m.c(2), m.c(3))) }, Config{NoFold: true},
			"1=const 2; 2=const 3; 3=add 1 2; print 3"},
		{"erases what becomes dead", func(m maker, x ir.Value) { m.op(add, m.op(mul, x, x), m.op(mul, x, x)) }, Config{}, ""},
		{"keeps what is dead when told", func(m maker, x ir.Value) { m.op(mul, x, x) }, Config{NoErase: true}, "1=mul x x"},
		{"patterns of rows", func(m maker, x ir.Value) { m.print(m.op(mul, x, m.op(add, m.c(1), m.c(1)))) }, Config{}, "1=add x x; print 1"},
		{"inlines a block", func(m maker, x ir.Value) {
			in := m.region(scope)
			in2 := in.region(scope)
			in2.print(in2.op(mul, x, in2.c(2)))
		}, Config{}, "1=add x x; print 1"},
		{"a fold that cannot be materialised changes nothing", func(m maker, x ir.Value) {
			i32 := m.Context().Int(32)
			p := m.Create(pair, nil, []ir.Type{i32, i32})
			m.print(p.Result(1))
		}, Config{}, "1=pair; print 0"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			f, m, x := newFn()
			tc.build(m, x)
			set := Canonical(f.Context())
			r := Apply(f, set, tc.cfg)
			if got := text(f); got != tc.want {
				t.Errorf("\n got  %s\n want %s", got, tc.want)
			}
			if !r.Converged {
				t.Errorf("did not converge: %+v", r)
			}
			if again := Apply(f, set, tc.cfg); again.Changed || again.Iterations != 1 {
				t.Errorf("a second run does something: %+v", again)
			}
		})
	}
}

func TestStatisticsTraceAndNestedIsolated(t *testing.T) {
	t.Parallel()
	f, m, x := newFn()
	m.print(m.op(mul, x, m.c(2)))
	_, inner, y := addFn(m.Builder)
	inner.print(inner.op(mul, y, inner.c(2)))
	var trace []string
	r := Apply(f, Canonical(f.Context()), Config{Trace: func(what, op string, _ ir.Location) { trace = append(trace, what+" "+op) }})
	if r.Applied["mul-by-two-is-add"] != 2 || r.Erased != 2 || !r.Changed || !r.Converged {
		t.Errorf("got %+v", r)
	}
	want := "mul-by-two-is-add r.mul,erase-dead r.const,mul-by-two-is-add r.mul,erase-dead r.const"
	if got := strings.Join(trace, ","); got != want {
		t.Errorf("got %s", got)
	}
	if got := text(f); got != "1=add x x; print 1; fn {2=add x x; print 2; }" {
		t.Errorf("got %s", got)
	}
}

// Two patterns that undo each other end at the limit and say so.
func TestNoConvergence(t *testing.T) {
	t.Parallel()
	f, m, x := newFn()
	m.print(m.op(mul, x, x))
	swap := func(name string, from, to *ir.OpDef) Pattern {
		return Pattern{Name: name, Root: from, Rewrite: func(op ir.Op, rw *Rewriter) bool {
			rw.ReplaceWithNew(op, to, op.Operands(), op.ResultTypes())
			return true
		}}
	}
	r := Apply(f, NewSet(swap("there", mul, add), swap("back", add, mul)), Config{MaxRewrites: 50})
	if r.Converged || r.Applied["there"]+r.Applied["back"] != 50 {
		t.Errorf("got %+v", r)
	}
}

func TestBenefitAndAnyRoot(t *testing.T) {
	t.Parallel()
	var order []string
	try := func(name string, root *ir.OpDef, benefit int) Pattern {
		return Pattern{Name: name, Root: root, Benefit: benefit, Rewrite: func(op ir.Op, _ *Rewriter) bool {
			order = append(order, name)
			return false
		}}
	}
	f, m, x := newFn()
	m.print(m.op(mul, x, x))
	Apply(f, NewSet(try("low", mul, 1), try("any", nil, 2), try("high", mul, 3), try("low2", mul, 1)), Config{})
	if got := strings.Join(order, " "); got != "high any low low2 any" {
		t.Errorf("got %s", got)
	}
}

func TestPatternThatLies(t *testing.T) {
	t.Parallel()
	f, m, x := newFn()
	m.print(x)
	defer func() {
		if r := recover(); r == nil || !strings.Contains(fmt.Sprint(r), "liar") {
			t.Errorf("got %v", r)
		}
	}()
	Apply(f, NewSet(Pattern{Name: "liar", Root: print, Rewrite: func(op ir.Op, rw *Rewriter) bool {
		rw.Update(op, func() {})
		return false
	}}), Config{})
}

// A root that is not isolated: what it uses from outside stays.
func TestRootThatIsNotIsolated(t *testing.T) {
	t.Parallel()
	f, m, x := newFn()
	outside := m.op(mul, x, x)
	in := m.region(keep)
	in.op(add, outside, outside)
	root := in.Block().ParentOp()
	Apply(root, NewSet(), Config{})
	if got := text(f); got != "1=mul x x; keep {}" {
		t.Errorf("got %s", got)
	}
}

func TestLargeBlockIsLinear(t *testing.T) {
	t.Parallel()
	f, m, x := newFn()
	const n = 20000
	v := x
	for i := range n {
		v = m.op(add, v, m.c(int64(i%5)))
	}
	m.print(v)
	r := Apply(f, Canonical(f.Context()), Config{})
	if !r.Converged || r.Iterations > 3 {
		t.Errorf("got %+v", r)
	}
}

// TestOperationAroundIsLookedAtOnce checks that what is erased inside of an operation does not make the driver look
// at that each time, which would cost as much as all that is inside.
func TestOperationAroundIsLookedAtOnce(t *testing.T) {
	t.Parallel()
	f, m, x := newFn()
	inner := m.region(keep)
	const dead = 1000
	for range dead {
		inner.op(mul, x, x)
	}
	inner.print(x)
	looks := 0
	p := Pattern{Name: "look", Root: keep, Rewrite: func(ir.Op, *Rewriter) bool { looks++; return false }}
	if res := Apply(f, NewSet(p), Config{}); res.Erased != dead || !res.Converged {
		t.Fatalf("%+v", res)
	}
	if looks > 4 {
		t.Errorf("looked %d times at the operation around %d that were erased", looks, dead)
	}
}
