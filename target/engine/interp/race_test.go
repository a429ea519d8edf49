package interp

import (
	"testing"

	"github.com/tilewright/tilewright/target/engine/launch"
)

// Accesses of one tile block that tokens do not order.
func TestRaces(t *testing.T) {
	t.Parallel()
	const (
		prefix = "%c0 = constant <i32: 0> : tile<i32>\n%c1 = constant <i32: 1> : tile<i32>\n%c3 = constant <i32: 3> : tile<i32>\n%q = offset %p, %c1 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>\n"
		load   = "%x, %t1 = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token\n"
		again  = "%y, %t2 = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token\n"
	)
	store := func(name, ptr, token string) string {
		return name + " = store_ptr_tko weak " + ptr + ", %c1 " + token + " : tile<ptr<i32>>, tile<i32> -> token\n"
	}
	tests := []struct{ name, body, want string }{
		{"reads", load + again, ""},
		{"other places", load + store("%t3", "%q", ""), ""},
		{"write after read", load + store("%t3", "%p", ""),
			"k.mlir:8:7: error: 'cuda_tile.store_ptr_tko' op element []: races with 'cuda_tile.load_ptr_tko' at k.mlir:7:11 for address 0x7f0000000000: no token orders them"},
		{"ordered", load + store("%t3", "%p", "token = %t1"), ""},
		{"by a join", load + again + "%j = join_tokens %t1, %t2 : token\n" + store("%t3", "%p", "token = %j"), ""},
		{"one of two reads", load + again + store("%t3", "%p", "token = %t2"), "races with 'cuda_tile.load_ptr_tko' at k.mlir:7:11"},
		{"writes", store("%t3", "%p", "") + store("%t4", "%p", ""), "races with 'cuda_tile.store_ptr_tko'"},
		{"chain", store("%t3", "%p", "") + store("%t4", "%q", "token = %t3") + store("%t5", "%p", "token = %t4"), ""},
		{"a read between", store("%t3", "%p", "") + "%x, %t1 = load_ptr_tko weak %p token=%t3 : tile<ptr<i32>> -> tile<i32>, token\n" + again, "races with 'cuda_tile.store_ptr_tko'"},
		{"fresh token", store("%t3", "%p", "") + "%m = make_token : token\n" + store("%t4", "%p", "token = %m"), "races with"},
		{"iterations", "for %i in (%c0 to %c3, step %c1) : tile<i32> {\n" + store("%t3", "%p", "") + "continue\n}", "races with 'cuda_tile.store_ptr_tko' at k.mlir:8:7"},
		{"carried token", "%m = make_token : token\n%e = for %i in (%c0 to %c3, step %c1) : tile<i32> iter_values(%a = %m) -> (token) {\n" + store("%t3", "%p", "token = %a") + "continue %t3 : token\n}\n" +
			store("%t4", "%p", "token = %e"), ""},
		{"memory of an iteration", "for %i in (%c0 to %c3, step %c1) : tile<i32> {\n%g = alloca num_elem = 1, alignment = 4 : tile<ptr<i32>>\n" + store("%t3", "%g", "") + "continue\n}", ""},
		{"global memory of an iteration", "for %i in (%c0 to %c3, step %c1) : tile<i32> {\n%g = alloca num_elem = 1, alignment = 4 global : tile<ptr<i32>>\n" + store("%t3", "%g", "") + store("%t4", "%g", "") + "continue\n}",
			"races with 'cuda_tile.store_ptr_tko' at k.mlir:9:7"},
		{"branch", "%m = make_token : token\n%b = constant <i1: false> : tile<i1>\n%e = if %b -> (token) {\nyield %m : token\n} else {\n" + store("%t3", "%p", "") + "yield %t3 : token\n}\n" + store("%t4", "%p", "token = %e"), ""},
		{"elements of a store", "%u = reshape %p : tile<ptr<i32>> -> tile<1xptr<i32>>\n%v = broadcast %u : tile<1xptr<i32>> -> tile<2xptr<i32>>\n%w = iota : tile<2xi32>\n" +
			"%t3 = store_ptr_tko weak %v, %w : tile<2xptr<i32>>, tile<2xi32> -> token", "element [1]: races with another element of the same operation for address 0x7f0000000000"},
		{"atomics", "%u = reshape %p : tile<ptr<i32>> -> tile<1xptr<i32>>\n%v = broadcast %u : tile<1xptr<i32>> -> tile<2xptr<i32>>\n%w = iota : tile<2xi32>\n" +
			"%o, %t3 = atomic_rmw_tko relaxed device %v, add, %w : tile<2xptr<i32>>, tile<2xi32> -> tile<2xi32>, token\n" +
			"%o2, %t4 = atomic_rmw_tko relaxed device %v, add, %w : tile<2xptr<i32>>, tile<2xi32> -> tile<2xi32>, token\n" +
			"%x, %t1 = load_ptr_tko relaxed device %p : tile<ptr<i32>> -> tile<i32>, token", ""},
		{"atomic and weak", "%o, %t3 = atomic_rmw_tko relaxed device %p, add, %c1 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token\n" + load, "races with 'cuda_tile.atomic_rmw_tko'"},
		{"parts", store("%t3", "%p", "") + "%b = ptr_to_ptr %p : tile<ptr<i32>> -> tile<ptr<i8>>\n%d = offset %b, %c3 : tile<ptr<i8>>, tile<i32> -> tile<ptr<i8>>\n%x, %t1 = load_ptr_tko weak %d : tile<ptr<i8>> -> tile<i8>, token",
			"races with 'cuda_tile.store_ptr_tko'"},
		{"views", "%tv = make_tensor_view %p, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>\n%v = make_strided_view %tv : strided_view<tile=(2), traversal_strides=[1], tensor_view<4xi32, strides=[1]>>\n" +
			"%x, %t1 = load_view_tko weak %v[%c1] : strided_view<tile=(2), traversal_strides=[1], tensor_view<4xi32, strides=[1]>>, tile<i32> -> tile<2xi32>, token\n" +
			"%t3 = store_view_tko weak %x, %v[%c0] : tile<2xi32>, strided_view<tile=(2), traversal_strides=[1], tensor_view<4xi32, strides=[1]>>, tile<i32> -> token", "element [1]: races with 'cuda_tile.load_view_tko'"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			e := parse(t, "entry @k(%p: tile<ptr<i32>>) {\n"+prefix+tt.body+"\nreturn\n}")
			p := bufferOf(launch.I32, 0, 1, 2, 3)
			if err := runKernel(t, e, p); err != nil {
				t.Errorf("without looking for races: %v", err)
			}
			e.Races = true
			err := runKernel(t, e, p)
			switch {
			case tt.want != "":
				expectError(t, err, tt.want)
			case err != nil:
				t.Error(err)
			}
		})
	}
}

