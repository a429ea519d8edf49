package tests

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/corpus"
	"github.com/tilewright/tilewright/pipeline/runtool"
)

// ways are those in which every case of the slice runs: the tiles themselves, and the PTX for one architecture of each generation; once with an
// emulator that is as unfriendly as PTX allows, which shows missing barriers and waits.
var ways = []string{
	"--engine=interp",
	"--engine=ptx --gpu-name=sm_80",
	"--engine=ptx --gpu-name=sm_90",
	"--engine=ptx --gpu-name=sm_90 --adversarial=1",
	"--engine=ptx --gpu-name=sm_90 -O0",
	"--engine=ptx --gpu-name=sm_100",
	"--engine=ptx --gpu-name=sm_120",
}

// TestCases runs the cases of the slice in every way and compares the outputs with what is expected.
func TestCases(t *testing.T) {
	t.Parallel()
	cases := filepath.Join(corpus.Dir(t), "cases")
	for _, name := range slice {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, way := range ways {
				args := append(strings.Fields(way), filepath.Join(cases, name))
				var out, errs bytes.Buffer
				status := runtool.Main(context.Background(), args, strings.NewReader(""), &out, &errs)
				if status != 0 || !strings.Contains(out.String(), "]): ok") {
					t.Errorf("%s: status %d\n%s%s", way, status, &out, &errs)
				}
			}
		})
	}
}
