package opttool_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/cmd/tile-opt/opttool"
	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/internal/testing/scratch"
	"github.com/tilewright/tilewright/target/ptxas"
)

// TestCosts holds bounds that are too low, and spills as an assembler tells them, against a kernel with a loop.
func TestCosts(t *testing.T) { // not parallel: it sets the assembler for the process
	text, err := os.ReadFile(filepath.Join(corpus.Root(), "tests", "suite", "tools", "costs.mlir"))
	if err != nil {
		t.Fatal(err)
	}
	const script = `#!/bin/sh
while [ $# -gt 0 ]; do if [ "$1" = -o ]; then echo cubin > $2; fi; shift; done
echo "ptxas info    : Compiling entry function 'matmul_f16' for 'sm_80'"
echo "ptxas info    : Function properties for matmul_f16"
echo "    0 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads"
`
	fake := scratch.Script(t, t.TempDir(), "ptxas", script)
	t.Setenv(ptxas.EnvVar, fake)
	for _, tt := range []struct{ from, to, level, want string }{
		{"{{<= 40960}}", "{{= 40959}}", "ptx", "error: expected shared = 40959, but it is "},
		{"{{<= 240}}", "{{<= 1}}", "ptx", "error: expected ii <= 1, but it is "},
		{"{{<= 240}}", "{{<= 1}}", "tileas", "error: expected ii <= 1, but it is "},
		{"expected-ii@below", "expected-ii@-1", "ptx", "error: there is no ii at line "},
		{"expected-shared@below {{<= 40960}}", "expected-spills@below {{20}}", "ptx", ""},
		{"expected-shared@below {{<= 40960}}", "expected-spills@below {{0}}", "ptx", "error: expected spills = 0, but it is 20"},
		{"expected-shared@below {{<= 40960}}", "expected-spills@below {{0}}", "nvvm", "expected-spills is for --lower-to=ptx"},
		{"{{<= 240}}", "{{little}}", "ptx", "error: expected a number, or '<= N' or '>= N', but got 'little'"},
	} {
		input := strings.Replace(string(text), tt.from, tt.to, 1)
		if input == string(text) {
			t.Fatalf("the suite has no %s", tt.from)
		}
		var out, errs bytes.Buffer
		status := opttool.TileOpt().Main([]string{"--lower-to=" + tt.level, "--gpu-name=sm_80", "--verify-diagnostics=only-expected", "-"}, strings.NewReader(input), &out, &errs)
		if (status == 0) != (tt.want == "") || !strings.Contains(errs.String(), tt.want) {
			t.Errorf("%s at %s: status %d, want %q\n%s", tt.to, tt.level, status, tt.want, &errs)
		}
	}
}
