package cudatiletesting_test

import (
	"strings"
	"testing"

	"github.com/tilewright/tilewright/bytecode"
	"github.com/tilewright/tilewright/internal/testing/cudatiletesting"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/pipeline/tileir"
)

func newContext() *ir.Context {
	ctx := tileir.NewContext()
	ctx.Extend(cudatiletesting.Extension)
	ctx.Extend(cudatiletesting.Extension) // has no effect
	return ctx
}

func parse(t *testing.T, ctx *ir.Context, body string) (ir.Op, error) {
	t.Helper()
	op, err := asm.Parse(ctx, "t.mlir", []byte("cuda_tile.module @kernels {\n"+body+"\n}\n"), asm.ParseOptions{TopDialects: tileir.Syntax().TopDialects})
	if err == nil {
		err = ir.Verify(op)
	}
	return op, err
}

func print(t *testing.T, op ir.Op) string {
	t.Helper()
	var sb strings.Builder
	if err := asm.Print(&sb, op, asm.PrintOptions{}); err != nil {
		t.Fatal(err)
	}
	return sb.String()
}

const evolved = `  entry @k(%arg0: tile<f32>) {
    %0 = make_token : token
    %1 = testing$bytecode_test_evolution(%arg0, %arg0 : !cuda_tile.tile<f32>, !cuda_tile.tile<f32>) new_attr = 3 token = %0 : token priority = <high> test_attr = <-7> -> token
    testing$bytecode_test_new_attribute new_flag new_param = 7
    return
  }`

// TestRoundTrip writes the operations in the version that has all of them, and reads them.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	ctx := newContext()
	op, err := parse(t, ctx, evolved)
	if err != nil {
		t.Fatal(err)
	}
	text := print(t, op)
	data, err := bytecode.Encode(op, bytecode.Options{Version: cudatiletesting.V250_1})
	if err != nil {
		t.Fatal(err)
	}
	again, err := bytecode.Read(newContext(), data)
	if err != nil {
		t.Fatal(err)
	}
	if got := print(t, again); got != text || !strings.Contains(got, "priority = <high> test_attr = <-7> -> token") {
		t.Errorf("got\n%s\nwant\n%s", got, text)
	}
	if _, err := bytecode.Read(tileir.NewContext(), data); err == nil || !strings.Contains(err.Error(), "unsupported Tile version 250.1.0") {
		t.Errorf("without the extension: %v", err)
	}
}

// TestGating writes what the older of the two versions lacks.
func TestGating(t *testing.T) {
	t.Parallel()
	const token = "    %0 = make_token : token\n    "
	for body, want := range map[string]string{
		"testing$bytecode_test_new_attribute new_flag":                                         "optional attribute 'new_flag' is provided but requires bytecode version 250.1, targeting 250.0",
		"testing$bytecode_test_new_attribute new_param = 7":                                    "attribute 'new_param' requires bytecode version 250.1+, but targeting 250.0",
		"testing$bytecode_test_new_attribute new_param = 42":                                   "",
		"%1 = testing$bytecode_test_evolution(%a : tile<f32>) -> token":                        "",
		"%1 = testing$bytecode_test_evolution(%a : tile<f32>) priority = <low> -> token":       "",
		"%1 = testing$bytecode_test_evolution(%a : tile<f32>) priority = <high> -> token":      "enum value 'high' for attribute 'priority' is not available",
		"%1 = testing$bytecode_test_evolution(%a : tile<f32>) token = %0 : token -> token":     "optional operand 'optional_token' is provided",
		"%1 = testing$bytecode_test_evolution(%a : tile<f32>) test_attr = <1> -> token":        "optional attribute 'test_attr' is provided",
		"%1 = testing$bytecode_test_evolution(%a : tile<f32>) new_attr = 1 -> token":           "optional attribute 'new_attr' is provided",
		"%1 = testing$bytecode_test_evolution(%a : tile<f32>) -> token join_tokens %1, %1":     "unknown",
		"%c = constant <f32: 1.0> : tile<f32> testing$bytecode_test_evolution_of_another_kind": "unknown",
	} {
		op, err := parse(t, newContext(), "  entry @k(%a: tile<f32>) {\n"+token+body+"\n    return\n  }")
		if err == nil {
			_, err = bytecode.Encode(op, bytecode.Options{Version: cudatiletesting.V250_0})
		} else if want == "unknown" {
			continue
		}
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", body, err, want)
		}
	}
}

// TestType stores the type that evolved.
func TestType(t *testing.T) {
	t.Parallel()
	tests := []struct{ text, err string }{
		{"f32", ""},
		{"i8, f16", ""},
		{"f32, f16, <nan>, i64", ""},
		{"f32, <zero>", ""},
		{"token", "expected a number type, but got '!cuda_tile.token'"},
		{"f32, <frob>", "expected padding value to be one of: zero, neg_zero, nan, pos_inf, neg_inf, but got 'frob'"},
	}
	for _, tt := range tests {
		body := "  entry @f() {\n    %0 = loop : !cuda_tile.testing$bytecode_test_evolved<" + tt.text + "> {\n    }\n    return\n  }"
		op, err := parse(t, newContext(), body)
		if (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%s: got %v, want %q", tt.text, err, tt.err)
		}
		if err != nil {
			continue
		}
		text := print(t, op)
		if !strings.Contains(text, "testing$bytecode_test_evolved<"+tt.text+">") {
			t.Errorf("%s: printed as\n%s", tt.text, text)
		}
		data, err := bytecode.Encode(op, bytecode.Options{Version: cudatiletesting.V250_1})
		if err != nil {
			t.Fatal(err)
		}
		if again, err := bytecode.Read(op.Context(), data); err != nil || print(t, again) != text {
			t.Errorf("%s: read as %v, %v", tt.text, again, err)
		}
	}
}

// TestFunc has functions that no entry may be.
func TestFunc(t *testing.T) {
	t.Parallel()
	tests := []struct{ body, err string }{
		{"  testing$func @f(%arg0: tile<4xf32>) -> tile<4xf32> {\n    return %arg0 : tile<4xf32>\n  }", ""},
		{"  testing$func @f(%arg0: tile<4xf32>) -> tile<4xf32> {\n    return\n  }",
			"'cuda_tile.return' op has 0 operands, but enclosing function (@f) returns 1"},
	}
	for _, tt := range tests {
		op, err := parse(t, newContext(), tt.body)
		if (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("got %v, want %q", err, tt.err)
		}
		if err == nil && !strings.Contains(print(t, op), "testing$func @f(%arg0: tile<4xf32>) -> tile<4xf32> {") {
			t.Errorf("printed as\n%s", print(t, op))
		}
	}
	if _, err := parse(t, tileir.NewContext(), tests[0].body); err == nil || !strings.Contains(err.Error(), "custom op 'testing$func' is unknown") {
		t.Errorf("without the extension: %v", err)
	}
}
