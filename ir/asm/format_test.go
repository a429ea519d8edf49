package asm

import (
	"testing"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm/asmtest"
)

// Blanks between elements follow MLIR's printer of declarative formats.
func TestFormatSpacing(t *testing.T) {
	t.Parallel()
	silent := &ir.AttrKind{Name: "silent", Desc: "nothing", Check: func(ir.Attribute) bool { return true },
		Parse: func(ir.AsmParser) ir.Attribute { return nil }, Print: func(ir.AsmPrinter, ir.Attribute) {}}
	for _, tt := range []struct{ syntax, want string }{
		{"$x attr-dict `:` type($x)", " %0 : i32"},
		{"$x $s attr-dict `:` type($x)", " %0  : i32"},
		{"`[` $x `]` attr-dict `:` type($x)", "[%0] : i32"},
		{"`key` `=` $x attr-dict `:` type($x)", " key = %0 : i32"},
		{"`key` `` `=` `` $x attr-dict `:` type($x)", " key=%0 : i32"},
		{"`a` `<` $x `>` `b` attr-dict `:` type($x)", " a<%0> b : i32"},
		{"`(` $x `)` `->` `(` type($x) `)` attr-dict", "(%0) -> (i32)"},
		{"$x `,` `{` `}` attr-dict `:` type($x)", " %0, {} : i32"},
		{"$x ` ` attr-dict `:` type($x)", " %0 : i32"},
		{"$x `\\n` attr-dict `:` type($x)", " %0\n: i32"},
	} {
		d := &ir.Dialect{Name: "sp"}
		def := d.Op(ir.OpDef{Name: "op", Syntax: tt.syntax, Operands: []ir.Field{asmtest.AnyField("x")},
			Attrs: []ir.Field{{Name: "s", Kind: silent, Arity: ir.Optional}}})
		if err := CheckSyntax(def); err != nil {
			t.Error(err)
			continue
		}
		ctx := ir.NewContext(d)
		ctx.AllowUnregistered = true
		op, err := Parse(ctx, "f", []byte("\"u.r\"() ({\n%0 = \"u.x\"() : () -> i32\nsp.op"+tt.want+"\n}) : () -> ()"), ParseOptions{})
		if err != nil {
			t.Errorf("%s: %v", tt.syntax, err)
			continue
		}
		if got := String(op.Body().Last()); got != "sp.op"+tt.want {
			t.Errorf("%s: got %q, want %q", tt.syntax, got, "sp.op"+tt.want)
		}
	}
}
