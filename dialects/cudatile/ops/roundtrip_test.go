package ops_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/cudatile/ops"
	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
)

// parse reads the text of a listing, whose operations stand at the top without a module around them.
func parse(t testing.TB, name, text string) ir.Op {
	t.Helper()
	c := ir.NewContext(ops.Dialect)
	op, err := asm.Parse(c, name, []byte(text), asm.ParseOptions{
		ImplicitModule: cudatile.Module,
		ImplicitAttrs:  []ir.NamedAttr{{Name: ir.SymName, Value: c.String("kernels")}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return op
}

func print(t testing.TB, op ir.Op, debug bool) string {
	t.Helper()
	var out bytes.Buffer
	if err := asm.Print(&out, op, asm.PrintOptions{ImplicitModule: true, DebugInfo: debug}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// relocate moves the terminators that the text leaves out to where their operation is: their own location is that of
// the listing.
func relocate(op ir.Op) {
	op.Walk(func(op ir.Op) ir.WalkResult {
		if op.HasTrait(ir.Terminator) && op.NumOperands() == 0 {
			if f, ok := op.Loc().(*ir.FileLoc); ok && !strings.HasPrefix(f.File, "/") {
				op.SetLoc(op.ParentOp().Loc())
			}
		}
		return ir.Advance
	})
}

// TestListingsRoundTrip parses what the reference disassembler printed, verifies it, and prints it again: with names
// of the printer's own choice every byte must be the same.
func TestListingsRoundTrip(t *testing.T) {
	t.Parallel()
	modules, err := filepath.Glob(filepath.Join(corpus.Dir(t), "bytecode", "*.mlir"))
	if err != nil || len(modules) == 0 {
		t.Fatalf("no listings: %v", err)
	}
	cases, err := filepath.Glob(filepath.Join(corpus.Dir(t), "cases", "*", "k.mlir"))
	if err != nil || len(cases) == 0 {
		t.Fatalf("no listings of cases: %v", err)
	}
	for _, file := range append(modules, cases...) {
		name := strings.TrimSuffix(filepath.Base(file), ".mlir")
		if name == "k" {
			name = filepath.Base(filepath.Dir(file))
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			op := parse(t, name, string(want))
			if err := ir.Verify(op); err != nil {
				t.Error(err)
			}
			ir.DropNames(op)
			relocate(op)
			diffLines(t, print(t, op, strings.HasSuffix(name, ".g")), string(want))
		})
	}
}

// diffLines reports the first line that differs.
func diffLines(t *testing.T, got, want string) {
	t.Helper()
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(g), len(w)) {
		var a, b string
		if i < len(g) {
			a = g[i]
		}
		if i < len(w) {
			b = w[i]
		}
		if a != b {
			t.Errorf("line %d:\n got %q\nwant %q", i+1, a, b)
			return
		}
	}
}
