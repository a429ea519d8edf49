package ir

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

var (
	groupDialect = &Dialect{Name: "g"}
	anyField     = func(name string, a Arity) Field { return Field{Name: name, Type: AnyType, Arity: a} }

	gPlain = groupDialect.Op(OpDef{Name: "plain", Operands: []Field{anyField("a", One), anyField("rest", Variadic), anyField("z", One)},
		Results: []Field{anyField("r", Optional)},
		Attrs: []Field{{Name: "mode", Kind: StringKind, Arity: Optional, Default: func(c *Context) Attribute { return c.String("fast") }},
			{Name: "n", Kind: I32Kind, Arity: Optional}}})
	gSeg = groupDialect.Op(OpDef{Name: "seg", Traits: AttrSizedOperandSegments,
		Operands: []Field{anyField("a", Variadic), anyField("b", Optional), anyField("c", Variadic)}})
)

func TestOperandGroups(t *testing.T) {
	t.Parallel()
	c := NewContext(groupDialect, verifyDialect)
	_, fn, b := newModule(c)
	x := fn.Body().Arg(0)
	vs := func(n int) []Value {
		out := make([]Value, n)
		for i := range out {
			out[i] = x
		}
		return out
	}
	plain := b.Create(gPlain, vs(5), nil)
	for i, want := range [][2]int{{0, 1}, {1, 4}, {4, 5}} {
		if lo, hi := plain.OperandRange(i); lo != want[0] || hi != want[1] {
			t.Errorf("field %d: got [%d, %d), want %v", i, lo, hi, want)
		}
	}
	if lo, hi := plain.ResultRange(0); lo != hi {
		t.Errorf("absent result: got [%d, %d)", lo, hi)
	}
	if !plain.ResultNamed("r").IsNil() || plain.OperandNamed("z") != x || len(plain.OperandsNamed("rest")) != 3 {
		t.Error("access by name")
	}
	// Too few operands: no range reaches beyond them.
	short := b.Create(gPlain, vs(1), nil)
	for i := range 3 {
		if _, hi := short.OperandRange(i); hi > 1 {
			t.Errorf("field %d of a short list ends at %d", i, hi)
		}
	}
	st := b.NewState(gSeg, nil)
	st.OperandGroups(vs(2), nil, vs(1))
	seg := b.Insert(st)
	for i, want := range []int{2, 0, 1} {
		if got := len(seg.OperandGroup(i)); got != want {
			t.Errorf("segment %d: got %d, want %d", i, got, want)
		}
	}
	for _, bad := range [][]int64{{9, 0, 0}, {-1, 2, 2}, {1}, {1 << 40, 0, 0}} {
		seg.SetAttr(OperandSegmentSizes, c.DenseI32(bad...))
		for i := range 3 {
			if lo, hi := seg.OperandRange(i); lo < 0 || hi < lo || hi > 3 {
				t.Errorf("sizes %v: field %d is [%d, %d)", bad, i, lo, hi)
			}
		}
	}
}

func TestAttributes(t *testing.T) {
	t.Parallel()
	c := NewContext(groupDialect)
	b := NewBuilder(c.NewArena())
	op := b.Create(gPlain, nil, nil, NamedAttr{"x.y", c.Unit()}, NamedAttr{"n", c.IntAttr(c.Int(32), 5)})
	if op.Attr("mode") != nil || op.StringAttr("mode") != "fast" || op.AttrOrDefault("x.y") == nil {
		t.Error("defaults")
	}
	if n, ok := op.IntAttr("n"); !ok || n != 5 || !op.HasUnitAttr("x.y") {
		t.Error("values")
	}
	op.SetAttr("mode", c.String("slow"))
	op.SetAttr("z", c.Unit())
	op.SetAttr("x.y", nil)
	if op.StringAttr("mode") != "slow" || op.DiscardableAttrs() != c.Dict(NamedAttr{"z", c.Unit()}) || len(op.InherentAttrs()) != 2 {
		t.Error("changes")
	}
	op.SetAttr("z", nil)
	op.SetAttr("n", nil)
	if len(op.DiscardableAttrs().Entries) != 0 || op.Attr("n") != nil {
		t.Error("removal")
	}
}

