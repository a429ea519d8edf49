package interp

import (
	"slices"
	"testing"

	"github.com/tilewright/tilewright/target/engine/launch"
)

// halvesPrefix has the indices of kernels on elements of four bits.
const halvesPrefix = "%c0 = constant <i32: 0> : tile<i32>\n%c1 = constant <i32: 1> : tile<i32>\n%c3 = constant <i32: 3> : tile<i32>\n"

// Elements of four bits in memory: two to a byte, the first in the lower half.
func TestHalfBytes(t *testing.T) {
	t.Parallel()
	const (
		pointers = "%p1 = reshape %p : tile<ptr<f4E2M1FN>> -> tile<1xptr<f4E2M1FN>>\n%p2 = broadcast %p1 : tile<1xptr<f4E2M1FN>> -> tile<2xptr<f4E2M1FN>>\n" +
			"%n = constant <i32: [0, 2]> : tile<2xi32>\n%q = offset %p2, %n : tile<2xptr<f4E2M1FN>>, tile<2xi32> -> tile<2xptr<f4E2M1FN>>\n"
		columns = "%tv = make_tensor_view %p, shape = [2, 4], strides = [1, 2] : tensor_view<2x4xf4E2M1FN, strides=[1,2]>\n"
		rows    = "%tv = make_tensor_view %p, shape = [2, 4], strides = [4, 1] : tensor_view<2x4xf4E2M1FN, strides=[4,1]>\n"
	)
	for _, tt := range []struct {
		name, body string
		in, want   []byte
		err        string
	}{
		{"load through pointers", pointers + "%x, %t = load_ptr_tko weak %q : tile<2xptr<f4E2M1FN>> -> tile<2xf4E2M1FN>, token\n%b = pack %x : tile<2xf4E2M1FN> -> tile<1xi8>\n" +
			"%b0 = reshape %b : tile<1xi8> -> tile<i8>\n%r = ptr_to_ptr %p : tile<ptr<f4E2M1FN>> -> tile<ptr<i8>>\n%s = store_ptr_tko weak %r, %b0 token = %t : tile<ptr<i8>>, tile<i8> -> token",
			[]byte{0x21, 0x43, 0x65, 0x70}, []byte{0x31, 0x43, 0x65, 0x70}, ""},
		{"store through pointers", pointers + "%x = constant <f4E2M1FN: [6.0, 0.5]> : tile<2xf4E2M1FN>\n%s = store_ptr_tko weak %q, %x : tile<2xptr<f4E2M1FN>>, tile<2xf4E2M1FN> -> token",
			[]byte{0x21, 0x43, 0x65, 0x70}, []byte{0x27, 0x41, 0x65, 0x70}, ""},
		{"masked", pointers + "%m = constant <i1: [false, true]> : tile<2xi1>\n%x = constant <f4E2M1FN: [6.0, 0.5]> : tile<2xf4E2M1FN>\n" +
			"%s = store_ptr_tko weak %q, %x, %m : tile<2xptr<f4E2M1FN>>, tile<2xf4E2M1FN>, tile<2xi1> -> token",
			[]byte{0x21, 0x43, 0x65, 0x70}, []byte{0x21, 0x41, 0x65, 0x70}, ""},
		{"negative offset", pointers + "%m = constant <i32: [-2, -4]> : tile<2xi32>\n%a = constant <i32: [6, 6]> : tile<2xi32>\n%u = offset %p2, %a : tile<2xptr<f4E2M1FN>>, tile<2xi32> -> tile<2xptr<f4E2M1FN>>\n" +
			"%v = offset %u, %m : tile<2xptr<f4E2M1FN>>, tile<2xi32> -> tile<2xptr<f4E2M1FN>>\n%x = constant <f4E2M1FN: [6.0, 0.5]> : tile<2xf4E2M1FN>\n%s = store_ptr_tko weak %v, %x : tile<2xptr<f4E2M1FN>>, tile<2xf4E2M1FN> -> token",
			[]byte{0x21, 0x43, 0x65, 0x70}, []byte{0x21, 0x41, 0x67, 0x70}, ""},
		{"odd offset", "%p1 = reshape %p : tile<ptr<f4E2M1FN>> -> tile<1xptr<f4E2M1FN>>\n%p2 = broadcast %p1 : tile<1xptr<f4E2M1FN>> -> tile<2xptr<f4E2M1FN>>\n%n = iota : tile<2xi32>\n" +
			"%q = offset %p2, %n : tile<2xptr<f4E2M1FN>>, tile<2xi32> -> tile<2xptr<f4E2M1FN>>", []byte{0}, nil,
			"'cuda_tile.offset' op element [1]: 1 elements of half a byte lead to the middle of a byte, which has no address"},
		{"behind the end", pointers + "%m = constant <i32: [0, 4]> : tile<2xi32>\n%v = offset %q, %m : tile<2xptr<f4E2M1FN>>, tile<2xi32> -> tile<2xptr<f4E2M1FN>>\n" +
			"%x, %t = load_ptr_tko weak %v : tile<2xptr<f4E2M1FN>> -> tile<2xf4E2M1FN>, token", []byte{0, 0}, nil,
			"'cuda_tile.load_ptr_tko' op element [1]: address 0x7f0000000003 is 3 bytes behind the start of argument 0, which has 2"},
		// Row 1 is the upper halves.
		{"columns", columns + "%v = make_partition_view %tv : partition_view<tile=(1x2), tensor_view<2x4xf4E2M1FN, strides=[1,2]>>\n" +
			"%x, %t = load_view_tko weak %v[%c1, %c1] : partition_view<tile=(1x2), tensor_view<2x4xf4E2M1FN, strides=[1,2]>>, tile<i32> -> tile<1x2xf4E2M1FN>, token\n" +
			"%s = store_view_tko weak %x, %v[%c0, %c0] token = %t : tile<1x2xf4E2M1FN>, partition_view<tile=(1x2), tensor_view<2x4xf4E2M1FN, strides=[1,2]>>, tile<i32> -> token",
			[]byte{0x21, 0x43, 0x65, 0x70}, []byte{0x26, 0x47, 0x65, 0x70}, ""},
		{"dim map", rows + "%v = make_partition_view %tv : partition_view<tile=(2x2), tensor_view<2x4xf4E2M1FN, strides=[4,1]>, dim_map=[1, 0]>\n" +
			"%x, %t = load_view_tko weak %v[%c0, %c0] : partition_view<tile=(2x2), tensor_view<2x4xf4E2M1FN, strides=[4,1]>, dim_map=[1, 0]>, tile<i32> -> tile<2x2xf4E2M1FN>, token\n" +
			"%w = make_partition_view %tv : partition_view<tile=(2x2), tensor_view<2x4xf4E2M1FN, strides=[4,1]>>\n" +
			"%s = store_view_tko weak %x, %w[%c0, %c1] token = %t : tile<2x2xf4E2M1FN>, partition_view<tile=(2x2), tensor_view<2x4xf4E2M1FN, strides=[4,1]>>, tile<i32> -> token",
			[]byte{0x21, 0, 0x65, 0}, []byte{0x21, 0x51, 0x65, 0x62}, ""},
		{"strided", rows + "%v = make_strided_view %tv : strided_view<tile=(1x2), traversal_strides=[1,1], tensor_view<2x4xf4E2M1FN, strides=[4,1]>>\n" +
			"%x, %t = load_view_tko weak %v[%c1, %c1] : strided_view<tile=(1x2), traversal_strides=[1,1], tensor_view<2x4xf4E2M1FN, strides=[4,1]>>, tile<i32> -> tile<1x2xf4E2M1FN>, token\n" +
			"%s = store_view_tko weak %x, %v[%c0, %c0] token = %t : tile<1x2xf4E2M1FN>, strided_view<tile=(1x2), traversal_strides=[1,1], tensor_view<2x4xf4E2M1FN, strides=[4,1]>>, tile<i32> -> token",
			[]byte{0x21, 0x43, 0x65, 0x70}, []byte{0x06, 0x43, 0x65, 0x70}, ""},
		{"gather", rows + "%i = constant <i32: [3, 9]> : tile<2xi32>\n" +
			"%v = make_gather_scatter_view %tv : gather_scatter_view<tile=(1x2), padding_value = neg_zero, tensor_view<2x4xf4E2M1FN, strides=[4,1]>, sparse_dim=1>\n" +
			"%x, %t = load_view_tko weak %v[%c1, %i] : gather_scatter_view<tile=(1x2), padding_value = neg_zero, tensor_view<2x4xf4E2M1FN, strides=[4,1]>, sparse_dim=1>, tile<i32>, tile<2xi32> -> tile<1x2xf4E2M1FN>, token\n" +
			"%w = make_partition_view %tv : partition_view<tile=(1x2), tensor_view<2x4xf4E2M1FN, strides=[4,1]>>\n" +
			"%s = store_view_tko weak %x, %w[%c0, %c0] token = %t : tile<1x2xf4E2M1FN>, partition_view<tile=(1x2), tensor_view<2x4xf4E2M1FN, strides=[4,1]>>, tile<i32> -> token",
			[]byte{0x21, 0x43, 0x65, 0x70}, []byte{0x87, 0x43, 0x65, 0x70}, ""},
		{"half of an alloca", "%a = alloca num_elem = 4, alignment = 4 : tile<ptr<f4E2M1FN>>\n%a1 = reshape %a : tile<ptr<f4E2M1FN>> -> tile<1xptr<f4E2M1FN>>\n%a2 = broadcast %a1 : tile<1xptr<f4E2M1FN>> -> tile<2xptr<f4E2M1FN>>\n" +
			"%n = constant <i32: [0, 2]> : tile<2xi32>\n%q = offset %a2, %n : tile<2xptr<f4E2M1FN>>, tile<2xi32> -> tile<2xptr<f4E2M1FN>>\n%x = constant <f4E2M1FN: [6.0, 0.5]> : tile<2xf4E2M1FN>\n" +
			"%t = store_ptr_tko weak %q, %x : tile<2xptr<f4E2M1FN>>, tile<2xf4E2M1FN> -> token\n" +
			"%tv = make_tensor_view %a, shape = [4], strides = [1] : tensor_view<4xf4E2M1FN, strides=[1]>\n%v = make_partition_view %tv : partition_view<tile=(4), tensor_view<4xf4E2M1FN, strides=[1]>>\n" +
			"%y, %u = load_view_tko weak %v[%c0] token = %t : partition_view<tile=(4), tensor_view<4xf4E2M1FN, strides=[1]>>, tile<i32> -> tile<4xf4E2M1FN>, token\n" +
			"%tw = make_tensor_view %p, shape = [4], strides = [1] : tensor_view<4xf4E2M1FN, strides=[1]>\n%w = make_partition_view %tw : partition_view<tile=(4), tensor_view<4xf4E2M1FN, strides=[1]>>\n" +
			"%s = store_view_tko weak %y, %w[%c0] : tile<4xf4E2M1FN>, partition_view<tile=(4), tensor_view<4xf4E2M1FN, strides=[1]>>, tile<i32> -> token",
			[]byte{0, 0}, nil, "'cuda_tile.store_view_tko' op stores an unspecified value (read out of bounds without padding, masked off or never written): element [1]"},
		{"global", "%g = get_global @n : tile<ptr<f4E2M1FN>>\n%tv = make_tensor_view %g, shape = [4], strides = [1] : tensor_view<4xf4E2M1FN, strides=[1]>\n%v = make_partition_view %tv : partition_view<tile=(2), tensor_view<4xf4E2M1FN, strides=[1]>>\n" +
			"%x, %t = load_view_tko weak %v[%c1] : partition_view<tile=(2), tensor_view<4xf4E2M1FN, strides=[1]>>, tile<i32> -> tile<2xf4E2M1FN>, token\n" +
			"%tw = make_tensor_view %p, shape = [2], strides = [1] : tensor_view<2xf4E2M1FN, strides=[1]>\n%w = make_partition_view %tw : partition_view<tile=(2), tensor_view<2xf4E2M1FN, strides=[1]>>\n" +
			"%s = store_view_tko weak %x, %w[%c0] : tile<2xf4E2M1FN>, partition_view<tile=(2), tensor_view<2xf4E2M1FN, strides=[1]>>, tile<i32> -> token", []byte{0}, []byte{0x64}, ""},
		{"odd row", "%tv = make_tensor_view %p, shape = [2, %c3], strides = [4, 1] : tile<i32> -> tensor_view<2x?xf4E2M1FN, strides=[4,1]>", []byte{0}, nil,
			"'cuda_tile.make_tensor_view' op size 1 is 3, but a dimension of elements of half a byte whose stride is 1 has an even size"},
		{"no unit stride", "%tv = make_tensor_view %p, shape = [2, 2], strides = [4, %c3] : tile<i32> -> tensor_view<2x2xf4E2M1FN, strides=[4,?]>", []byte{0}, nil,
			"'cuda_tile.make_tensor_view' op no stride is 1, but elements of half a byte are packed along a dimension"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := launch.Arg{Buffer: &launch.Buffer{DType: launch.F4E2M1, Data: slices.Clone(tt.in)}}
			err := runKernel(t, parse(t, "global @n <f4E2M1FN: [1.0, 0.5, 2.0, 4.0]> : tile<4xf4E2M1FN>\nentry @k(%p: tile<ptr<f4E2M1FN>>) {\n"+halvesPrefix+tt.body+"\nreturn\n}"), p)
			switch {
			case tt.err != "":
				expectError(t, err, tt.err)
			case err != nil:
				t.Error(err)
			case !slices.Equal(p.Buffer.Data, tt.want):
				t.Errorf("got %#x, want %#x", p.Buffer.Data, tt.want)
			}
		})
	}
}

