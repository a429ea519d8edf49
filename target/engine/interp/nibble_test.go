package interp

import (
	"slices"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/target/engine/launch"
)

// halvesPrefix has the indices of kernels on elements of four bits.
const halvesPrefix = "%c0 = constant <i32: 0> : tile<i32>\n%c1 = constant <i32: 1> : tile<i32>\n%c3 = constant <i32: 3> : tile<i32>\n"

// Elements of four bits in memory: two to a byte, the first in the lower half.
func TestHalfBytes(t *testing.T) {
	t.Parallel()
	const (
		columns = "%tv = make_tensor_view %p, shape = [2, 4], strides = [1, 2] : tensor_view<2x4xf4E2M1FN, strides=[1,2]>\n"
		rows    = "%tv = make_tensor_view %p, shape = [2, 4], strides = [4, 1] : tensor_view<2x4xf4E2M1FN, strides=[4,1]>\n"
		share   = ", but pairs of elements of half a byte share bytes along dimension "
	)
	// copied copies the tile at an index to the first one.
	copied := func(view, index string) string {
		tile := view[strings.Index(view, "(")+1 : strings.Index(view, ")")]
		kind := view[:strings.Index(view, "<")]
		return strings.NewReplacer("VIEW", view, "TILE", tile, "AT", index, "KIND", kind).Replace("%v = make_KIND %tv : VIEW\n" +
			"%x, %t = load_view_tko weak %v[AT] : VIEW, tile<i32> -> tile<TILExf4E2M1FN>, token\n" +
			"%s = store_view_tko weak %x, %v[%c0, %c0] token = %t : tile<TILExf4E2M1FN>, VIEW, tile<i32> -> token")
	}
	for _, tt := range []struct {
		name, body string
		in, want   []byte
		err        string
	}{
		{"moved pointer", "%m = constant <i32: -2> : tile<i32>\n%n = constant <i32: 6> : tile<i32>\n%a = offset %p, %n : tile<ptr<f4E2M1FN>>, tile<i32> -> tile<ptr<f4E2M1FN>>\n" +
			"%b = offset %a, %m : tile<ptr<f4E2M1FN>>, tile<i32> -> tile<ptr<f4E2M1FN>>\n%r = ptr_to_ptr %b : tile<ptr<f4E2M1FN>> -> tile<ptr<i8>>\n%x = constant <i8: 7> : tile<i8>\n" +
			"%s = store_ptr_tko weak %r, %x : tile<ptr<i8>>, tile<i8> -> token", []byte{0x21, 0x43, 0x65, 0x70}, []byte{0x21, 0x43, 0x07, 0x70}, ""},
		{"odd offset", "%q = offset %p, %c1 : tile<ptr<f4E2M1FN>>, tile<i32> -> tile<ptr<f4E2M1FN>>", []byte{0}, nil,
			"'cuda_tile.offset' op element []: 1 elements of half a byte lead to the middle of a byte, which has no address"},
		{"past the end", "%tv = make_tensor_view %p, shape = [8], strides = [1] : tensor_view<8xf4E2M1FN, strides=[1]>\n" +
			"%v = make_partition_view %tv : partition_view<tile=(2), tensor_view<8xf4E2M1FN, strides=[1]>>\n" +
			"%x, %t = load_view_tko weak %v[%c3] : partition_view<tile=(2), tensor_view<8xf4E2M1FN, strides=[1]>>, tile<i32> -> tile<2xf4E2M1FN>, token", []byte{0, 0}, nil,
			"'cuda_tile.load_view_tko' op element [0]: address 0x7f0000000003 is 3 bytes after the start of argument 0, which has 2"},
		{"columns", columns + copied("partition_view<tile=(2x1), tensor_view<2x4xf4E2M1FN, strides=[1,2]>>", "%c0, %c1"),
			[]byte{0x21, 0x43, 0x65, 0x70}, []byte{0x43, 0x43, 0x65, 0x70}, ""},
		{"one of a byte", columns + copied("partition_view<tile=(1x2), tensor_view<2x4xf4E2M1FN, strides=[1,2]>>", "%c1, %c1"), []byte{0, 0, 0, 0}, nil,
			"'cuda_tile.load_view_tko' op has a tile of 1 elements along dimension 0" + share + "0"},
		{"dim map", rows + "%v = make_partition_view %tv : partition_view<tile=(2x2), tensor_view<2x4xf4E2M1FN, strides=[4,1]>, dim_map=[1, 0]>\n" +
			"%x, %t = load_view_tko weak %v[%c0, %c0] : partition_view<tile=(2x2), tensor_view<2x4xf4E2M1FN, strides=[4,1]>, dim_map=[1, 0]>, tile<i32> -> tile<2x2xf4E2M1FN>, token\n" +
			"%w = make_partition_view %tv : partition_view<tile=(2x2), tensor_view<2x4xf4E2M1FN, strides=[4,1]>>\n" +
			"%s = store_view_tko weak %x, %w[%c0, %c1] token = %t : tile<2x2xf4E2M1FN>, partition_view<tile=(2x2), tensor_view<2x4xf4E2M1FN, strides=[4,1]>>, tile<i32> -> token",
			[]byte{0x21, 0, 0x65, 0}, []byte{0x21, 0x51, 0x65, 0x62}, ""},
		{"strided", rows + copied("strided_view<tile=(1x2), traversal_strides=[1,2], tensor_view<2x4xf4E2M1FN, strides=[4,1]>>", "%c1, %c1"),
			[]byte{0x21, 0x43, 0x65, 0x70}, []byte{0x70, 0x43, 0x65, 0x70}, ""},
		{"odd start", rows + copied("strided_view<tile=(1x2), traversal_strides=[1,1], tensor_view<2x4xf4E2M1FN, strides=[4,1]>>", "%c1, %c1"), []byte{0, 0, 0, 0}, nil,
			"'cuda_tile.load_view_tko' op begins at element 1 of dimension 1" + share + "1"},
		{"odd stride", "%tv = make_tensor_view %p, shape = [2, 4], strides = [5, 1] : tensor_view<2x4xf4E2M1FN, strides=[5,1]>\n" +
			copied("partition_view<tile=(2x2), tensor_view<2x4xf4E2M1FN, strides=[5,1]>>", "%c0, %c0"), []byte{0, 0, 0, 0, 0}, nil,
			"'cuda_tile.load_view_tko' op has elements at 1 of dimension 0, whose stride is 5" + share + "1"},
		{"odd size", "%tv = make_tensor_view %p, shape = [2, %c3], strides = [4, 1] : tile<i32> -> tensor_view<2x?xf4E2M1FN, strides=[4,1]>\n" +
			copied("partition_view<tile=(2x2), tensor_view<2x?xf4E2M1FN, strides=[4,1]>>", "%c0, %c0"), []byte{0, 0, 0, 0}, nil,
			"'cuda_tile.load_view_tko' op size 1 is 3" + share + "1"},
		{"gather", rows + "%i = constant <i32: [1, 9]> : tile<2xi32>\n" +
			"%v = make_gather_scatter_view %tv : gather_scatter_view<tile=(2x2), padding_value = neg_zero, tensor_view<2x4xf4E2M1FN, strides=[4,1]>, sparse_dim=0>\n" +
			"%x, %t = load_view_tko weak %v[%i, %c0] : gather_scatter_view<tile=(2x2), padding_value = neg_zero, tensor_view<2x4xf4E2M1FN, strides=[4,1]>, sparse_dim=0>, tile<2xi32>, tile<i32> -> tile<2x2xf4E2M1FN>, token\n" +
			"%w = make_partition_view %tv : partition_view<tile=(2x2), tensor_view<2x4xf4E2M1FN, strides=[4,1]>>\n" +
			"%s = store_view_tko weak %x, %w[%c0, %c0] token = %t : tile<2x2xf4E2M1FN>, partition_view<tile=(2x2), tensor_view<2x4xf4E2M1FN, strides=[4,1]>>, tile<i32> -> token",
			[]byte{0x21, 0x43, 0x65, 0x70}, []byte{0x65, 0x43, 0x88, 0x70}, ""},
		{"part of an alloca", "%a = alloca num_elem = 4, alignment = 4 : tile<ptr<f4E2M1FN>>\n%x = constant <f4E2M1FN: [6.0, 0.5]> : tile<2xf4E2M1FN>\n" +
			"%tv = make_tensor_view %a, shape = [4], strides = [1] : tensor_view<4xf4E2M1FN, strides=[1]>\n%f = make_partition_view %tv : partition_view<tile=(2), tensor_view<4xf4E2M1FN, strides=[1]>>\n" +
			"%t = store_view_tko weak %x, %f[%c0] : tile<2xf4E2M1FN>, partition_view<tile=(2), tensor_view<4xf4E2M1FN, strides=[1]>>, tile<i32> -> token\n" +
			"%v = make_partition_view %tv : partition_view<tile=(4), tensor_view<4xf4E2M1FN, strides=[1]>>\n" +
			"%y, %u = load_view_tko weak %v[%c0] token = %t : partition_view<tile=(4), tensor_view<4xf4E2M1FN, strides=[1]>>, tile<i32> -> tile<4xf4E2M1FN>, token\n" +
			"%tw = make_tensor_view %p, shape = [4], strides = [1] : tensor_view<4xf4E2M1FN, strides=[1]>\n%w = make_partition_view %tw : partition_view<tile=(4), tensor_view<4xf4E2M1FN, strides=[1]>>\n" +
			"%s = store_view_tko weak %y, %w[%c0] : tile<4xf4E2M1FN>, partition_view<tile=(4), tensor_view<4xf4E2M1FN, strides=[1]>>, tile<i32> -> token",
			[]byte{0, 0}, nil, "'cuda_tile.store_view_tko' op stores an unspecified value (read out of bounds without padding, masked off or never written): element [2]"},
		{"global", "%g = get_global @n : tile<ptr<f4E2M1FN>>\n%tv = make_tensor_view %g, shape = [4], strides = [1] : tensor_view<4xf4E2M1FN, strides=[1]>\n%v = make_partition_view %tv : partition_view<tile=(2), tensor_view<4xf4E2M1FN, strides=[1]>>\n" +
			"%x, %t = load_view_tko weak %v[%c1] : partition_view<tile=(2), tensor_view<4xf4E2M1FN, strides=[1]>>, tile<i32> -> tile<2xf4E2M1FN>, token\n" +
			"%tw = make_tensor_view %p, shape = [2], strides = [1] : tensor_view<2xf4E2M1FN, strides=[1]>\n%w = make_partition_view %tw : partition_view<tile=(2), tensor_view<2xf4E2M1FN, strides=[1]>>\n" +
			"%s = store_view_tko weak %x, %w[%c0] : tile<2xf4E2M1FN>, partition_view<tile=(2), tensor_view<2xf4E2M1FN, strides=[1]>>, tile<i32> -> token", []byte{0}, []byte{0x64}, ""},
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

// The two elements of a byte that one store writes do not race; accesses to the byte do.
func TestRacesOfHalves(t *testing.T) {
	t.Parallel()
	const prefix = halvesPrefix + "%tv = make_tensor_view %p, shape = [4], strides = [1] : tensor_view<4xf4E2M1FN, strides=[1]>\n" +
		"%v = make_partition_view %tv : partition_view<tile=(2), tensor_view<4xf4E2M1FN, strides=[1]>>\n%x = constant <f4E2M1FN: [1.0, 2.0]> : tile<2xf4E2M1FN>\n"
	store := func(token, at string) string {
		return token + " = store_view_tko weak %x, %v[" + at + "] : tile<2xf4E2M1FN>, partition_view<tile=(2), tensor_view<4xf4E2M1FN, strides=[1]>>, tile<i32> -> token\n"
	}
	const load = "%b = ptr_to_ptr %p : tile<ptr<f4E2M1FN>> -> tile<ptr<i8>>\n%y, %u = load_ptr_tko weak %b : tile<ptr<i8>> -> tile<i8>, token\n"
	for _, tt := range []struct{ name, body, want string }{
		{"bytes", store("%t1", "%c0") + store("%t2", "%c1"), ""},
		{"same byte", store("%t1", "%c1") + store("%t2", "%c1"), "element [0]: races with 'cuda_tile.store_view_tko' at k.mlir:9:7 for address 0x7f0000000001"},
		{"as a byte", store("%t1", "%c0") + load, "races with 'cuda_tile.store_view_tko' at k.mlir:9:7 for address 0x7f0000000000"},
		{"as a byte first", load + store("%t1", "%c0"), "races with 'cuda_tile.load_ptr_tko'"},
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
  %x, %t = nv_tileaa.tiled_load %p[%at] sizes [%six] strides [%one] {padding = "zero", bounds = array<i1: true>, packed = 0 : i64} : !nv_tileaa.ptr<ELEM> -> tensor<4xELEM>
  %s = nv_tileaa.tiled_store %x, %p[%two] sizes [%six] strides [%one] {bounds = array<i1: true>, packed = 0 : i64} : tensor<4xELEM>, !nv_tileaa.ptr<ELEM>
  nv_tileaa.return
}`, elem)
	}
	for _, elem := range []string{"i4", "f4E2M1FN"} {
		p := launch.Arg{Buffer: &launch.Buffer{DType: launch.U4, Data: []byte{0x21, 0x43, 0x65, 0x87}}}
		if err := runKernel(t, parseLevel(t, text(elem)), p, i32(4)); err != nil {
			t.Error(err)
		} else if got, want := elements(p), []uint64{1, 2, 5, 6, 0, 0, 7, 8}; !slices.Equal(got, want) {
			t.Errorf("%s: got %d, want %d", elem, got, want)
		}
	}
}
