package legalizearith

import (
	"math/bits"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/nvvm/scalar"
)

// Divisions by powers of two are shifts, those by other constants are multiplications (package scalar). For 32
// bits, ptxas (13.5) makes shifts too. For div.s64 and div.u64 it calls a routine of 76 instructions, whatever
// the divisor. The number of tiles of each view with a run-time size had one such call.

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

// byConstant divides by a constant, or returns a zero Value when the operation is something else.
func byConstant(b scalar.Builder, op ir.Op) ir.Value {
	if powerRules[op.Def()] == nil {
		return ir.Value{}
	}
	y, ok := ir.ConstantValue(op.Operand(1)).(*ir.IntegerAttr)
	if !ok {
		return ir.Value{}
	}
	x, width := op.Operand(0), ir.BitWidth(op.Operand(0).Type())
	n := y.Unsigned() << (64 - width) >> (64 - width)
	d := int64(n<<(64-width)) >> (64 - width)
	k := bits.TrailingZeros64(n)
	unsigned := op.Is(arith.DivUI) || op.Is(arith.RemUI) || op.Is(arith.CeilDivUI)
	switch {
	case n == 0:
		return ir.Value{} // undefined, at run time
	case n == 1 || !unsigned && d == -1:
		return byOne(b, op, d)
	case n == 1<<k && (unsigned || k < width-1):
		return powerRules[op.Def()](b, x, k)
	case op.Is(arith.DivUI):
		return b.DivideUnsigned(x, n, 1<<width-1)
	case op.Is(arith.DivSI) && d&-d == -d: // minus a power of two
		return b.Op(arith.SubI, b.Int(x.Type(), 0), powerRules[arith.DivSI](b, x, k))
	case op.Is(arith.DivSI):
		return b.DivideSigned(x, d, 1<<(width-1))
	case op.Is(arith.FloorDiv) && d > 0:
		return floorByConstant(b, x, n)
	case op.Is(arith.RemUI):
		return remainder(b, arith.DivUI, x, op.Operand(1))
	case op.Is(arith.RemSI):
		return remainder(b, arith.DivSI, x, op.Operand(1))
	}
	return ir.Value{} // a division and a correction
}

// byOne divides by 1 or -1.
func byOne(b scalar.Builder, op ir.Op, d int64) ir.Value {
	x := op.Operand(0)
	switch zero := b.Int(x.Type(), 0); {
	case op.Is(arith.RemUI) || op.Is(arith.RemSI):
		return zero
	case d < 0:
		return b.Op(arith.SubI, zero, x)
	}
	return x
}

// floorByConstant rounds down. The complement of a negative number is not negative, and the complement of its
// quotient is the floor: -1 - ⌊(-1-x)/d⌋.
func floorByConstant(b scalar.Builder, x ir.Value, d uint64) ir.Value {
	width := ir.BitWidth(x.Type())
	sign := shift(b, arith.ShRSI, x, width-1)
	return b.Op(arith.XOrI, b.DivideUnsigned(b.Op(arith.XOrI, x, sign), d, 1<<(width-1)-1), sign)
}

// remainder computes x - x/y*y; its division is legalized afterwards.
func remainder(b scalar.Builder, div *ir.OpDef, x, y ir.Value) ir.Value {
	return b.Op(arith.SubI, x, b.Op(arith.MulI, b.Op(div, x, y), y))
}

func shift(b scalar.Builder, def *ir.OpDef, x ir.Value, k int) ir.Value {
	return b.Op(def, x, b.Int(x.Type(), int64(k)))
}

// biased adds 2^k - 1 to negative numbers, so that a shift rounds towards zero. The sum of a negative and a positive
// number does not wrap.
func biased(b scalar.Builder, x ir.Value, k int) ir.Value {
	width := ir.BitWidth(x.Type())
	sign := shift(b, arith.ShRSI, x, width-1)
	return b.Op(arith.AddI, x, shift(b, arith.ShRUI, sign, width-k))
}

// ceilShift rounds up by adding 1 if bits are lost. A number that was extended has room for an addition before
// the shift instead, which is shorter.
func ceilShift(b scalar.Builder, def *ir.OpDef, x ir.Value, k int) ir.Value {
	lost := b.Int(x.Type(), 1<<k-1)
	if hasRoom(x, k, def == arith.ShRSI) {
		return shift(b, def, b.Op(arith.AddI, x, lost), k)
	}
	inexact := b.CmpI("ne", b.Op(arith.AndI, x, lost), b.Int(x.Type(), 0))
	return b.Op(arith.AddI, shift(b, def, x, k), b.Cast(arith.ExtUI, inexact, x.Type()))
}

// hasRoom reports whether adding less than 2^k to a number provably does not wrap.
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
