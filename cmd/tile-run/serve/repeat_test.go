package serve

import (
	"fmt"
	"io"
	"testing"

	"github.com/tilewright/tilewright/target/engine/launch"
)

// views adds one to four numbers, and sees no address.
const repeatable = `cuda_tile.module @m {
  entry @views(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %xt = make_tensor_view %x, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %yt = make_tensor_view %y, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %xv = make_partition_view %xt : partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>
    %yv = make_partition_view %yt : partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>
    %v, %t = load_view_tko weak %xv[%zero] : partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>, tile<i32> -> tile<4xi32>, token
    %one = constant <i32: 1> : tile<4xi32>
    %w = addi %v, %one : tile<4xi32>
    %s = store_view_tko weak %w, %yv[%zero] : tile<4xi32>, partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>, tile<i32> -> token
    return
  }
}
`

// TestRepeats: which launches run, and which are answered by an earlier one.
func TestRepeats(t *testing.T) {
	t.Parallel()
	type step struct {
		entry string
		x, y  uint64 // addresses
		value byte   // of the first byte of x
		again bool
		runs  bool
	}
	const a, b, c = 0x10000, 0x20000, 0x20040
	for name, steps := range map[string][]step{
		"the third of equal ones": {{"views", a, b, 1, false, true}, {"views", a, b, 1, false, true}, {"views", a, b, 1, false, false}},
		"other contents":          {{"views", a, b, 1, false, true}, {"views", a, b, 1, false, true}, {"views", a, b, 2, false, true}, {"views", a, b, 1, false, false}},
		"other addresses of views": {{"views", a, b, 1, false, true}, {"views", a, b, 1, false, true}, {"views", a, 0x30000, 1, false, false},
			{"views", a, c, 1, false, true}},
		"other addresses of pointers": {{"double", a, b, 1, false, true}, {"double", a, b, 1, false, true}, {"double", a, 0x30000, 1, false, true},
			{"double", a, b, 1, false, false}},
		"asked for": {{"views", a, b, 1, false, true}, {"views", a, b, 1, false, true}, {"views", a, b, 1, true, true}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newRepeats()
			p.fast = 0
			m := &module{byViews: steps[0].entry == "views"}
			for i, s := range steps {
				x, y := []byte{s.value, 0, 0, 0}, make([]byte, 4)
				r := &request{Module: 1, launchRequest: launchRequest{Entry: s.entry, Args: []uint64{s.x, s.y}, Again: s.again,
					Segments: []segmentSpec{{Address: s.x, Bytes: 4}, {Address: s.y, Bytes: 4}}}}
				req := &launch.Request{Args: []launch.Arg{{Scalar: launch.Scalar{DType: launch.Ptr, Bits: s.x}}, {Scalar: launch.Scalar{DType: launch.Ptr, Bits: s.y}}},
					Segments: []*launch.Segment{{Addr: s.x, Data: x}, {Addr: s.y, Data: y}}}
				ran := false
				_, err := p.launch(m, r, req, func() ([]outside, bool, error) {
					ran = true
					y[0] = x[0] + 1
					req.Segments[1].MarkWritten()
					return nil, true, nil
				})
				if err != nil || ran != s.runs || y[0] != s.value+1 || !req.Segments[1].Written() || req.Segments[0].Written() {
					t.Fatalf("launch #%d: ran is %v, %v; y is %d, err %v", i, ran, s.runs, y[0], err)
				}
			}
		})
	}
}

// TestRepeatsAlwaysRun: what a launch does beside its memory is not lost.
func TestRepeatsAlwaysRun(t *testing.T) {
	t.Parallel()
	for name, run := range map[string]func() ([]outside, bool, error){
		"prints": func() ([]outside, bool, error) { return nil, false, nil },
		"warns":  func() ([]outside, bool, error) { return []outside{{}}, true, nil },
		"fails":  func() ([]outside, bool, error) { return nil, true, io.ErrUnexpectedEOF },
	} {
		p := newRepeats()
		p.fast, p.slow[kernelKey{1, "k"}] = 0, true
		n := 0
		for range 3 {
			_, _ = p.launch(&module{}, &request{Module: 1, launchRequest: launchRequest{Entry: "k"}}, &launch.Request{}, func() ([]outside, bool, error) {
				n++
				return run()
			})
		}
		if n != 3 {
			t.Errorf("%s: ran %d times of 3", name, n)
		}
	}
}

// TestRepeatsAreBounded: old launches make room for new ones.
func TestRepeatsAreBounded(t *testing.T) {
	t.Parallel()
	p := newRepeats()
	for i := range maxKept + 5 {
		p.keep(fmt.Sprint(i), left{make([]byte, 1)})
	}
	if len(p.kept) != maxKept || len(p.oldest) != maxKept || p.bytes != maxKept || p.kept["0"] != nil {
		t.Errorf("kept %d, %d in order, %d bytes", len(p.kept), len(p.oldest), p.bytes)
	}
	p.keep("large", left{make([]byte, maxKeptBytes)})
	if len(p.kept) != 1 || p.bytes != maxKeptBytes {
		t.Errorf("kept %d, %d bytes", len(p.kept), p.bytes)
	}
}

// TestByViews: which modules see addresses.
func TestByViews(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{repeatable: true, kernels: false} {
		m := &module{name: "m", data: []byte(text)}
		if err := m.open(); err != nil {
			t.Fatal(err)
		}
		if m.byViews != want {
			t.Errorf("byViews is %v of\n%s", m.byViews, text)
		}
	}
}
