package translatetool

import (
	"fmt"
	"io"

	"github.com/tilewright/tilewright/bytecode"
	"github.com/tilewright/tilewright/bytecode/inspect"
	"github.com/tilewright/tilewright/dialects/builtin"
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/pipeline/tileir"
)

// An action is what the tool can do, named by a flag.
type action struct {
	flag, help   string
	bytecodeOnly bool // the input cannot be text
	partial      bool // what is written before an error is of use
	prints       bool // text of the IR
	writes       bool // bytecode, at least on the way
	binary       bool // the result is no text
	run          func(t *translation, ctx *ir.Context, chunk asm.Chunk, out io.Writer) error
}

var actions = []action{
	{flag: "cudatilebc-to-mlir", help: "translate bytecode to text", bytecodeOnly: true, prints: true, run: (*translation).toText},
	{flag: "mlir-to-cudatilebc", help: "translate text, or bytecode of another version, to bytecode", writes: true, binary: true, run: (*translation).toBytecode},
	{flag: "test-cudatile-roundtrip", help: "write bytecode, read it and print the text", prints: true, writes: true, run: (*translation).roundTrip},
	{flag: "disassemble", help: "print what bytecode holds as the reference disassembler does; with -g, also locations", bytecodeOnly: true, prints: true,
		run: (*translation).disassemble},
	{flag: "stat", help: "sum up what bytecode holds: sections, functions, operations", partial: true, run: (*translation).stat},
	{flag: "hexdump", help: "print the bytes of bytecode with what they mean", partial: true, run: (*translation).hexdump},
}

func (t *translation) toText(ctx *ir.Context, chunk asm.Chunk, out io.Writer) error {
	module, err := t.module(ctx, chunk)
	if err != nil {
		return err
	}
	return t.print(out, module, false)
}

func (t *translation) disassemble(ctx *ir.Context, chunk asm.Chunk, out io.Writer) error {
	module, err := t.module(ctx, chunk)
	if err != nil {
		return err
	}
	if t.generic {
		return t.print(out, module, true)
	}
	return inspect.Listing(out, module, t.debugInfo)
}

func (t *translation) toBytecode(ctx *ir.Context, chunk asm.Chunk, out io.Writer) error {
	module, err := t.module(ctx, chunk)
	if err != nil {
		return err
	}
	return bytecode.Write(out, module, bytecode.Options{Version: t.version})
}

func (t *translation) roundTrip(ctx *ir.Context, chunk asm.Chunk, out io.Writer) error {
	module, err := t.module(ctx, chunk)
	if err != nil {
		return err
	}
	data, err := bytecode.Encode(module, bytecode.Options{Version: t.version})
	if err != nil {
		return err
	}
	again, err := bytecode.Read(ctx, data)
	if err != nil {
		return fmt.Errorf("cannot read what was written: %w", err)
	}
	return t.print(out, again, false)
}

func (t *translation) stat(ctx *ir.Context, chunk asm.Chunk, out io.Writer) error {
	return inspect.Stat(ctx, out, chunk.Text)
}

func (t *translation) hexdump(ctx *ir.Context, chunk asm.Chunk, out io.Writer) error {
	return inspect.Hexdump(ctx, out, chunk.Text)
}

func (t *translation) print(out io.Writer, module ir.Op, bare bool) error {
	return asm.Print(out, module, asm.PrintOptions{Generic: t.generic, DebugInfo: t.debugInfo, ImplicitModule: bare})
}

// module reads and verifies the cuda_tile.module of the input.
func (t *translation) module(ctx *ir.Context, chunk asm.Chunk) (ir.Op, error) {
	op, err := t.read(ctx, chunk)
	if err != nil {
		return ir.Op{}, err
	}
	if err := ir.Verify(op); err != nil {
		return ir.Op{}, err
	}
	if !t.accept(op) {
		return ir.Op{}, errReported
	}
	return findModule(op)
}

func (t *translation) read(ctx *ir.Context, chunk asm.Chunk) (ir.Op, error) {
	if bytecode.Is(chunk.Text) {
		return bytecode.Read(ctx, chunk.Text)
	}
	syntax := tileir.Syntax()
	syntax.LineOffset, syntax.Whole = chunk.LineOffset, t.file
	if t.noImplicit {
		syntax.ImplicitModule = nil
	}
	op, err := asm.Parse(ctx, t.name, chunk.Text, syntax)
	if err == nil && !t.noImplicit {
		op = tileir.Wrap(op)
	}
	return op, err
}

// findModule returns the one cuda_tile.module that op is or holds.
func findModule(op ir.Op) (ir.Op, error) {
	if op.Is(cudatile.Module) {
		return op, nil
	}
	if !op.Is(builtin.Module) {
		return ir.Op{}, ir.Errorf(op.Loc(), "expected a CUDA Tile IR module, but got a %s", op.Name())
	}
	if inner := op.Body().First(); !inner.IsNil() && inner.Is(cudatile.Module) && inner.Next().IsNil() {
		return inner, nil
	}
	return ir.Op{}, ir.Errorf(op.Loc(), "expected a single CUDA Tile IR module in the MLIR module")
}
