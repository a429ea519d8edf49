package ir

import (
	"fmt"
	"strings"
	"testing"
)

var verifyDialect = &Dialect{Name: "v", VerifyAttr: func(op Op, name string, a Attribute) error {
	if name == "v.bad" {
		return op.Errorf("does not like attribute '%s'", name)
	}
	return nil
}}

var (
	intType = TypeConstraint{Desc: "integer", Check: func(t Type) bool { _, ok := t.(*IntegerType); return ok }}

	vModule = verifyDialect.Op(OpDef{Name: "module", Regions: []Field{{Name: "body", Blocks: 1}},
		Traits: IsolatedFromAbove | SymbolTable | NoTerminator | GraphRegion | SingleBlock})
	vFunc = verifyDialect.Op(OpDef{Name: "func", Regions: []Field{{Name: "body"}}, Traits: IsolatedFromAbove | Symbol,
		Attrs: []Field{{Name: SymName, Kind: SymNameKind}}})
	vIf = verifyDialect.Op(OpDef{Name: "if", Operands: []Field{{Name: "cond", Type: intType}},
		Results: []Field{{Name: "results", Type: AnyType, Arity: Variadic}},
		Regions: []Field{{Name: "then", Blocks: 1}, {Name: "else"}}, Traits: SingleBlock | RecursiveEffects,
		VerifyRegions: func(op Op) error {
			if y := op.Body().Last(); y.NumOperands() != op.NumResults() {
				return op.Errorf("has %d results, but its region yields %d", op.NumResults(), y.NumOperands())
			}
			return nil
		}})
	vYield = verifyDialect.Op(OpDef{Name: "yield", Traits: Terminator | Pure, Parents: []string{"v.if"},
		Operands: []Field{{Name: "values", Type: AnyType, Arity: Variadic}}})
	vRet  = verifyDialect.Op(OpDef{Name: "ret", Traits: Terminator | Pure, Parents: []string{"v.func", "v.if"}})
	vBr   = verifyDialect.Op(OpDef{Name: "br", Traits: Terminator, Successors: 1, Operands: []Field{{Name: "args", Type: AnyType, Arity: Variadic}}, Caps: []CapImpl{BranchOp.Is(func(op Op, _ int) (int, int) { return 0, op.NumOperands() })}})
	vCond = verifyDialect.Op(OpDef{Name: "cond_br", Traits: Terminator | Pure, Successors: 2, Operands: []Field{{Name: "cond", Type: intType}},
		Caps: []CapImpl{BranchOp.Is(func(Op, int) (int, int) { return 1, 1 })}})
	vConst = verifyDialect.Op(OpDef{Name: "const", Traits: Pure | ConstantLike,
		Attrs: []Field{{Name: "value", Kind: I32Kind}}, Results: []Field{{Name: "r", Type: intType}}})
	vAdd = verifyDialect.Op(OpDef{Name: "add", Traits: Pure | SameOperandsAndResultType,
		Operands: []Field{{Name: "a", Type: intType}, {Name: "b", Type: intType}}, Results: []Field{{Name: "r", Type: intType}}})
	vSeg = verifyDialect.Op(OpDef{Name: "seg", Traits: AttrSizedOperandSegments,
		Operands: []Field{{Name: "a", Type: intType}, {Name: "b", Type: intType, Arity: Optional}, {Name: "c", Type: intType, Arity: Variadic}}})
	vShape = verifyDialect.Op(OpDef{Name: "shape", Traits: SameOperandsAndResultShape | SameOperandsAndResultElementType,
		Operands: []Field{{Name: "a", Type: AnyType, Arity: Variadic}}, Results: []Field{{Name: "r", Type: AnyType}}})
	vPicky = verifyDialect.Op(OpDef{Name: "picky", Operands: []Field{{Name: "a", Type: intType}},
		Verify: func(op Op) error { op.Operand(0); return fmt.Errorf("is never content") }})
)

