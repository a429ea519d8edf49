package tests

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/cmd/tile-opt/opttool"
	"github.com/tilewright/tilewright/target/engine/emulate"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// bytesLoop adds up products of bytes that lie along the columns of B, which go through registers (package matrix, Passing): 64 x 64 of a depth of 64 each, of 64 x 576 and 576 x 64.
const bytesLoop = `nv_tileas.func @k(%q: !nv_tileas.ptr<i32>, %a: !nv_tileas.ptr<i8>, %b: !nv_tileas.ptr<i8>, %n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %s64 = arith.constant 64 : i64
  %s576 = arith.constant 576 : i64
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %c = arith.constant dense<0> : tensor<64x64xi32>
  %s = scf.for %i = %i0 to %n step %i1 iter_args(%acc = %c) -> (tensor<64x64xi32>) : i32 {
    %w = arith.extsi %i : i32 to i64
    %at = arith.muli %w, %s64 : i64
    %x, %xt = nv_tileas.tiled_load %a[%z, %at] sizes [%s64, %s576] strides [%s576, %one] {padding = "zero", bounds = array<i1: false, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 64, 64>, stride_div = array<i64: 64, 1>} : !nv_tileas.ptr<i8> -> tensor<64x64xi8>
    %y, %yt = nv_tileas.tiled_load %b[%at, %z] sizes [%s576, %s64] strides [%s64, %one] {padding = "zero", bounds = array<i1: true, false>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 64, 64>, stride_div = array<i64: 64, 1>} : !nv_tileas.ptr<i8> -> tensor<64x64xi8>
    %d = nv_tileas.dot %x, %y, %acc : tensor<64x64xi8>, tensor<64x64xi8> -> tensor<64x64xi32>
    scf.continue %d : tensor<64x64xi32>
  }
  %t = nv_tileas.tiled_store %s, %q[%z, %z] sizes [%s64, %s64] strides [%s64, %one] {bounds = array<i1: false, false>} : tensor<64x64xi32>, !nv_tileas.ptr<i32>
  nv_tileas.return
}
`

// A fragmentPlant is a mistake in what is made of bytesLoop, or of the same of f32 rounded to tf32, at nv_tileas.
type fragmentPlant struct {
	name     string
	rounded  bool
	old, new string // what it changes in the text, at the first place in the loop of turns
	says     string // of the error, where one names it before anything runs
}

var fragmentPlants = []fragmentPlant{
	{name: "registers written while a product reads them", old: "dot_wait {pending = 0 : i32}\n", new: "dot_wait {pending = 1 : i32}\n"},
	{name: "no wait in front of what writes registers", old: "nv_tileas.dot_wait {pending = 0 : i32}\n", new: "\n"},
	{name: "product that is not transposed", old: ", transposed>", new: ">", says: "takes operand #1 from registers, but its instruction only operand #0"},
	{name: "rows that are not dealt out", old: "interleave = [2, 1], transposed", new: "transposed", says: "but #nv_tileas.mma<wgmma"},
	{name: "copy that does not round", rounded: true, old: ", rounded>", new: ">", says: "must point to the element type 'tf32' of the map"},
	{name: "rounds what is tf32", rounded: true, old: "xtf32, order = [1, 0], swizzle = 128, rounded>", new: "xf32, order = [1, 0], swizzle = 128, rounded>", says: "a map rounds to tf32"},
}

func (p fragmentPlant) text() string {
	if !p.rounded {
		return bytesLoop
	}
	text := strings.NewReplacer("!nv_tileas.ptr<i8> -> tensor<64x64xi8>", "!nv_tileas.ptr<f32> -> tensor<64x64xf32>", "!nv_tileas.ptr<i8>", "!nv_tileas.ptr<f32>", "!nv_tileas.ptr<i32>", "!nv_tileas.ptr<f32>", "dense<0>", "dense<0.0>",
		"tensor<64x64xi32>", "tensor<64x64xf32>", "tensor<64x64xi8>", "tensor<64x64xtf32>", "dot %x, %y,", "dot %xr, %yr,").Replace(bytesLoop)
	return strings.Replace(text, "    %d = ", "    %xr = arith.ftof %x : tensor<64x64xf32> to tensor<64x64xtf32>\n    %yr = arith.ftof %y : tensor<64x64xf32> to tensor<64x64xtf32>\n    %d = ", 1)
}

