package language

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/bytecode"
	"github.com/tilewright/tilewright/dialects/builtin"
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/cudatile/ops"
	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/internal/tooling/reference"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/pipeline/tileir"
)

// TestExamples holds the example of each operation to its row: it has the operation, is valid, and comes back from
// text of both forms and, in cuda_tile, from bytecode of the first version that has the operation and of the newest.
func TestExamples(t *testing.T) {
	t.Parallel()
	known := make(map[string]bool)
	for _, d := range tileir.Dialects() {
		for _, def := range d.Ops() {
			file := reference.ExampleFile(def)
			known[file] = true
			t.Run(def.FullName(), func(t *testing.T) {
				t.Parallel()
				text, err := os.ReadFile(filepath.Join(corpus.Root(), filepath.FromSlash(file)))
				if err != nil {
					t.Fatalf("no example: %v", err)
				}
				checkExample(t, def, file, text)
			})
		}
	}
	files, err := filepath.Glob("../suite/reference/*/*.mlir")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if name := strings.Replace(filepath.ToSlash(file), "..", "tests", 1); !known[name] {
			t.Errorf("%s is the example of no operation", name)
		}
	}
}

func checkExample(t *testing.T, def *ir.OpDef, file string, text []byte) {
	op := readText(t, file, text)
	if def == cudatile.OldPow {
		if !bytes.Contains(text, []byte("= pow ")) || !contains(op, cudatile.Pow) {
			t.Error("the example does not spell the old name, or it is not read as the new one")
		}
		def = cudatile.Pow
	}
	if !contains(op, def) {
		t.Error("the example does not have the operation")
	}
	want := textOf(t, op, asm.PrintOptions{})
	for _, opts := range []asm.PrintOptions{{}, {Generic: true}, {LocalScope: true}} {
		again := readText(t, file, []byte(textOf(t, op, opts)))
		if got := textOf(t, again, asm.PrintOptions{}); got != want {
			t.Errorf("with options %+v the text comes back as\n%s\nwant\n%s", opts, got, want)
		}
	}
	if def.Dialect == ops.Dialect && def.Since != cudatile.Preview {
		first := def.Since
		if first.IsZero() {
			first = cudatile.V13_1 // it has no record of its own
		}
		for _, version := range []ir.Version{first, bytecode.Newest()} {
			checkBytecode(t, op, def, version)
		}
	}
}

// checkBytecode writes the cuda_tile.module in a module and reads it back.
func checkBytecode(t *testing.T, module ir.Op, def *ir.OpDef, version ir.Version) {
	t.Helper()
	var kernels ir.Op
	for inner := range module.Body().Ops() {
		if inner.Is(cudatile.Module) {
			kernels = inner
		}
	}
	data, err := bytecode.Encode(kernels, bytecode.Options{Version: version})
	if err != nil {
		t.Errorf("version %v: %v", version, err)
		return
	}
	again, err := bytecode.Read(tileir.NewContext(), data)
	if err != nil {
		t.Errorf("version %v: %v", version, err)
		return
	}
	if err := ir.Verify(again); err != nil {
		t.Errorf("version %v: %v", version, err)
	}
	if !contains(again, def) {
		t.Errorf("version %v: the operation does not come back", version)
	}
	// Bytecode has no names of values.
	if got, want := textOf(t, unnamed(again), asm.PrintOptions{}), textOf(t, unnamed(kernels), asm.PrintOptions{}); got != want {
		t.Errorf("version %v comes back as\n%s\nwant\n%s", version, got, want)
	}
	if rewritten, err := bytecode.Encode(again, bytecode.Options{Version: version}); err != nil || !bytes.Equal(rewritten, data) {
		t.Errorf("version %v is written as other bytes the second time (%v)", version, err)
	}
}

func readText(t *testing.T, name string, text []byte) ir.Op {
	t.Helper()
	op, err := tileir.Read(tileir.NewContext(), name, text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return op
}

func textOf(t *testing.T, op ir.Op, opts asm.PrintOptions) string {
	t.Helper()
	var out bytes.Buffer
	if err := asm.Print(&out, op, opts); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func contains(op ir.Op, def *ir.OpDef) bool {
	found := false
	op.Walk(func(op ir.Op) ir.WalkResult {
		found = found || op.Def() == def
		return ir.Advance
	})
	return found
}

// unnamed returns a copy in which the printer chooses the names of values.
func unnamed(op ir.Op) ir.Op {
	m := ir.BuilderAtEnd(builtin.NewModule(op.Context(), nil).Body()).Clone(op, ir.NewMapping())
	m.Walk(func(op ir.Op) ir.WalkResult {
		for _, v := range op.Results() {
			v.SetName("")
		}
		for i := range op.NumRegions() {
			for b := range op.Region(i).Blocks() {
				for _, v := range b.Args() {
					v.SetName("")
				}
			}
		}
		return ir.Advance
	})
	return m
}
