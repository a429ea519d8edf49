package asm

import (
	"strings"
	"testing"

	"github.com/tilewright/tilewright/ir"
)

func newCtx(t testing.TB) (*ir.Context, *strings.Builder) {
	t.Helper()
	ctx := ir.NewContext(testDialect)
	ctx.AllowUnregistered = true
	var diags strings.Builder
	ctx.Diag.Push(ctx.Diag.PrintTo(&diags))
	return ctx, &diags
}

var testDialect = &ir.Dialect{Name: "t"}

var (
	_ = testDialect.Op(ir.OpDef{Name: "func", Traits: ir.IsolatedFromAbove | ir.Symbol | ir.NoTerminator,
		Attrs: []ir.Field{{Name: ir.SymName, Kind: ir.SymNameKind}}, Regions: []ir.Field{{Name: "body"}}})
	_ = testDialect.Op(ir.OpDef{Name: "add",
		Operands: []ir.Field{{Name: "lhs", Type: ir.AnyType}, {Name: "rhs", Type: ir.AnyType}},
		Results:  []ir.Field{{Name: "result", Type: ir.AnyType}}})
	testModule = testDialect.Op(ir.OpDef{Name: "module", Traits: ir.IsolatedFromAbove | ir.SymbolTable | ir.NoTerminator,
		Regions: []ir.Field{{Name: "body"}}})
)

func parseOK(t testing.TB, src string) ir.Op {
	t.Helper()
	ctx, diags := newCtx(t)
	op, err := Parse(ctx, "t.mlir", []byte(src), ParseOptions{ImplicitModule: testModule})
	if err != nil {
		t.Fatalf("parse: %v\n%s", err, diags)
	}
	return op
}

func TestGenericRoundTrip(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, src string }{
		{"empty", ""},
		{"unregistered", `"u.x"() : () -> ()`},
		{"results", `%0:2 = "u.x"() : () -> (i32, f32)
"u.y"(%0#1, %0#0) : (f32, i32) -> ()`},
		{"attrs", `"u.x"() {a = 1 : i32, b = "x\0A\22", c, d = [1, 2.5], e = dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>, f = @a::@"b c", g = i32, h = array<i1: true, false>} : () -> ()`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			text := String(parseOK(t, tt.src))
			again := String(parseOK(t, text))
			if text != again {
				t.Errorf("not a fixed point:\n%s\n%s", text, again)
			}
			t.Log(text)
		})
	}
}
