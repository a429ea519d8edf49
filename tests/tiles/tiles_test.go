package tiles_test

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/tilewright/tilewright/cmd/tile-opt/opttool"
	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/internal/testing/judges"
	"github.com/tilewright/tilewright/internal/testing/kerneltest"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/pipeline/check/fuzz"
	"github.com/tilewright/tilewright/pipeline/check/generate"
	"github.com/tilewright/tilewright/target/engine/launch"
	"github.com/tilewright/tilewright/target/ptxas"
	"github.com/tilewright/tilewright/tests/tiles"
)

// largeTiles are kernels on tiles that do not fit the registers.
var largeTiles = []tiles.Kernel{
	tiles.Elementwise(65536), tiles.Elementwise(256, 256), tiles.Elementwise(8, 32, 256), tiles.Add("i8", true, 65536), tiles.Add("i64", false, 16, 2048), tiles.Add("i32", true, 32768),
	tiles.Reduce(0, 1024, 64), tiles.Reduce(1, 1024, 64), tiles.Reduce(0, 16, 4096), tiles.Reduce(1, 16, 4096), tiles.Sum(65536), tiles.ArgMax(16, 4096), tiles.Least(4, 16384), tiles.ArgMax(1024, 32),
	tiles.Scan(0, false, 32768), tiles.Scan(0, true, 32768), tiles.Scan(1, true, 4, 16384), tiles.Scan(0, false, 512, 64), tiles.Scan(0, true, 1024, 32),
	tiles.Softmax(65536), tiles.Softmax(2, 65536), tiles.Softmax(64, 1024), tiles.Transpose(256, 128), tiles.Transpose(32, 1024), tiles.LayerNorm(16, 4096), tiles.LayerNorm(1, 65536),
	tiles.Centred(256, 256), tiles.InPlace(65536), tiles.InPlace(128, 256), tiles.Shifted(65536), tiles.Shifted(16384), tiles.Transposed(256), tiles.Masked(65536),
	tiles.Reshaped(256, 256), tiles.Reshaped(4, 16384), tiles.Looped(32768), tiles.Accumulated(3, 32768), tiles.Accumulated(2, 16384), tiles.Accumulated(0, 16384),
	tiles.Through(65536), tiles.Through(8, 8192), tiles.Through(4, 64, 128), tiles.SoftmaxThrough(64, 1024), tiles.SoftmaxThrough(1, 65536), tiles.TransposeThrough(256, 128), tiles.Scatter(65536),
}

// TestLargeTiles compares kernels on tiles larger than the registers with the interpreter, which holds them whole.
func TestLargeTiles(t *testing.T) {
	t.Parallel()
	for i, k := range largeTiles {
		if !tier.Try(i, 2) {
			continue
		}
		t.Run(k.Name, func(t *testing.T) {
			t.Parallel()
			way := []string{"interp,tileaa,ptx --gpu-name=sm_80", "interp,tileas,ptx --gpu-name=sm_90 --adversarial --seed=2", "interp,ptx --gpu-name=sm_120 -O1 --adversarial --seed=3"}[i%3]
			kerneltest.DiffEngines(t, k, way)
		})
	}
}

// largeProducts are kernels with products of matrices on tiles that do not fit the registers, or whose factors do not
// fit the shared memory.
var largeProducts = []tiles.Kernel{
	tiles.Product{Elem: "f16", M: 256, N: 256, K: 64, Turns: 2, Ragged: true}.Kernel(), tiles.Product{Elem: "bf16", M: 512, N: 128, K: 64, Turns: 2}.Kernel(),
	tiles.Product{Elem: "i8", M: 256, N: 512, K: 32, Turns: 2, Ragged: true}.Kernel(), tiles.Product{Elem: "f8E4M3FN", M: 256, N: 256, K: 64, Turns: 2}.Kernel(),
	tiles.Product{Elem: "tf32", M: 256, N: 128, K: 64, Turns: 2, Ragged: true}.Kernel(), tiles.Product{Elem: "f16", M: 512, N: 512, K: 32, Turns: 1}.Kernel(),
	tiles.Product{Elem: "f16", M: 128, N: 128, K: 512, Turns: 2, Ragged: true}.Kernel(), tiles.Product{Elem: "f16", M: 1024, N: 64, K: 64, Turns: 1, Ragged: true}.Kernel(),
	tiles.Attention{Elem: "bf16", Queries: 256, Keys: 64, Depth: 128, Turns: 2, Exact: true}.Kernel(), tiles.Attention{Elem: "f16", Queries: 128, Keys: 64, Depth: 256, Turns: 2, Exact: true}.Kernel(),
	tiles.Attention{Elem: "bf16", Queries: 64, Keys: 64, Depth: 512, Turns: 2, Exact: true}.Kernel(), tiles.Attention{Elem: "f16", Queries: 128, Keys: 128, Depth: 128, Turns: 2, Exact: true}.Kernel(),
	tiles.Chain("f16", 256, 256, 256, 256), tiles.Chain("bf16", 512, 64, 64, 512), tiles.Chain("f16", 128, 64, 256, 256),
}

