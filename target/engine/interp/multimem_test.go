package interp

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// multicast is a kernel that does body with a view %v of tiles of four elements of a multicast tensor of six, at the
// index %i = 1.
func multicast(elem, padding, body string) string {
	view := "partition_view<tile=(4), " + padding + "tensor_view<6x" + elem + ", strides=[1], #cuda_tile.ptr_attr<multicast>>>"
	return strings.NewReplacer("VIEW", view, "ELEM", elem).Replace(strings.ReplaceAll(`entry @k(%p: tile<ptr<ELEM, <multicast>>>, %out: tile<ptr<ELEM>>) {
%i = constant <i32: 1> : tile<i32>
%z = constant <i32: 0> : tile<i32>
%tv = make_tensor_view %p, shape = [6], strides = [1] : tile<ptr<ELEM, <multicast>>> -> tensor_view<6xELEM, strides=[1], #cuda_tile.ptr_attr<multicast>>
%v = make_partition_view %tv : VIEW
%ov = make_tensor_view %out, shape = [4], strides = [1] : tensor_view<4xELEM, strides=[1]>
%op = make_partition_view %ov : partition_view<tile=(4), tensor_view<4xELEM, strides=[1]>>
BODY
return
}`, "BODY", body))
}

func multimemLoad(reduction string) string {
	return "%x, %t = multimem_load_reduce_view_tko relaxed sys %v[%i] attributes {reduction = #cuda_tile.multimem_reduction_kind<" + reduction +
		">} : VIEW, tile<i32> -> tile<4xELEM>, token\n" +
		"%s = store_view_tko weak %x, %op[%z] : tile<4xELEM>, partition_view<tile=(4), tensor_view<4xELEM, strides=[1]>>, tile<i32> -> token"
}

// onDevices returns a buffer with a copy of the same length for each device.
func onDevices(d launch.DType, copies ...[]uint64) launch.Arg {
	a := bufferOf(d, slices.Concat(copies...)...)
	a.Buffer.Replicas = len(copies)
	return a
}

