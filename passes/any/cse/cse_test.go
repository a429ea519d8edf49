package cse_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tilewright/tilewright/internal/testing/testdialect"
	"github.com/tilewright/tilewright/passes/any/cse"
)

// fn wraps lines in a function. Lines are written without the prefix "test." and with types left out: every value is
// an i32.
func fn(lines string) string {
	var sb strings.Builder
	sb.WriteString("\"test.func\"() ({\n^bb0(%x: i32, %y: i32):\n")
	sb.WriteString(lines)
	sb.WriteString("\n}) : () -> ()\n")
	return sb.String()
}

const i2 = "(i32, i32) -> i32"

func TestCSE(t *testing.T) {
	t.Parallel()
	add := func(res, a, b string) string { return fmt.Sprintf("%s = \"test.add\"(%s, %s) : %s\n", res, a, b, i2) }
	sub := func(res, a, b string) string { return fmt.Sprintf("%s = \"test.sub\"(%s, %s) : %s\n", res, a, b, i2) }
	use := func(vs ...string) string {
		types := strings.TrimSuffix(strings.Repeat("i32, ", len(vs)), ", ")
		return fmt.Sprintf("\"test.use\"(%s) : (%s) -> ()\n", strings.Join(vs, ", "), types)
	}
	read := func(res string) string { return res + " = \"test.read\"(%x) : (i32) -> i32\n" }
	write := "\"test.write\"(%x) : (i32) -> ()\n"
	region := func(res, body string) string {
		return fmt.Sprintf("%s = \"test.region\"(%%x) ({\n%s}) : (i32) -> i32\n", res, body)
	}
	tests := []struct {
		name, in       string
		merged, erased int64
		want           []string // texts that occur in the output
	}{
		{"equal", sub("%a", "%x", "%y") + sub("%b", "%x", "%y") + use("%a", "%b"), 1, 0, []string{`"test.use"(%a, %a)`}},
		{"transitive", sub("%a", "%x", "%y") + sub("%b", "%x", "%y") + sub("%c", "%a", "%x") + sub("%d", "%b", "%x") + use("%c", "%d"), 2, 0, []string{`"test.use"(%c, %c)`}},
		{"order of operands counts", sub("%a", "%x", "%y") + sub("%b", "%y", "%x") + use("%a", "%b"), 0, 0, nil},
		{"commutative", add("%a", "%x", "%y") + add("%b", "%y", "%x") + use("%a", "%b"), 1, 0, nil},
		{"commutative, other operands", add("%a", "%x", "%x") + add("%b", "%y", "%y") + use("%a", "%b"), 0, 0, nil},
		{"attributes", "%a = \"test.sub\"(%x, %y) {k = 1} : " + i2 + "\n%b = \"test.sub\"(%x, %y) {k = 2} : " + i2 + "\n" + use("%a", "%b"), 0, 0, nil},
		{"inherent attributes", "%a = \"test.const\"() <{value = 1 : i32}> : () -> i32\n%b = \"test.const\"() <{value = 2 : i32}> : () -> i32\n" + use("%a", "%b"), 0, 0, nil},
		{"result types", "%a = \"test.sub\"(%x, %y) : (i32, i32) -> i32\n%b = \"test.sub\"(%x, %y) : (i32, i32) -> i64\n\"test.use\"(%a, %b) : (i32, i64) -> ()\n", 0, 0, nil},
		{"dead", sub("%a", "%x", "%y") + sub("%b", "%x", "%y"), 0, 2, nil},
		{"dead, with what it used", sub("%a", "%x", "%y") + sub("%b", "%a", "%a") + sub("%c", "%b", "%a"), 0, 3, nil},
		{"dead, with what is used in it", sub("%a", "%x", "%y") + region("%r", sub("%b", "%a", "%x")+"\"test.yield\"(%b) : (i32) -> ()\n"), 0, 2, nil},
		{"dead, its operand merged before", sub("%a", "%x", "%y") + sub("%b", "%x", "%y") + sub("%c", "%b", "%b") + use("%a"), 1, 1, []string{`"test.use"(%a)`}},
		{"dead, its operand found equal after", sub("%a", "%x", "%y") + sub("%b", "%a", "%y") + sub("%c", "%x", "%y") + use("%c"), 1, 1, []string{`"test.use"(%a)`}},
		{"unknown effects", "%a = \"test.use\"(%x) : (i32) -> i32\n%b = \"test.use\"(%x) : (i32) -> i32\n" + use("%a", "%b"), 0, 0, nil},
		{"reads", read("%a") + read("%b") + use("%a", "%b"), 1, 0, nil},
		{"reads with a write between", read("%a") + write + read("%b") + use("%a", "%b"), 0, 0, nil},
		{"reads after a write", read("%a") + write + read("%b") + read("%c") + use("%a", "%b", "%c"), 1, 0, []string{`"test.use"(%a, %b, %b)`}},
		{"reads, write in a region", read("%a") + region("%r", write) + read("%b") + use("%a", "%b", "%r"), 0, 0, nil},
		{"reads, pure region", read("%a") + region("%r", sub("%s", "%x", "%y")+"\"test.yield\"(%s) : (i32) -> ()\n") + read("%b") + use("%a", "%b", "%r"), 1, 0, nil},
		{"reads with an allocation between", read("%a") + strings.ReplaceAll(read("%p"), "read", "alloc") + read("%b") + use("%a", "%b", "%p"), 1, 0, nil},
		{"allocations", strings.ReplaceAll(read("%a")+read("%b"), "read", "alloc") + use("%a", "%b"), 0, 0, nil},
		{"read in a region", read("%a") + region("%r", read("%b")+use("%b")) + use("%a", "%r"), 0, 0, nil},
		{"into a region", sub("%a", "%x", "%y") + region("%r", sub("%b", "%x", "%y")+use("%b")) + use("%a", "%r"), 1, 0, []string{`"test.use"(%a) : (i32)`}},
		{"not out of a region", region("%r", sub("%b", "%x", "%y")+use("%b")) + sub("%a", "%x", "%y") + use("%a", "%r"), 0, 0, nil},
		{"not between regions", region("%r", sub("%b", "%x", "%y")+use("%b")) + region("%s", sub("%c", "%x", "%y")+use("%c")) + use("%r", "%s"), 0, 0, nil},
		{"equal regions", region("%r", sub("%b", "%x", "%y")+"\"test.yield\"(%b) : (i32) -> ()\n") + region("%s", sub("%c", "%x", "%y")+"\"test.yield\"(%c) : (i32) -> ()\n") + use("%r", "%s"), 1, 0, nil},
		{"unequal regions", region("%r", sub("%b", "%x", "%y")+"\"test.yield\"(%b) : (i32) -> ()\n") + region("%s", sub("%c", "%y", "%x")+"\"test.yield\"(%c) : (i32) -> ()\n") + use("%r", "%s"), 0, 0, nil},
		{"longer region", region("%r", sub("%b", "%x", "%y")+"\"test.yield\"(%b) : (i32) -> ()\n") + region("%s", sub("%c", "%x", "%y")+sub("%d", "%c", "%c")+"\"test.yield\"(%d) : (i32) -> ()\n") + use("%r", "%s"), 0, 0, nil},
		{"isolated", sub("%a", "%x", "%y") + use("%a") + "\"test.isolated\"() ({\n^bb0(%p: i32, %q: i32):\n" + sub("%b", "%p", "%q") + use("%b") + "}) : () -> ()\n", 0, 0, nil},
		{"graph, users after", "\"test.graph\"() ({\n" + sub("%a", "%x", "%y") + sub("%b", "%x", "%y") + use("%a", "%b") + "}) : () -> ()\n", 1, 0, nil},
		{"graph, user before", "\"test.graph\"() ({\n" + use("%b") + sub("%a", "%x", "%y") + sub("%b", "%x", "%y") + use("%a") + "}) : () -> ()\n", 0, 0, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			out, diags, stats := testdialect.Run(t, cse.Pass, "", "", fn(tt.in))
			if stats["num-merged"] != tt.merged || stats["num-erased"] != tt.erased || diags != "" {
				t.Errorf("merged %d, erased %d, want %d and %d\n%s%s", stats["num-merged"], stats["num-erased"], tt.merged, tt.erased, out, diags)
			}
			for _, want := range tt.want {
				if !strings.Contains(out, want) {
					t.Errorf("no %s in\n%s", want, out)
				}
			}
			if before, after := strings.Count(fn(tt.in), `"test.`), strings.Count(out, `"test.`); int64(before-after) < tt.merged+tt.erased {
				t.Errorf("%d operations before, %d after\n%s", before, after, out)
			}
		})
	}
}

