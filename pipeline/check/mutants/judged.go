package mutants

import (
	"strings"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
)

// judged reports whether a module has one right result. A mutant has several if it combines floats in a free order or
// uses what atomics return. The same holds if it reads the bits of a NaN, or depends on how an approximation rounds.
func judged(module ir.Op) bool {
	ok := true
	module.Walk(func(op ir.Op) ir.WalkResult {
		_, mnemonic, _ := strings.Cut(op.Name(), ".")
		switch {
		case strings.HasPrefix(mnemonic, "atomic"):
			ok = false
		case mnemonic == "reduce" || mnemonic == "scan":
			ok = ok && reorders(op)
		case strings.HasPrefix(mnemonic, "dot"):
			ok = ok && !isFloat(op.Result(0).Type())
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

// reorders reports whether it makes no difference in what order a reduce or scan combines its elements: with one
// operation on integers that is associative and commutative.
func reorders(op ir.Op) bool {
	if op.NumOperands() != 1 || op.NumRegions() != 1 || op.Region(0).Empty() {
		return false
	}
	b := op.Region(0).First()
	combine := b.First()
	if b.NumArgs() != 2 || combine.IsNil() || !exact[combine.Def()] || combine.Next() != b.Last() || b.Last().NumOperands() != 1 {
		return false
	}
	x, y := combine.Operand(0), combine.Operand(1)
	return b.Last().Operand(0) == combine.Result(0) && (x == b.Arg(0) && y == b.Arg(1) || x == b.Arg(1) && y == b.Arg(0))
}

var exact = map[*ir.OpDef]bool{
	arith.AddI: true, arith.MulI: true, arith.AndI: true, arith.OrI: true, arith.XOrI: true, arith.MaxSI: true, arith.MaxUI: true, arith.MinSI: true,
	arith.MinUI: true,
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
