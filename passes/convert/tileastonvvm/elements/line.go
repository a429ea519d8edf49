package elements

import (
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
)

// extractLine takes one element of each line along a dimension, at a position that is known, from the lane that holds
// it. The part has the layout that a reduction along the dimension would leave: every lane of the line gets the
// element.
func extractLine(l *core.Lowering, op ir.Op, part, whole linear.Layout) error {
	dim, at, err := linePosition(op, part, whole)
	if err != nil {
		return err
	}
	seq, err := whole.Sequence(dim)
	if err != nil || seq.Warps > 0 {
		return op.Errorf("needs a layout in which a warp holds all parts")
	}
	plan, err := linear.PlanReduction(whole, dim)
	if err != nil {
		return op.Errorf("cannot be done by a warp: %v", err)
	}
	if want, err := plan.Result.ExpandDim(dim); err != nil || !want.Equal(part) {
		return op.Errorf("needs a part in the layout of a reduction of its operand")
	}
	// Sequence has checked that positions count registers first and then lanes, so the position's low bits are the
	// one and its high bits the other.
	register, lane := at&(1<<seq.Registers-1)<<seq.FirstRegister, at>>seq.Registers<<seq.FirstLane
	mask := (1<<seq.Lanes - 1) << seq.FirstLane
	along := (1<<seq.Registers - 1) << seq.FirstRegister
	var out []ir.Value
	for _, group := range plan.Registers {
		v := l.Values(op.Operand(0))[group[0]&^along|register]
		// Where no lanes run along the dimension the thread has the element already.
		if seq.Lanes > 0 {
			v = l.Of(v, uint32(lane), uint32(mask))
		}
		out = append(out, v)
	}
	l.Bind(op.Result(0), out...)
	return nil
}

// linePosition returns the one dimension along which an extract takes single elements, and which.
func linePosition(op ir.Op, part, whole linear.Layout) (dim, at int, err error) {
	dim = -1
	for d, n := range part.Shape() {
		if n == whole.Shape()[d] {
			continue
		}
		k, ok := core.ConstOf(op.Operand(1 + d))
		if dim >= 0 || n != 1 || !ok {
			return 0, 0, op.Errorf("needs a layout in which every thread holds all parts")
		}
		dim, at = d, int(k)&(whole.Shape()[d]-1)
	}
	if dim < 0 {
		return 0, 0, op.Errorf("needs a layout in which every thread holds all parts")
	}
	return dim, at, nil
}