// newModule returns a module with a function whose entry block takes an i32, and a builder at the end of that block.
func newModule(c *Context) (module, fn Op, b *Builder) {
	top := NewBuilder(c.NewArena())
	st := top.NewState(vModule, nil)
	st.AddRegion().AddBlock()
	module = top.Insert(st)
	fn, b = addFunc(module, "f")
	return module, fn, b
}

func addFunc(module Op, name string) (fn Op, b *Builder) {
	mb := BuilderAtEnd(module.Body())
	c := module.Context()
	st := mb.NewState(vFunc, nil)
	st.SetAttr(SymName, c.String(name))
	body := st.AddRegion().AddBlock(c.Int(32))
	return mb.Insert(st), BuilderAtEnd(body)
}

func TestVerifyMessages(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name  string
		build func(c *Context, b *Builder, x Value)
		want  []string // every error, in order
	}{
		{"valid", func(c *Context, b *Builder, x Value) {
			b.Create(vAdd, []Value{x, x}, []Type{c.Int(32)})
			b.Create(vRet, nil, nil)
		}, nil},
		{"operand type", func(c *Context, b *Builder, x Value) {
			f := b.Create(c.UnregisteredOp("u.f"), nil, []Type{c.F32()}).Result(0)
			b.Create(vAdd, []Value{x, f}, []Type{c.Int(32)})
			b.Create(vRet, nil, nil)
		}, []string{"'v.add' op operand #1 must be integer, but got 'f32'"}},
		{"operand count", func(c *Context, b *Builder, x Value) {
			b.Create(vAdd, []Value{x}, []Type{c.Int(32)})
			b.Create(vPicky, nil, nil)
			b.Create(vRet, []Value{x}, nil)
		}, []string{"'v.add' op expected 2 operands, but found 1", "'v.picky' op requires a single operand, but found 0",
			"'v.ret' op requires zero operands, but found 1"}},
		{"hook runs after the row", func(c *Context, b *Builder, x Value) {
			b.Create(vPicky, []Value{x}, nil)
			b.Create(vRet, nil, nil)
		}, []string{"'v.picky' op is never content"}},
		{"result type and count", func(c *Context, b *Builder, x Value) {
			b.Create(vConst, nil, []Type{c.F32()}, NamedAttr{"value", c.IntAttr(c.Int(32), 1)})
			b.Create(vConst, nil, nil, NamedAttr{"value", c.IntAttr(c.Int(32), 1)})
			b.Create(vRet, nil, nil)
		}, []string{"'v.const' op result #0 must be integer, but got 'f32'", "'v.const' op requires one result, but found 0"}},
		{"attributes", func(c *Context, b *Builder, x Value) {
			b.Create(vConst, nil, []Type{c.Int(32)})
			b.Create(vConst, nil, []Type{c.Int(32)}, NamedAttr{"value", c.String("x")})
			b.Create(vConst, nil, []Type{c.Int(32)}, NamedAttr{"v.bad", c.Unit()})
			b.Create(vRet, nil, nil)
		}, []string{"'v.const' op requires attribute 'value'",
			`'v.const' op attribute 'value' failed to satisfy constraint: i32 attribute, but got "x"`,
			"'v.const' op does not like attribute 'v.bad'"}},
		{"same type", func(c *Context, b *Builder, x Value) {
			b.Create(vAdd, []Value{x, x}, []Type{c.Int(8)})
			b.Create(vRet, nil, nil)
		}, []string{"'v.add' op requires the same type for all operands and results, but got 'i32' for operand #0 and 'i8' for result #0"}},
		{"shapes", func(c *Context, b *Builder, x Value) {
			two := b.Create(c.UnregisteredOp("u.t"), nil, []Type{c.Tensor([]int64{2}, c.Int(8), nil)}).Result(0)
			b.Create(vShape, []Value{two}, []Type{c.Tensor([]int64{4}, c.Int(8), nil)})
			b.Create(vShape, []Value{two}, []Type{c.Tensor([]int64{2}, c.F32(), nil)})
			b.Create(vShape, []Value{two}, []Type{c.Tensor([]int64{2}, c.Int(8), nil)})
			b.Create(vRet, nil, nil)
		}, []string{
			"'v.shape' op requires the same shape for all operands and results, but got 'tensor<2xi8>' for operand #0 and 'tensor<4xi8>' for result #0",
			"'v.shape' op requires the same element type for all operands and results, but got 'tensor<2xi8>' for operand #0 and 'tensor<2xf32>' for result #0"}},
		{"segments", func(c *Context, b *Builder, x Value) {
			seg := func(n int, sizes ...int64) {
				vs := make([]Value, n)
				for i := range vs {
					vs[i] = x
				}
				b.Create(vSeg, vs, nil, NamedAttr{OperandSegmentSizes, c.DenseI32(sizes...)})
			}
			seg(4, 1, 1, 2)
			seg(4, 1, 1, 1)
			seg(1, 1, 0)
			seg(1, 1, -1, 1)
			seg(3, 1, 2, 0)
			b.Create(vSeg, []Value{x}, nil)
			b.Create(vRet, nil, nil)
		}, []string{
			"operand count (4) does not match with the total size (3) specified in attribute 'operandSegmentSizes'",
			"'operandSegmentSizes' attribute for specifying operand segments must have 3 elements, but got 2",
			"'operandSegmentSizes' attribute cannot have negative elements",
			"operand group #1 ('b') requires 0 or 1 element, but found 2",
			"requires dense i32 array attribute 'operandSegmentSizes'"}},
		{"terminators", func(c *Context, b *Builder, x Value) {
			b.Create(vRet, nil, nil)
			b.Create(vAdd, []Value{x, x}, []Type{c.Int(32)})
		}, []string{"'v.ret' op must be the last operation in the parent block"}},
		{"no terminator", func(c *Context, b *Builder, x Value) {
			b.Create(vAdd, []Value{x, x}, []Type{c.Int(32)})
		}, []string{"block with no terminator, has 'v.add'"}},
		{"one error for an operation", func(c *Context, b *Builder, x Value) {
			f := b.Create(c.UnregisteredOp("u.f"), nil, []Type{c.F32()}).Result(0)
			b.Create(vAdd, []Value{f, f}, []Type{c.F32()})
			b.Create(vRet, nil, nil)
		}, []string{"'v.add' op operand #0 must be integer, but got 'f32'"}},
		{"empty block and parents", func(c *Context, b *Builder, x Value) {
			st := b.NewState(vIf, nil)
			st.Operands = []Value{x}
			st.AddRegion().AddBlock()
			BuilderAtEnd(st.AddRegion().AddBlock()).Create(vYield, nil, nil)
			b.Insert(st)
			b.Create(vYield, nil, nil)
		}, []string{"'v.if' op expects a non-empty block in region #0", "'v.yield' op expects parent op 'v.if', but got 'v.func'"}},
		{"empty block among several", func(c *Context, b *Builder, x Value) {
			b.Create(vRet, nil, nil)
			b.Block().Region().AddBlock()
		}, []string{"empty block: expect at least a terminator in a region of 'v.func'"}},
		{"single block and region count", func(c *Context, b *Builder, x Value) {
			st := b.NewState(vIf, nil)
			st.Operands = []Value{x}
			BuilderAtEnd(st.AddRegion().AddBlock()).Create(vYield, nil, nil)
			r := st.AddRegion()
			BuilderAtEnd(r.AddBlock()).Create(vYield, nil, nil)
			BuilderAtEnd(r.AddBlock()).Create(vYield, nil, nil)
			b.Insert(st)
			st = b.NewState(vIf, nil)
			st.Operands = []Value{x}
			b.Insert(st)
			b.Create(vRet, nil, nil)
		}, []string{"expects region #1 to have 0 or 1 blocks, but it has 2", "'v.if' op expected 2 regions, but found 0"}},
		{"verify regions", func(c *Context, b *Builder, x Value) {
			st := b.NewState(vIf, nil)
			st.Operands, st.Types = []Value{x}, []Type{c.Int(32)}
			BuilderAtEnd(st.AddRegion().AddBlock()).Create(vYield, nil, nil)
			st.AddRegion()
			b.Insert(st)
			b.Create(vRet, nil, nil)
		}, []string{"'v.if' op has 1 results, but its region yields 0"}},
		{"use before definition", func(c *Context, b *Builder, x Value) {
			k := b.Create(vConst, nil, []Type{c.Int(32)}, NamedAttr{"value", c.IntAttr(c.Int(32), 1)})
			a := b.Create(vAdd, []Value{x, k.Result(0)}, []Type{c.Int(32)})
			k.MoveAfter(a)
			b.Create(vRet, nil, nil)
		}, []string{"'v.add' op operand #1 does not dominate this use"}},
		{"dominance is not checked in a malformed function", func(c *Context, b *Builder, x Value) {
			k := b.Create(vConst, nil, []Type{c.Int(32)})
			a := b.Create(vAdd, []Value{x, k.Result(0)}, []Type{c.Int(32)})
			k.MoveAfter(a)
			b.Create(vRet, nil, nil)
		}, []string{"requires attribute 'value'"}},
		{"use of an inner value outside", func(c *Context, b *Builder, x Value) {
			st := b.NewState(vIf, nil)
			st.Operands = []Value{x}
			inner := BuilderAtEnd(st.AddRegion().AddBlock())
			k := inner.Create(vConst, nil, []Type{c.Int(32)}, NamedAttr{"value", c.IntAttr(c.Int(32), 1)})
			inner.Create(vYield, nil, nil)
			st.AddRegion()
			b.Insert(st)
			b.Create(vAdd, []Value{k.Result(0), x}, []Type{c.Int(32)})
			b.Create(vRet, nil, nil)
		}, []string{"'v.add' op operand #0 does not dominate this use"}},
		{"branches", func(c *Context, b *Builder, x Value) {
			r := b.Block().Region()
			next := r.AddBlock(c.Int(8))
			b.Create(vAdd, []Value{x, x}, []Type{c.Int(32)})
			st := b.NewState(vBr, nil)
			st.Operands, st.Succs = []Value{x}, []Block{next}
			b.Insert(st)
			nb := BuilderAtEnd(next)
			st = nb.NewState(vBr, nil)
			st.Succs = []Block{next}
			nb.Insert(st)
			nb.Create(vRet, nil, nil)
			entry := BuilderAtEnd(r.AddBlock())
			st = entry.NewState(vBr, nil)
			st.Operands, st.Succs = []Value{x}, []Block{r.First()}
			entry.Insert(st)
		}, []string{"entry block of region #0 may not have predecessors",
			"type mismatch for bb argument #0 of successor #0: got 'i32', expected 'i8'",
			"must be the last operation in the parent block"}},
		{"value of a block that does not dominate", func(c *Context, b *Builder, x Value) {
			r := b.Block().Region()
			left, join := r.AddBlock(), r.AddBlock()
			st := b.NewState(vCond, nil)
			st.Operands, st.Succs = []Value{x}, []Block{left, join}
			b.Insert(st)
			lb := BuilderAtEnd(left)
			v := lb.Create(vAdd, []Value{x, x}, []Type{c.Int(32)}).Result(0)
			st = lb.NewState(vBr, nil)
			st.Succs = []Block{join}
			lb.Insert(st)
			jb := BuilderAtEnd(join)
			jb.Create(vAdd, []Value{v, x}, []Type{c.Int(32)})
			jb.Create(vRet, nil, nil)
		}, []string{"'v.add' op operand #0 does not dominate this use"}},
		{"null operand", func(c *Context, b *Builder, x Value) {
			a := b.Create(vAdd, []Value{x, x}, []Type{c.Int(32)})
			a.SetOperand(1, Value{})
			b.Create(vRet, nil, nil)
		}, []string{"'v.add' op null operand found: operand #1"}},
		{"unknown operation of a known dialect", func(c *Context, b *Builder, x Value) {
			b.Create(c.UnregisteredOp("v.nosuch"), nil, nil)
			b.Create(vRet, nil, nil)
		}, []string{"unregistered operation 'v.nosuch' found in dialect ('v') that does not allow unknown operations"}},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			c := NewContext(verifyDialect)
			c.AllowUnregistered = true
			module, fn, b := newModule(c)
			tc.build(c, b, fn.Body().Arg(0))
			matchErrors(t, Check(module), tc.want)
			if err := Verify(module); (err != nil) != (tc.want != nil) {
				t.Errorf("Verify returns %v", err)
			}
			if got := c.Diag.Errors(); got != len(tc.want) {
				t.Errorf("emitted %d errors, want %d", got, len(tc.want))
			}
		})
	}
}