// A load combines the elements 4 and 5 of all devices; the elements after them are padded.
func TestMultimemLoad(t *testing.T) {
	t.Parallel()
	const one, two, three, inf, nan16 = 0x3c00, 0x4000, 0x4200, 0x7c00, 0x7e00
	for _, tt := range []struct {
		elem, reduction string
		a, b, c         [2]uint64 // elements 4 and 5 on three devices
		want            [2]uint64
	}{
		{"i32", "add", [2]uint64{1, 1<<32 - 1}, [2]uint64{2, 1}, [2]uint64{3, 5}, [2]uint64{6, 5}},
		{"i32", "min", [2]uint64{1, 1<<32 - 1}, [2]uint64{2, 1}, [2]uint64{3, 5}, [2]uint64{1, 1<<32 - 1}},
		{"i32", "max", [2]uint64{1, 1<<32 - 1}, [2]uint64{2, 1}, [2]uint64{3, 5}, [2]uint64{3, 5}},
		{"i32", "umin", [2]uint64{1, 1<<32 - 1}, [2]uint64{2, 1}, [2]uint64{3, 5}, [2]uint64{1, 1}},
		{"i32", "umax", [2]uint64{1, 1<<32 - 1}, [2]uint64{2, 1}, [2]uint64{3, 5}, [2]uint64{3, 1<<32 - 1}},
		{"i8", "and", [2]uint64{7, 12}, [2]uint64{6, 6}, [2]uint64{5, 5}, [2]uint64{4, 4}},
		{"i16", "or", [2]uint64{1, 8}, [2]uint64{2, 8}, [2]uint64{4, 1}, [2]uint64{7, 9}},
		{"i64", "xor", [2]uint64{1, 8}, [2]uint64{2, 8}, [2]uint64{4, 1 << 63}, [2]uint64{7, 1 << 63}},
		{"f16", "add", [2]uint64{one, inf}, [2]uint64{one, one}, [2]uint64{one, two}, [2]uint64{three, inf}},
		{"f16", "max", [2]uint64{one, nan16}, [2]uint64{two, one}, [2]uint64{one, two}, [2]uint64{two, two}},
		{"f16", "min", [2]uint64{one, nan16}, [2]uint64{two, nan16}, [2]uint64{one, two}, [2]uint64{one, two}},
		// 2048 + 1 is rounded to 2048, and so is the next sum.
		{"f16", "add", [2]uint64{0x6800, one}, [2]uint64{one, one}, [2]uint64{one, 0x6800}, [2]uint64{0x6800, 0x6801}},
		{"bf16", "add", [2]uint64{0x3f80, 0}, [2]uint64{0x3f80, 0x3f80}, [2]uint64{0, 0}, [2]uint64{0x4000, 0x3f80}},
		{"f32", "add", [2]uint64{0x3f800000, 0}, [2]uint64{0x3f800000, 0}, [2]uint64{0, 0x3f800000}, [2]uint64{0x40000000, 0x3f800000}},
		{"f64", "max", [2]uint64{0x3ff << 52, 0}, [2]uint64{1 << 62, 0}, [2]uint64{0, 0}, [2]uint64{1 << 62, 0}},
		{"f8E4M3FN", "add", [2]uint64{0x38, 0}, [2]uint64{0x38, 0}, [2]uint64{0x40, 0}, [2]uint64{0x48, 0}},
		{"f8E5M2", "max", [2]uint64{0x3c, 0}, [2]uint64{0x40, 0}, [2]uint64{0, 0x80}, [2]uint64{0x40, 0}},
	} {
		t.Run(tt.elem+" "+tt.reduction, func(t *testing.T) {
			t.Parallel()
			d, err := launch.ParseDType(tt.elem)
			if err != nil {
				t.Fatal(err)
			}
			var copies [][]uint64
			for _, last := range [][2]uint64{tt.a, tt.b, tt.c} {
				copies = append(copies, []uint64{9, 9, 9, 9, last[0], last[1]})
			}
			out := bufferOf(d, 9, 9, 9, 9)
			if err := runKernel(t, parse(t, multicast(tt.elem, "padding_value = zero, ", multimemLoad(tt.reduction))), onDevices(d, copies...), out); err != nil {
				t.Fatal(err)
			}
			if got, want := elements(out), []uint64{tt.want[0], tt.want[1], 0, 0}; !slices.Equal(got, want) {
				t.Errorf("got %s, want %s", hex(got), hex(want))
			}
		})
	}
}

// Stores and reductions reach all devices; memory without replicas is a multicast object of one device.
func TestMultimemWrites(t *testing.T) {
	t.Parallel()
	const tile = "%x = constant <ELEM: [1, 2, 3, 4]> : tile<4xELEM>\n"
	reduce := func(kind string) string {
		return tile + "%t = multimem_reduce_view_tko relaxed sys %v, %x[%i] attributes {reduction = #cuda_tile.multimem_reduction_kind<" + kind + ">} : VIEW, tile<4xELEM>, tile<i32> -> token"
	}
	const store = tile + "%t = multimem_store_view_tko weak %v, %x[%i] : VIEW, tile<4xELEM>, tile<i32> -> token"
	for _, tt := range []struct {
		name, body string
		want       [2][2]uint64
	}{
		{"store", store, [2][2]uint64{{1, 2}, {1, 2}}},
		{"ordered store", strings.Replace(store, "weak", "release sys", 1), [2][2]uint64{{1, 2}, {1, 2}}},
		{"add", reduce("add"), [2][2]uint64{{6, 8}, {8, 10}}},
		{"and", reduce("and"), [2][2]uint64{{1, 2}, {1, 0}}},
		{"or", reduce("or"), [2][2]uint64{{5, 6}, {7, 10}}},
		{"xor", reduce("xor"), [2][2]uint64{{4, 4}, {6, 10}}},
		{"min", reduce("min"), [2][2]uint64{{1, 2}, {1, 2}}},
		{"umin", reduce("umin"), [2][2]uint64{{1, 2}, {1, 2}}},
		{"max", reduce("max"), [2][2]uint64{{5, 6}, {7, 8}}},
		{"umax", reduce("umax"), [2][2]uint64{{5, 6}, {7, 8}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			e := parse(t, multicast("i32", "", tt.body))
			for devices := 1; devices <= 2; devices++ {
				copies := [][]uint64{{0, 0, 0, 0, 5, 6}, {0, 0, 0, 0, 7, 8}}[:devices]
				want := []uint64{}
				for _, w := range tt.want[:devices] {
					want = append(want, 0, 0, 0, 0, w[0], w[1])
				}
				p := onDevices(launch.I32, copies...)
				if err := runKernel(t, e, p, bufferOf(launch.I32, 0, 0, 0, 0)); err != nil {
					t.Fatal(err)
				}
				if got := elements(p); !slices.Equal(got, want) {
					t.Errorf("%d devices: got %d, want %d", devices, got, want)
				}
			}
		})
	}
}

