package matrix

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/sm"
)

// The instructions of tensor memory take A from there too. That is the way for what threads have computed from the sum of another product, as attention has: a thread has a row of that sum, and stores it to the lane of the same
// row, of which shared memory would want it in units of 16 bytes, swizzled, behind a fence between the proxies.

// FactorCells returns the layout of a factor A in tensor memory.
func FactorCells(t *ir.TensorType) (linear.Shared, error) {
	if _, float := t.Elem.(*ir.FloatType); float && ir.BitWidth(t.Elem) == 8 { // which a buffer there has as scales
		return linear.Shared{}, fmt.Errorf("floats of 8 bits are scales in tensor memory")
	}
	return linear.TensorFactor(ints(t.Shape), tileas.CellPack(t.Elem))
}

// FromThreads reports whether a value that threads have in a layout can be stored to tensor memory as the factor A of a product, without a change of layout.
func FromThreads(op ir.Op, t *ir.TensorType) bool {
	a := tileas.MMAOf(op)
	row, err := RowOf(op)
	if a == nil || err != nil || a.Family != string(sm.Tcgen05) && a.Family != string(sm.Tcgen05Pair) || row.A.Places&sm.InTensor == 0 {
		return false
	}
	cells, err := FactorCells(t)
	if err != nil || linear.TensorLanes(ints(t.Shape)) != row.M/row.CTAs {
		return false
	}
	l, ok := tileas.LayoutOf(t)
	if !ok {
		return false
	}
	_, err = linear.PlanTensor(l, cells, linear.TensorForm{Pack: tileas.CellPack(t.Elem)})
	return err == nil
}

// A FactorRoom counts the columns of tensor memory that sums, and the scales of two products under way, leave to factors.
type FactorRoom struct{ columns int }

// NewFactorRoom returns what products leave, before any has a factor there.
func NewFactorRoom(products []ir.Op) *FactorRoom {
	r := &FactorRoom{tileas.TensorColumns}
	for _, op := range products {
		if InTensorMemory(op) {
			r.columns -= Columns(op)
		}
	}
	return r
}

// Take takes the room for so many slots of a factor, if there is as much.
func (r *FactorRoom) Take(t *ir.TensorType, slots int) bool {
	n := slots * factorColumns(t)
	if n > r.columns {
		return false
	}
	r.columns -= n
	return true
}

// factorColumns returns how many columns of tensor memory a factor takes there.
func factorColumns(t *ir.TensorType) int {
	n := 1 << tileas.CellPack(t.Elem) * linear.TensorLanes(ints(t.Shape))
	return (elements(t.Shape) + n - 1) / n
}

func elements(shape []int64) int {
	n := 1
	for _, extent := range shape {
		n *= int(extent)
	}
	return n
}
