package inspect

import (
	"io"
	"strings"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
)

// Listing writes a cuda_tile.module as the reference disassembler does: the producer, if it is known, and what the
// module holds.
func Listing(w io.Writer, module ir.Op, debugInfo bool) error {
	if a, ok := module.Attr("producer").(*ir.StringAttr); ok && a.Value != "" {
		// A comment ends with its line, whatever the name holds.
		if _, err := io.WriteString(w, "// Producer: "+strings.ReplaceAll(a.Value, "\n", "\n// ")+"\n"); err != nil {
			return err
		}
	}
	return asm.Print(w, module, asm.PrintOptions{Listing: true, ImplicitModule: true, DebugInfo: debugInfo})
}
