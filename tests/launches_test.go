package tests

import (
	"bytes"
	"context"
	"testing"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/engine/emulate"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// readSaying reads a module whose diagnostics, those of passes too, are written down.
func readSaying(t *testing.T, said *bytes.Buffer, name string, text []byte) ir.Op {
	t.Helper()
	ctx := tileir.NewContext()
	ctx.Diag.Push(ctx.Diag.PrintTo(said))
	m, err := tileir.Read(ctx, name, text)
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, said, text)
	}
	return m
}

// emulated is compiled code in the emulator, with the shared memory that its kernel asks for.
func emulated(t *testing.T, code *compile.Result, kernel string) *emulate.Engine {
	t.Helper()
	e, err := code.Emulator("k.ptx", kernel)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// leaves runs a launch, which is to leave a buffer, one of its arguments, like another one, element by element. It ends the test if not, with the name of what was run.
func leaves(t *testing.T, name string, e launch.Engine, req *launch.Request, arg int, want *launch.Buffer) {
	t.Helper()
	if err := e.Run(context.Background(), req); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	d, err := launch.Compare(req.Args[arg].Buffer, want, launch.Tolerance{})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if !d.OK() {
		t.Fatalf("%s: %d of %d elements differ, first element %d: %s", name, d.Mismatches, d.Elements, d.First, d.FirstPair)
	}
}
