package legalizearith

import (
	"math/bits"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/nvvm/scalar"
)

// Divisions by powers of two are shifts. ptxas (13.5) does that for 32 bits, but calls a routine for div.s64 and div.u64 whatever the divisor: 76 instructions, of which the number of tiles of each view of a
// run-time size had one.

// powerRules compute a division of x by 2^k, k > 0, or its remainder.
var powerRules = map[*ir.OpDef]func(b scalar.Builder, x ir.Value, k int) ir.Value{
	arith.DivUI:    func(b scalar.Builder, x ir.Value, k int) ir.Value { return shift(b, arith.ShRUI, x, k) },
	arith.FloorDiv: func(b scalar.Builder, x ir.Value, k int) ir.Value { return shift(b, arith.ShRSI, x, k) },
	arith.RemUI: func(b scalar.Builder, x ir.Value, k int) ir.Value {
		return b.Op(arith.AndI, x, b.Int(x.Type(), 1<<k-1))
	},
	arith.CeilDivUI: func(b scalar.Builder, x ir.Value, k int) ir.Value { return ceilShift(b, arith.ShRUI, x, k) },
	arith.CeilDivSI: func(b scalar.Builder, x ir.Value, k int) ir.Value { return ceilShift(b, arith.ShRSI, x, k) },
	arith.DivSI:     func(b scalar.Builder, x ir.Value, k int) ir.Value { return shift(b, arith.ShRSI, biased(b, x, k), k) },
	arith.RemSI: func(b scalar.Builder, x ir.Value, k int) ir.Value {
		return b.Op(arith.SubI, x, b.Op(arith.AndI, biased(b, x, k), b.Int(x.Type(), -1<<k)))
	},
}

// byPower divides by a power of two, or returns a zero Value when the operation is something else.
func byPower(b scalar.Builder, op ir.Op) ir.Value {
	rule := powerRules[op.Def()]
	if rule == nil {
		return ir.Value{}
	}
	y, ok := ir.ConstantValue(op.Operand(1)).(*ir.IntegerAttr)
	if !ok {
		return ir.Value{}
	}
	width := ir.BitWidth(op.Operand(0).Type())
	n := y.Unsigned() << (64 - width) >> (64 - width)
	k := bits.TrailingZeros64(n)
	unsigned := op.Is(arith.DivUI) || op.Is(arith.RemUI) || op.Is(arith.CeilDivUI)
	if k == 0 || n != 1<<k || !unsigned && k == width-1 { // as a signed number that is negative
		return ir.Value{}
	}
	return rule(b, op.Operand(0), k)
}

func shift(b scalar.Builder, def *ir.OpDef, x ir.Value, k int) ir.Value {
	return b.Op(def, x, b.Int(x.Type(), int64(k)))
}

// biased adds 2^k - 1 to negative numbers, so that a shift rounds towards zero. The sum of a negative and a positive number does not wrap.
func biased(b scalar.Builder, x ir.Value, k int) ir.Value {
	width := ir.BitWidth(x.Type())
	sign := shift(b, arith.ShRSI, x, width-1)
	return b.Op(arith.AddI, x, shift(b, arith.ShRUI, sign, width-k))
}

// ceilShift rounds up: one more where bits are lost. A number that was extended leaves room for an addition in front of the shift instead, which is shorter.
func ceilShift(b scalar.Builder, def *ir.OpDef, x ir.Value, k int) ir.Value {
	lost := b.Int(x.Type(), 1<<k-1)
	if hasRoom(x, k, def == arith.ShRSI) {
		return shift(b, def, b.Op(arith.AddI, x, lost), k)
	}
	inexact := b.CmpI("ne", b.Op(arith.AndI, x, lost), b.Int(x.Type(), 0))
	return b.Op(arith.AddI, shift(b, def, x, k), b.Cast(arith.ExtUI, inexact, x.Type()))
}

// hasRoom reports whether adding less than 2^k to a number surely does not wrap.
func hasRoom(x ir.Value, k int, signed bool) bool {
	from, width := x.DefiningOp(), ir.BitWidth(x.Type())
	if from.IsNil() || k > width-2 {
		return false
	}
	switch {
	case from.Is(arith.ExtSI):
		return signed && ir.BitWidth(from.Operand(0).Type()) < width
	case from.Is(arith.ExtUI):
		return ir.BitWidth(from.Operand(0).Type()) < width-1
	}
	return false
}