// lowerText runs tile-opt over a text.
func lowerText(t *testing.T, text string, args ...string) (out, errs string, ok bool) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "k.mlir")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	var o, e bytes.Buffer
	status := opttool.TileOpt().Main(append(args, path), strings.NewReader(""), &o, &e)
	return o.String(), e.String(), status == 0
}

// run runs the PTX of the kernel, and reports whether it computes what it should.
func (p fragmentPlant) run(t *testing.T, ptx string, seed uint64) bool {
	t.Helper()
	const rows, depth = 64, 576
	types := [2]launch.DType{launch.I32, launch.I8}
	if p.rounded {
		types = [2]launch.DType{launch.F32, launch.F32}
	}
	value := func(which, i int) int64 { return int64((i*(7+2*which)+i/37+i/701*5)%5 - 2) }
	args := []launch.Arg{pipedBuffer(t, types[0], rows*rows, func(int) int64 { return 77 })}
	for j := range 2 {
		args = append(args, pipedBuffer(t, types[1], rows*depth, func(i int) int64 { return value(j, i) }))
	}
	args = append(args, launch.Arg{Scalar: launch.Scalar{DType: launch.I32, Bits: depth / rows}})
	e, err := emulate.New("k.ptx", []byte(ptx))
	if err != nil {
		t.Fatal(err)
	}
	e.Adversarial, e.Seed = seed > 0, seed
	if err := e.Run(context.Background(), &launch.Request{Entry: "k", Grid: [3]uint32{1, 1, 1}, Args: args}); err != nil {
		return false
	}
	q := args[0].Buffer
	for i := range rows * rows {
		sum := int64(0)
		for k := range depth {
			sum += value(0, i/rows*depth+k) * value(1, k*rows+i%rows)
		}
		if q.DType.Load(q.Data, i) != pipedValue(t, q.DType, sum) {
			return false
		}
	}
	return true
}

// TestFragmentPlants: what goes through registers to a product is right, and each mistake on the way is found, by an error or in the results.
func TestFragmentPlants(t *testing.T) {
	t.Parallel()
	for _, p := range fragmentPlants {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			maps := "--tensor-maps=none"
			if p.rounded {
				maps = "--tensor-maps=params"
			}
			text, errs, ok := lowerText(t, p.text(), "--lower-to=tileas", "--gpu-name=sm_90", maps)
			if !ok {
				t.Fatal(errs)
			}
			if !p.rounded {
				ptx, errs, ok := lowerText(t, text, "--lower-to=ptx", "--gpu-name=sm_90", maps)
				if !ok {
					t.Fatal(errs)
				}
				for seed := range uint64(3) {
					if !p.run(t, ptx, seed) {
						t.Fatalf("seed %d: wrong without the mistake", seed)
					}
				}
			}
			at, times := strings.Index(text, "scf.for"), 1
			if p.rounded { // types of values, which must agree to be read at all
				at, times = 0, -1
			}
			damaged := text[:at] + strings.Replace(text[at:], p.old, p.new, times)
			if damaged == text {
				t.Fatalf("the mistake changes nothing in\n%s", text)
			}
			ptx, errs, ok := lowerText(t, damaged, "--lower-to=ptx", "--gpu-name=sm_90", maps)
			switch {
			case !ok && p.says != "" && strings.Contains(errs, p.says):
			case !ok:
				t.Errorf("got %s\nwant %q", errs, p.says)
			case p.says != "":
				t.Error("nobody noticed")
			default:
				if p.run(t, ptx, 1) && p.run(t, ptx, 2) && p.run(t, ptx, 3) {
					t.Error("nobody noticed")
				}
			}
		})
	}
}
