package reducedivisions

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/nvvm/scalar"
)

// quotientOf says of which division an operation is the remainder.
var quotientOf = map[*ir.OpDef]*ir.OpDef{arith.RemSI: arith.DivSI, arith.RemUI: arith.DivUI}

// remainderOf says what the remainder of a division is.
var remainderOf = map[*ir.OpDef]*ir.OpDef{arith.DivSI: arith.RemSI, arith.DivUI: arith.RemUI}

// operands are what a division is known by.
type operands struct {
	def  *ir.OpDef
	x, y ir.Value
}

// shareQuotients makes one division of those of the same numbers, computes their remainders from its quotient, and
// returns how many operations that replaced. If a remainder comes first, the division moves up to it.
func (d *divider) shareQuotients(region ir.Region) (n int) {
	dom := ir.NewDominance()
	known := make(map[operands][]ir.Op)
	gone := make(map[ir.Op]bool)
	each := func(visit func(op ir.Op, k operands)) {
		for _, b := range dom.Order(region) {
			for op := b.First(); !op.IsNil(); {
				next := op.Next()
				if quotientOf[op.Def()] != nil || remainderOf[op.Def()] != nil {
					visit(op, operands{op.Def(), op.Operand(0), op.Operand(1)})
				}
				op = next
			}
		}
	}
	replace := func(op ir.Op, v ir.Value) {
		op.Result(0).ReplaceAllUsesWith(v)
		gone[op] = true
		n++
	}
	// Roundings of one pair of numbers share its division towards zero.
	each(func(op ir.Op, k operands) {
		for _, first := range known[k] {
			if dom.ProperlyDominates(first, op) && d.may("share-quotient", op) {
				replace(op, first.Result(0))
				return
			}
		}
		known[k] = append(known[k], op)
	})
	each(func(op ir.Op, _ operands) {
		if q := divisionOf(dom, op, known); !q.IsNil() && !gone[op] && d.may("share-quotient", op) {
			b := scalar.Before(op)
			replace(op, b.Op(arith.SubI, op.Operand(0), b.Op(arith.MulI, q.Result(0), op.Operand(1))))
		}
	})
	isGone := func(p pending) bool { return gone[p.op] }
	d.left, d.scaled = slices.DeleteFunc(d.left, isGone), slices.DeleteFunc(d.scaled, isGone)
	for op := range gone {
		op.Erase()
	}
	return n
}

// divisionOf returns the division of the same numbers as a remainder, which dominates it or is in the same block.
func divisionOf(dom *ir.Dominance, op ir.Op, quotients map[operands][]ir.Op) ir.Op {
	def := quotientOf[op.Def()]
	if def == nil {
		return ir.Op{}
	}
	for _, q := range quotients[operands{def, op.Operand(0), op.Operand(1)}] {
		if dom.ProperlyDominates(q, op) {
			return q
		}
		// The operands dominate the remainder, so the division may move up to it.
		if q.Block() == op.Block() {
			q.MoveBefore(op)
			return q
		}
	}
	return ir.Op{}
}
