package language

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/kerneltest"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/ir/rewrite"
	"github.com/tilewright/tilewright/pipeline/tileir"
)

// FuzzTileOpt reads text of all dialects as tile-opt does. Whatever parses can be verified and printed; the generic
// form comes back as it was. Of what verifies the custom form comes back too, as the same module, and what folding
// makes of it verifies.
func FuzzTileOpt(f *testing.F) {
	for _, seed := range seeds(f) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		ctx := tileir.NewContext()
		ctx.AllowUnregistered = true
		op, err := asm.Parse(ctx, "fuzz", src, tileir.Syntax())
		if err != nil {
			if ctx.Diag.Errors() == 0 {
				t.Fatalf("error without a diagnostic: %v", err)
			}
			return
		}
		invalid := ir.Verify(op)
		generic := kerneltest.Print(t, op, true)
		if again := kerneltest.Print(t, parsed(t, ctx, generic), true); !bytes.Equal(generic, again) {
			t.Fatalf("generic form, %s", kerneltest.FirstDifference(string(generic), string(again)))
		}
		custom := kerneltest.Print(t, op, false)
		if invalid != nil {
			return
		}
		again := parsed(t, ctx, custom)
		if err := ir.Verify(again); err != nil {
			t.Fatalf("the custom form does not verify: %v\n%s", err, custom)
		}
		// The generic form does not name values as the custom form does, whose text then keeps its names.
		ir.DropNames(op)
		ir.DropNames(again)
		giveBlocks(op)
		if got, want := kerneltest.Print(t, again, true), kerneltest.Print(t, op, true); !bytes.Equal(got, want) {
			t.Fatalf("custom form, %s\n%s", kerneltest.FirstDifference(string(want), string(got)), custom)
		}
		rewrite.Apply(op, rewrite.Canonical(ctx), rewrite.Config{})
		if err := ir.Verify(op); err != nil {
			t.Fatalf("does not verify when folded: %v\n%s\nbefore:\n%s", err, kerneltest.Print(t, op, false), custom)
		}
	})
}

// giveBlocks gives a block to modules without one, which their custom form, as the reference's, prints as empty ones.
func giveBlocks(root ir.Op) {
	root.Walk(func(op ir.Op) ir.WalkResult {
		if op.HasTrait(ir.NoTerminator) {
			for i := range op.NumRegions() {
				if op.Region(i).Empty() {
					op.Region(i).AddBlock()
				}
			}
		}
		return ir.Advance
	})
}

// seeds returns the parts of all files of the suite, which are smaller than the files.
func seeds(t testing.TB) (out [][]byte) {
	t.Helper()
	files, err := filepath.Glob("../suite/*/*.mlir")
	if err != nil || len(files) == 0 {
		t.Fatalf("no suites: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, chunk := range asm.Split(text) {
			out = append(out, chunk.Text)
		}
	}
	return out
}

func parsed(t *testing.T, ctx *ir.Context, text []byte) ir.Op {
	t.Helper()
	op, err := asm.Parse(ctx, "printed", text, tileir.Syntax())
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return op
}