// TestLargeMMAs compares them with the interpreter, which holds them whole.
func TestLargeMMAs(t *testing.T) {
	t.Parallel()
	for i, k := range largeProducts {
		if !tier.Try(i, 2) {
			continue
		}
		t.Run(k.Name, func(t *testing.T) {
			t.Parallel()
			kerneltest.DiffEngines(t, k, []string{"interp,tileaa,ptx --gpu-name=sm_80", "interp,tileas,ptx --gpu-name=sm_120 --adversarial --seed=2", "interp,ptx --gpu-name=sm_90 -O1 --adversarial --seed=3"}[i%3])
		})
	}
}

// TestLargeTilesKeepOrder looks for accesses to the same memory whose order the loops lost, in kernels that need one.
// A tile is as small as it can be and still be cut: every byte of every access is recorded.
func TestLargeTilesKeepOrder(t *testing.T) {
	t.Parallel()
	for _, k := range []tiles.Kernel{tiles.Shifted(16384), tiles.Transposed(128), tiles.InPlace(16384), tiles.Looped(16384), tiles.Through(64, 256)} {
		t.Run(k.Name, func(t *testing.T) {
			t.Parallel()
			kerneltest.DiffEngines(t, k, "tileaa,ptx --gpu-name=sm_90 --races")
		})
	}
}

// TestLargeTilesOverlap runs a kernel whose parameters are the same memory, or not: a test in front of the loops
// tells which of the two versions is right.
func TestLargeTilesOverlap(t *testing.T) {
	t.Parallel()
	k := tiles.Onwards(65536)
	buffer := func() *launch.Buffer {
		data := make([]byte, 4*k.Buffers[0].Count)
		for i := range data {
			data[i] = byte(i * i)
		}
		return &launch.Buffer{DType: launch.I32, Shape: []int{k.Buffers[0].Count}, Data: data}
	}
	for name, same := range map[string]bool{"same": true, "different": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := buffer()
			b := a
			if !same {
				b = buffer()
			}
			kernel := &generate.Kernel{Text: []byte(k.Text), Launch: &launch.Request{Entry: "k", Grid: [3]uint32{1, 1, 1}, Args: []launch.Arg{{Buffer: a}, {Buffer: b}}}}
			f, err := fuzz.Check(t.Context(), kernel, fuzz.Options{GPU: "sm_90", OptLevel: 3, Engines: []fuzz.Engine{fuzz.TileAA, fuzz.PTX}, Adversarial: true, Seed: 1})
			if err != nil || f != nil {
				t.Fatalf("%v, %+v", err, f)
			}
		})
	}
}

// TestStripMinedCases cuts the tiles of all cases as small as they get, as if a thread had one register, and
// interprets what becomes of the kernel. So all operations, element types and orders of the corpus are cut.
func TestStripMinedCases(t *testing.T) {
	t.Parallel()
	folder, names := corpus.Cases(t)
	var loops atomic.Int64
	tried := 0
	t.Run("cases", func(t *testing.T) {
		for i, name := range names {
			if !tier.Try(i, 7) {
				continue
			}
			tried++
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				dir := filepath.Join(folder, name)
				var out, errs bytes.Buffer
				args := []string{"--gpu-name=sm_90", "--verify-each=exec", "--exec-case=" + filepath.Join(dir, "case.json"), "--pass-pipeline=builtin.module(convert-cuda-tile-to-tileaa,nv_tileaa.func(" +
					"cse,tileaa-attach-facts,tileaa-attach-objects,tileaa-eliminate-loads,tileaa-prune-tokens,licm,tileaa-strip-mine{begin=1 target=1 keep=1 room=1}))", filepath.Join(dir, "k.mlir")}
				if status := opttool.TileOpt().Main(args, strings.NewReader(""), &out, &errs); status != 0 {
					t.Errorf("status %d\n%s", status, &errs)
				}
				loops.Add(int64(strings.Count(out.String(), "scf.for")))
			})
		}
	})
	if n := loops.Load(); n < 2*int64(tried) {
		t.Errorf("%d loops in %d cases, expected more", n, tried)
	}
}

// spilling are the large products that still spill.
var spilling = map[string][]string{"attention of bf16 64x64x512": {"sm_80"}, "attention of bf16 128x128x128": {"sm_120"}}

// TestPtxasLargeMMAs assembles products on tiles that do not fit, which are cut until they do.
func TestPtxasLargeMMAs(t *testing.T) {
	t.Parallel()
	tool := &ptxas.Tool{Path: judges.Ptxas(t)}
	for i, k := range tiles.Products() {
		if !tier.Try(i, 9) {
			continue
		}
		t.Run(k.Name, func(t *testing.T) {
			t.Parallel()
			gpu := []string{"sm_80", "sm_120"}[i%2]
			want := slices.Contains(spilling[k.Name], gpu)
			if spilled := kerneltest.Assemble(t, tool, gpu, []byte(k.Text)); spilled != want {
				t.Errorf("%s: spills registers: %t, want %t", gpu, spilled, want)
			}
		})
	}
}
