package facts

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/constfold"
)

// The specification leaves the remainder of a division by zero undefined, so that one may be computed where the
// program would not have only if the divisor is known. A division counts as not speculatable whatever it divides by,
// as in the reference, which therefore admits none in the region of a reduce. The most negative number modulo -1 is 0
// and has a meaning (package numeric), unlike the quotient of the two.
func attachSpeculation() {
	cudatile.RemI.Attach(ir.Speculatable.Is(func(op ir.Op) bool {
		divisor, ok := constfold.Read(ir.ConstantValue(op.Operand(1)))
		for _, bits := range divisor {
			ok = ok && bits != 0
		}
		return ok
	}))
}
