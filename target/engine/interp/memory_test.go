package interp

import (
	"slices"
	"testing"

	"github.com/tilewright/tilewright/target/engine/launch"
)

// Entries that change the memory behind their argument %p.
func TestMemory(t *testing.T) {
	t.Parallel()
	const tile2 = "%o = constant <i32: [0, 1]> : tile<2xi32>\n%p1 = reshape %p : tile<ptr<ELEM>> -> tile<1xptr<ELEM>>\n" +
		"%p2 = broadcast %p1 : tile<1xptr<ELEM>> -> tile<2xptr<ELEM>>\n%q = offset %p2, %o : tile<2xptr<ELEM>>, tile<2xi32> -> tile<2xptr<ELEM>>\n"
	rmw := func(mode, elem, args string) string {
		return replaceElem(tile2, elem) + "%a = constant <" + elem + ": [" + args + "]> : tile<2x" + elem + ">\n" +
			"%old, %k = atomic_rmw_tko acq_rel device %q, " + mode + ", %a : tile<2xptr<" + elem + ">>, tile<2x" + elem + "> -> tile<2x" + elem + ">, token\n"
	}
	tests := []struct {
		name, elem, body string
		in, want         []uint64
		err              string
	}{
		{"and", "i32", rmw("and", "i32", "3, 5"), []uint64{6, 6}, []uint64{2, 4}, ""},
		{"or", "i32", rmw("or", "i32", "3, 5"), []uint64{6, 6}, []uint64{7, 7}, ""},
		{"xor", "i32", rmw("xor", "i32", "3, 5"), []uint64{6, 6}, []uint64{5, 3}, ""},
		{"add", "i64", rmw("add", "i64", "-1, 1"), []uint64{0, 5}, []uint64{1<<64 - 1, 6}, ""},
		{"max", "i32", rmw("max", "i32", "-1, 1"), []uint64{0, 1<<32 - 1}, []uint64{0, 1}, ""},
		{"umax", "i32", rmw("umax", "i32", "-1, 1"), []uint64{0, 1<<32 - 1}, []uint64{1<<32 - 1, 1<<32 - 1}, ""},
		{"min", "i32", rmw("min", "i32", "-1, 1"), []uint64{0, 5}, []uint64{1<<32 - 1, 1}, ""},
		{"umin", "i32", rmw("umin", "i32", "-1, 1"), []uint64{0, 5}, []uint64{0, 1}, ""},
		{"addf f16", "f16", rmw("addf", "f16", "1.0, 2.0"), []uint64{0x3c00, 0}, []uint64{0x4000, 0x4000}, ""},
		{"addf bf16", "bf16", rmw("addf", "bf16", "1.0, 2.0"), []uint64{0x3f80, 0}, []uint64{0x4000, 0x4000}, ""},
		{"addf f64", "f64", rmw("addf", "f64", "1.0, 2.0"), []uint64{0, 0}, []uint64{0x3ff0000000000000, 0x4000000000000000}, ""},
		{"xchg", "f32", rmw("xchg", "f32", "1.0, 2.0") + "%s = store_ptr_tko weak %q, %old : tile<2xptr<f32>>, tile<2xf32> -> token", []uint64{8, 9}, []uint64{8, 9}, ""},
		// -0 and +0 have different patterns.
		{"cas", "f32", replaceElem(tile2, "f32") + "%c = constant <f32: [0.0, 1.0]> : tile<2xf32>\n%v = constant <f32: [2.0, 2.0]> : tile<2xf32>\n" +
			"%old, %k = atomic_cas_tko relaxed sys %q, %c, %v : tile<2xptr<f32>>, tile<2xf32> -> tile<2xf32>, token", []uint64{1 << 31, 0x3f800000}, []uint64{1 << 31, 0x40000000}, ""},
		{"same address", "i32", "%p1 = reshape %p : tile<ptr<i32>> -> tile<1xptr<i32>>\n%q = broadcast %p1 : tile<1xptr<i32>> -> tile<64xptr<i32>>\n%a = iota : tile<64xi32>\n" +
			"%old, %k = atomic_rmw_tko relaxed device %q, add, %a : tile<64xptr<i32>>, tile<64xi32> -> tile<64xi32>, token", []uint64{1}, []uint64{1 + 63*32}, ""},
		{"red view", "i32", "%i = constant <i32: 1> : tile<i32>\n%tv = make_tensor_view %p, shape = [3], strides = [1] : tensor_view<3xi32, strides=[1]>\n" +
			"%v = make_partition_view %tv : partition_view<tile=(2), tensor_view<3xi32, strides=[1]>>\n%a = constant <i32: [5, 6]> : tile<2xi32>\n" +
			"%k = atomic_red_view_tko relaxed device %v[%i], add, %a : tile<2xi32>, partition_view<tile=(2), tensor_view<3xi32, strides=[1]>>, tile<i32> -> token",
			[]uint64{1, 2, 3, 4}, []uint64{1, 2, 8, 4}, ""},

		{"i1", "i8", "%o = constant <i32: 1> : tile<i32>\n%b = ptr_to_ptr %p : tile<ptr<i8>> -> tile<ptr<i1>>\n%x, %k = load_ptr_tko weak %b : tile<ptr<i1>> -> tile<i1>, token\n" +
			"%c = offset %b, %o : tile<ptr<i1>>, tile<i32> -> tile<ptr<i1>>\n%s = store_ptr_tko weak %c, %x : tile<ptr<i1>>, tile<i1> -> token", []uint64{8, 0}, []uint64{8, 1}, ""},
		{"ordered", "i32", "%x, %k = load_ptr_tko acquire device %p : tile<ptr<i32>> -> tile<i32>, token\n%y = addi %x, %x : tile<i32>\n" +
			"%s = store_ptr_tko release device %p, %y : tile<ptr<i32>>, tile<i32> -> token", []uint64{4}, []uint64{8}, ""},
		{"padding", "f32", "%i = constant <i32: 0> : tile<i32>\n%tv = make_tensor_view %p, shape = [1], strides = [1] : tensor_view<1xf32, strides=[1]>\n" +
			"%v = make_partition_view %tv : partition_view<tile=(2), padding_value = neg_zero, tensor_view<1xf32, strides=[1]>>\n" +
			"%x, %k = load_view_tko weak %v[%i] : partition_view<tile=(2), padding_value = neg_zero, tensor_view<1xf32, strides=[1]>>, tile<i32> -> tile<2xf32>, token\n" +
			replaceElem(tile2, "f32") + "%s = store_ptr_tko weak %q, %x : tile<2xptr<f32>>, tile<2xf32> -> token", []uint64{5, 7}, []uint64{5, 1 << 31}, ""},
		// Tiles of two columns lie along the rows; every second column begins one.
		{"strided view", "i32", "%i = constant <i32: 1> : tile<i32>\n%j = constant <i32: 0> : tile<i32>\n" +
			"%tv = make_tensor_view %p, shape = [2, 3], strides = [3, 1] : tensor_view<2x3xi32, strides=[3,1]>\n" +
			"%v = make_strided_view %tv : strided_view<tile=(2x2), traversal_strides=[2,2], tensor_view<2x3xi32, strides=[3,1]>, dim_map=[1, 0]>\n" +
			"%n:2 = get_index_space_shape %v : strided_view<tile=(2x2), traversal_strides=[2,2], tensor_view<2x3xi32, strides=[3,1]>, dim_map=[1, 0]> -> tile<i32>\n" +
			"%x, %k = load_view_tko weak %v[%i, %j] : strided_view<tile=(2x2), traversal_strides=[2,2], tensor_view<2x3xi32, strides=[3,1]>, dim_map=[1, 0]>, tile<i32> -> tile<2x2xi32>, token\n" +
			"%e = extract %x[%j, %j] : tile<2x2xi32> -> tile<1x2xi32>\n%f = reshape %e : tile<1x2xi32> -> tile<2xi32>\n" +
			"%g = reshape %n#0 : tile<i32> -> tile<1xi32>\n%h = broadcast %g : tile<1xi32> -> tile<2xi32>\n%m = muli %f, %h : tile<2xi32>\n" +
			replaceElem(tile2, "i32") + "%s = store_ptr_tko weak %q, %m : tile<2xptr<i32>>, tile<2xi32> -> token", []uint64{0, 1, 2, 3, 4, 5}, []uint64{4, 10, 2, 3, 4, 5}, ""},
		// Rows 1 and 9, of which there is none; columns from 1 on.
		{"gather", "i32", "%i = constant <i32: [1, 9]> : tile<2xi32>\n%j = constant <i32: 1> : tile<i32>\n" +
			"%tv = make_tensor_view %p, shape = [2, 2], strides = [2, 1] : tensor_view<2x2xi32, strides=[2,1]>\n" +
			"%v = make_gather_scatter_view %tv : gather_scatter_view<tile=(2x2), padding_value = zero, tensor_view<2x2xi32, strides=[2,1]>, sparse_dim=0>\n" +
			"%x, %k = load_view_tko weak %v[%i, %j] : gather_scatter_view<tile=(2x2), padding_value = zero, tensor_view<2x2xi32, strides=[2,1]>, sparse_dim=0>, tile<2xi32>, tile<i32> -> tile<2x2xi32>, token\n" +
			"%z = constant <i32: 0> : tile<i32>\n%w = make_partition_view %tv : partition_view<tile=(2x2), tensor_view<2x2xi32, strides=[2,1]>>\n" +
			"%s = store_view_tko weak %x, %w[%z, %z] : tile<2x2xi32>, partition_view<tile=(2x2), tensor_view<2x2xi32, strides=[2,1]>>, tile<i32> -> token",
			[]uint64{1, 2, 3, 4}, []uint64{4, 0, 0, 0}, ""},
		{"scatter columns", "i32", "%i = constant <i32: [3, 0]> : tile<2xi32>\n%j = constant <i32: 0> : tile<i32>\n%x = constant <i32: [[8, 9]]> : tile<1x2xi32>\n" +
			"%tv = make_tensor_view %p, shape = [1, 4], strides = [4, 1] : tensor_view<1x4xi32, strides=[4,1]>\n" +
			"%v = make_gather_scatter_view %tv : gather_scatter_view<tile=(1x2), tensor_view<1x4xi32, strides=[4,1]>, sparse_dim=1>\n" +
			"%s = store_view_tko weak %x, %v[%j, %i] : tile<1x2xi32>, gather_scatter_view<tile=(1x2), tensor_view<1x4xi32, strides=[4,1]>, sparse_dim=1>, tile<i32>, tile<2xi32> -> token",
			[]uint64{1, 2, 3, 4}, []uint64{9, 2, 3, 8}, ""},
		{"global of four bits", "i8", "%g = get_global @n : tile<ptr<f4E2M1FN>>\n%b = ptr_to_ptr %g : tile<ptr<f4E2M1FN>> -> tile<ptr<i8>>\n%x, %k = load_ptr_tko weak %b : tile<ptr<i8>> -> tile<i8>, token\n" +
			"%s = store_ptr_tko weak %p, %x : tile<ptr<i8>>, tile<i8> -> token", []uint64{0}, []uint64{0x42}, ""},
		// The number of tiles of a tensor that is nearly as large as numbers go.
		{"index space of a large tensor", "i32", "%n = constant <i64: 9223372036854775807> : tile<i64>\n%f = constant <i64: 40> : tile<i64>\n" +
			"%tv = make_tensor_view %p, shape = [%n], strides = [1] : tile<i64> -> tensor_view<?xi32, strides=[1]>\n" +
			"%v = make_partition_view %tv : partition_view<tile=(16), tensor_view<?xi32, strides=[1]>>\n" +
			"%d = get_index_space_shape %v : partition_view<tile=(16), tensor_view<?xi32, strides=[1]>> -> tile<i64>\n" +
			"%m = shri %d, %f unsigned : tile<i64>\n%x = trunci %m : tile<i64> -> tile<i32>\n" +
			"%s = store_ptr_tko weak %p, %x : tile<ptr<i32>>, tile<i32> -> token", []uint64{0}, []uint64{1 << 19}, ""},
		{"tensor shape", "i32", "%n = constant <i32: 7> : tile<i32>\n%tv = make_tensor_view %p, shape = [%n, 5], strides = [1, 1] : tile<i32> -> tensor_view<?x5xi32, strides=[1,1]>\n" +
			"%d:2 = get_tensor_shape %tv : tensor_view<?x5xi32, strides=[1,1]> -> tile<i64>\n%m = muli %d#0, %d#1 : tile<i64>\n%x = trunci %m : tile<i64> -> tile<i32>\n" +
			"%s = store_ptr_tko weak %p, %x : tile<ptr<i32>>, tile<i32> -> token", []uint64{0}, []uint64{35}, ""},
		// The second half of a byte, and the first of the next; views of four bits come from a cast pointer.
		{"nibbles", "i8", "%b = ptr_to_ptr %p : tile<ptr<i8>> -> tile<ptr<f4E2M1FN>>\n%i = constant <i32: 0> : tile<i32>\n%j = constant <i32: 1> : tile<i32>\n" +
			"%tv = make_tensor_view %b, shape = [4], strides = [1] : tensor_view<4xf4E2M1FN, strides=[1]>\n" +
			"%v = make_strided_view %tv : strided_view<tile=(2), traversal_strides=[2], tensor_view<4xf4E2M1FN, strides=[1]>>\n" +
			"%x, %k = load_view_tko weak %v[%i] : strided_view<tile=(2), traversal_strides=[2], tensor_view<4xf4E2M1FN, strides=[1]>>, tile<i32> -> tile<2xf4E2M1FN>, token\n" +
			"%s = store_view_tko weak %x, %v[%j] : tile<2xf4E2M1FN>, strided_view<tile=(2), traversal_strides=[2], tensor_view<4xf4E2M1FN, strides=[1]>>, tile<i32> -> token",
			[]uint64{0x21, 0x43}, []uint64{0x21, 0x21}, ""},

		{"alloca", "i32", "%q = alloca num_elem = 4, alignment = 1024 : tile<ptr<i32>>\n%a = assume div_by<1024>, %q : tile<ptr<i32>>\n%v, %k = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token\n" +
			"%s = store_ptr_tko weak %a, %v : tile<ptr<i32>>, tile<i32> -> token\n%w, %k2 = load_ptr_tko weak %q : tile<ptr<i32>> -> tile<i32>, token\n%x = addi %v, %w : tile<i32>\n" +
			"%s2 = store_ptr_tko weak %p, %x : tile<ptr<i32>>, tile<i32> -> token", []uint64{4}, []uint64{8}, ""},
		{"atomic on fresh memory", "i32", "%q = alloca num_elem = 4, alignment = 4 : tile<ptr<i32>>\n%o = constant <i32: 1> : tile<i32>\n" +
			"%x, %k = atomic_rmw_tko relaxed tl_blk %q, add, %o : tile<ptr<i32>>, tile<i32> -> tile<i32>, token", []uint64{4}, nil, "is in the memory of an alloca and was never written"},
		{"alloca ends", "i32", "%t = constant <i1: true> : tile<i1>\n%q = if %t -> (tile<ptr<i32>>) {\n%q1 = alloca num_elem = 4, alignment = 4 global : tile<ptr<i32>>\nyield %q1 : tile<ptr<i32>>\n} else {\nyield %p : tile<ptr<i32>>\n}\n" +
			"%w, %k2 = load_ptr_tko weak %q : tile<ptr<i32>> -> tile<i32>, token", []uint64{4}, nil, "is outside every buffer"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d, err := launch.ParseDType(tt.elem)
			if err != nil {
				t.Fatal(err)
			}
			p := bufferOf(d, tt.in...)
			err = runKernel(t, parse(t, "global @n <f4E2M1FN: [1.0, 2.0]> : tile<2xf4E2M1FN>\nentry @k(%p: tile<ptr<"+tt.elem+">>) {\n"+tt.body+"\nreturn\n}"), p)
			switch got := elements(p); {
			case tt.err != "":
				expectError(t, err, tt.err)
			case err != nil:
				t.Error(err)
			case !slices.Equal(got, tt.want):
				t.Errorf("got %s, want %s", hex(got), hex(tt.want))
			}
		})
	}
}

