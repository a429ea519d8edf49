package ir

import "testing"

var testDialect = &Dialect{Name: "t"}

var (
	anyKind = &AttrKind{Name: "any", Desc: "any attribute", Check: func(Attribute) bool { return true }}

	testConst = testDialect.Op(OpDef{Name: "const", Traits: Pure | ConstantLike,
		Attrs: []Field{{Name: "value", Kind: anyKind}}, Results: []Field{{Name: "result", Type: AnyType}}})
	testAdd = testDialect.Op(OpDef{Name: "add", Traits: Pure | Commutative,
		Operands: []Field{{Name: "lhs", Type: AnyType}, {Name: "rhs", Type: AnyType}},
		Results:  []Field{{Name: "result", Type: AnyType}}})
	testFunc = testDialect.Op(OpDef{Name: "func", Traits: IsolatedFromAbove | Symbol | NoTerminator,
		Attrs: []Field{{Name: SymName, Kind: anyKind}}, Regions: []Field{{Name: "body"}}})
	testWrap = testDialect.Op(OpDef{Name: "wrap", Regions: []Field{{Name: "body"}}, Traits: NoTerminator})
)

func buildFunc(t *testing.T, c *Context) (fn Op, b *Builder) {
	t.Helper()
	top := NewBuilder(c.NewArena())
	st := top.NewState(testFunc, nil)
	st.SetAttr(SymName, c.String("f"))
	st.AddRegion()
	fn = top.Insert(st)
	return fn, BuilderAtEnd(fn.Region(0).AddBlock(c.Int(32)))
}

func TestBuildUseEraseClone(t *testing.T) {
	t.Parallel()
	c := NewContext(testDialect)
	i32 := c.Int(32)
	fn, b := buildFunc(t, c)
	x := fn.Body().Arg(0)
	k := b.Create(testConst, nil, []Type{i32}, NamedAttr{"value", c.IntAttr(i32, 7)}).Result(0)
	a1 := b.Create(testAdd, []Value{x, k}, []Type{i32})
	a2 := b.Create(testAdd, []Value{a1.Result(0), k}, []Type{i32})
	if got := k.NumUses(); got != 2 {
		t.Fatalf("uses of k: got %d, want 2", got)
	}
	if !a1.IsBeforeInBlock(a2) || a2.IsBeforeInBlock(a1) {
		t.Error("order in block is wrong")
	}
	k.ReplaceAllUsesWith(x)
	if k.HasUses() || x.NumUses() != 3 {
		t.Errorf("after replace: k has uses %v, x has %d", k.HasUses(), x.NumUses())
	}
	k.DefiningOp().Erase()
	if !k.DefiningOp().Erased() {
		t.Error("erased operation is not marked")
	}
	top := NewBuilder(c.NewArena())
	copied := top.Clone(fn, NewMapping())
	n := 0
	copied.Walk(func(op Op) WalkResult { n++; return Advance })
	if n != 3 {
		t.Errorf("clone has %d operations, want 3", n)
	}
	if copied.SymbolName() != "f" || copied.Body().Arg(0) == x {
		t.Error("clone shares a value with the original or lost its name")
	}
	if p := copied.Body().First().ParentOp(); p != copied {
		t.Error("parent across arenas is wrong")
	}
}

func TestUniquing(t *testing.T) {
	t.Parallel()
	c := NewContext()
	if again := c.Int(8); again != c.Int(8) || Type(again) == Type(c.Int(16)) {
		t.Error("integer types")
	}
	ten := c.Tensor([]int64{2, 4}, c.F32(), nil)
	if ten != c.Tensor([]int64{2, 4}, c.F32(), nil) || ten == c.Tensor([]int64{24}, c.F32(), nil) {
		t.Error("tensor types")
	}
	d := c.Dict(NamedAttr{"b", c.Unit()}, NamedAttr{"a", c.String("x")})
	if d != c.Dict(NamedAttr{"a", c.String("x")}, NamedAttr{"b", c.Unit()}) || d.Get("b") != c.Unit() || d.Get("c") != nil {
		t.Error("dictionaries")
	}
	if c.IntAttr(c.Int(8), 255) != c.IntAttr(c.Int(8), -1) || c.IntAttr(c.Int(8), -1).Unsigned() != 255 {
		t.Error("integer attributes are not reduced to their width")
	}
}

func TestNestedRegionsShareArena(t *testing.T) {
	t.Parallel()
	c := NewContext(testDialect)
	fn, b := buildFunc(t, c)
	st := b.NewState(testWrap, nil)
	inner := BuilderAtEnd(st.AddRegion().AddBlock())
	x := fn.Body().Arg(0)
	add := inner.Create(testAdd, []Value{x, x}, []Type{c.Int(32)})
	wrap := b.Insert(st)
	if add.ParentOp() != wrap || wrap.ParentOp() != fn || add.Block().Region().Op() != wrap {
		t.Error("parents are wrong after the region was taken")
	}
	wrap.Erase()
	if x.HasUses() {
		t.Error("erasing a region leaves uses")
	}
}
