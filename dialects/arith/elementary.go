package arith

import "github.com/tilewright/tilewright/ir"

// Elementary lists the functions that no machine computes by one instruction to the accuracy that the operations
// have: they are to be written as arithmetic before instructions are chosen.
var Elementary = []*ir.OpDef{Exp, Exp2, Log, Log2, PowF, TanH, SinH, CosH, RSqrt, Sin, Cos, Tan, Atan2, RemF}

var elementary = func() map[*ir.OpDef]bool {
	m := make(map[*ir.OpDef]bool)
	for _, def := range Elementary {
		m[def] = true
	}
	return m
}()

// IsElementary reports whether an operation is one of Elementary.
func IsElementary(op ir.Op) bool { return elementary[op.Def()] }