func TestBlockArgumentsAndSplit(t *testing.T) {
	t.Parallel()
	c := NewContext(verifyDialect)
	_, fn, b := newModule(c)
	r := fn.Region(0)
	blk := r.AddBlock()
	for i := range 20 {
		blk.AddArg(c.Int(i + 1))
	}
	last := blk.Arg(19)
	bb := BuilderAtEnd(blk)
	use := bb.Create(c.UnregisteredOp("u.use"), []Value{last}, nil)
	st := b.NewState(vBr, nil)
	st.Succs = []Block{blk}
	b.Insert(st)
	for range 19 {
		blk.EraseArg(0)
	}
	if blk.NumArgs() != 1 || blk.Arg(0) != last || last.Index() != 0 || last.Type() != Type(c.Int(20)) || use.Operand(0) != last {
		t.Error("erasing arguments")
	}
	term := bb.Create(vRet, nil, nil)
	tail := blk.SplitBefore(term)
	if blk.Last() != use || tail.First() != term || blk.Next() != tail || !blk.HasPreds() || tail.HasPreds() {
		t.Error("splitting a block")
	}
	tail.MoveBefore(blk)
	blk.MoveBefore(blk)
	if r.First().Next() != tail || r.Last() != blk {
		t.Error("moving a block")
	}
	checkInvariants(t, r)
	defer func() {
		if recover() == nil {
			t.Error("an argument with uses can be erased")
		}
	}()
	blk.EraseArg(0)
}

func TestSymbols(t *testing.T) {
	t.Parallel()
	c := NewContext(groupDialect, verifyDialect)
	module, fn, b := newModule(c)
	addFunc(module, "g")
	if got := module.LookupSymbol("g"); got.IsNil() || got.SymbolName() != "g" || !module.LookupSymbol("h").IsNil() {
		t.Error("lookup")
	}
	op := b.Create(vRet, nil, nil)
	if op.NearestSymbolTable() != module || fn.NearestSymbolTable() != module {
		t.Error("nearest symbol table")
	}
}

func TestWalkOrders(t *testing.T) {
	t.Parallel()
	c := NewContext(groupDialect, verifyDialect)
	module, _, b := newModule(c)
	b.Create(vRet, nil, nil)
	addFunc(module, "g")
	var names []string
	visit := func(op Op) WalkResult { names = append(names, op.Def().Name); return Advance }
	module.Walk(visit)
	module.WalkPost(func(op Op) { visit(op) })
	if got := strings.Join(names, " "); got != "module func ret func ret func func module" {
		t.Errorf("got %s", got)
	}
	n := 0
	if module.Walk(func(op Op) WalkResult { n++; return SkipBelow }); n != 1 {
		t.Error("SkipBelow enters")
	}
	n = 0
	if module.Walk(func(op Op) WalkResult {
		if n++; n == 2 {
			return Interrupt
		}
		return Advance
	}) || n != 2 {
		t.Error("Interrupt goes on")
	}
}

func TestValueNames(t *testing.T) {
	t.Parallel()
	c := NewContext(verifyDialect)
	_, fn, b := newModule(c)
	x := fn.Body().Arg(0)
	y := b.Create(vAdd, []Value{x, x}, []Type{c.Int(32)}).Result(0)
	y.SetName("sum")
	if x.Name() != "" || y.Name() != "sum" {
		t.Errorf("got %q and %q", x.Name(), y.Name())
	}
	x.SetName("sum")
	y.SetName("")
	if x.Name() != "sum" || y.Name() != "" {
		t.Errorf("got %q and %q", x.Name(), y.Name())
	}
}

func TestDiagnosticsShowTheSource(t *testing.T) {
	t.Parallel()
	c := NewContext()
	var sb strings.Builder
	defer c.Diag.Push(c.Diag.PrintTo(&sb))()
	c.Diag.AddSource("f.mlir", []byte("first\n\tsecond %x\n"+strings.Repeat("long", 100)))
	c.Diag.EmitError(nil, Errorf(c.FileLoc("f.mlir", 2, 9), "unknown value").Note(c.FileLoc("f.mlir", 1, 1), "starts here"))
	c.Diag.EmitError(c.FileLoc("f.mlir", 3, 1), errors.New("plain"))
	c.Diag.EmitError(c.FileLoc("f.mlir", 9, 1), errors.New("beyond the end"))
	c.Diag.EmitError(c.UnknownLoc(), errors.New("nowhere"))
	want := "f.mlir:2:9: error: unknown value\n\tsecond %x\n\t       ^\n" +
		"f.mlir:1:1: note: starts here\nfirst\n^\n" +
		"f.mlir:3:1: error: plain\nf.mlir:9:1: error: beyond the end\nloc(unknown): error: nowhere\n"
	if sb.String() != want || c.Diag.Errors() != 4 {
		t.Errorf("got %d errors:\n%s", c.Diag.Errors(), sb.String())
	}
}

