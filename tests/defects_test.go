package tests

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/cmd/tile-run/runtool"
	"github.com/tilewright/tilewright/target/engine/interp"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// What NVIDIA/cutile-python's own tests found: each module is the least that shows it, and each gives the same on both engines.

// buffers makes arguments of i32 or f32 patterns.
func buffers(d launch.DType, data ...[]byte) []launch.Arg {
	out := make([]launch.Arg, len(data))
	for i, b := range data {
		out[i].Buffer = &launch.Buffer{DType: d, Shape: []int{len(b) / d.Size()}, Data: b}
	}
	return out
}

func floats(xs ...float32) []byte {
	var out []uint32
	for _, x := range xs {
		out = append(out, math.Float32bits(x))
	}
	return words(out...)
}

func TestProducersDefects(t *testing.T) {
	t.Parallel()
	minus := ^uint32(0)
	stride := []launch.Arg{buffers(launch.F32, floats(1, 2, 3, 4))[0], {Scalar: launch.Scalar{DType: launch.I32}}, buffers(launch.F32, make([]byte, 128))[0]}
	var expanded []float32
	for i := range 32 {
		expanded = append(expanded, float32(i/8+1))
	}
	for _, tt := range []struct {
		file string
		args []launch.Arg
		out  int
		want []byte
		// strict is what the interpreter says of it when it is strict; "" where it says nothing.
		strict string
	}{
		{"cas_mask", buffers(launch.I32, words(7, 7, 7, 7), words(0, 0, 0, 0)), 1, words(7, 7, minus, minus), ""},
		{"ftoi_i1", []launch.Arg{buffers(launch.F32, floats(0.25, -3, 0, float32(math.NaN())))[0], buffers(launch.I1, make([]byte, 4))[0]}, 1, []byte{1, 1, 0, 1}, ""},
		{"assume_singleton", buffers(launch.F32, floats(0)), 0, floats(5), "element [] is 1, which is not divisible by 4"},
		{"stride0", stride, 2, floats(expanded...), "stride 1 is 0, which is not positive"},
		{"undetermined", buffers(launch.F32, floats(1, 2, 3), floats(9, 9, 9, 9)), 1, floats(1, 2, 3), "stores an unspecified value"},
		{"inbounds", buffers(launch.F32, floats(1, 2, 3, 4), floats(9, 9, 9, 9)), 1, floats(1, 2, 3, 4), "is marked in bounds along dimension 0, but its tile ends at 4 of 3"},
	} {
		t.Run(tt.file, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("testdata", "defects", tt.file+".mlir"))
			if err != nil {
				t.Fatal(err)
			}
			req := &launch.Request{Args: tt.args}
			onEngines(t, string(text), req, func(t *testing.T, engine string, req *launch.Request, err error) {
				if err != nil {
					t.Fatal(err)
				}
				if got := req.Args[tt.out].Buffer.Data; !bytes.HasPrefix(got, tt.want) {
					t.Errorf("got %x, want %x", got, tt.want)
				}
			})
			strict := req.Clone()
			strict.Entry, strict.Grid = "k", [3]uint32{1, 1, 1}
			err = interp.New(readText(t, tt.file, text)).Run(context.Background(), strict)
			if tt.strict == "" && err != nil || tt.strict != "" && (err == nil || !strings.Contains(err.Error(), tt.strict)) {
				t.Errorf("strict: got %v, want %q", err, tt.strict)
			}
		})
	}
}

// TestLooseBoundsNeedMemory: what is marked in bounds and is not reads what is there, and nothing being there is an error still.
func TestLooseBoundsNeedMemory(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("testdata", "defects", "inbounds.mlir"))
	if err != nil {
		t.Fatal(err)
	}
	onEngines(t, string(text), &launch.Request{Args: buffers(launch.F32, floats(1, 2, 3), floats(9, 9, 9, 9))}, func(t *testing.T, engine string, _ *launch.Request, err error) {
		if f := faultIn(err); f == nil || f.Kind != launch.OutOfBounds {
			t.Errorf("got %v", err)
		}
	})
}

// TestLooseAddresses: what the profile of compiled code lets be stored may still not decide where or whether anything is stored.
func TestLooseAddresses(t *testing.T) {
	t.Parallel()
	const text = `cuda_tile.module @m {
  entry @k(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
    %no = constant <i1: false> : tile<i1>
    %v, %t = load_ptr_tko weak %x, %no : tile<ptr<i32>>, tile<i1> -> tile<i32>, token
    %p = offset %y, %v : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %s = store_ptr_tko weak %p, %v : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}
`
	e := interp.New(readText(t, "k.mlir", []byte(text)))
	e.AsCompiled()
	req := &launch.Request{Entry: "k", Grid: [3]uint32{1, 1, 1}, Args: buffers(launch.I32, words(1), words(2))}
	if f := faultIn(e.Run(context.Background(), req)); f == nil || f.Kind != launch.Unspecified {
		t.Errorf("got %v", f)
	}
}

// TestPrintOfTruth: a truth value prints as 1, and to standard output on both engines.
func TestPrintOfTruth(t *testing.T) {
	t.Parallel()
	var out, errs bytes.Buffer
	status := runtool.Main(context.Background(), []string{"--entry=k", "--grid=1", "--diff-engines=interp,ptx", filepath.Join("testdata", "defects", "print_i1.mlir")}, nil, &out, &errs)
	if status != 0 || strings.Count(out.String(), "[0, 1]\n") != 2 {
		t.Errorf("status %d, %q, %q", status, out.String(), errs.String())
	}
}
