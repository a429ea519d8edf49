package arith

import (
	"github.com/tilewright/tilewright/target/engine/emu/fp"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// halfFormat returns the element format of a half type, or nil.
func halfFormat(t syntax.Type) (f *fp.Format, packed bool) {
	switch t {
	case syntax.F16:
		return fp.F16, false
	case syntax.F16x2:
		return fp.F16, true
	case syntax.BF16:
		return fp.BF16, false
	case syntax.BF16x2:
		return fp.BF16, true
	}
	return nil, false
}
