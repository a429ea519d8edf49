package interp

import (
	"testing"

	"github.com/tilewright/tilewright/target/engine/launch"
)

// TestUninitialized: memory that holds nothing before a launch may be written and then read; what is read before must
// not reach a store, or an atomic.
func TestUninitialized(t *testing.T) {
	t.Parallel()
	const at = "%k = make_token : token\n"
	const store = "%c = constant <i32: 5> : tile<i32>\n%s = store_ptr_tko weak %p, %c : tile<ptr<i32>>, tile<i32> -> token\n"
	const load = "%x, %l = load_ptr_tko weak %p token=%s : tile<ptr<i32>> -> tile<i32>, token\n"
	const again = "%t = store_ptr_tko weak %p, %x token=%l : tile<ptr<i32>>, tile<i32> -> token\n"
	for _, tt := range []struct{ name, body, err string }{
		{"written first", store + load + again, ""},
		{"read first", "%s = make_token : token\n" + load + again, "stores an unspecified value"},
		{"added to", at + "%c = constant <i32: 5> : tile<i32>\n%old, %l = atomic_rmw_tko relaxed device %p, add, %c : tile<ptr<i32>>, tile<i32> -> tile<i32>, token\n", "never written"},
		{"not read", at, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, segment := range []bool{false, true} {
				arg := bufferOf(launch.I32, 7)
				arg.Buffer.Uninitialized = true
				req := &launch.Request{Entry: "k", Grid: [3]uint32{1, 1, 1}, Args: []launch.Arg{arg}}
				if segment {
					const addr = 0x7f0000000000
					req.Segments = []*launch.Segment{{Addr: addr, Data: arg.Buffer.Data, DType: launch.I32, Uninitialized: true}}
					req.Args[0] = launch.Arg{Scalar: launch.Scalar{DType: launch.Ptr, Bits: addr}}
				}
				err := parse(t, "entry @k(%p: tile<ptr<i32>>) {\n"+tt.body+"return\n}\n").Run(t.Context(), req)
				if tt.err != "" {
					expectError(t, err, tt.err)
				} else if err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// TestUninitializedTiles: rows of tiles are looked at together, and errors name the element.
func TestUninitializedTiles(t *testing.T) {
	t.Parallel()
	const view = "strided_view<tile=(4), traversal_strides=[1], tensor_view<16xi32, strides=[1]>>"
	const body = "%c0 = constant <i32: 0> : tile<i32>\n%c2 = constant <i32: 2> : tile<i32>\n%c8 = constant <i32: 8> : tile<i32>\n%x = iota : tile<4xi32>\n" +
		"%tv = make_tensor_view %p, shape = [16], strides = [1] : tensor_view<16xi32, strides=[1]>\n%v = make_strided_view %tv : " + view + "\n" +
		"%s = store_view_tko weak %x, %v[%c0] : tile<4xi32>, " + view + ", tile<i32> -> token\n"
	load := func(at string) string {
		return "%y, %l = load_view_tko weak %v[" + at + "] token=%s : " + view + ", tile<i32> -> tile<4xi32>, token\n" +
			"%u = store_view_tko weak %y, %v[%c8] token=%l : tile<4xi32>, " + view + ", tile<i32> -> token\n"
	}
	for _, tt := range []struct{ name, at, err string }{{"written", "%c0", ""}, {"half written", "%c2", "element [2]"}, {"not written", "%c8", "element [0]"}} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, races := range []bool{false, true} {
				arg := bufferOf(launch.I32, make([]uint64, 16)...)
				arg.Buffer.Uninitialized = true
				e := parse(t, "entry @k(%p: tile<ptr<i32>>) {\n"+body+load(tt.at)+"return\n}\n")
				e.Races = races
				err := e.Run(t.Context(), &launch.Request{Entry: "k", Grid: [3]uint32{1, 1, 1}, Args: []launch.Arg{arg}})
				if tt.err != "" {
					expectError(t, err, "stores an unspecified value")
					expectError(t, err, tt.err)
				} else if err != nil {
					t.Error(err)
				}
			}
		})
	}
}
