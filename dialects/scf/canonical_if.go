package scf

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/rewrite"
)

// mostSelected is how many operations an arm may have that is executed in any case. A branch and its reconvergence
// take about as many instructions, and end what ptxas schedules together.
const mostSelected = 6

// ifOfScalars executes both arms of an if that only computes a few integers, and selects:
//
//	%r = scf.if %c { %n = subi %i, %k ; yield %n } else { yield %j }      %n = subi %i, %k ; %r = select %c, %n, %j
//
// Searches through tables are such, which persistent kernels begin each tile with.
func ifOfScalars(op ir.Op, rw *rewrite.Rewriter) bool {
	if op.NumResults() == 0 {
		return false
	}
	var arms [2]ir.Block
	for i := range arms {
		if arms[i] = op.Region(i).First(); arms[i].IsNil() || !ofScalars(arms[i]) {
			return false
		}
	}
	var yields [2][]ir.Value
	for i, arm := range arms {
		term := arm.Last()
		rw.InlineBefore(arm, op)
		yields[i] = term.Operands()
		rw.Erase(term)
	}
	rw.SetInsertionPointBefore(op)
	rw.SetLocOf(op)
	results := make([]ir.Value, op.NumResults())
	for i := range results {
		yes, no := yields[0][i], yields[1][i]
		if results[i] = yes; yes != no {
			results[i] = rw.Create(arith.Select, []ir.Value{op.Operand(0), yes, no}, []ir.Type{yes.Type()}).Result(0)
		}
	}
	rw.Replace(op, results...)
	return true
}

// ofScalars reports whether an arm only computes a few integers and yields them.
func ofScalars(arm ir.Block) bool {
	n := 0
	for op := range arm.Ops() {
		if isOp(op, "yield") {
			for _, v := range op.Operands() {
				if _, integer := v.Type().(*ir.IntegerType); !integer {
					return false
				}
			}
			return true
		}
		_, elementwise := arith.Elementwise.Of(op)
		if ir.ConstantOf(op) != nil {
			continue
		}
		if n++; n > mostSelected || !elementwise || op.NumResults() != 1 || !ir.IsSpeculatable(op) || arith.Divides(op) {
			return false
		}
		if _, integer := op.Result(0).Type().(*ir.IntegerType); !integer {
			return false
		}
	}
	return false
}

// mostMasked is how many elements an arm on tiles may compute that is executed in any case: 32 in each of 128 threads.
const mostMasked = 4096

// ifThatMasks executes an arm that only masks a small tile, and selects:
//
//	%r = scf.if %c { %m = ... ; %s = select %m, %x, %k ; yield %s } else { yield %x }
//
// becomes
//
//	%m = ... ; %s = select %m, %x, %k ; %r = select %c, %s, %x
//
// Decoding masks the last keys so. The branch ends what ptxas schedules together, and the arm that masks nothing
// copies the tile.
func ifThatMasks(op ir.Op, rw *rewrite.Rewriter) bool {
	if op.NumResults() != 1 {
		return false
	}
	arm, other := op.Region(0).First(), op.Region(1).First()
	if arm.IsNil() || other.IsNil() || !isOp(other.First(), "yield") || !isOp(arm.Last(), "yield") {
		return false
	}
	x, masked := other.First().Operand(0), arm.Last().Operand(0).DefiningOp()
	if masked.IsNil() || masked.Block() != arm || !masked.Is(arith.Select) || masked.Operand(1) != x && masked.Operand(2) != x {
		return false
	}
	n := int64(0)
	for inner := range arm.Ops() {
		if inner == arm.Last() || ir.ConstantOf(inner) != nil {
			continue
		}
		if inner.NumResults() != 1 || inner.NumRegions() > 0 || !ir.IsPure(inner) || !ir.IsSpeculatable(inner) || arith.Divides(inner) {
			return false
		}
		if t, isTensor := inner.Result(0).Type().(*ir.TensorType); isTensor {
			n += t.NumElements()
		}
	}
	if _, isTensor := x.Type().(*ir.TensorType); !isTensor || n > mostMasked {
		return false
	}
	v := masked.Result(0)
	rw.Erase(arm.Last())
	rw.InlineBefore(arm, op)
	rw.SetInsertionPointBefore(op)
	rw.SetLocOf(op)
	rw.Replace(op, rw.Create(arith.Select, []ir.Value{op.Operand(0), v, x}, []ir.Type{x.Type()}).Result(0))
	return true
}
