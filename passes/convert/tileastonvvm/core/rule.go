package core

import (
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/conversion"
)

// Same keeps the registers: only the coordinates change their names. Reshapes and permutations are linear on the
// bits of coordinates. So the result has a layout under which every element stays where it is (arXiv 2505.23819),
// which assign-layouts gives it.
func (l *Lowering) Same(op ir.Op) error {
	src, dst := l.Values(op.Operand(0)), l.Count(op.Result(0).Type())
	if len(src) != dst {
		return op.Errorf("changes the number of registers from %d to %d", len(src), dst)
	}
	l.Bind(op.Result(0), src...)
	return nil
}

// A Rule lowers one operation.
type Rule = conversion.Rule[*Lowering]

// Nothing is the rule of operations that a thread does nothing for.
func Nothing(*Lowering, ir.Op) error { return nil }

// Becomes is the rule of operations that are one instruction without operands.
func Becomes(def *ir.OpDef) Rule {
	return func(l *Lowering, _ ir.Op) error {
		l.Create(def, nil, nil)
		return nil
	}
}
