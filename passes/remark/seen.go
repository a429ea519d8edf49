package remark

import (
	"fmt"
	"strings"

	"github.com/tilewright/tilewright/ir"
)

// Seen are the remarks that were shown. Versions of a loop, and iterations before it, come from one place in the
// program, which is reported once.
type Seen map[string]bool

// First reports whether a remark says something new: another kind, place or function, or other fields.
func (s Seen) First(d *ir.Diagnostic) bool {
	var key strings.Builder
	if f := ir.FileLocOf(d.Loc); f != nil {
		fmt.Fprintf(&key, "%s:%d:%d", f.File, f.Line, f.Column)
	}
	key.WriteByte(0)
	// Kinds with a title are compared by their fields, and not by the text after the title.
	if k := Of(d.Decision); k != nil && k.Title != "" {
		key.WriteString(k.Name + "\x00" + d.Decision.Function)
		for _, a := range d.Decision.Args {
			key.WriteString("\x00" + a.Key + "\x00" + a.Value)
		}
	} else {
		key.WriteString(d.Message)
	}
	if s[key.String()] {
		return false
	}
	s[key.String()] = true
	return true
}