// TestOpenOrder: stores that are stronger than weak do not race, but which comes first is open where no token orders
// them.
func TestOpenOrder(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, body, want string }{
		{"two stores", "%a = store_ptr_tko relaxed device %p, %one : tile<ptr<i32>>, tile<i32> -> token\n%b = store_ptr_tko relaxed device %p, %one : tile<ptr<i32>>, tile<i32> -> token", "races with 'cuda_tile.store_ptr_tko'"},
		{"ordered", "%a = store_ptr_tko relaxed device %p, %one : tile<ptr<i32>>, tile<i32> -> token\n%b = store_ptr_tko relaxed device %p, %one token = %a : tile<ptr<i32>>, tile<i32> -> token", ""},
		{"elements of a store", "%u = reshape %p : tile<ptr<i32>> -> tile<1xptr<i32>>\n%v = broadcast %u : tile<1xptr<i32>> -> tile<2xptr<i32>>\n%w = iota : tile<2xi32>\n" +
			"%a = store_ptr_tko relaxed device %v, %w : tile<2xptr<i32>>, tile<2xi32> -> token", "races with another element of the same operation"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			e := parse(t, "entry @k(%p: tile<ptr<i32>>) {\n%one = constant <i32: 1> : tile<i32>\n"+tt.body+"\nreturn\n}")
			e.Races = true
			if err := runKernel(t, e, bufferOf(launch.I32, 0, 1)); err != nil {
				t.Errorf("without asking for the order: %v", err)
			}
			e.OpenOrder = true
			switch err := runKernel(t, e, bufferOf(launch.I32, 0, 1)); {
			case tt.want != "":
				expectError(t, err, tt.want)
			case err != nil:
				t.Error(err)
			}
		})
	}
}
