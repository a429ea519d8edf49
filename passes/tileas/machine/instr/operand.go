package instr

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/target/sm"
)

// Instructions that accumulate in TMEM can read A from TMEM too. That suits an A which threads compute from the
// accumulator of another MMA, as P in attention. A thread has a row of it, and stores it to the lane of that row.
// Shared memory would want units of 16 bytes, swizzled, and a fence between the proxies.

// OperandCells returns the layout of an operand A in TMEM.
func OperandCells(t *ir.TensorType) (linear.Shared, error) {
	if _, float := t.Elem.(*ir.FloatType); float && ir.BitWidth(t.Elem) == 8 { // which a buffer there has as scales
		return linear.Shared{}, fmt.Errorf("floats of 8 bits are scales in TMEM")
	}
	return linear.TMEMOperand(linear.Ints(t.Shape), tileas.CellPack(t.Elem))
}

// FromThreads reports whether a value that threads have in a layout can be stored to TMEM as the operand A of an
// MMA, without a change of layout.
func FromThreads(op ir.Op, t *ir.TensorType) bool {
	a := tileas.MMAOf(op)
	row, err := RowOf(op)
	if a == nil || err != nil || a.Family != string(sm.Tcgen05) && a.Family != string(sm.Tcgen05Pair) || row.A.Places&sm.InTensor == 0 {
		return false
	}
	cells, err := OperandCells(t)
	if err != nil || linear.TMEMLanes(linear.Ints(t.Shape)) != row.M/row.CTAs {
		return false
	}
	l, _ := tileas.LayoutOf(t)
	_, err = linear.PlanTMEM(l, cells, linear.TMEMForm{Pack: tileas.CellPack(t.Elem)})
	return err == nil
}

// A OperandRoom counts the columns of TMEM that accumulators, and the scales of two MMAs in flight, leave to
// operands.
type OperandRoom struct{ columns int }

// NewOperandRoom returns what accumulators of so many columns leave, before any MMA has an operand there.
func NewOperandRoom(columns int) *OperandRoom { return &OperandRoom{linear.ColumnsOfTMEM - columns} }

// Take takes the room for so many stages of an operand, if there is as much.
func (r *OperandRoom) Take(t *ir.TensorType, stages int) bool {
	inColumn := 1 << tileas.CellPack(t.Elem) * linear.TMEMLanes(linear.Ints(t.Shape))
	n := stages * ((int(t.NumElements()) + inColumn - 1) / inColumn)
	if n > r.columns {
		return false
	}
	r.columns -= n
	return true
}
