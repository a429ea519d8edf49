package mutants_test

import (
	"testing"

	"github.com/tilewright/tilewright/pipeline/check/mutants"
)

// fuzzKernels is how many kernels the native targets start from.
const fuzzKernels = 16

// fuzzed returns the kernels, which are made once for both targets.
func fuzzed(f *testing.F) []*mutants.Kernel {
	f.Helper()
	if made != nil {
		return made
	}
	var kernels []*mutants.Kernel
	for seed := range uint64(fuzzKernels) {
		kernels = append(kernels, kernel(f, seed))
	}
	made = kernels
	return kernels
}

// made are the kernels. Targets are set up one after the other.
var made []*mutants.Kernel

// FuzzDumps lets Go's fuzzer change the text of dumps, which goes through the passes that follow the one that left it.
func FuzzDumps(f *testing.F) {
	kernels := fuzzed(f)
	for i, k := range kernels {
		for j, d := range k.Dumps {
			f.Add(d.Text, uint8(i), uint8(j))
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, i, j uint8) {
		k := kernels[int(i)%len(kernels)]
		if _, finding := k.Check(t.Context(), k.Dumps[int(j)%len(k.Dumps)], text); finding != nil {
			t.Fatalf("behind %s for %s -O%d: %v\n%s", k.Dumps[int(j)%len(k.Dumps)].Step, k.GPU, k.OptLevel, finding, finding.Stack)
		}
	})
}

// FuzzMutants lets it choose dumps and the seeds of Mutate.
func FuzzMutants(f *testing.F) {
	kernels := fuzzed(f)
	for i := range uint64(64) {
		f.Add(i, uint8(i), uint8(3*i))
	}
	f.Fuzz(func(t *testing.T, seed uint64, i, j uint8) {
		k := kernels[int(i)%len(kernels)]
		d := k.Dumps[int(j)%len(k.Dumps)]
		text, done, err := mutants.Mutate(d.Text, seed)
		if err != nil {
			t.Fatal(err)
		}
		if _, finding := k.Check(t.Context(), d, text); finding != nil {
			t.Fatalf("%s behind %s for %s -O%d: %v\n%s\n%s", done, d.Step, k.GPU, k.OptLevel, finding, finding.Stack, text)
		}
	})
}
