package ops_test

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/dialects/cudatile/ops"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
)

// TestMalformed gives each operation too little and too much of everything, through the generic syntax. The verifier
// must reject what the row rejects, and neither it nor the printer may fail.
func TestMalformed(t *testing.T) {
	t.Parallel()
	for _, def := range ops.Dialect.Ops() {
		required := 0
		for _, f := range def.Operands {
			if f.Arity == ir.One {
				required++
			}
		}
		for operands := range 5 {
			for regions := range 3 {
				for results := range 3 {
					text := malformed(def, operands, regions, results)
					c := ir.NewContext(ops.Dialect)
					c.AllowUnregistered = true
					op, err := asm.Parse(c, "in", []byte(text), asm.ParseOptions{})
					if err != nil {
						t.Fatalf("%s\n%v", text, err)
					}
					if ir.Verify(op) == nil && (operands < required || regions < len(def.Regions)) {
						t.Errorf("accepted\n%s", text)
					}
					if err := asm.Print(&bytes.Buffer{}, op, asm.PrintOptions{}); err != nil {
						t.Error(err)
					}
				}
			}
		}
	}
}

func malformed(def *ir.OpDef, operands, regions, results int) string {
	const value = "!cuda_tile.tile<4xi32>"
	list := func(n int, item string) string { return strings.TrimSuffix(strings.Repeat(item+", ", n), ", ") }
	bodies := []string{"{}", "{\n^bb0(%x: i32):\n\"t.end\"() : () -> ()\n}"}
	var regionList []string
	for i := range regions {
		regionList = append(regionList, bodies[(i+operands)%2])
	}
	regionText := ""
	if regions > 0 {
		regionText = "(" + strings.Join(regionList, ", ") + ") "
	}
	names := ""
	if results > 0 {
		names = fmt.Sprintf("%%r:%d = ", results)
	}
	return fmt.Sprintf("\"t.wrap\"() ({\n%%v = \"t.v\"() : () -> %s\n%s%q(%s) %s: (%s) -> (%s)\n\"t.end\"() : () -> ()\n}) : () -> ()", value, names,
		def.FullName(), list(operands, "%v"), regionText, list(operands, value), list(results, value))
}

// inputRE finds the operands of a seed, which are written as %{type}.
var inputRE = regexp.MustCompile(`%\{([^}]*)\}`)

// kernel makes a module out of the operations of a seed. Each operand %{tile<8xf32>} becomes a value of that type
// from an operation of which nothing is known.
func kernel(body string) string {
	var defs strings.Builder
	n := 0
	body = inputRE.ReplaceAllStringFunc(body, func(m string) string {
		n++
		fmt.Fprintf(&defs, "%%in%d = \"t.v\"() : () -> !cuda_tile.%s\n", n, m[2:len(m)-1])
		return fmt.Sprintf("%%in%d", n)
	})
	return "cuda_tile.module @m {\nentry @k(%arg: tile<i32>) {\n" + defs.String() + body + "\nreturn\n}\n}"
}

// FuzzText parses, verifies and prints; what was accepted must read back as the same text.
func FuzzText(f *testing.F) {
	f.Add(kernel("%0 = addi %arg, %arg overflow<no_wrap> : tile<i32>"))
	f.Add(kernel("%v = constant <f32: [[1.0, 2.0], [3.0, 4.0]]> : tile<2x2xf32>"))
	f.Add(kernel("%0 = loop iter_values(%a = %arg) : tile<i32> -> tile<i32> {\nbreak %a : tile<i32>\n}"))
	f.Add(kernel("%0 = make_tensor_view %{tile<ptr<f32>>}, shape = [%arg], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>"))
	f.Add("#f = #cuda_tile.di_file<\"a\" in \"b\">\n#u = #cuda_tile.di_compile_unit<file = #f>\ncuda_tile.module @m {}")
	f.Fuzz(func(t *testing.T, text string) {
		c := ir.NewContext(ops.Dialect)
		c.AllowUnregistered = true
		op, err := asm.Parse(c, "in", []byte(text), asm.ParseOptions{})
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := asm.Print(&out, op, asm.PrintOptions{}); err != nil {
			t.Fatal(err)
		}
		if ir.Verify(op) != nil {
			return
		}
		again, err := asm.Parse(c, "out", out.Bytes(), asm.ParseOptions{})
		if err != nil {
			t.Fatalf("%v\n%s", err, out.String())
		}
		if got := printModule(t, again, asm.PrintOptions{}); got != out.String() {
			t.Errorf("first\n%s\nsecond\n%s", out.String(), got)
		}
	})
}