func TestMultimemErrors(t *testing.T) {
	t.Parallel()
	short := onDevices(launch.I32, []uint64{0, 0, 0, 0, 5}, []uint64{0, 0, 0, 0, 7})
	out := bufferOf(launch.I32, 0, 0, 0, 0)
	for _, tt := range []struct {
		body string
		p    launch.Arg
		want string
	}{
		{multimemLoad("add"), short, "'cuda_tile.multimem_load_reduce_view_tko' op element [1]: device 0: address 0x7f0000000014 is 20 bytes after the start of argument 0, which has 20"},
		{multimemLoad("add"), bufferOf(launch.I32, 0, 0, 0, 0, 0, 0), "'cuda_tile.store_view_tko' op stores an unspecified value (read out of bounds without padding, masked off or never written): element [2]"},
		{"%x, %t = load_view_tko weak %v[%z] : VIEW, tile<i32> -> tile<4xELEM>, token\n%y, %u = load_view_tko weak %v[%i] : VIEW, tile<i32> -> tile<4xELEM>, token\n" +
			"%s = multimem_store_view_tko weak %v, %y[%z] : VIEW, tile<4xELEM>, tile<i32> -> token", bufferOf(launch.I32, 0, 0, 0, 0, 0, 0),
			"'cuda_tile.multimem_store_view_tko' op stores an unspecified value"},
	} {
		expectError(t, runKernel(t, parse(t, multicast("i32", "", tt.body)), tt.p, out), tt.want)
	}
}

// Other operations access the copy of the first device.
func TestMulticastPointer(t *testing.T) {
	t.Parallel()
	e := parse(t, multicast("i32", "", "%x, %t = load_view_tko weak %v[%i] : VIEW, tile<i32> -> tile<4xELEM>, token\n%y = addi %x, %x : tile<4xELEM>\n"+
		"%s = store_view_tko weak %y, %v[%i] token = %t : tile<4xELEM>, VIEW, tile<i32> -> token"))
	p := onDevices(launch.I32, []uint64{0, 0, 0, 0, 5, 6}, []uint64{0, 0, 0, 0, 7, 8})
	if err := runKernel(t, e, p, bufferOf(launch.I32, 0, 0, 0, 0)); err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(elements(p)), "[0 0 0 0 10 12 0 0 0 0 7 8]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// What a pointer says of its devices does not matter to other operations.
func TestPointerAttributes(t *testing.T) {
	t.Parallel()
	for _, c := range cudatile.PtrAttrs.Cases {
		body := multicast("i32", "", "%x, %t = load_view_tko weak %v[%z] : VIEW, tile<i32> -> tile<4xELEM>, token\n"+
			"%s = store_view_tko weak %x, %op[%z] : tile<4xELEM>, partition_view<tile=(4), tensor_view<4xELEM, strides=[1]>>, tile<i32> -> token")
		out := bufferOf(launch.I32, 0, 0, 0, 0)
		if err := runKernel(t, parse(t, strings.ReplaceAll(body, "multicast", c.Keyword)), bufferOf(launch.I32, 1, 2, 3, 4, 5, 6), out); err != nil {
			t.Errorf("%s: %v", c.Keyword, err)
		} else if got, want := elements(out), []uint64{1, 2, 3, 4}; !slices.Equal(got, want) {
			t.Errorf("%s: got %d, want %d", c.Keyword, got, want)
		}
	}
}
