package passes

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/cmd/tile-opt/opttool"
	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/pipeline"
)

// TestFormerNames uses every name that a pass had before in each place that takes one: as a flag, in a pipeline, as a
// place (--disable-pass), in --print-after, and in a dump whose state says that it comes from after the pass.
func TestFormerNames(t *testing.T) {
	t.Parallel()
	reg := passes.Default
	former := make(map[string]*passes.Pass)
	for _, p := range reg.Passes() {
		for _, old := range p.Formerly {
			former[old] = p
			if it, err := pipeline.ParsePass(reg, old, ""); err != nil || it.Pass != p {
				t.Errorf("'%s' in a pipeline is not pass '%s': %v", old, p.Name, err)
			}
			if pl, err := pipeline.ParsePlace(reg, old); err != nil || pl.String() != p.Name {
				t.Errorf("'%s' as a place is '%s', not '%s': %v", old, pl, p.Name, err)
			}
			// The flag is read either way: a pass that needs more than an empty module is rejected by its present name.
			var said bytes.Buffer
			status := opttool.TileOpt().Main([]string{"--" + old, "--dump-pass-pipeline"}, strings.NewReader(""), new(bytes.Buffer), &said)
			if status != 0 && !strings.Contains(said.String(), "pass '"+p.Name+"' requires") {
				t.Errorf("tile-opt --%s ends with status %d: %s", old, status, &said)
			}
		}
	}
	if len(former) == 0 {
		return
	}
	var list bytes.Buffer
	opttool.TileOpt().Main([]string{"--list-passes"}, strings.NewReader(""), &list, new(bytes.Buffer))
	for old := range former {
		if slices.Contains(strings.Fields(list.String()), old) {
			t.Errorf("--list-passes lists '%s'", old)
		}
	}
	seen := formerInDumps(t, former, "sm_90")
	for name := range formerInDumps(t, former, "sm_100") {
		seen[name] = true
	}
	for old, p := range former {
		if p.Steps != nil && !seen[p.Name] {
			t.Errorf("no dump comes from after pass '%s', so '%s' was tried in none", p.Name, old)
		}
	}
}

// formerInDumps goes on from dumps that have a former name for the pass that they come from. It returns the names of
// the passes that there were dumps of.
func formerInDumps(t *testing.T, former map[string]*passes.Pass, gpu string) map[string]bool {
	t.Helper()
	folder, _ := corpus.Cases(t)
	args := []string{"--lower-to=ptx", "--print-module-scope", "--gpu-name=" + gpu, filepath.Join(folder, "matmul_bf16", "k.tileirbc")}
	for old := range former {
		args = append(args, "--print-after="+old)
	}
	var want, dumps bytes.Buffer
	if opttool.TileOpt().Main(args, strings.NewReader(""), &want, &dumps) != 0 {
		t.Fatal(dumps.String())
	}
	seen := make(map[string]bool)
	for _, d := range splitDumps(t, dumps.Bytes()) {
		seen[d.pass] = true
		for _, old := range passes.Default.Lookup(d.pass).Formerly {
			text := strings.ReplaceAll(d.text, `after = "`+d.pass, `after = "`+old)
			if text == d.text {
				t.Errorf("%s: the dump after %s does not name the pass in its state", gpu, d.pass)
			}
			var got, errs bytes.Buffer
			if status := opttool.TileOpt().Main([]string{"--lower-to=ptx"}, strings.NewReader(text), &got, &errs); status != 0 || !bytes.Equal(got.Bytes(), want.Bytes()) {
				t.Errorf("%s: the dump after '%s', as it was called, ends with status %d: %s", gpu, old, status, firstLines(errs.String(), 3))
			}
		}
	}
	return seen
}
