package fuzz_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/pipeline/check/fuzz"
	"github.com/tilewright/tilewright/pipeline/check/generate"
)

// TestKernels runs random kernels. They must be defined, compile for all targets at all levels of optimization, and
// give the same results everywhere: in the emulator, also if it is adversarial, and in the interpreter of all levels.
func TestKernels(t *testing.T) {
	t.Parallel()
	const parts, most = 4, 64
	each := uint64(tier.Count(3, most))
	for part := range uint64(parts) {
		t.Run(fmt.Sprint(part), func(t *testing.T) {
			t.Parallel()
			for i := range each {
				seed := part*most + i
				opts := fuzz.ForSeed(seed, fuzz.Options{OptLevel: -1, Engines: []fuzz.Engine{fuzz.TileAA, fuzz.TileAS, fuzz.PTX}, Adversarial: seed%2 == 1, Seed: seed, Loops: seed%4 == 3})
				k, err := fuzz.Generate(seed, opts)
				if err != nil {
					t.Fatal(err)
				}
				f, err := fuzz.Check(t.Context(), k, opts)
				if err != nil {
					t.Fatal(err)
				}
				if f != nil {
					t.Errorf("seed %d, %s -O%d: %s %s: %s", seed, opts.GPU, opts.OptLevel, f.Engine, f.Kind, f.Message)
				}
			}
		})
	}
}

// TestPlanted plants errors in the PTX. Each must be found and shrunk to a kernel of a few operations that still
// shows it.
func TestPlanted(t *testing.T) {
	t.Parallel()
	for i, p := range []struct{ name, from, to string }{
		{"an exclusive or becomes an or", "xor.b32", "or.b32"},
		{"a signed comparison becomes unsigned", "setp.lt.s32", "setp.lt.u32"},
		{"the larger becomes the smaller", "max.s32", "min.s32"},
	} {
		if !tier.Try(i, 3) {
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			opts := fuzz.Options{GPU: "sm_90", OptLevel: 3, Change: func(ptx []byte) []byte {
				return bytes.ReplaceAll(ptx, []byte(p.from), []byte(p.to))
			}}
			for seed := range uint64(60) {
				f, err := fuzz.Check(t.Context(), generate.New(seed, generate.Options{}), opts)
				if err != nil {
					t.Fatal(err)
				}
				if f == nil || f.Kind != fuzz.Mismatch {
					continue
				}
				small, err := fuzz.Shrink(t.Context(), f, opts, 1500)
				if err != nil {
					t.Fatal(err)
				}
				if n := bytes.Count(small.Text, []byte("\n")); n > 30 {
					t.Errorf("seed %d: shrunk to %d lines:\n%s", seed, n, small.Text)
				}
				opts.Change = nil
				if f, err := fuzz.Check(t.Context(), small.Kernel, opts); err != nil || f != nil {
					t.Errorf("seed %d: without the planted error: %+v, %v", seed, f, err)
				}
				return
			}
			t.Error("not found")
		})
	}
}

// TestPlantedWait: a product asynchronously that nothing waits for is found, in a kernel of a seed that is to have
// large products.
func TestPlantedWait(t *testing.T) {
	t.Parallel()
	opts := fuzz.Options{GPU: "sm_90", OptLevel: 3, Products: true, Adversarial: true, Change: func(ptx []byte) []byte {
		return bytes.ReplaceAll(ptx, []byte("wgmma.wait_group.sync.aligned 0"), []byte("wgmma.wait_group.sync.aligned 7"))
	}}
	const seeds = 8
	for seed := range uint64(seeds) {
		k, err := fuzz.Generate(seed, opts)
		if err != nil {
			t.Fatal(err)
		}
		if f, err := fuzz.Check(t.Context(), k, opts); err != nil {
			t.Fatal(err)
		} else if f != nil {
			return
		}
	}
	t.Errorf("%d kernels do not show it", seeds)
}

// TestPlantedBarrier: without barriers some kernels still leave what they should in the order in which the emulator runs
// warps. The check of synchronization finds these.
func TestPlantedBarrier(t *testing.T) {
	t.Parallel()
	opts := fuzz.Options{GPU: "sm_80", OptLevel: 3, Change: func(ptx []byte) []byte {
		return bytes.ReplaceAll(ptx, []byte("bar.sync 0;"), []byte("bar.warp.sync 0xffffffff;"))
	}}
	const seeds = 60
	for seed := range uint64(seeds) {
		f, err := fuzz.Check(t.Context(), generate.New(seed, generate.Options{}), opts)
		if err != nil {
			t.Fatal(err)
		}
		if f != nil && f.Kind == fuzz.Unordered {
			return
		}
	}
	t.Errorf("%d kernels do not show it", seeds)
}
