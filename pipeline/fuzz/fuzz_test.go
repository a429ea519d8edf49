package fuzz_test

import (
	"bytes"
	"testing"

	"github.com/tilewright/tilewright/pipeline/fuzz"
	"github.com/tilewright/tilewright/pipeline/generate"
)

// TestKernels runs random kernels, which must be defined, compile, and give the same results in the emulator as in the interpreter.
func TestKernels(t *testing.T) {
	t.Parallel()
	for i, gpu := range []string{"sm_80", "sm_90", "sm_100"} {
		t.Run(gpu, func(t *testing.T) {
			t.Parallel()
			for k := range uint64(25) {
				seed := uint64(i)*1000 + k
				text, req := generate.Kernel(seed, generate.Options{})
				f, err := fuzz.Check(t.Context(), text, req, fuzz.Options{GPU: gpu, OptLevel: int(k % 4)})
				if err != nil {
					t.Fatal(err)
				}
				if f != nil {
					t.Errorf("seed %d: %s: %s", seed, f.Kind, f.Message)
				}
			}
		})
	}
}

// TestPlanted plants errors in the PTX. Each must be found and shrunk to a kernel of a few operations that still shows it.
func TestPlanted(t *testing.T) {
	t.Parallel()
	for _, p := range []struct{ name, from, to string }{
		{"an exclusive or becomes an or", "xor.b32", "or.b32"},
		{"a signed comparison becomes unsigned", "setp.lt.s32", "setp.lt.u32"},
		{"the larger becomes the smaller", "max.s32", "min.s32"},
	} {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			opts := fuzz.Options{GPU: "sm_90", OptLevel: 3, Change: func(ptx []byte) []byte {
				return bytes.ReplaceAll(ptx, []byte(p.from), []byte(p.to))
			}}
			for seed := range uint64(60) {
				text, req := generate.Kernel(seed, generate.Options{})
				f, err := fuzz.Check(t.Context(), text, req, opts)
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
				if f, err := fuzz.Check(t.Context(), small.Text, small.Launch, opts); err != nil || f != nil {
					t.Errorf("seed %d: without the planted error: %+v, %v", seed, f, err)
				}
				return
			}
			t.Error("not found")
		})
	}
}
