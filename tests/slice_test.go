package tests

// slice lists the corpus cases that compile for every architecture and run right on every engine. A case that starts to work is added here, and
// with it to all tests that read the list.
var slice = []string{
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
