package licm_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/testdialect"
	"github.com/tilewright/tilewright/passes/any/licm"
)

// run runs the pass on a function of the test dialect and returns its text and statistics.
func run(t *testing.T, options, body string) (out string, stats map[string]int64) {
	t.Helper()
	text := "\"test.func\"() ({\n^entry(%x: i32):\n" + body + "\n}) : () -> ()\n"
	out, diags, stats := testdialect.Run(t, licm.Pass, options, "", text)
	if diags != "" {
		t.Fatal(diags)
	}
	return out, stats
}

// TestHoistsFromLoopsOfBlocks moves operations through loops of control-flow graphs, in a dialect of which the pass knows nothing.
func TestHoistsFromLoopsOfBlocks(t *testing.T) {
	t.Parallel()
	const enter = `"test.br"()[^head] : () -> ()` + "\n^head:\n"
	const repeat = `"test.br"()[^head, ^exit] : () -> ()` + "\n^exit:\n\"test.ret\"() : () -> ()"
	tests := []struct {
		name, body   string
		moved, reads int64
	}{
		{"chain", enter + `%a = "test.sub"(%x, %x) : (i32, i32) -> i32
			%b = "test.sub"(%a, %x) : (i32, i32) -> i32` + "\n" + repeat, 2, 0},
		{"read, and a branch of which nothing is known", enter + `%a = "test.read"(%x) : (i32) -> i32` + "\n" + repeat, 0, 0},
		{"undeclared effects", enter + `%a = "test.use"(%x) : (i32) -> i32
			%b = "test.read"(%x) : (i32) -> i32` + "\n" + repeat, 0, 0},
		{"allocation", enter + `%a = "test.alloc"() : () -> i32` + "\n" + repeat, 0, 0},
		{"region", enter + `%a = "test.region"(%x) ({
			%b = "test.sub"(%x, %x) : (i32, i32) -> i32
			%c = "test.sub"(%b, %x) : (i32, i32) -> i32
			}) : (i32) -> i32` + "\n" + repeat, 1, 0},
		{"region that uses the loop", enter + `%l = "test.use"() : () -> i32
			%a = "test.region"(%x) ({
			%b = "test.sub"(%x, %l) : (i32, i32) -> i32
			}) : (i32) -> i32` + "\n" + repeat, 0, 0},
		{"entry is the header", `%a = "test.sub"(%x, %x) : (i32, i32) -> i32
			"test.br"()[^two] : () -> ()
			^two:
			%b = "test.sub"(%x, %x) : (i32, i32) -> i32
			"test.br"()[^two, ^three] : () -> ()
			^three:
			"test.ret"() : () -> ()`, 1, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			out, stats := run(t, "", tt.body)
			if stats["num-hoisted"] != tt.moved || stats["num-reads-hoisted"] != tt.reads {
				t.Errorf("got %v, want %d and %d\n%s", stats, tt.moved, tt.reads, out)
			}
		})
	}
}

// TestHoistsFromDeepNest has more loops in each other than the pass goes through: headers one after the other, then as many
// latches.
func TestHoistsFromDeepNest(t *testing.T) {
	t.Parallel()
	const depth, limit = 10000, 64
	var b strings.Builder
	b.WriteString("\"test.br\"()[^p0] : () -> ()\n")
	for i := range depth {
		fmt.Fprintf(&b, "^p%d:\n\"test.br\"()[^h%d] : () -> ()\n^h%d:\n\"test.br\"()[^p%d] : () -> ()\n", i, i, i, i+1)
	}
	fmt.Fprintf(&b, "^p%d:\n%%a = \"test.sub\"(%%x, %%x) : (i32, i32) -> i32\n\"test.br\"()[^l%d] : () -> ()\n", depth, depth-1)
	for i := depth - 1; i >= 0; i-- {
		next := "^exit"
		if i > 0 {
			next = fmt.Sprintf("^l%d", i-1)
		}
		fmt.Fprintf(&b, "^l%d:\n\"test.br\"()[^h%d, %s] : () -> ()\n", i, i, next)
	}
	b.WriteString("^exit:\n\"test.ret\"() : () -> ()")
	out, stats := run(t, "", b.String())
	if stats["num-hoisted"] != limit {
		t.Errorf("moved %d times, want %d", stats["num-hoisted"], limit)
	}
	if first, _, _ := strings.Cut(out, "^bb"+fmt.Sprint(2*(depth-limit)+2)); !strings.Contains(first, "test.sub") {
		t.Error("the operation is not before the loop that has the greatest height")
	}
}
