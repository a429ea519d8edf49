package cli

import (
	"io"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/source"
	"github.com/tilewright/tilewright/passes/remark"
)

// Diagnose writes diagnostics to w from here on, with the line of the user's source that each is about, until the
// returned function is called. What passes decided is said once for a place of the program.
func Diagnose(ctx *ir.Context, w io.Writer) (stop func()) {
	ctx.Diag.FindSources(new(source.Reader).Text)
	print, seen := ctx.Diag.PrintTo(w), make(remark.Seen)
	return ctx.Diag.Push(func(d *ir.Diagnostic) {
		if d.Decision == nil || seen.First(d) {
			print(d)
		}
	})
}
