package dce_test

import (
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/testdialect"
	"github.com/tilewright/tilewright/passes/any/dce"
)

func TestDCE(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, in    string
		ops, blocks int64
		want        string // the names of operations that are left, in order
	}{
		{"chain", `%a = "test.sub"(%x, %x) : (i32, i32) -> i32
			%b = "test.sub"(%x, %a) : (i32, i32) -> i32
			%c = "test.add"(%b, %a, %b) : (i32, i32, i32) -> i32
			"test.ret"() : () -> ()`, 3, 0, "ret"},
		{"used", `%a = "test.sub"(%x, %x) : (i32, i32) -> i32
			"test.ret"(%a) : (i32) -> ()`, 0, 0, "sub ret"},
		{"effects", `%a = "test.read"(%x) : (i32) -> i32
			"test.write"(%x) : (i32) -> ()
			%b = "test.use"() : () -> i32
			"test.ret"() : () -> ()`, 1, 0, "write use ret"},
		{"region", `%a = "test.sub"(%x, %x) : (i32, i32) -> i32
			%r = "test.region"(%x) ({ %b = "test.sub"(%a, %x) : (i32, i32) -> i32 }) : (i32) -> i32
			%s = "test.region"(%x) ({
				%b = "test.sub"(%x, %a) : (i32, i32) -> i32
				"test.write"(%x) : (i32) -> ()
			}) : (i32) -> i32
			"test.ret"() : () -> ()`, 4, 0, "region write ret"},
		{"unreachable cycle", `"test.ret"() : () -> ()
			^one(%p: i32):
				%a = "test.use"(%p, %b) : (i32, i32) -> i32
				"test.br"(%a)[^two] : (i32) -> ()
			^two:
				%b = "test.use"(%a, %p) : (i32, i32) -> i32
				"test.br"(%b)[^one] : (i32) -> ()`, 4, 2, "ret"},
		{"user in unreachable block", `%a = "test.sub"(%x, %x) : (i32, i32) -> i32
			"test.ret"() : () -> ()
			^dead:
				"test.region"(%x) ({ "test.use"(%a) : (i32) -> () }) : (i32) -> ()
				"test.ret"(%a) : (i32) -> ()`, 3, 1, "ret"},
		{"blocks", `%a = "test.sub"(%x, %x) : (i32, i32) -> i32
			"test.br"()[^next] : () -> ()
			^next:
				%b = "test.sub"(%a, %x) : (i32, i32) -> i32
				"test.ret"() : () -> ()`, 2, 0, "br ret"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			out, diags, stats := testdialect.Run(t, dce.Pass, "", "", "\"test.func\"() ({\n^entry(%x: i32):\n"+tt.in+"\n}) : () -> ()\n")
			var left []string
			for _, part := range strings.Split(out, `"test.`)[2:] {
				name, _, _ := strings.Cut(part, `"`)
				left = append(left, name)
			}
			if got := strings.Join(left, " "); got != tt.want || diags != "" {
				t.Errorf("left %q, want %q\n%s%s", got, tt.want, out, diags)
			}
			if stats["num-erased"] != tt.ops || stats["num-blocks-erased"] != tt.blocks {
				t.Errorf("erased %d operations and %d blocks, want %d and %d", stats["num-erased"], stats["num-blocks-erased"], tt.ops, tt.blocks)
			}
		})
	}
}
