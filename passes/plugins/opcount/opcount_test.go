package opcount_test

import (
	"testing"

	"github.com/tilewright/tilewright/internal/testing/testdialect"
	"github.com/tilewright/tilewright/passes/plugins/opcount"
)

func TestOpCount(t *testing.T) {
	t.Parallel()
	text := `"test.module"() ({
  "test.func"() <{sym_name = "a"}> ({
    "test.use"() : () -> ()
    %r = "test.region"() ({ "test.use"() : () -> () }) : () -> i32
    "test.write"() : () -> ()
  }) : () -> ()
  "test.func"() <{sym_name = "b"}> ({}) : () -> ()
}) : () -> ()
`
	tests := []struct {
		options, anchor, want string
		total                 int64
	}{
		{"", "test.func", "t.mlir:2:3: remark: 4 operations: 2 test.use, 1 test.region, 1 test.write\nt.mlir:7:3: remark: 0 operations\n", 4},
		{"top=1", "", "t.mlir:1:1: remark: 6 operations: 2 test.func, and 3 other kinds\n", 6},
		{"dialect=tes", "", "t.mlir:1:1: remark: 0 operations\n", 0},
	}
	for _, tt := range tests {
		_, diags, stats := testdialect.Run(t, opcount.Pass, tt.options, tt.anchor, text)
		if diags != tt.want || stats["num-operations"] != tt.total {
			t.Errorf("%s on %q: got %q and %d, want %q and %d", tt.options, tt.anchor, diags, stats["num-operations"], tt.want, tt.total)
		}
	}
}
