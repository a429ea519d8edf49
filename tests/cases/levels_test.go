package cases

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/cmd/tile-opt/opttool"
	"github.com/tilewright/tilewright/cmd/tile-run/runtool"
	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/internal/testing/kerneltest"
	"github.com/tilewright/tilewright/internal/testing/tier"
)

// unsupportedAt names, for each level that the interpreter runs behind cuda_tile, the cases with an operation that it
// does not execute there, and that operation.
var unsupportedAt = map[string]map[string]string{
	"tileaa": {},
	"tileas": {},
}

// TestCasesAtLevels lowers the corpus cases to each level between cuda_tile and PTX and executes them there.
func TestCasesAtLevels(t *testing.T) {
	t.Parallel()
	folder, names := corpus.Cases(t)
	for level, unsupported := range unsupportedAt {
		for i, name := range names {
			if !tier.Try(i, 8) {
				continue
			}
			t.Run(level+"/"+name, func(t *testing.T) {
				t.Parallel()
				opts := []string{"-O3", "-O0"}
				if !tier.All() || !slices.Contains(corpus.Representative, name) {
					opts = opts[:1]
				}
				for _, opt := range opts {
					var out, errs bytes.Buffer
					status := runtool.Main(context.Background(), []string{"--level=" + level, opt, "--races", filepath.Join(folder, name)},
						strings.NewReader(""), &out, &errs)
					if op := unsupported[name]; op != "" {
						if status != 1 || !strings.Contains(errs.String(), "'"+op+"' op cannot be interpreted") {
							t.Errorf("%s: status %d, but '%s' is listed as not supported\n%s%s", opt, status, op, &out, &errs)
						}
						continue
					}
					if status != 0 || !strings.Contains(out.String(), "]): ok") {
						t.Errorf("%s: status %d\n%s%s", opt, status, &out, &errs)
					}
				}
			})
		}
	}
}

// TestVerifyEachExec executes cases after every pass of the default pipeline: none changes the outcome.
func TestVerifyEachExec(t *testing.T) {
	t.Parallel()
	folder, _ := corpus.Cases(t)
	for i, name := range corpus.Representative {
		if !tier.Try(i, 8) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(folder, name)
			var out, errs bytes.Buffer
			status := opttool.TileOpt().Main([]string{"--lower-to=ptx", "--gpu-name=sm_90", "--verify-each=exec", "--exec-case=" + dir,
				filepath.Join(dir, "k.tileirbc")}, strings.NewReader(""), &out, &errs)
			if status != 0 || slices.ContainsFunc(strings.Split(strings.TrimSpace(errs.String()), "\n"), func(line string) bool { return line != "" && !kerneltest.IgnoredHint(line) }) {
				t.Errorf("status %d\n%s", status, &errs)
			}
		})
	}
}
