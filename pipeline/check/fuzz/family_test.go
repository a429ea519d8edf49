package fuzz_test

import (
	"flag"
	"testing"
	"time"

	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/pipeline/check/fuzz"
	"github.com/tilewright/tilewright/pipeline/check/generate"
)

func checkFamily(t *testing.T, f fuzz.Family, seed uint64) (passes int) {
	t.Helper()
	opts := fuzz.ForSeed(seed, fuzz.Options{OptLevel: -1, Adversarial: true, Seed: seed})
	k := generate.New(seed, generate.Options{Statements: 5, Depth: 2, NoBF16Atomics: true})
	found, ran, err := fuzz.CheckFamily(t.Context(), k, f, opts)
	if err != nil {
		t.Fatal(err)
	}
	if found != nil {
		t.Errorf("%s, seed %d, %s -O%d, %v: %s %s: %s", f.Name, seed, opts.GPU, opts.OptLevel, ran, found.Engine, found.Kind, found.Message)
	}
	return len(ran)
}

// TestFamilies runs the passes of each family in random orders on random kernels.
func TestFamilies(t *testing.T) {
	t.Parallel()
	for _, f := range fuzz.Families {
		t.Run(f.Name, func(t *testing.T) {
			t.Parallel()
			seeds, ran := 6, 0
			if tier.All() {
				seeds = 24
			}
			for seed := range uint64(seeds) {
				ran += checkFamily(t, f, seed)
			}
			if ran < seeds {
				t.Errorf("%d passes ran, expected more than one for each of %d kernels", ran, seeds)
			}
		})
	}
}

var (
	families      = flag.Duration("families", 0, "try the families of passes for this long, from -families-seed on")
	familiesFirst = flag.Uint64("families-seed", 1<<20, "where -families begins")
)

// TestFamiliesLong is TestFamilies for as long as the flag says.
func TestFamiliesLong(t *testing.T) {
	if *families == 0 {
		t.Skip("-families=10m looks further")
	}
	seed := *familiesFirst
	for end := time.Now().Add(*families); time.Now().Before(end); seed++ {
		for _, f := range fuzz.Families {
			checkFamily(t, f, seed)
		}
	}
	t.Logf("seeds %d to %d", *familiesFirst, seed-1)
}

// FuzzFamilies lets Go's fuzzer choose.
func FuzzFamilies(f *testing.F) {
	for i := range fuzz.Families {
		f.Add(uint64(i), uint8(i))
	}
	f.Fuzz(func(t *testing.T, seed uint64, family uint8) {
		checkFamily(t, fuzz.Families[int(family)%len(fuzz.Families)], seed)
	})
}
