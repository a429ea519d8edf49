package remarks

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tilewright/tilewright/cmd/tilec/compiletool"
	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/internal/testing/judges"
	"github.com/tilewright/tilewright/internal/testing/tier"
)

// explained says of kinds of differences why they are. One in which the other compiler's way is usually the faster
// one and that is not here fails the test.
var explained = map[string]string{
	"indices of views: ours may need 64 bits":                                                 "tileiras says it of fewer kernels on targets with TMA; we look at all views, whatever their accesses become",
	"indices of views: theirs need 64 bits":                                                   "group_gemm: tileiras says it again of a table; we say it once for a function",
	"load: ours TMA, theirs threads":                                                          "matmul_f16_ragged: the program promises no alignment; we test it before the loop and run a fast version",
	"load: ours cp.async, theirs threads":                                                     "the same by cp.async, and the queries of attention, loaded once before the loop",
	"load: ours cp.async, theirs is silent":                                                   "a load of which tileiras has no remark",
	"load: ours threads, theirs is silent":                                                    "loads of which tileiras has no remark",
	"MMA: both Tensor-core SM100, of other shapes":                                            "tileiras takes two CTAs for an MMA, or other subtiles",
	"MMA: both Tensor-core SM90, of other shapes":                                             "another warp tiling",
	"theirs used its default of a latency":                                                    "our scheduler takes latencies from the machine's table and needs no default",
	"why no TMA: theirs is \"leading tile dimension not 16-byte aligned\"; ours does not try": "rms_norm: a store of computed values; we use TMA stores for MMA results only",
	"load: theirs cp.async, ours threads (nothing was to decide)":                             "group_gemm: three tables of one or four numbers that steer the loop; shared memory would delay them",
	"load: theirs cp.async, ours threads (a fact is missing)":                                 "the same tables on targets that have TMA",
	"load: theirs TMA, ours threads (not profitable by the model)":                            "layer_norm: threads load 16 bytes at a time; by the model TMA takes more issue slots, or comes later outside of loops",
	"store: theirs TMA, ours threads (nothing was to decide)":                                 "computed tiles, or tiles read from TMEM at the store: 16 bytes at a time from registers; no TMA stores of these",
	"store: theirs TMA, ours threads (the map is not known before the kernel begins)":         "group_gemm: the kernel reads the address from a table; a map made for one tile costs what it saves",
	"store: theirs TMA, ours threads (a fact is missing)":                                     "group_gemm: as above",
}

// sample is what is compared unless TILEWRIGHT_TESTS=exhaustive asks for everything: three minutes of two cores.
var sample = []string{"matmul_f16_128x128x32", "matmul_f16_256x128x64", "layer_norm_bwd_dx", "copy_2d_bf16_128x32"}

const (
	page  = "../../docs/conformance.md"
	begin = "<!-- remarks of both: written by TILEWRIGHT_UPDATE=1 TILEWRIGHT_TESTS=exhaustive go test ./tests/remarks -run TestRemarksOfBoth -->\n"
	end   = "<!-- end of remarks of both -->\n"
)

// TestRemarksOfBoth compares what tileiras says of the kernels of shared/perf with what we say, place by place, on
// three targets.
func TestRemarksOfBoth(t *testing.T) {
	t.Parallel()
	tileiras := judges.Tool(t, "tileiras")
	modules, err := filepath.Glob(filepath.Join(corpus.Dir(t), "..", "perf", "*.tileirbc"))
	if err != nil || len(modules) == 0 {
		t.Skip("no kernels to compare")
	}
	all := tier.Exhaustive()
	counts, worse := make(map[string]map[string]int), make(map[string]bool)
	places := make(map[string][]string)
	refused := make(map[string]int)
	targets := []string{"sm_80", "sm_90", "sm_100"}
	var mu sync.Mutex
	t.Run("modules", func(t *testing.T) {
		tried := 0
		for _, module := range modules {
			name := strings.TrimSuffix(filepath.Base(module), ".tileirbc")
			if !all && !slices.Contains(sample, name) {
				continue
			}
			if tried++; !tier.Try(tried, 2) {
				continue
			}
			for i, gpu := range targets {
				if !tier.Try(i+len(name), 3) {
					continue
				}
				t.Run(name+"/"+gpu, func(t *testing.T) {
					t.Parallel()
					theirs, ok := asked(t, tileiras, module, gpu)
					ours := answered(t, module, gpu)
					mu.Lock()
					defer mu.Unlock()
					if !ok {
						refused[gpu]++
						return
					}
					for _, d := range Compare(name+" "+gpu, theirs, ours) {
						if counts[d.Kind] == nil {
							counts[d.Kind] = make(map[string]int)
						}
						counts[d.Kind][gpu]++
						worse[d.Kind] = d.Worse
						places[d.Kind] = append(places[d.Kind], d.At...)
					}
				})
			}
		}
	})
	var kinds []string
	for k := range counts {
		if kinds = append(kinds, k); worse[k] && explained[k] == "" {
			t.Errorf("%q is not explained: %s", k, strings.Join(places[k], "; "))
		}
	}
	slices.Sort(kinds)
	if !all {
		return
	}
	var table strings.Builder
	table.WriteString("| what | sm_80 | sm_90 | sm_100 | |\n|---|---|---|---|---|\n")
	for _, k := range kinds {
		fmt.Fprintf(&table, "| %s | %d | %d | %d | %s |\n", k, counts[k]["sm_80"], counts[k]["sm_90"], counts[k]["sm_100"], explained[k])
	}
	fmt.Fprintf(&table, "| modules that tileiras rejects for the target | %d | %d | %d | 8-bit elements on sm_80 and scales on sm_90 ([formats](#formats-that-an-architecture-has-no-instructions-for)) |\n", refused["sm_80"], refused["sm_90"], refused["sm_100"])
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(text), begin)
	old, tail, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no table of remarks", page)
	}
	switch {
	case old == table.String():
	case os.Getenv("TILEWRIGHT_UPDATE") != "":
		if err := os.WriteFile(page, []byte(head+begin+table.String()+end+tail), 0o600); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("the table of %s is out of date:\n%s", page, table.String())
	}
}

// asked returns the remarks of tileiras; false where it rejects the module for the target.
func asked(t *testing.T, tileiras, module, gpu string) ([]Remark, bool) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "r.yaml")
	cmd := exec.Command(tileiras, module, "-o", filepath.Join(t.TempDir(), "k.cubin"), "--gpu-name="+gpu, "-O3", "--remarks=all", "--remark-format=yaml", "--remarks-output-file="+file)
	if said, err := cmd.CombinedOutput(); err != nil {
		if strings.Contains(string(said), "Incompatibility with architecture") {
			return nil, false
		}
		t.Fatalf("tileiras: %v: %s", err, said)
	}
	return parsed(t, file), true
}

func answered(t *testing.T, module, gpu string) []Remark {
	t.Helper()
	file := filepath.Join(t.TempDir(), "r.yaml")
	var out, errs bytes.Buffer
	args := []string{module, "-o", filepath.Join(t.TempDir(), "k.ptx"), "--gpu-name=" + gpu, "--remarks=all", "--remark-format=yaml", "--remarks-output-file=" + file}
	if status := compiletool.Main(context.Background(), "tilec", args, nil, &out, &errs); status != 0 {
		t.Fatalf("tilec: %s", errs.String())
	}
	return parsed(t, file)
}

func parsed(t *testing.T, file string) []Remark {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	rs, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return rs
}
