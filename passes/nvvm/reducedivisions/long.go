package reducedivisions

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/cf"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/nvvm/scalar"
)

// mostTests bounds the divisions of 64 bits that also have code for 32 bits.
const mostTests = 8

// testLong makes divisions of 64 bits test whether 32 bits are enough, and returns how many. The short divisions
// are left for the steps that follow.
//
//	%long = (x | y) >> 32 != 0          x and y of 32 bits each, which are no negative numbers
//	cond_br %long, ^64, ^32       q = divsi x, y : i64    or    q = extui (divui (trunci x), (trunci y) : i32)
func (d *divider) testLong() int {
	var long, rest []pending
	for _, p := range d.left {
		if ir.BitWidth(p.op.Result(0).Type()) == 64 && mayBeShort(p.op) {
			long = append(long, p)
		} else {
			rest = append(rest, p)
		}
	}
	// All or none: with more, both sides of each division would be too much code.
	if len(long) > mostTests {
		return 0
	}
	for _, p := range long {
		if !d.may("test-long", p.op) {
			rest = append(rest, p)
			continue
		}
		rest = append(rest, pending{test(p.op), min(p.most, 1<<32-1)})
	}
	d.left = rest
	return len(long)
}

// mayBeShort reports whether a division is worth a test. It is not if it is the long side of a test, or if the
// dividend is shifted up, as the powers for multipliers are.
func mayBeShort(op ir.Op) bool {
	x := op.Operand(0).DefiningOp()
	if !x.IsNil() && x.Is(arith.SubI) {
		x = x.Operand(0).DefiningOp()
	}
	return (x.IsNil() || !x.Is(arith.ShLI)) && !tested(op)
}

// tested reports whether a division is the long side of a test.
func tested(op ir.Op) bool {
	for branch, way := range op.Block().Preds() {
		if !branch.Is(cf.CondBr) || way != 1 {
			return false
		}
		is := branch.Operand(0).DefiningOp()
		if is.IsNil() || !is.Is(arith.CmpI) || is.StringAttr(arith.AttrPredicate) != "eq" {
			return false
		}
		high := is.Operand(0).DefiningOp()
		if high.IsNil() || !high.Is(arith.ShRUI) {
			return false
		}
		either := high.Operand(0).DefiningOp()
		return !either.IsNil() && either.Is(arith.OrI) && either.Operand(0) == op.Operand(0) && either.Operand(1) == op.Operand(1)
	}
	return false
}

// test replaces a division of 64 bits by one that tests, and returns the one of 32 bits in it.
func test(op ir.Op) (short ir.Op) {
	b := scalar.Before(op)
	x, y, t := op.Operand(0), op.Operand(1), op.Result(0).Type()
	i32 := b.Context().Int(32)
	// Before the test, so that all short divisions by the number have one invariant divisor (truncated).
	divisor := truncated(y, op, i32)
	high := b.Op(arith.ShRUI, b.Op(arith.OrI, x, y), b.Int(t, 32))
	result := b.Choose(b.CmpI("eq", high, b.Int(t, 0)), t,
		func() ir.Value {
			short = b.Op(unsigned[op.Def()], b.Cast(arith.TruncI, x, i32), divisor).DefiningOp()
			return b.Cast(arith.ExtUI, short.Result(0), t)
		},
		func() ir.Value { return b.Op(op.Def(), x, y) })
	op.Result(0).ReplaceAllUsesWith(result)
	op.Erase()
	return short
}

// truncated truncates the divisor where it is defined, so that all divisions by it in loops have one invariant
// 32-bit divisor.
func truncated(y ir.Value, at ir.Op, t ir.Type) ir.Value {
	def := y.DefiningOp()
	switch {
	case !def.IsNil():
		next := def.Next()
		if next.Is(arith.TruncI) && next.Operand(0) == y && next.Result(0).Type() == t {
			return next.Result(0)
		}
		at = next
	case y.Block() != at.Block():
		at = y.Block().First()
	}
	return scalar.Before(at).Cast(arith.TruncI, y, t)
}
