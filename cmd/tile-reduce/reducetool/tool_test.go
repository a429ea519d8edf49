package reducetool_test

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/cmd/tile-reduce/reducetool"
	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/internal/testing/scratch"
	"github.com/tilewright/tilewright/pipeline/tileir"
)

func script(t *testing.T, text string) string {
	t.Helper()
	return scratch.Script(t, t.TempDir(), "test.sh", "#!/bin/sh\n"+text+"\n")
}

func call(stdin string, args ...string) (status int, out, errs string) {
	var o, e bytes.Buffer
	status = reducetool.Main(context.Background(), args, strings.NewReader(stdin), &o, &e)
	return status, o.String(), e.String()
}

// TestMatmul shrinks a real kernel to the operation that the script looks for.
func TestMatmul(t *testing.T) {
	t.Parallel()
	module := filepath.Join(corpus.Dir(t), "cases", "matmul_f16", "k.tileirbc")
	for _, want := range []string{"mmaf", "make_partition_view"} {
		status, out, errs := call("", "--test", script(t, `grep -q "$1" "$2"`), "--test-arg", want, "-q", module)
		if status != 0 {
			t.Fatalf("%s: status %d\n%s", want, status, errs)
		}
		if lines := strings.Count(out, "\n"); !strings.Contains(out, want) || lines > 15 {
			t.Errorf("%s: %d lines are left\n%s", want, lines, out)
		}
		if _, err := tileir.Read(tileir.NewContext(), "reduced", []byte(out)); err != nil {
			t.Errorf("%s: %v\n%s", want, err, out)
		}
	}
}

const kernel = `entry @k(%n: tile<i32>) {
  %a = iota : tile<8xi32>
  %b = addi %a, %a : tile<8xi32>
  if %c { }
  return
}
`

func TestErrors(t *testing.T) {
	t.Parallel()
	valid := strings.Replace(kernel, "  if %c { }\n", "", 1)
	for _, tt := range []struct {
		stdin, script string
		args          []string
		status        int
		errs          string
	}{
		{valid, "exit 1", nil, 1, "the input is not interesting"},
		{valid, "sleep 10", []string{"--timeout=20ms"}, 1, "the input is not interesting"},
		{kernel, "exit 0", nil, 1, ""},
		{valid, "exit 0", []string{"--max-tests=1"}, 0, "from 6 to 6 operations in 1 tests"},
		{valid, "exit 0", nil, 0, "tests\n"},
		{valid, "exit 0", []string{"--max-tests=-1"}, 2, "--max-tests must not be negative"},
		{valid, "exit 0", []string{"--timeout=0"}, 2, "--timeout must be positive"},
		{valid, "exit 0", []string{"--frobnicate"}, 2, "unknown flag"},
	} {
		status, out, errs := call(tt.stdin, append(tt.args, "--test", script(t, tt.script))...)
		if status != tt.status || !strings.Contains(errs, tt.errs) {
			t.Errorf("%s %v: status %d, want %d\n%s%s", tt.script, tt.args, status, tt.status, out, errs)
		}
	}
	if status, _, errs := call(valid); status != 2 || !strings.Contains(errs, "--test is missing") {
		t.Errorf("without --test: %d %s", status, errs)
	}
	if status, _, errs := call(valid, "--test", filepath.Join(t.TempDir(), "none")); status != 1 || !strings.Contains(errs, "no such file") {
		t.Errorf("without a program: %d %s", status, errs)
	}
}
