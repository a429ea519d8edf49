package asm

import (
	"strings"
	"testing"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm/asmtest"
)

func parseOK(t testing.TB, src string) ir.Op {
	t.Helper()
	ctx, diags := asmtest.NewContext(t)
	op, err := Parse(ctx, "t.mlir", []byte(src), ParseOptions{ImplicitModule: asmtest.Module})
	if err != nil {
		t.Fatalf("parse: %v\n%s\n%s", err, diags, src)
	}
	return op
}

func printed(t testing.TB, op ir.Op, opts PrintOptions) string {
	t.Helper()
	var sb strings.Builder
	if err := Print(&sb, op, opts); err != nil {
		t.Fatal(err)
	}
	return sb.String()
}
