package ir_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/ir"
)

// TestDeclare uses a row before it is defined, and forgets to define one.
func TestDeclare(t *testing.T) {
	t.Parallel()
	dialect := &ir.Dialect{Name: "base"}
	first := dialect.Declare("first", 7, ir.Version{Major: 1})
	second := dialect.Op(ir.OpDef{Name: "second", Parents: []string{first.FullName()}, Opcode: 8})
	if len(dialect.Ops()) != 1 || dialect.Lookup("first") != first {
		t.Errorf("declared: %v", dialect.Ops())
	}
	mustPanic(t, `operation "base.first" is declared`, func() { ir.NewContext(dialect) })
	dialect.Define(first, ir.OpDef{Summary: "the first", Traits: ir.NoTerminator, Regions: []ir.Field{{Name: "body"}}})
	ctx := ir.NewContext(dialect)
	if ctx.LookupOp("base.first") != first || first.Opcode != 7 || first.Since.Major != 1 || first.Summary != "the first" {
		t.Errorf("defined: %+v", first)
	}
	op := ir.NewBuilder(ctx.NewArena()).Create(second, nil, nil)
	if !op.Is(second) || op.Is(first) {
		t.Error("an operation is not of its row")
	}
	mustPanic(t, "defined twice", func() { dialect.Define(first, ir.OpDef{}) })
	mustPanic(t, "defined twice", func() { dialect.Declare("second", 9, ir.Version{}) })
}

func mustPanic(t *testing.T, want string, f func()) {
	t.Helper()
	defer func() {
		if got, _ := recover().(string); !strings.Contains(got, want) {
			t.Errorf("panicked with %q, expected %q", got, want)
		}
	}()
	f()
}

// TestExtension registers operations of a dialect with some contexts only.
func TestExtension(t *testing.T) {
	t.Parallel()
	dialect := &ir.Dialect{Name: "base"}
	box := dialect.Op(ir.OpDef{Name: "box", Regions: []ir.Field{{Name: "body"}}, Traits: ir.NoTerminator})
	inside := dialect.Op(ir.OpDef{Name: "inside", Parents: []string{"base.box"}})
	x := &ir.Extension{Of: dialect}
	crate := *box
	crate.Name, crate.StandsFor = "crate", box
	like := x.Op(crate)
	crate.Name, crate.StandsFor = "barrel", nil
	unlike := x.Op(crate)

	ctx, plain := ir.NewContext(), ir.NewContext(dialect)
	ctx.Extend(x)
	ctx.Extend(x)
	if got := ctx.Extensions(dialect); len(got) != 1 || got[0] != x || plain.Extensions(dialect) != nil {
		t.Errorf("extensions: %v and %v", got, plain.Extensions(dialect))
	}
	if !slices.Equal(x.Ops(), []*ir.OpDef{like, unlike}) || slices.Contains(dialect.Ops(), like) || like.Dialect != dialect {
		t.Error("the rows are not those of the extension")
	}
	for _, name := range []string{"base.crate", "base.barrel"} {
		if def := ctx.LookupOp(name); def == nil || def.FullName() != name || plain.LookupOp(name) != nil {
			t.Errorf("%s: found as %v, and without the extension as %v", name, def, plain.LookupOp(name))
		}
	}
	if ctx.LookupOp("base.inside") != inside {
		t.Error("the dialect is not registered with its extension")
	}

	for def, want := range map[*ir.OpDef]string{box: "", like: "", unlike: "'base.inside' op expects parent op 'base.box', but got 'base.barrel'"} {
		b := ir.NewBuilder(ctx.NewArena())
		st := b.NewState(def, nil)
		ir.BuilderAtEnd(st.AddRegion().AddBlock()).Create(inside, nil, nil)
		err := ir.Verify(b.Insert(st))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", def.FullName(), err, want)
		}
	}
}

// TestVerifyTypes says that what types have in common is checked before traits, and after the fields.
func TestVerifyTypes(t *testing.T) {
	t.Parallel()
	i := ir.TypeConstraint{Desc: "integer", Check: func(t ir.Type) bool { return ir.BitWidth(t) > 0 }}
	dialect := &ir.Dialect{Name: "types"}
	def := dialect.Op(ir.OpDef{Name: "same", Traits: ir.SameOperandsAndResultType,
		Operands: []ir.Field{{Name: "a", Type: i}}, Results: []ir.Field{{Name: "r", Type: i}},
		VerifyTypes: func(op ir.Op) error {
			if op.Operand(0).Type() != op.Result(0).Type() {
				return op.Errorf("a and r differ")
			}
			return nil
		}})
	make := dialect.Op(ir.OpDef{Name: "make", Results: []ir.Field{{Name: "r", Type: ir.AnyType}}})
	ctx := ir.NewContext(dialect)
	for _, tt := range []struct {
		in, out ir.Type
		want    string
	}{
		{ctx.Int(8), ctx.Int(8), ""},
		{ctx.Int(8), ctx.Int(9), "a and r differ"},
		{ctx.None(), ctx.Int(9), "operand #0 must be integer"},
	} {
		arena := ctx.NewArena()
		v := ir.NewBuilder(arena).Create(make, nil, []ir.Type{tt.in}).Result(0)
		err := ir.Verify(ir.NewBuilder(arena).Create(def, []ir.Value{v}, []ir.Type{tt.out}))
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v to %v: got %v, want %q", tt.in, tt.out, err, tt.want)
		}
	}
}
