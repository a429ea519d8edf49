package fuzz_test

import (
	"fmt"
	"testing"

	"github.com/tilewright/tilewright/pipeline/check/fuzz"
)

// TestFound runs kernels again that showed a mistake, under the options that showed it.
func TestFound(t *testing.T) {
	t.Parallel()
	for _, found := range []struct {
		seed uint64
		opts fuzz.Options
	}{
		// An arm ends with a tile that came by a TMA copy: its mbarrier ended before the wait.
		{910220, fuzz.Options{GPU: "sm_90", OptLevel: 3, TensorMaps: "device", WarpRoles: "always", Adversarial: true, Seed: 910220, Products: true}},
		// A tile, dealt out to eight CTAs, of half the bytes after which the swizzle of its rows repeats.
		{2160093, fuzz.Options{GPU: "sm_120", OptLevel: 3, TensorMaps: "device", WarpRoles: "auto", Adversarial: true, Seed: 2160093, Products: true}},
		// Two conversions that wait together for one barrier, of which the second cannot be cut, beside a ring that
		// leaves no room for both.
		{2160077, fuzz.Options{GPU: "sm_120", OptLevel: 3, TensorMaps: "params", WarpRoles: "none", Adversarial: true, Seed: 2160077, Products: true}},
		// A buffer that threads store and a product of the next turn reads had two places, one of them from before
		// the loop.
		{62045, fuzz.Options{GPU: "sm_100", OptLevel: 3, TensorMaps: "device", WarpRoles: "pingpong", Adversarial: true, Seed: 62045, Products: true}},
		// A conversion inside warps takes shared memory, which stages of another version of a loop took.
		{930589, fuzz.ForSeed(930589, fuzz.Options{GPU: "sm_90", OptLevel: -1, Adversarial: true, Loops: true})},
		// Some lanes arrive at an mbarrier before their warp has learned of operations of its own: the check panicked.
		{340044, fuzz.ForSeed(340044, fuzz.Options{GPU: "sm_100", OptLevel: -1, WarpRoles: "always", Products: true})},
	} {
		t.Run(fmt.Sprint(found.seed), func(t *testing.T) {
			t.Parallel()
			k, err := fuzz.Generate(found.seed, found.opts)
			if err != nil {
				t.Fatal(err)
			}
			if f, err := fuzz.Check(t.Context(), k, found.opts); err != nil || f != nil {
				t.Errorf("%v, %+v", err, f)
			}
		})
	}
}
