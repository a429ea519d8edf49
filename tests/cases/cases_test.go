package cases

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/cmd/tile-run/runtool"
	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/internal/testing/tier"
)

// ways are those in which cases run: the tiles themselves, and the PTX for one architecture of each generation, with
// and without optimisation, and with an emulator that is as unfriendly as PTX allows. The synchronisation of all PTX is
// checked. Cases outside the slice run in the first few, up to one of each generation; in the short tier every other case
// runs in one of these.
var ways = []string{
	"--engine=interp",
	"--engine=ptx --gpu-name=sm_90 --adversarial --seed=1",
	"--engine=ptx --gpu-name=sm_80",
	"--engine=ptx --gpu-name=sm_90",
	"--engine=ptx --gpu-name=sm_100",
	"--engine=ptx --gpu-name=sm_120",
	"--engine=ptx --gpu-name=sm_90 -O0",
	"--engine=ptx --gpu-name=sm_90 --tensor-maps=none --adversarial --seed=2",
	"--engine=ptx --gpu-name=sm_90 --tensor-maps=device",
	"--engine=ptx --gpu-name=sm_100 --tensor-maps=device --warp-roles=always",
	"--engine=ptx --gpu-name=sm_120 --tensor-maps=params --copies=anything=true --adversarial --seed=3",
}

const waysOutsideSlice = 6

// caseFolders are the folders of the corpus cases, and in the long tier those of the cases of real kernels.
func caseFolders(t *testing.T) (dirs []string) {
	t.Helper()
	folder, names := corpus.Cases(t)
	for _, name := range names {
		dirs = append(dirs, filepath.Join(folder, name))
	}
	if tier.All() {
		more, err := filepath.Glob(filepath.Join(filepath.Dir(corpus.Dir(t)), "real", "cases", "*"))
		if err != nil || len(more) == 0 {
			t.Fatalf("there are no cases of real kernels beside the corpus: %v", err)
		}
		dirs = append(dirs, more...)
	}
	return dirs
}

// TestCases runs cases, compares the outputs with what is expected, and expects no report of synchronisation.
func TestCases(t *testing.T) {
	t.Parallel()
	for i, dir := range caseFolders(t) {
		if !tier.Try(i, 2) {
			continue
		}
		name := filepath.Base(dir)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ways := ways
			switch {
			case !tier.All():
				ways = ways[i/2%waysOutsideSlice:][:1]
			case !slices.Contains(corpus.Representative, name):
				ways = ways[:waysOutsideSlice]
			}
			for _, way := range ways {
				runCase(t, dir, name, way)
			}
		})
	}
}

func runCase(t *testing.T, dir, name, way string) {
	t.Helper()
	args := append(strings.Fields(way), dir)
	compiled := strings.Contains(way, "ptx")
	if compiled {
		args = append(args, "--sync-check")
	}
	var out, errs bytes.Buffer
	status := runtool.Main(context.Background(), args, strings.NewReader(""), &out, &errs)
	gap := gaps[name]
	switch {
	case gap != "" && compiled:
		if status != 1 || !strings.Contains(errs.String(), gap) {
			t.Errorf("%s: status %d, but the list of gaps says %s\n%s%s", way, status, gap, &out, &errs)
		}
	case status != 0 || !strings.Contains(out.String(), "]): ok") || compiled && !strings.Contains(out.String(), ": nothing found, for ") || strings.Contains(out.String(), "not checked"):
		t.Errorf("%s: status %d\n%s%s", way, status, &out, &errs)
	}
}
