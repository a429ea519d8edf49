package bytecode_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/bytecode"
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/cudatile/ops"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
)

func read(t testing.TB, data []byte) ir.Op {
	t.Helper()
	op, err := bytecode.Read(ir.NewContext(ops.Dialect), data)
	if err != nil {
		t.Fatal(err)
	}
	return op
}

func encode(t testing.TB, op ir.Op, v ir.Version) []byte {
	t.Helper()
	data, err := bytecode.Encode(op, bytecode.Options{Version: v})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestCorpusRoundTrip writes every file again, in its own version and in all newer ones, and reads the result: the
// text must be the same, and what is written from it must be the same bytes.
func TestCorpusRoundTrip(t *testing.T) {
	t.Parallel()
	for _, file := range corpusFiles(t) {
		name := strings.TrimSuffix(filepath.Join(filepath.Base(filepath.Dir(file)), filepath.Base(file)), ".tileirbc")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			layout, err := bytecode.ReadLayout(ir.NewContext(ops.Dialect), data)
			if err != nil {
				t.Fatal(err)
			}
			op := read(t, data)
			want := listing(t, op, true)
			for _, v := range cudatile.Versions {
				if v.Less(layout.Version) {
					continue
				}
				written := encode(t, op, v)
				again := read(t, written)
				if got := listing(t, again, true); got != want {
					t.Errorf("version %v: got\n%s\nwant\n%s", v, got, want)
				}
				if twice := encode(t, again, v); !bytes.Equal(twice, written) {
					t.Errorf("version %v: the bytes of a copy differ", v)
				}
			}
		})
	}
}

// TestTextToBytecode parses the listings of the corpus and compares the text of what was written.
func TestTextToBytecode(t *testing.T) {
	t.Parallel()
	for _, file := range corpusFiles(t) {
		file = strings.TrimSuffix(file, ".tileirbc") + ".mlir"
		t.Run(filepath.Join(filepath.Base(filepath.Dir(file)), filepath.Base(file)), func(t *testing.T) {
			t.Parallel()
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			op := parse(t, string(want))
			compareListing(t, file, listing(t, read(t, encode(t, op, bytecode.Newest())), false))
		})
	}
}

// parse reads the text of a listing, or of a module.
func parse(t testing.TB, text string) ir.Op {
	t.Helper()
	c := ir.NewContext(ops.Dialect)
	op, err := asm.Parse(c, "test.mlir", []byte(text), asm.ParseOptions{
		ImplicitModule: cudatile.Module,
		ImplicitAttrs:  []ir.NamedAttr{{Name: ir.SymName, Value: c.String(bytecode.ModuleName)}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return op
}
