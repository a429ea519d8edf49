package mutants_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	_ "github.com/tilewright/tilewright/internal/testing/heap"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/pipeline/check/fuzz"
	"github.com/tilewright/tilewright/pipeline/check/generate"
	"github.com/tilewright/tilewright/pipeline/check/mutants"
)

var (
	long  = flag.Duration("mutants", 0, "look for findings for this long, from -mutants-seed on")
	first = flag.Uint64("mutants-seed", 1<<20, "where -mutants begins")
	keep  = flag.String("mutants-keep", "", "a folder for the mutants with findings")
)

// kernel returns the small kernel of a seed, with dumps.
func kernel(t testing.TB, seed uint64) *mutants.Kernel {
	t.Helper()
	opts := fuzz.ForSeed(seed, fuzz.Options{OptLevel: -1})
	base := generate.New(seed, generate.Options{Statements: 5, Depth: 2, NoBF16Atomics: true})
	k, err := mutants.New(t.Context(), base, opts.GPU, opts.OptLevel)
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	return k
}

// mutantsOf is how many mutants of each kernel are tried.
const mutantsOf = 12

// choose returns a dump: most often one of the levels that the interpreter executes, which nvvm with its many passes
// would crowd out.
func choose(r *rand.Rand, k *mutants.Kernel) mutants.Dump {
	for {
		if d := k.Dumps[r.IntN(len(k.Dumps))]; d.Level != property.NVVM || r.IntN(4) == 0 {
			return d
		}
	}
}

// try tries some mutants of the kernel of a seed.
func try(t *testing.T, seed uint64, count func(mutants.Outcome)) {
	k := kernel(t, seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for i := range uint64(mutantsOf) {
		d := choose(r, k)
		text, done, err := mutants.Mutate(d.Text, seed*mutantsOf+i)
		if err != nil {
			t.Errorf("seed %d, mutant %d, behind %s: %v", seed, i, d.Step, err)
			continue
		}
		o, f := k.Check(t.Context(), d, text)
		if f == nil {
			count(o)
			continue
		}
		t.Errorf("seed %d, mutant %d (%s), behind %s for %s -O%d: %v", seed, i, done, d.Step, k.GPU, k.OptLevel, f)
		if *keep != "" {
			head := fmt.Sprintf("// %s -O%d behind %s: %s\n", k.GPU, k.OptLevel, d.Step, done)
			for _, line := range strings.Split(f.Error()+"\n"+string(f.Stack), "\n") {
				head += "// " + line + "\n"
			}
			if err := os.WriteFile(filepath.Join(*keep, fmt.Sprintf("%d-%d.mlir", seed, i)), append([]byte(head), text...), 0o644); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestMutants damages dumps of random kernels. Enough of the mutants must come to each of the ends, or the test would
// show little.
func TestMutants(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	counts := make(map[mutants.Outcome]int)
	count := func(o mutants.Outcome) {
		mu.Lock()
		defer mu.Unlock()
		counts[o]++
	}
	t.Run("seeds", func(t *testing.T) {
		const parts = 4
		each := uint64(tier.Count(6, 12))
		for part := range uint64(parts) {
			t.Run(fmt.Sprint(part), func(t *testing.T) {
				t.Parallel()
				for i := range each {
					try(t, part*each+i, count)
				}
			})
		}
	})
	t.Log(counts)
	half := tier.Count(1, 2) // of all that the long tier tries
	for o, least := range map[mutants.Outcome]int{mutants.Invalid: 100, mutants.Refused: 1, mutants.Lacking: 20, mutants.Unjudged: 20, mutants.Undefined: 5, mutants.Agreed: 50} {
		if least = (least*half + 1) / 2; counts[o] < least {
			t.Errorf("%d mutants were %s, expected at least %d", counts[o], o, least)
		}
	}
}

// TestLong is TestMutants for as long as the flag says.
func TestLong(t *testing.T) {
	if *long == 0 {
		t.Skip("-mutants=10m looks further")
	}
	counts := make(map[mutants.Outcome]int)
	end := time.Now().Add(*long)
	seed := *first
	for ; time.Now().Before(end); seed++ {
		try(t, seed, func(o mutants.Outcome) { counts[o]++ })
	}
	t.Logf("seeds %d to %d: %v", *first, seed-1, counts)
}
