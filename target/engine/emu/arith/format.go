package arith

import (
	"github.com/tilewright/tilewright/target/engine/emu/fp"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// halfFormat returns the element format of a half type, or nil.
func halfFormat(t syntax.Type) (f *fp.Format, packed bool) {
	switch t {
	case syntax.TF16:
		return fp.F16, false
	case syntax.TF16x2:
		return fp.F16, true
	case syntax.TBF16:
		return fp.BF16, false
	case syntax.TBF16x2:
		return fp.BF16, true
	}
	return nil, false
}
