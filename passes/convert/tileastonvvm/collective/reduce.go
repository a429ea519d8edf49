package collective

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
)

// reduce combines registers, then lanes (lanes.go).
func reduce(l *core.Lowering, op ir.Op) error {
	lay, err := l.Layout(op.Operand(0))
	if err != nil {
		return err
	}
	dim, _ := op.IntAttr(tile.AttrDim)
	plan, err := linear.PlanReduction(lay, int(dim))
	if err != nil {
		return op.Errorf("cannot be done by a warp: %v", err)
	}
	if len(plan.Warps)+len(plan.Blocks) > 0 {
		return op.Errorf("across warps must be split before it is lowered to nvvm")
	}
	// Registers come first: combining two of them is one run of the body, and afterwards each exchange between lanes
	// moves one value instead of one for each register.
	sums := make([][]ir.Value, len(plan.Registers)) // of each line of elements, of each operand
	for i, group := range plan.Registers {
		if sums[i], err = inThread(l, op, group); err != nil {
			return err
		}
	}
	if sums, err = betweenLanes(l, op, sums, plan.Lanes); err != nil {
		return err
	}
	for i, v := range op.Results() {
		l.Bind(v, ir.Map(sums, func(of []ir.Value) ir.Value { return of[i] })...)
	}
	return nil
}

// chains is how many partial results of a reduction within a thread are independent. A dependent f32 addition waits
// four cycles (sm.F32Arith), so that one chain over 64 registers would take 256 cycles; four are as fast as the warp
// can issue. Two of them are neighbours, which nvvm-pair-floats joins.
const chains = 4

// inThread combines registers of a thread, of each operand those with the numbers of a group.
//
// Chain c takes every fourth register from c on; the partial results are combined in pairs. The order differs from that
// of the elements, as it does between lanes: a body is associative and commutative (as the butterfly assumes it).
func inThread(l *core.Lowering, op ir.Op, group []int) ([]ir.Value, error) {
	var acc [][]ir.Value // of each chain, of each operand
	for k, r := range group {
		elem := make([]ir.Value, op.NumOperands())
		for i, v := range op.Operands() {
			elem[i] = l.Values(v)[r]
		}
		if k < chains {
			acc = append(acc, elem)
			continue
		}
		var err error
		if acc[k%chains], err = combine(l, op, elem, acc[k%chains]); err != nil {
			return nil, err
		}
	}
	for len(acc) > 1 {
		half := (len(acc) + 1) / 2
		for c := range len(acc) - half {
			var err error
			if acc[c], err = combine(l, op, acc[c+half], acc[c]); err != nil {
				return nil, err
			}
		}
		acc = acc[:half]
	}
	return acc[0], nil
}

// combine runs the body of a reduce or scan on scalars. Its arguments are, for each operand, what was accumulated and
// the next element.
func combine(l *core.Lowering, op ir.Op, elem, acc []ir.Value) ([]ir.Value, error) {
	// The body is repeated for each combination, with its arguments bound to other values. It is short, straight
	// code. A loop over registers cannot be written, since a register is named and not numbered.
	body := op.Body()
	for i := range elem {
		l.Bind(body.Arg(2*i), acc[i])
		l.Bind(body.Arg(2*i+1), elem[i])
	}
	out := make([]ir.Value, len(elem))
	for inner := range body.Ops() {
		if inner.HasTrait(ir.Terminator) {
			for i, v := range inner.Operands() {
				out[i] = l.Value(v)
			}
			break
		}
		if err := l.Op(inner); err != nil {
			return nil, err
		}
	}
	return out, nil
}
