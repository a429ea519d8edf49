package ir

import "testing"

var (
	loopDialect = &Dialect{Name: "l"}
	lFor        = loopDialect.Op(OpDef{Name: "for", Regions: []Field{{Name: "body"}},
		Operands: []Field{anyField("bounds", Variadic)}, Results: []Field{anyField("results", Variadic)},
		Caps: []CapImpl{
			LoopLike.Is(func(op Op) Loop {
				body := op.Body()
				return Loop{Op: op, Body: op.Region(0), IndVar: body.Arg(0), Lower: op.Operand(0), Upper: op.Operand(1), Step: op.Operand(2),
					NumIterArgs: op.NumOperands() - 3, FirstInit: 3, FirstIterArg: 1, MayNotRun: true}
			}),
			RegionBranch.Is(func(op, from Op, add func(RegionEdge)) {
				lo := 0
				if from.IsNil() {
					from, lo = op, 3
				}
				add(RegionEdge{From: from, Lo: lo, Hi: from.NumOperands(), To: op, Region: 0, FirstInput: 1})
				add(RegionEdge{From: from, Lo: lo, Hi: from.NumOperands(), To: op, Region: RegionExit})
			})}})
	lNext = loopDialect.Op(OpDef{Name: "next", Traits: Terminator | Pure, Operands: []Field{anyField("values", Variadic)}})
	lNull = loopDialect.Op(OpDef{Name: "null", Traits: Pure | ConstantLike, Results: []Field{anyField("r", One)},
		Fold: func(op Op, _ []Attribute) []FoldResult { return []FoldResult{{Attr: op.Context().Unit()}} }})
)

func TestLoopAndRegionEdges(t *testing.T) {
	t.Parallel()
	c := NewContext(loopDialect, verifyDialect)
	_, fn, b := newModule(c)
	x := fn.Body().Arg(0)
	i32 := c.Int(32)
	st := b.NewState(lFor, nil)
	st.Operands, st.Types = []Value{x, x, x, x, x}, []Type{i32, i32}
	body := st.AddRegion().AddBlock(i32, i32, i32)
	inner := BuilderAtEnd(body)
	sum := inner.Create(vAdd, []Value{body.Arg(0), x}, []Type{i32})
	next := inner.Create(lNext, []Value{body.Arg(2), sum.Result(0)}, nil)
	op := b.Insert(st)

	describe, ok := LoopLike.Of(op)
	if !ok {
		t.Fatal("a loop is not one")
	}
	l := describe(op)
	if l.Init(1) != op.Operand(4) || l.IterArg(1) != body.Arg(2) || l.Result(1) != op.Result(1) || l.IndVar != body.Arg(0) {
		t.Error("loop-carried values")
	}
	if !l.IsInvariant(x) || l.IsInvariant(sum.Result(0)) || l.IsInvariant(body.Arg(0)) || !l.IsInvariant(op.Result(0)) {
		t.Error("invariance")
	}
	for _, from := range []Op{op, next} {
		var edges []RegionEdge
		if !RegionEdges(from, func(e RegionEdge) { edges = append(edges, e) }) || len(edges) != 2 {
			t.Fatalf("%s: got %d edges", from.Name(), len(edges))
		}
		in, out := edges[0], edges[1]
		if in.Len() != 2 || in.NumInputs() != 3 || in.Input(1) != body.Arg(2) || out.NumInputs() != 2 || out.Input(1) != op.Result(1) {
			t.Errorf("%s: destinations", from.Name())
		}
		want := op.Operand(4)
		if from == next {
			want = sum.Result(0)
		}
		if in.Operand(1) != want || out.Operand(1) != want {
			t.Errorf("%s: values", from.Name())
		}
	}
	if RegionEdges(sum, func(RegionEdge) {}) || ExitTarget(next) != op {
		t.Error("an operation without regions branches")
	}
}

func TestConstantValue(t *testing.T) {
	t.Parallel()
	c := NewContext(loopDialect, verifyDialect)
	_, fn, b := newModule(c)
	i32 := c.Int(32)
	seven := c.IntAttr(i32, 7)
	k := b.Create(vConst, nil, []Type{i32}, NamedAttr{"value", seven}).Result(0)
	null := b.Create(lNull, nil, []Type{i32}).Result(0)
	sum := b.Create(vAdd, []Value{k, k}, []Type{i32}).Result(0)
	for _, tc := range []struct {
		name string
		v    Value
		want Attribute
	}{{"constant", k, seven}, {"constant without a value attribute", null, c.Unit()}, {"sum", sum, nil}, {"argument", fn.Body().Arg(0), nil}} {
		if got := ConstantValue(tc.v); got != tc.want {
			t.Errorf("%s: got %v", tc.name, got)
		}
	}
}
