package passes

import (
	"bytes"
	"flag"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/tilewright/tilewright/cmd/tile-opt/opttool"
	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/internal/testing/kerneltest"
	"github.com/tilewright/tilewright/internal/testing/tier"
)

var (
	continueEvery = flag.Int("dumps", 1, "of the dumps of a module, continue every N-th")
	continueOne   = flag.Bool("one-way", false, "continue the dumps of each module for one target and level, in turn; else for several, where all modules are asked for")
)

// continueWays are the targets and levels of optimisation whose dumps are continued.
var continueWays = [][]string{
	{"--gpu-name=sm_90", "-O3"}, {"--gpu-name=sm_80", "-O0"}, {"--gpu-name=sm_100", "-O3", "--tensor-maps=device"}, {"--gpu-name=sm_120", "-O1"}, {"--gpu-name=sm_90", "-O2", "--tensor-maps=none"},
}

// TestContinuedDumpsGiveSamePTX prints the IR after each pass and gives each dump to tile-opt again, with nothing but the goal:
// the PTX must be that of the straight run, byte for byte, whatever flags that run had. A dump of one kernel, as it
// is printed by default, must do as well as one of the module, where the kernel is all that there is.
func TestContinuedDumpsGiveSamePTX(t *testing.T) {
	t.Parallel()
	folder, _ := corpus.Cases(t)
	ways := continueWays
	var modules []string
	if tier.Exhaustive() {
		for _, m := range corpus.Modules(t) {
			modules = append(modules, m.Path)
		}
		ways = ways[:3]
	} else {
		for _, name := range corpus.Representative {
			modules = append(modules, filepath.Join(folder, name, "k.tileirbc"))
		}
	}
	var dumps, refused atomic.Int64
	for _, roles := range []string{"always", "none"} { // options of passes, which a dump must carry
		t.Run("roles/"+roles, func(t *testing.T) {
			t.Parallel()
			n, _ := continueEach(t, filepath.Join(folder, "matmul_bf16", "k.tileirbc"), 0, []string{"--gpu-name=sm_90", "-O3", "--warp-roles=" + roles})
			dumps.Add(int64(n))
		})
	}
	t.Cleanup(func() {
		t.Logf("%d modules, %d dumps continued, %d inputs that are not lowered", len(modules), dumps.Load(), refused.Load())
	})
	for i, module := range modules {
		t.Run(filepath.Base(filepath.Dir(module))+"/"+filepath.Base(module), func(t *testing.T) {
			t.Parallel()
			tried := ways
			if !tier.Exhaustive() || *continueOne {
				tried = [][]string{ways[i%len(ways)]}
			}
			for _, way := range tried {
				n, ok := continueEach(t, module, i, way)
				dumps.Add(int64(n))
				if !ok {
					refused.Add(1)
				}
			}
		})
	}
}

// continueEach continues the dumps of a module's way to PTX, and returns how many; ok is false if there is no way. Where
// not all are, first says which.
func continueEach(t *testing.T, module string, first int, way []string) (n int, ok bool) {
	t.Helper()
	var want, dumps, kernels bytes.Buffer
	if opttool.TileOpt().Main(append([]string{"--lower-to=ptx", "--print-after-all", "--print-module-scope", module}, way...), strings.NewReader(""), &want, &dumps) != 0 {
		return 0, false
	}
	all := splitDumps(t, dumps.Bytes())
	if bytes.Count(want.Bytes(), []byte(".entry ")) == 1 && !bytes.Contains(want.Bytes(), []byte(".global .align")) {
		opttool.TileOpt().Main(append([]string{"--lower-to=ptx", "--print-after-all", module}, way...), strings.NewReader(""), new(bytes.Buffer), &kernels)
		all = append(all, splitDumps(t, kernels.Bytes())...)
	}
	for i, d := range all {
		if (i+first)%*continueEvery != 0 || !tier.Try(i+first, 16) {
			continue
		}
		n++
		var got, errs bytes.Buffer
		if status := opttool.TileOpt().Main([]string{"--lower-to=ptx"}, strings.NewReader(d.text), &got, &errs); status != 0 {
			t.Errorf("%v: the dump after %s ends with status %d:\n%s", way, d.pass, status, firstLines(errs.String(), 5))
		} else if !bytes.Equal(got.Bytes(), want.Bytes()) {
			t.Errorf("%v: the dump after %s ends in other PTX: %s", way, d.pass, kerneltest.FirstDifference(want.String(), got.String()))
		}
	}
	return n, true
}

// A dump is the IR as it was printed after a pass.
type dump struct{ pass, text string }

var dumpBanner = regexp.MustCompile(`(?m)^// -----// IR Dump After \S+ \((\S+)\).*//----- //$`)

// splitDumps cuts a series of dumps; without the warnings and remarks in between, which begin on lines of their own.
func splitDumps(t *testing.T, text []byte) (out []dump) {
	t.Helper()
	at := dumpBanner.FindAllSubmatchIndex(text, -1)
	for i, m := range at {
		end := len(text)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		body := string(text[m[1]:end])
		if cut := strings.Index(body, "\n\n"); cut >= 0 { // a dump ends in an empty line, and has none inside
			body = body[:cut+1]
		}
		out = append(out, dump{string(text[m[2]:m[3]]), body})
	}
	if len(out) == 0 {
		t.Errorf("there are no dumps in\n%s", firstLines(string(text), 5))
	}
	return out
}

func firstLines(s string, n int) string {
	lines := strings.SplitN(s, "\n", n+1)
	return strings.Join(lines[:min(n, len(lines))], "\n")
}
