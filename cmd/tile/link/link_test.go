package link

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/pipeline/tileir"
)

const kernel = `cuda_tile.module @m { entry @k(%x: tile<ptr<f32>>) { return } }`

// TestLink joins modules whose kernels have one name, and checks that what cannot be joined leaves no file.
func TestLink(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	a, b := put("a.mlir", kernel), put("b.mlir", strings.Replace(kernel, "return", "%t = make_token : token\n return", 1))
	global := `cuda_tile.module @m { global @g <i32: [1]> : tile<1xi32> }`
	g := put("g.mlir", global)
	for _, tt := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{a, b, a}, 0, ""},
		{[]string{}, 2, "1 to 4096 modules are expected"},
		{[]string{a, filepath.Join(dir, "none")}, 1, "cannot read"},
		{[]string{a, put("bad.mlir", "entry")}, 1, "cannot be joined"},
		{[]string{g, g}, 1, "two modules have a global 'g'"},
	} {
		out := filepath.Join(dir, "out.tileirbc")
		_ = os.Remove(out)
		var stdout, stderr bytes.Buffer
		status := Main(t.Context(), append([]string{"-o", out}, tt.args...), nil, &stdout, &stderr)
		if status != tt.status || !strings.Contains(stderr.String(), tt.want) {
			t.Fatalf("%v: status %d: %s", tt.args, status, &stderr)
		}
		data, err := os.ReadFile(out)
		if (err == nil) != (status == 0) {
			t.Fatalf("%v: output: %v", tt.args, err)
		}
		if status != 0 {
			continue
		}
		module, err := tileir.Read(tileir.NewContext(), "out", data)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		inner, _ := kernels(module)
		for op := range inner.Body().Ops() {
			names = append(names, op.SymbolName())
		}
		if got := strings.Join(names, " "); got != "k k_2 k_3" {
			t.Errorf("kernels %q", got)
		}
	}
}
