package nvvmtoptx_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/tests/ptxprobe"
)

// mmaKernel loads one register, gives it to every place of the fragments, and stores the results.
func mmaKernel(name, shape, a, b, d, in, acc string, na, nb, nc int) string {
	list := func(v string, n int) string { return strings.TrimSuffix(strings.Repeat(v+", ", n), ", ") }
	var s strings.Builder
	fmt.Fprintf(&s, `nvvm.func @%s(%%x: !nvvm.ptr<1>) attributes {nvvm.reqntid = array<i32: 32>} {
  %%in = nvvm.ld %%x : !nvvm.ptr<1> -> %s
  %%acc = nvvm.ld %%x : !nvvm.ptr<1> -> %s
`, name, in, acc)
	results := make([]string, nc)
	for i := range results {
		results[i] = fmt.Sprintf("%%d%d", i)
	}
	fmt.Fprintf(&s, "  %s = nvvm.mma.sync [%s], [%s], [%s] {shape = \"%s\", a_type = %s, b_type = %s, d_type = %s} : %s, %s, %s\n",
		strings.Join(results, ", "), list("%in", na), list("%in", nb), list("%acc", nc), shape, quote(a), quote(b), quote(d), in, in, acc)
	for i, r := range results {
		fmt.Fprintf(&s, "  nvvm.st %%x + %d, %s : !nvvm.ptr<1>, %s\n", 8*i, r, acc)
	}
	s.WriteString("  nvvm.return\n}\n")
	return s.String()
}

func quote(s string) string { return `"` + s + `"` }

// TestMatrixForms assembles every form of mma.sync on an architecture that has it.
func TestMatrixForms(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		gpu, shape, types, d, in, acc string
		na, nb, nc                    int
	}{
		{"sm_80", "m16n8k16", "f16", "f32", "i32", "f32", 4, 2, 4},
		{"sm_80", "m16n8k8", "f16", "f32", "i32", "f32", 2, 1, 4},
		{"sm_80", "m16n8k16", "f16", "f16", "i32", "i32", 4, 2, 2},
		{"sm_80", "m16n8k8", "f16", "f16", "i32", "i32", 2, 1, 2},
		{"sm_80", "m16n8k16", "bf16", "f32", "i32", "f32", 4, 2, 4},
		{"sm_80", "m16n8k8", "bf16", "f32", "i32", "f32", 2, 1, 4},
		{"sm_80", "m16n8k8", "tf32", "f32", "i32", "f32", 4, 2, 4},
		{"sm_80", "m16n8k8", "tf32", "f32", "f32", "f32", 4, 2, 4},
		{"sm_80", "m16n8k8", "tf32", "f32", "tf32", "f32", 4, 2, 4},
		{"sm_80", "m16n8k4", "tf32", "f32", "i32", "f32", 2, 1, 4},
		{"sm_80", "m16n8k32", "s8", "s32", "i32", "i32", 4, 2, 4},
		{"sm_80", "m16n8k16", "u8", "s32", "i32", "i32", 2, 1, 4},
		{"sm_80", "m8n8k4", "f64", "f64", "f64", "f64", 1, 1, 2},
		{"sm_90", "m16n8k4", "f64", "f64", "f64", "f64", 2, 1, 4},
		{"sm_90", "m16n8k8", "f64", "f64", "f64", "f64", 4, 2, 4},
		{"sm_90", "m16n8k16", "f64", "f64", "f64", "f64", 8, 4, 4},
		{"sm_89", "m16n8k32", "e4m3", "f32", "i32", "f32", 4, 2, 4},
		{"sm_90", "m16n8k32", "e5m2", "f32", "i32", "f32", 4, 2, 4},
		{"sm_90", "m16n8k16", "e4m3", "f32", "i32", "f32", 2, 1, 4},
		{"sm_90", "m16n8k32", "e4m3", "f16", "i32", "i32", 4, 2, 2},
	} {
		t.Run(fmt.Sprintf("%s_%s_%s_%s", tt.shape, tt.types, tt.d, tt.in), func(t *testing.T) {
			t.Parallel()
			src := mmaKernel("k", tt.shape, tt.types, tt.types, tt.d, tt.in, tt.acc, tt.na, tt.nb, tt.nc)
			m, text := ptxprobe.Emit(t, ptxprobe.Parse(t, src), tt.gpu)
			ptxprobe.Assemble(t, m, text)
			ptxprobe.Load(t, text)
		})
	}
}
