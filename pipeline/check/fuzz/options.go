package fuzz

import (
	"github.com/tilewright/tilewright/pipeline/check/generate"
	"github.com/tilewright/tilewright/target/sm"
)

// targets are those that ForSeed chooses from: one of each generation with instructions of its own.
var targets = []string{"sm_80", "sm_90", "sm_100", "sm_120"}

// ForSeed completes options so that consecutive seeds cover targets and levels of optimisation: an empty target, and a negative level, are chosen by
// the seed.
func ForSeed(seed uint64, opts Options) Options {
	n := uint64(len(targets))
	if opts.GPU == "" {
		opts.GPU = targets[seed%n]
	}
	if opts.OptLevel < 0 {
		opts.OptLevel = int(seed / n % 4)
	}
	return opts
}

// Generate returns the kernel of a seed for the target of the options, which has what the kernel needs.
func Generate(seed uint64, opts Options) (*generate.Kernel, error) {
	arch, err := sm.Lookup(opts.GPU)
	if err != nil {
		return nil, err
	}
	return generate.New(seed, generate.Options{NoBF16Atomics: !arch.Has(sm.AtomBF16), Loops: opts.Loops}), nil
}
