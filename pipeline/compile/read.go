package compile

import (
	"errors"

	"github.com/tilewright/tilewright/bytecode"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/pipeline/opttool"
)

// NewContext returns a context with the dialects of all levels.
func NewContext() *ir.Context { return ir.NewContext(opttool.TileOpt().Dialects...) }

// Read reads a module: Tile IR bytecode if the data begins with its magic number, else text as tile-opt takes it. The result is a
// builtin.module that was verified. Every error is a diagnostic of the context as well; that of a damaged file wraps a *bytecode.Error.
func Read(ctx *ir.Context, name string, data []byte) (ir.Op, error) {
	tool := opttool.TileOpt()
	var op ir.Op
	var err error
	if bytecode.Is(data) {
		op, err = bytecode.Read(ctx, data)
	} else {
		op, err = asm.Parse(ctx, name, data, tool.Syntax(ctx))
	}
	if err != nil {
		var reported *asm.Error
		if !errors.As(err, &reported) {
			ctx.Diag.Emit(&ir.Diagnostic{Message: name + ": " + err.Error()})
		}
		return ir.Op{}, err
	}
	op = tool.Wrap(op)
	return op, ir.Verify(op)
}