func matchErrors(t *testing.T, got []*Diagnostic, want []string) {
	t.Helper()
	for i, d := range got {
		if i >= len(want) {
			t.Errorf("unexpected: %v", d)
		} else if !strings.Contains(d.Message, want[i]) {
			t.Errorf("error %d:\n got  %s\n want %s", i, d.Message, want[i])
		}
	}
	for i := len(got); i < len(want); i++ {
		t.Errorf("missing: %s", want[i])
	}
}

func TestVerifyUnregistered(t *testing.T) {
	t.Parallel()
	c := NewContext(verifyDialect)
	module, _, b := newModule(c)
	b.Create(c.UnregisteredOp("u.x"), nil, nil)
	matchErrors(t, Check(module), []string{"'u.x' op created with unregistered dialect"})
	c.AllowUnregistered = true
	matchErrors(t, Check(module), nil)
}

// Diagnostics come in the order of the operations although functions are verified in parallel.
func TestVerifyOrder(t *testing.T) {
	t.Parallel()
	c := NewContext(verifyDialect)
	top := NewBuilder(c.NewArena())
	st := top.NewState(vModule, nil)
	st.AddRegion().AddBlock()
	module := top.Insert(st)
	var want []string
	for i := range 200 {
		_, b := addFunc(module, fmt.Sprintf("f%d", i%150))
		for range i % 7 {
			b.Create(vConst, nil, []Type{c.Int(32)}, NamedAttr{"value", c.IntAttr(c.Int(8), int64(i%100))})
			want = append(want, fmt.Sprintf("but got %d : i8", i%100))
		}
		b.Create(vRet, nil, nil)
	}
	for i := range 50 {
		want = append(want, fmt.Sprintf("redefinition of symbol named 'f%d'", i))
	}
	for range 3 {
		matchErrors(t, Check(module), want)
	}
}

