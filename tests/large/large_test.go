package large_test

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/tilewright/tilewright/cmd/tile-opt/opttool"
	"github.com/tilewright/tilewright/cmd/tile-translate/translatetool"
	_ "github.com/tilewright/tilewright/passes/all"
	"github.com/tilewright/tilewright/tests/large"
)

// What the tools write does not depend on the number of processors.
func TestOutputsAreDeterministic(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	dir := t.TempDir()
	text, packed := filepath.Join(dir, "large.mlir"), filepath.Join(dir, "large.bc")
	if err := os.WriteFile(text, large.Text(6), 0o600); err != nil {
		t.Fatal(err)
	}
	opt := func(args []string, stdout, stderr *bytes.Buffer) int {
		return opttool.TileOpt().Main(args, nil, stdout, stderr)
	}
	translate := func(args []string, stdout, stderr *bytes.Buffer) int {
		return translatetool.Main(args, nil, stdout, stderr)
	}
	for _, tc := range []struct {
		name string
		main func(args []string, stdout, stderr *bytes.Buffer) int
		args []string
	}{
		{"write", translate, []string{"--mlir-to-cudatilebc", text}},
		{"disassemble", translate, []string{"--disassemble", packed}},
		{"print", translate, []string{"--cudatilebc-to-mlir", packed}},
		{"generic", opt, []string{"--mlir-print-op-generic", text}},
		{"locations", opt, []string{"--mlir-print-debuginfo", text}},
		{"canonicalize", opt, []string{"--canonicalize", text}},
		{"cse", opt, []string{"--cse", text}},
		{"lowered", opt, []string{"--convert-cuda-tile-to-tileaa", "--canonicalize", text}},
	} {
		var want []byte
		for _, procs := range []int{1, 2, 7} {
			runtime.GOMAXPROCS(procs)
			var stdout, stderr bytes.Buffer
			if status := tc.main(tc.args, &stdout, &stderr); status != 0 || stdout.Len() == 0 {
				t.Fatalf("%s: status %d, %d bytes\n%s", tc.name, status, stdout.Len(), &stderr)
			}
			switch {
			case want == nil:
				want = stdout.Bytes()
			case !bytes.Equal(want, stdout.Bytes()):
				t.Errorf("%s: the output is another one with %d processors", tc.name, procs)
			}
		}
		if tc.name == "write" {
			if err := os.WriteFile(packed, want, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}