func TestLocations(t *testing.T) {
	t.Parallel()
	c := NewContext()
	f, g := c.FileLoc("f", 1, 2), c.FileLoc("g", 3, 4)
	for _, tc := range []struct {
		loc  Location
		want *FileLoc
		text string
	}{
		{f, f, `loc("f":1:2)`},
		{c.NameLoc("n", f), f, `loc("n"("f":1:2))`},
		{c.NameLoc("n", nil), nil, `loc("n")`},
		{c.CallSiteLoc(f, g), f, `loc(callsite("f":1:2 at "g":3:4))`},
		{c.FusedLoc([]Location{c.UnknownLoc(), g, f}, c.String("m")), g, `loc(fused<"m">[unknown, "g":3:4, "f":1:2])`},
	} {
		if got := FileLocOf(tc.loc); got != tc.want {
			t.Errorf("%s: position is %v", tc.text, got)
		}
		if got := AttrString(tc.loc); got != tc.text {
			t.Errorf("got %s, want %s", got, tc.text)
		}
	}
}

func TestCapabilities(t *testing.T) {
	t.Parallel()
	size := NewCap[func() int]("size")
	other := NewCap[string]("other")
	d := &Dialect{Name: "caps"}
	def := d.Op(OpDef{Name: "a", Caps: []CapImpl{size.Is(func() int { return 3 })}})
	plain := d.Op(OpDef{Name: "b"})
	if f, ok := size.OfDef(def); !ok || f() != 3 {
		t.Error("a capability of the row is not found")
	}
	if _, ok := other.OfDef(def); ok {
		t.Error("a capability is found that was not given")
	}
	if _, ok := size.OfDef(plain); ok {
		t.Error("a capability of another row is found")
	}
	plain.Attach(other.Is("x"))
	if s, ok := other.OfDef(plain); !ok || s != "x" || other.Name() != "other" {
		t.Error("an attached capability is not found")
	}
}

func TestMisuseFailsLoudly(t *testing.T) {
	t.Parallel()
	c := NewContext(verifyDialect)
	module, fn, b := newModule(c)
	_, b2 := addFunc(module, "g")
	x := fn.Body().Arg(0)
	op := b.Create(vAdd, []Value{x, x}, []Type{c.Int(32)})
	dead := b.Create(vRet, nil, nil)
	dead.Erase()
	for _, tc := range []struct {
		name, want string
		f          func()
	}{
		{"erased operation", "use of an erased operation", func() { dead.NumOperands() }},
		{"operand of another arena", "defined outside the isolated operation", func() { b2.Create(vAdd, []Value{x, x}, []Type{c.Int(32)}) }},
		{"moving into another arena", "into another arena", func() { op.MoveToEnd(b2.Block()) }},
		{"moving a block into another arena", "into another arena", func() { fn.Body().MoveToEnd(b2.Block().Region()) }},
		{"erasing what is used", "have uses", func() {
			b.Create(c.UnregisteredOp("u.x"), []Value{op.Result(0)}, nil)
			op.Erase()
		}},
		{"operand number", "out of range in v.add", func() { op.Operand(2) }},
		{"result number", "out of range in v.add", func() { op.Result(1) }},
		{"region number", "out of range in v.add", func() { op.Region(0) }},
		{"successor number", "out of range", func() { op.SetSuccessor(0, fn.Body()) }},
		{"replacing with too few values", "different number", func() { op.ReplaceWith() }},
	} {
		func() {
			defer func() {
				if r := fmt.Sprint(recover()); !strings.Contains(r, tc.want) {
					t.Errorf("%s: got %q", tc.name, r)
				}
			}()
			tc.f()
			t.Errorf("%s: nothing happened", tc.name)
		}()
	}
}
