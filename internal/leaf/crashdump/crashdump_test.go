package crashdump_test

import (
	"archive/zip"
	"bytes"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/leaf/crashdump"
)

// dump makes a zip file of names and contents.
func dump(t testing.TB, files ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		f, err := w.Create(files[i])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte(files[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestModule(t *testing.T) {
	t.Parallel()
	name, module, err := crashdump.Module(dump(t, "debug_info.txt", "error:", "k.bytecode", "the module", "k.0.cutileir", "ir"), 1<<20)
	if err != nil || name != "k.bytecode" || string(module) != "the module" {
		t.Errorf("got %q %q, %v", name, module, err)
	}
	whole := dump(t, "k.bytecode", strings.Repeat("module ", 100))
	damaged := bytes.Clone(whole)
	damaged[45] ^= 0xff // in the compressed data
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"none", dump(t, "a.txt", "x"), "none of its 1 files is called NAME.bytecode"},
		{"two", dump(t, "a.bytecode", "x", "b.bytecode", "y"), "two modules, 'a.bytecode' and 'b.bytecode'"},
		{"bomb", dump(t, "a.bytecode", strings.Repeat("\x00", 16<<20)), "is larger than"},
		{"cut", whole[:len(whole)/2], "no crash dump"},
		{"damaged", damaged, "'k.bytecode' of the crash dump"},
		{"empty", nil, "no crash dump"},
	} {
		if _, _, err := crashdump.Module(c.data, 1<<28); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error is %v, want one with %q", c.name, err, c.want)
		}
	}
}

func FuzzModule(f *testing.F) {
	f.Add(dump(f, "debug_info.txt", "error:", "k.bytecode", "the module"))
	f.Add([]byte("PK\x03\x04"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, module, err := crashdump.Module(data, 1<<28); err == nil && len(module) > 1<<20+64*len(data) {
			t.Errorf("%d bytes became %d", len(data), len(module))
		}
	})
}
