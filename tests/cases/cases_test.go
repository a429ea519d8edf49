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
// and without optimisation, and with an emulator that is as unfriendly as PTX allows, which shows missing barriers
// and waits. Cases outside the slice run in the first few.
var ways = []string{
	"--engine=interp",
	"--engine=ptx --gpu-name=sm_90 --adversarial --seed=1",
	"--engine=ptx --gpu-name=sm_80",
	"--engine=ptx --gpu-name=sm_90",
	"--engine=ptx --gpu-name=sm_90 -O0",
	"--engine=ptx --gpu-name=sm_90 --tensor-maps=none --adversarial --seed=2",
	"--engine=ptx --gpu-name=sm_90 --tensor-maps=device",
	"--engine=ptx --gpu-name=sm_100",
	"--engine=ptx --gpu-name=sm_120",
	"--engine=ptx --gpu-name=sm_120 --tensor-maps=params --copies=anything=true --adversarial --seed=3",
}

const waysOutsideSlice = 3

// TestCases runs the corpus cases and compares the outputs with what is expected.
func TestCases(t *testing.T) {
	t.Parallel()
	folder, names := corpus.Cases(t)
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ways := ways
			if !tier.All() || !slices.Contains(corpus.Representative, name) {
				ways = ways[:waysOutsideSlice]
			}
			for _, way := range ways {
				runCase(t, filepath.Join(folder, name), name, way)
			}
		})
	}
}

func runCase(t *testing.T, dir, name, way string) {
	t.Helper()
	args := append(strings.Fields(way), dir)
	var out, errs bytes.Buffer
	status := runtool.Main(context.Background(), args, strings.NewReader(""), &out, &errs)
	gap := gaps[name]
	switch {
	case gap != "" && strings.Contains(way, "ptx"):
		if status != 1 || !strings.Contains(errs.String(), gap) {
			t.Errorf("%s: status %d, but the list of gaps says %s\n%s%s", way, status, gap, &out, &errs)
		}
	case status != 0 || !strings.Contains(out.String(), "]): ok"):
		t.Errorf("%s: status %d\n%s%s", way, status, &out, &errs)
	}
}
