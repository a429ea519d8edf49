package runtool_test

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/target/engine/npy"
)

// sums adds 1.1 to the power of the number of the CTA to the element of each device.
const sums = `entry @sums(%p: tile<ptr<f32, <multicast>>>) {
  %x, %y, %z = get_tile_block_id : tile<i32>
  %c0 = constant <i32: 0> : tile<i32>
  %base = constant <f32: 1.1> : tile<f32>
  %f = itof %x signed : tile<i32> -> tile<f32>
  %a = pow %base, %f : tile<f32>
  %a1 = reshape %a : tile<f32> -> tile<1xf32>
  %v = make_tensor_view %p, shape = [1], strides = [1] : tile<ptr<f32, <multicast>>> -> tensor_view<1xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>
  %w = make_partition_view %v : partition_view<tile=(1), tensor_view<1xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>
  %t = multimem_reduce_view_tko relaxed sys %w, %a1[%c0] : partition_view<tile=(1), tensor_view<1xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<1xf32>, tile<i32> -> token
  return
}
`

// TestDevices runs kernels on buffers with replicas; what the other engines cannot do is an error.
func TestDevices(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	write(t, filepath.Join(dir, "sums.mlir"), []byte(sums))
	sum := float32(0)
	for i := range 100 {
		sum += float32(math.Pow(float64(float32(1.1)), float64(i)))
	}
	bits := math.Float32bits(sum)
	one := []byte{byte(bits), byte(bits >> 8), byte(bits >> 16), byte(bits >> 24)}
	if err := npy.WriteFile(filepath.Join(dir, "sum.npy"), &npy.Array{DType: npy.Float32, Shape: []int{2, 1}, Data: append(one, one...)}); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ args, out, errs string }{
		{"IN/sums.mlir --entry sums --grid 100 --arg f32[2@1] --ordered-atomics --check 0=IN/sum.npy", "sums [interp]: arg 0 (f32[2]): ok", ""},
		{"IN/sums.mlir --entry sums --grid 100 --arg f32[2@1] --check 0=IN/sum.npy,rtol=0.0001", "sums [interp]: arg 0 (f32[2]): ok", ""},
		{"IN/k.mlir --entry add_one --grid 2 --arg f32[2@20] --arg i32:20 --engine=ptx", "", "argument 0 is f32[20] on 2 devices, but the engine has one device"},
		{"IN/k.mlir --entry add_one --grid 2 --arg f32[20] --arg i32:20 --engine=ptx --ordered-atomics", "", "--ordered-atomics is for the engines 'interp', 'tileaa' and 'tileas', none of which is asked for"},
	} {
		_, out, errs := call(dir, tt.args, "")
		if !strings.Contains(out, tt.out) || !strings.Contains(errs, tt.errs) || tt.errs == "" && errs != "" {
			t.Errorf("%s: got\n%s%s", tt.args, out, errs)
		}
	}
}
