package canonicalize_test

import (
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/testdialect"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/rewrite"
	"github.com/tilewright/tilewright/passes/any/canonicalize"
)

// sub-self turns "test.sub"(%a, %a) into a constant; ping-pong swaps the operands of a "test.use" for ever.
func init() {
	testdialect.Sub.Attach(rewrite.Canonicalizers.Is([]rewrite.Pattern{{Name: "sub-self", Rewrite: func(op ir.Op, rw *rewrite.Rewriter) bool {
		if op.Operand(0) != op.Operand(1) {
			return false
		}
		t := op.Result(0).Type()
		zero := ir.NamedAttr{Name: "value", Value: op.Context().IntAttr(t, 0)}
		rw.ReplaceWithNew(op, testdialect.Const, nil, []ir.Type{t}, zero)
		return true
	}}}))
	testdialect.Use.Attach(rewrite.Canonicalizers.Is([]rewrite.Pattern{{Name: "ping-pong", Rewrite: func(op ir.Op, rw *rewrite.Rewriter) bool {
		if op.NumOperands() != 2 || op.Attr("spin") == nil {
			return false
		}
		a, b := op.Operand(0), op.Operand(1)
		rw.SetOperand(op, 0, b)
		rw.SetOperand(op, 1, a)
		return true
	}}}))
}

func fn(body string) string {
	return "\"test.func\"() ({\n^entry(%x: i32, %y: i32):\n" + body + "\n}) : () -> ()\n"
}

func TestCanonicalize(t *testing.T) {
	t.Parallel()
	const selfSub = `%a = "test.sub"(%x, %x) : (i32, i32) -> i32
		"test.use"(%a) : (i32) -> ()`
	const spin = `"test.use"(%x, %y) {spin} : (i32, i32) -> ()`
	tests := []struct {
		name, options, in, want, diags string
		stat                           string
		n                              int64
	}{
		{"fold", "", `%a = "test.const"() <{value = 2 : i32}> : () -> i32
			%b = "test.add"(%a, %a) : (i32, i32) -> i32
			"test.use"(%b) : (i32) -> ()`, "value = 4 : i32", "", "num-folded", 1},
		{"not folded", "disable-folds=test.add", `%a = "test.const"() <{value = 2 : i32}> : () -> i32
			%b = "test.add"(%a, %a) : (i32, i32) -> i32
			"test.use"(%b) : (i32) -> ()`, "test.add", "", "num-folded", 0},
		{"dead", "", `%a = "test.sub"(%x, %y) : (i32, i32) -> i32`, "", "", "num-erased", 1},
		{"pattern", "", selfSub, "value = 0 : i32", "", "num-rewritten", 1},
		{"pattern disabled", "disable-patterns=sub-self", selfSub, "test.sub", "", "num-rewritten", 0},
		{"other pattern enabled", "enable-patterns=ping-pong", selfSub, "test.sub", "", "num-rewritten", 0},
		{"limit", "max-num-rewrites=7", spin, "spin", "", "num-rewritten", 7},
		{"limit is an error", "max-num-rewrites=7 test-convergence", spin, "", "'test.func' op does not converge to a canonical form", "", 0},
		{"unknown pattern", "disable-patterns=sub-selv", selfSub, "", "", "", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			out, diags, stats := testdialect.Run(t, canonicalize.Pass, tt.options, "", fn(tt.in))
			if !strings.Contains(out, tt.want) || !strings.Contains(diags, tt.diags) || tt.stat != "" && stats[tt.stat] != tt.n {
				t.Errorf("statistics %v, diagnostics %q, output\n%s", stats, diags, out)
			}
		})
	}
}
