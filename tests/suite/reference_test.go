package suite

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tilewright/tilewright/cmd/tile-opt/opttool"
	"github.com/tilewright/tilewright/cmd/tile-translate/translatetool"
	"github.com/tilewright/tilewright/internal/testing/cudatiletesting"
	_ "github.com/tilewright/tilewright/internal/testing/testpasses/updatesymbolname" // test-debuginfo-update-symbol-name
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/tests/lit"
)

// referenceVar names the folder of the reference's own tests.
const referenceVar = "TILEWRIGHT_CUDA_TILE_TESTS"

// TestReference runs the tests of NVIDIA/cuda-tile against the tools of this project, which stand in for the
// reference's. The files are not part of the repository.
func TestReference(t *testing.T) {
	t.Parallel()
	dir := os.Getenv(referenceVar)
	if dir == "" {
		t.Skipf("set %s to the folder 'test' of a checkout of github.com/NVIDIA/cuda-tile to run the reference's own tests", referenceVar)
	}
	r := &referenceReport{}
	tools := referenceTools()
	for name, tool := range tools {
		tools[name] = r.counted(tool)
	}
	s := lit.Suite{
		Root:          dir,
		Package:       "./tests/suite",
		Tools:         tools,
		Substitutions: map[string]string{"round_trip_test": "round_trip_test"},
		Done:          func(res lit.Result) { r.add(t, dir, res) },
	}
	t.Cleanup(func() { r.log(t) })
	s.Run(t)
}

func referenceTools() map[string]lit.Tool {
	extensions := []*ir.Extension{cudatiletesting.Extension}
	optTool := opttool.TileOpt()
	optTool.Extensions = extensions
	translate := (&translatetool.Tool{Extensions: extensions}).Main
	opt := func(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
		// The reference forgets the names that the text gives to values.
		return optTool.Main(append([]string{"--discard-value-names"}, args...), stdin, stdout, stderr)
	}
	return map[string]lit.Tool{
		"cuda-tile-opt": func(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
			return opt(foldingLess(args), stdin, stdout, stderr)
		},
		"cuda-tile-translate": translate,
		"round_trip_test": func(args []string, _ io.Reader, stdout, stderr io.Writer) int {
			return roundTrip(opt, translate, args, stdout, stderr)
		},
	}
}

// foldingLess keeps canonicalize from folding arithmetic, of which the reference folds nothing: its tests look for
// operations on constants.
func foldingLess(args []string) []string {
	args = slices.Clone(args)
	for i, arg := range args {
		if strings.TrimLeft(arg, "-") == "canonicalize" {
			args[i] = "--canonicalize=disable-folds=cuda_tile.addf,cuda_tile.addi,cuda_tile.mulf"
		}
	}
	return args
}

// roundTrip does what the reference's round_trip_test does: FILE TEMP [FLAGS] writes bytecode and reads it back, and
// compares the text with what opt makes of the file.
func roundTrip(opt, translate lit.Tool, args []string, stdout, stderr io.Writer) int {
	file, temp, flags := args[0], args[1], args[2:]
	code, again, want := temp+".out.tilebc", temp+".roundtrip.mlir", temp+".ref.mlir"
	for _, step := range []struct {
		tool lit.Tool
		args []string
	}{
		{translate, []string{"-mlir-to-cudatilebc", "-no-implicit-module", file, "-o", code}},
		{translate, append([]string{"-cudatilebc-to-mlir", code, "-o", again}, flags...)},
		{opt, append([]string{file, "-no-implicit-module", "-o", want}, flags...)},
	} {
		if status := step.tool(step.args, strings.NewReader(""), stdout, stderr); status != 0 {
			return status
		}
	}
	return lit.Diff([]string{want, again, "-B"}, stdout, stderr)
}

// A referenceReport sums up what the tests say.
type referenceReport struct {
	mu             sync.Mutex
	files, runs    int
	failed         []string
	expected, lost int // diagnostics
}

var (
	referenceExpected = regexp.MustCompile(`expected-(error|warning|remark|note)(-re)? *(@[^ {]*)? *\{\{.*\}\}`)
	referenceLost     = regexp.MustCompile(`(?m)error: expected (error|warning|remark|note) .* was not produced`)
)

// counted counts the diagnostics that a tool misses.
func (r *referenceReport) counted(tool lit.Tool) lit.Tool {
	return func(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
		var errs bytes.Buffer
		status := tool(args, stdin, stdout, io.MultiWriter(stderr, &errs))
		r.mu.Lock()
		defer r.mu.Unlock()
		r.lost += len(referenceLost.FindAll(errs.Bytes(), -1))
		return status
	}
}

func (r *referenceReport) add(t *testing.T, dir string, res lit.Result) {
	text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(res.Name)))
	if err != nil {
		t.Error(err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.files++
	r.runs += res.Runs
	if bytes.Contains(text, []byte("-verify-diagnostics")) {
		r.expected += len(referenceExpected.FindAll(text, -1))
	}
	if res.Err != nil {
		r.failed = append(r.failed, res.Name)
	}
}

func (r *referenceReport) log(t *testing.T) {
	r.mu.Lock()
	defer r.mu.Unlock()
	slices.Sort(r.failed)
	t.Logf("%d of %d files passed (%d RUN lines); %d of %d expected diagnostics came", r.files-len(r.failed), r.files, r.runs,
		r.expected-r.lost, r.expected)
	for _, name := range r.failed {
		t.Logf("failed: %s", name)
	}
}