func TestCSEAcrossBlocks(t *testing.T) {
	t.Parallel()
	// ^entry dominates all, ^left and ^right not ^join.
	text := `"test.func"() ({
^entry(%x: i32):
  %a = "test.sub"(%x, %x) : (i32, i32) -> i32
  "test.br"(%x)[^left, ^right] : (i32) -> ()
^left:
  %b = "test.sub"(%x, %x) : (i32, i32) -> i32
  %c = "test.sub"(%a, %x) : (i32, i32) -> i32
  "test.use"(%b, %c) : (i32, i32) -> ()
  "test.br"()[^join] : () -> ()
^right:
  %d = "test.sub"(%a, %x) : (i32, i32) -> i32
  "test.use"(%d) : (i32) -> ()
  "test.br"()[^join] : () -> ()
^join:
  %e = "test.sub"(%a, %x) : (i32, i32) -> i32
  %f = "test.sub"(%x, %x) : (i32, i32) -> i32
  "test.use"(%e, %f) : (i32, i32) -> ()
  "test.ret"() : () -> ()
^dead:
  %g = "test.sub"(%x, %x) : (i32, i32) -> i32
  "test.use"(%g) : (i32) -> ()
  "test.ret"() : () -> ()
}) : () -> ()`
	out, _, stats := testdialect.Run(t, cse.Pass, "", "", text)
	if stats["num-merged"] != 2 {
		t.Errorf("merged %d, want 2\n%s", stats["num-merged"], out)
	}
	for _, want := range []string{`"test.use"(%a, %c)`, `"test.use"(%d)`, `"test.use"(%e, %a)`, `"test.use"(%g)`} {
		if !strings.Contains(out, want) {
			t.Errorf("no %s in\n%s", want, out)
		}
	}
}

// TestCSETakesLinearTime bounds the growth of the work by that of the input, on inputs that would be quadratic for a careless
// table.
func TestCSETakesLinearTime(t *testing.T) {
	t.Parallel()
	const n = 20000
	var reads, chain strings.Builder
	for i := range n {
		fmt.Fprintf(&reads, "%%r%d = \"test.read\"(%%x) : (i32) -> i32\n\"test.write\"(%%r%d) : (i32) -> ()\n", i, i)
		fmt.Fprintf(&chain, "\"test.br\"()[^b%d] : () -> ()\n^b%d:\n%%c%d = \"test.read\"(%%x) : (i32) -> i32\n\"test.use\"(%%c%d) : (i32) -> ()\n", i, i, i, i)
	}
	chain.WriteString("\"test.ret\"() : () -> ()\n")
	for name, text := range map[string]string{"reads and writes": reads.String(), "deep dominator tree": chain.String()} {
		start := time.Now()
		if _, _, stats := testdialect.Run(t, cse.Pass, "", "", fn(text)); stats["num-merged"] != 0 {
			t.Errorf("%s: merged %d", name, stats["num-merged"])
		}
		t.Logf("%s: %v", name, time.Since(start))
	}
}