// Accesses to the two halves of a byte do not race; those to the byte and to a half do.
func TestRacesOfHalves(t *testing.T) {
	t.Parallel()
	const prefix = halvesPrefix + "%tv = make_tensor_view %p, shape = [2, 2], strides = [1, 2] : tensor_view<2x2xf4E2M1FN, strides=[1,2]>\n" +
		"%v = make_partition_view %tv : partition_view<tile=(1x2), tensor_view<2x2xf4E2M1FN, strides=[1,2]>>\n%x = constant <f4E2M1FN: [[1.0, 2.0]]> : tile<1x2xf4E2M1FN>\n"
	store := func(token, row string) string {
		return token + " = store_view_tko weak %x, %v[" + row + ", %c0] : tile<1x2xf4E2M1FN>, partition_view<tile=(1x2), tensor_view<2x2xf4E2M1FN, strides=[1,2]>>, tile<i32> -> token\n"
	}
	const load = "%b = ptr_to_ptr %p : tile<ptr<f4E2M1FN>> -> tile<ptr<i8>>\n%y, %u = load_ptr_tko weak %b : tile<ptr<i8>> -> tile<i8>, token\n"
	for _, tt := range []struct{ name, body, want string }{
		{"halves", store("%t1", "%c0") + store("%t2", "%c1"), ""},
		{"same half", store("%t1", "%c1") + store("%t2", "%c1"), "element [0, 0]: races with 'cuda_tile.store_view_tko' at k.mlir:9:7 for address 0x7f0000000000"},
		{"byte", store("%t1", "%c1") + load, "races with 'cuda_tile.store_view_tko' at k.mlir:9:7 for address 0x7f0000000000"},
		{"byte first", load + store("%t1", "%c1"), "races with 'cuda_tile.load_ptr_tko'"},
	} {
		e := parse(t, "entry @k(%p: tile<ptr<f4E2M1FN>>) {\n"+prefix+tt.body+"\nreturn\n}")
		e.Races = true
		err := runKernel(t, e, launch.Arg{Buffer: &launch.Buffer{DType: launch.F4E2M1, Data: make([]byte, 2)}})
		switch {
		case tt.want != "":
			expectError(t, err, tt.want)
		case err != nil:
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

// Below cuda_tile integers of four bits lie in memory too.
func TestHalfBytesOfLevels(t *testing.T) {
	t.Parallel()
	text := func(elem string) string {
		return replaceElem(`nv_tileaa.func @k(%p: !nv_tileaa.ptr<ELEM>, %i: i32) {
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %six = arith.constant 6 : i64
  %at = arith.extsi %i : i32 to i64
  %x, %t = nv_tileaa.tiled_load %p[%at] sizes [%six] strides [%one] {padding = "zero", bounds = array<i1: true>} : !nv_tileaa.ptr<ELEM> -> tensor<4xELEM>
  %s = nv_tileaa.tiled_store %x, %p[%two] sizes [%six] strides [%one] {bounds = array<i1: true>} : tensor<4xELEM>, !nv_tileaa.ptr<ELEM>
  nv_tileaa.return
}`, elem)
	}
	for _, elem := range []string{"i4", "f4E2M1FN"} {
		p := launch.Arg{Buffer: &launch.Buffer{DType: launch.U4, Data: []byte{0x21, 0x43, 0x65, 0x87}}}
		if err := runKernel(t, parseLevel(t, text(elem)), p, i32(3)); err != nil {
			t.Error(err)
		} else if got, want := elements(p), []uint64{1, 2, 4, 5, 6, 0, 7, 8}; !slices.Equal(got, want) {
			t.Errorf("%s: got %d, want %d", elem, got, want)
		}
	}
}
