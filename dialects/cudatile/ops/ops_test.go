package ops_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/cudatile/ops"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
)

// parseModule reads a text that is one cuda_tile.module.
func parseModule(t testing.TB, text string) ir.Op {
	t.Helper()
	op, err := asm.Parse(ir.NewContext(ops.Dialect), "in", []byte(text), asm.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return op
}

func printModule(t testing.TB, op ir.Op, opts asm.PrintOptions) string {
	t.Helper()
	var out bytes.Buffer
	if err := asm.Print(&out, op, opts); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestEveryOperation has an operation of every row, and of every clause of its syntax: the text is printed unchanged
// after parsing, by way of the generic syntax as well.
func TestEveryOperation(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/ops.mlir")
	if err != nil {
		t.Fatal(err)
	}
	op := parseModule(t, string(data))
	if err := ir.Verify(op); err != nil {
		t.Fatal(err)
	}
	diffLines(t, printModule(t, op, asm.PrintOptions{}), string(data))
	again := parseModule(t, printModule(t, op, asm.PrintOptions{Generic: true}))
	if err := ir.Verify(again); err != nil {
		t.Fatal(err)
	}
	diffLines(t, printModule(t, again, asm.PrintOptions{}), string(data))

	seen := make(map[*ir.OpDef]bool)
	op.Walk(func(op ir.Op) ir.WalkResult { seen[op.Def()] = true; return ir.Advance })
	for _, def := range ops.Dialect.Ops() {
		hasText := def.Parse != nil || def.Syntax != ""
		if hasText && !seen[def] && def != cudatile.OldPow {
			t.Errorf("%s does not occur", def.Name)
		}
	}
}

// TestOtherSpellings has what parses but is printed otherwise.
func TestOtherSpellings(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ in, want string }{
		"long types":       {"%r = iota : !cuda_tile.tile<8xi32>", "%r = iota : tile<8xi32>"},
		"prefixed name":    {"%r = cuda_tile.iota : tile<8xi32>", "%r = iota : tile<8xi32>"},
		"old name":         {"%c = constant <f32: 1.0> : tile<f32>\n%r = pow %c, %c : tile<f32>", "%r = fpowf %c, %c : tile<f32>"},
		"default mode":     {"%c = constant <f32: 1.0> : tile<f32>\n%r = addf %c, %c rounding<nearest_even> : tile<f32>", "%r = addf %c, %c  : tile<f32>"},
		"default overflow": {"%c = constant <i8: 1> : tile<i8>\n%r = addi %c, %c overflow<none> : tile<i8>", "%r = addi %c, %c : tile<i8>"},
		"splat":            {"%r = constant <i8: [[7, 7], [7, 7]]> : tile<2x2xi8>", "%r = constant <i8: 7> : tile<2x2xi8>"},
		"unsigned value":   {"%r = constant <i8: 255> : tile<i8>", "%r = constant <i8: -1> : tile<i8>"},
		"hexadecimal":      {"%r = constant <i32: 0x80000000> : tile<i32>", "%r = constant <i32: -2147483648> : tile<i32>"},
		"bool number":      {"%r = constant <i1: [1, 0]> : tile<2xi1>", "%r = constant <i1: [true, false]> : tile<2xi1>"},
		"long predicate":   {"%c = constant <i8: 1> : tile<i8>\n%r = assume #cuda_tile.div_by<2>, %c : tile<i8>", "%r = assume div_by<2>, %c : tile<i8>"},
		"spaced token":     {"%t = make_token : token\n%r = print_tko \"\" token = %t -> token", "%r = print_tko \"\" token=%t -> token"},
		"no inbounds": {"%v = \"builtin.unrealized_conversion_cast\"() : () -> !cuda_tile.partition_view<tile=(2), tensor_view<8xf32, strides=[1]>>\n" +
			"%i = constant <i32: 0> : tile<i32>\n%a, %b = load_view_tko weak %v[%i] inbounds = [false] : partition_view<tile=(2), " +
			"tensor_view<8xf32, strides=[1]>, dim_map=[0]>, tile<i32> -> tile<2xf32>, token",
			"%a, %b = load_view_tko weak %v[%i] : partition_view<tile=(2), tensor_view<8xf32, strides=[1]>>, tile<i32> -> tile<2xf32>, token"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := ir.NewContext(ops.Dialect)
			c.AllowUnregistered = true
			text := "cuda_tile.module @m {\nentry @k() {\n" + test.in + "\nreturn\n}\n}"
			op, err := asm.Parse(c, "in", []byte(text), asm.ParseOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if err := ir.Verify(op); err != nil {
				t.Fatal(err)
			}
			if got := printModule(t, op, asm.PrintOptions{}); !strings.Contains(got, "    "+test.want+"\n") {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}
