package dropin

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/judges"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/target/cubin"
	"github.com/tilewright/tilewright/tests/programs"
)

// envExports names a folder of modules, as `python/suite/run.py --modules` makes one of NVIDIA's samples and tests.
// It is no part of CI, which has not their checkout. The other variable names one architecture; without it there are
// four.
//
// What tileiras makes of a module does not change and takes most of the time: the third names a folder that keeps it
// for the next run. With the fourth, tileiras is not run at all: a module that was read for no architecture but
// others is compared with what one of those has, since names, language and parameters are the same on each.
const envExports, envExportGPU, envExportCache, envExportKept = "TILEWRIGHT_EXPORTS", "TILEWRIGHT_EXPORTS_GPU", "TILEWRIGHT_EXPORTS_CACHE", "TILEWRIGHT_EXPORTS_KEPT"

// sums are what a run for one architecture came to.
type sums struct {
	modules, kernels, refused, ahead   int // refused: by tileiras and by us; ahead: by tileiras alone
	blocks, fewerRegisters, moreShared int // kernels with the block size of tileiras, fewer registers, more static shared memory
	registers, theirs                  int
	other                              int // modules compared with what tileiras has for another architecture
}

// TestExports compiles all modules of a folder by the client's command line, and holds what clients read of the
// cubins beside those of tileiras. What tileiras does not take for an architecture, we may.
func TestExports(t *testing.T) {
	folder := os.Getenv(envExports)
	if folder == "" {
		t.Skipf("%s names no folder of modules", envExports)
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.tileirbc"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no modules in %s: %v", folder, err)
	}
	reference, assembler := judges.Tool(t, program), judges.Ptxas(t)
	ours := filepath.Join(programs.Install(t), program)
	gpus := tier.Generations
	if one := os.Getenv(envExportGPU); one != "" {
		gpus = []string{one}
	}
	for _, gpu := range gpus {
		var lock sync.Mutex
		var all sums
		t.Run(gpu, func(t *testing.T) {
			for _, file := range files {
				t.Run(strings.TrimSuffix(filepath.Base(file), ".tileirbc"), func(t *testing.T) {
					t.Parallel()
					theirs, other, refusal := theirKernels(t, reference, assembler, file, gpu)
					got, err := kernels(t, ours, assembler, file, gpu)
					if err != nil && refusal == nil {
						t.Fatalf("tileiras takes it: %v", err)
					}
					if err == nil && refusal == nil {
						compareKernels(t, got, theirs)
					}
					lock.Lock()
					defer lock.Unlock()
					if other {
						all.modules++
						all.other++
						return
					}
					all.add(got, theirs, err, refusal)
				})
			}
		})
		t.Logf("%s: %+v", gpu, all)
	}
}

// A kept reading is what tileiras made of one module: kernels, or its refusal.
type kept struct {
	Kernels []*cubin.Kernel
	Refusal string `json:",omitempty"`
}

// theirKernels is kernels for tileiras; other says that it is of another architecture. The names of the modules are
// hashes of what is in them, so they and the target are all of the key.
func theirKernels(t *testing.T, reference, assembler, file, gpu string) (got []*cubin.Kernel, other bool, refusal error) {
	folder := os.Getenv(envExportCache)
	if folder == "" {
		got, refusal = kernels(t, reference, assembler, file, gpu)
		return got, false, refusal
	}
	stem := filepath.Join(folder, strings.TrimSuffix(filepath.Base(file), ".tileirbc"))
	name := stem + "." + gpu + ".json"
	if k := readKept(name); k != nil {
		return k.Kernels, false, k.refusal()
	}
	if os.Getenv(envExportKept) != "" {
		names, _ := filepath.Glob(stem + ".*.json")
		for _, name := range names {
			if k := readKept(name); k != nil && k.Refusal == "" {
				return k.Kernels, true, nil
			}
		}
		return nil, true, errors.New("tileiras was not asked")
	}
	got, refusal = kernels(t, reference, assembler, file, gpu)
	k := kept{Kernels: got}
	if refusal != nil {
		k.Refusal = refusal.Error()
	}
	data, err := json.Marshal(k)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name+".new", data, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(name+".new", name); err != nil { // a run that is ended leaves no half file
		t.Fatal(err)
	}
	return got, false, refusal
}

func readKept(name string) *kept {
	var k kept
	if data, err := os.ReadFile(name); err != nil || json.Unmarshal(data, &k) != nil {
		return nil
	}
	return &k
}

func (k *kept) refusal() error {
	if k.Refusal == "" {
		return nil
	}
	return errors.New(k.Refusal)
}

func (s *sums) add(got, theirs []*cubin.Kernel, err, refusal error) {
	s.modules++
	if err != nil {
		s.refused++
		return
	}
	if refusal != nil {
		s.ahead++
		return
	}
	for i, k := range got[:min(len(got), len(theirs))] {
		want := theirs[i]
		s.kernels++
		s.registers += k.Registers
		s.theirs += want.Registers
		if k.Block == want.Block {
			s.blocks++
		}
		if k.Registers < want.Registers {
			s.fewerRegisters++
		}
		if k.StaticShared > want.StaticShared {
			s.moreShared++
		}
	}
}
