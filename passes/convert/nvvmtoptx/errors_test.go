package nvvmtoptx_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/passes/convert/nvvmtoptx"
	"github.com/tilewright/tilewright/target/sm"
	"github.com/tilewright/tilewright/tests/ptxprobe"
)

// TestErrors: what has no instruction is refused with the operation's name.
func TestErrors(t *testing.T) {
	t.Parallel()
	body := func(text string) string {
		return "nvvm.func @k(%p: !nvvm.ptr<1>, %f: f32, %d: f64, %i: i32, %b: i8, %h: bf16) {\n" + text + "\nnvvm.return\n}"
	}
	doubled := "%x0 = arith.extsi %i : i32 to i64\n" // 2^40 operations, if each is computed where it is used
	for i := range 40 {
		doubled += fmt.Sprintf("%%x%d = arith.addi %%x%d, %%x%d : i64\n", i+1, i, i)
	}
	for _, tt := range []struct{ name, gpu, src, want string }{
		{"map", "sm_90", body(doubled + "%m = nvvm.tensormap.param %p sizes[%x40] strides[] box [64] of 4 : !nvvm.ptr<1> -> !nvvm.ptr<0>"), "is of a number that a launcher cannot compute"},
		{"function", "sm_80", body("%r = arith.exp %f : f32"), "test.mlir:2:6: error: 'arith.exp' op has no PTX instruction"},
		{"width", "sm_80", body("%r = arith.trunci %i : i32 to i7"), "result type 'i7' has no PTX register"},
		{"bytes", "sm_80", body("%r = arith.addi %b, %b : i8"), "'arith.addi' op on type 'i8' has no PTX instruction"},
		{"target lacks", "sm_80", body("%r = arith.addf %h, %h : bf16"), "add, sub and mul on bf16 and bf16x2, which sm_80 does not have"},
		{"rounding", "sm_90", body("%r = arith.addf %h, %h rounding<zero> : bf16"), "with rounding 'zero' on type 'bf16'"},
		{"approximate f64", "sm_80", body("%r = arith.divf %d, %d rounding<approx> : f64"), "with rounding 'approx' on type 'f64'"},
		{"flush f64", "sm_80", body("%r = arith.addf %d, %d ftz : f64"), "flushes subnormal numbers"},
		{"name", "sm_80", "nvvm.func @\"a b\"() {\nnvvm.return\n}", "'a b' is not a name in PTX"},
		{"no scope", "sm_80", body(`%r = nvvm.ld %p {ordering = "acquire"} : !nvvm.ptr<1> -> f32`), "needs a scope"},
		{"cached order", "sm_80", body(`%r = nvvm.ld %p {ordering = "acquire", scope = "gpu", cache = "ca"} : !nvvm.ptr<1> -> f32`), "cannot have a cache operator"},
		{"shape", "sm_80", mmaKernel("k", "m8n8k8", "f16", "f16", "f32", "i32", "f32", 1, 1, 1), "of shape 'm8n8k8'"},
		{"registers", "sm_80", mmaKernel("k", "m16n8k16", "f16", "f16", "f32", "i32", "f32", 2, 2, 4), "needs 4 registers of 'a', but got 2"},
		{"parameter", "sm_80", "nvvm.func @k(%p: !nvvm.ptr<3>) {\nnvvm.return\n}", "points to shared memory"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			arch, err := sm.Lookup(tt.gpu)
			if err != nil {
				t.Fatal(err)
			}
			_, _, err = nvvmtoptx.Emit(ptxprobe.Parse(t, tt.src), arch, nvvmtoptx.Style{})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got error %v, want one with %q", err, tt.want)
			}
		})
	}
}