// Globals are fresh for every launch; constant ones cannot be written.
func TestGlobals(t *testing.T) {
	t.Parallel()
	const access = "%g = get_global @g : tile<ptr<i32>>\n%x, %k = load_ptr_tko weak %g : tile<ptr<i32>> -> tile<i32>, token\n%y = addi %x, %x : tile<i32>\n" +
		"%s = store_ptr_tko weak %p, %y : tile<ptr<i32>>, tile<i32> -> token\n%s2 = store_ptr_tko weak %g, %y : tile<ptr<i32>>, tile<i32> -> token\nreturn\n}"
	e := parse(t, "global @g <i32: [21, 1]> : tile<2xi32>\nentry @k(%p: tile<ptr<i32>>) {\n"+access)
	for range 2 {
		p := bufferOf(launch.I32, 0)
		if err := runKernel(t, e, p); err != nil {
			t.Fatal(err)
		}
		if got := elements(p)[0]; got != 42 {
			t.Errorf("got %d", got)
		}
	}
	e = parse(t, "global constant @g <i32: [21, 1]> : tile<2xi32>\nentry @k(%p: tile<ptr<i32>>) {\n"+access)
	expectError(t, runKernel(t, e, bufferOf(launch.I32, 0)), "is in global @g, which is constant")
}
