package corpus

import (
	"os"
	"path/filepath"
	"testing"
)

// Representative lists the corpus cases that stand for the others where running all of them would take too long:
// element-wise kernels, copies, transposes, reductions, MMAs and control flow.
var Representative = []string{
	"copy_4d_f16",
	"if_yields",
	"layer_norm_fwd",
	"matmul_bf16",
	"matmul_f16",
	"matmul_f16_big_tile",
	"matmul_f32_tf32",
	"matmul_persistent",
	"nested_loops",
	"rms_norm",
	"saxpy",
	"saxpy_static_shape",
	"softmax_online_bf16",
	"softmax_rows_f16",
	"transpose_f16",
	"transpose_f32",
	"transpose_i8",
	"vadd2d_f16",
	"vadd_f16_exact",
	"vadd_f32",
	"vadd_f32_v131",
	"vadd_f32_v134",
	"vadd_f64",
}

// Cases returns the folder of the corpus cases and their names.
func Cases(t *testing.T) (folder string, names []string) {
	t.Helper()
	folder = filepath.Join(Dir(t), "cases")
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	if len(names) < 100 {
		t.Fatalf("%s holds %d cases, expected more than 100", folder, len(names))
	}
	return folder, names
}
