package mutants

import (
	"strings"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
)

// judged reports whether a module has one right result. A mutant that combines floats in an order that is free, or looks at what atomics
// return, has several; so has one that looks at the bits of a NaN, or at how an approximation rounds.
func judged(module ir.Op) bool {
	ok := true
	module.Walk(func(op ir.Op) ir.WalkResult {
		_, mnemonic, _ := strings.Cut(op.Name(), ".")
		switch {
		case strings.HasPrefix(mnemonic, "atomic"):
			ok = false
		case mnemonic == "reduce" || mnemonic == "scan" || strings.HasPrefix(mnemonic, "dot"):
			ok = ok && !floats(op)
		case op.Is(arith.Bitcast) && isFloat(op.Operand(0).Type()) != isFloat(op.Result(0).Type()):
			ok = false
		case approximate[op.Def()]:
			ok = false
		}
		if !ok {
			return ir.Interrupt
		}
		return ir.Advance
	})
	return ok
}

// floats reports whether an operation combines floats in a way that rounds: sums and products do, choices do not.
func floats(op ir.Op) bool {
	for _, r := range op.Results() {
		if isFloat(r.Type()) {
			return true
		}
	}
	return false
}

func isFloat(t ir.Type) bool {
	_, is := ir.ElementType(t).(*ir.FloatType)
	return is
}

// approximate are the operations whose results two engines need not agree on.
var approximate = map[*ir.OpDef]bool{
	arith.Exp: true, arith.Exp2: true, arith.Log: true, arith.Log2: true, arith.Sin: true, arith.Cos: true, arith.Tan: true, arith.SinH: true,
	arith.CosH: true, arith.TanH: true, arith.PowF: true, arith.Atan2: true, arith.RSqrt: true,
}