// A bug in a hook reaches the caller, whichever goroutine it showed on.
func TestVerifyHookThatPanics(t *testing.T) {
	t.Parallel()
	d := &Dialect{Name: "buggy"}
	bug := d.Op(OpDef{Name: "bug", Verify: func(op Op) error { op.Operand(7); return nil }})
	c := NewContext(verifyDialect, d)
	module, _, _ := newModule(c)
	for i := range 8 {
		_, b := addFunc(module, fmt.Sprintf("g%d", i))
		b.Create(bug, nil, nil)
	}
	defer func() {
		if got := fmt.Sprint(recover()); !strings.Contains(got, "out of range in buggy.bug") {
			t.Errorf("got %s", got)
		}
	}()
	Check(module)
	t.Error("nothing happened")
}

func TestVerifyJoinedErrorsAndWarnings(t *testing.T) {
	t.Parallel()
	c := NewContext(verifyDialect)
	warn := &Diagnostic{Severity: Warning, Message: "slow"}
	s := &scope{}
	_, fn, _ := newModule(c)
	s.err(fn, warn)
	if s.own {
		t.Error("a warning counts as an error")
	}
	s.err(fn, fmt.Errorf("wrapped: %w", fn.Errorf("is wrong")))
	if len(s.items) != 2 || !s.own || s.items[1].diag.Message != "'v.func' op is wrong" {
		t.Errorf("got %v", s.flatten(nil))
	}
}
