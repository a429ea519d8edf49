package reducedivisions

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/nvvm/scalar"
)

// quotientOf says of which division an operation is the remainder.
var quotientOf = map[*ir.OpDef]*ir.OpDef{arith.RemSI: arith.DivSI, arith.RemUI: arith.DivUI}

// operands are what a division is known by.
type operands struct {
	def  *ir.OpDef
	x, y ir.Value
}

// shareQuotients computes remainders from the quotients of the same numbers, and returns how many. If the
// remainder comes first, the division moves up to it.
func (d *divider) shareQuotients(region ir.Region) (n int) {
	dom := ir.NewDominance()
	quotients := make(map[operands][]ir.Op)
	blocks := dom.Order(region)
	for _, b := range blocks {
		for op := range b.Ops() {
			if op.Is(arith.DivSI) || op.Is(arith.DivUI) {
				k := operands{op.Def(), op.Operand(0), op.Operand(1)}
				quotients[k] = append(quotients[k], op)
			}
		}
	}
	gone := make(map[ir.Op]bool)
	for _, b := range blocks {
		for op := b.First(); !op.IsNil(); {
			next := op.Next()
			if q := divisionOf(dom, op, quotients); !q.IsNil() && d.may("share-quotient", op) {
				s := scalar.Before(op)
				op.Result(0).ReplaceAllUsesWith(s.Op(arith.SubI, op.Operand(0), s.Op(arith.MulI, q.Result(0), op.Operand(1))))
				gone[op] = true
				n++
			}
			op = next
		}
	}
	d.left = slices.DeleteFunc(d.left, func(p pending) bool { return gone[p.op] })
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
