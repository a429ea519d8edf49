package cli

import (
	"io"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/source"
)

// Diagnose writes diagnostics to w from here on, with the line of the user's source that each is about, until the returned function is called.
func Diagnose(ctx *ir.Context, w io.Writer) (stop func()) {
	ctx.Diag.FindSources(new(source.Reader).Text)
	return ctx.Diag.Push(ctx.Diag.PrintTo(w))
}
