package transfers

import (
	"fmt"
	"math"
	"slices"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
	"github.com/tilewright/tilewright/passes/analysis/gathers"
	"github.com/tilewright/tilewright/passes/analysis/tma"
	"github.com/tilewright/tilewright/passes/tileas/machine/instr"
)

// Loads through pointers that are rows of a matrix, each of a number that a list has, come by TMA copies of four
// rows each. The map is of the entire matrix; rows and columns that the mask leaves out are outside of it.

// Pointing is why a load through pointers is none for a TMA copy.
const Pointing = "its elements are where pointers say"

// describeRows is describe of a load through pointers.
func (c *Copy) describeRows(ranges *intrange.Ranges) (order []int, why string) {
	r, why := gathers.Of(c.Load)
	if why != "" {
		return nil, Pointing + ": " + why
	}
	t := c.Load.Result(0).Type().(*ir.TensorType)
	if why = c.undescribedRows(r, t, ranges); why != "" {
		return nil, why
	}
	c.Rows = r
	return c.inChunks([]int{1 - r.Dim, r.Dim}), ""
}

// undescribedRows says why the rows of a load are not gathered by a map.
func (c *Copy) undescribedRows(r *gathers.Rows, t *ir.TensorType, ranges *intrange.Ranges) string {
	size := int64(tile.ElementBytes(t.Elem))
	base, _ := c.Load.IntAttr(tile.AttrBaseDiv)
	strides, _ := c.Load.Attr(tile.AttrStrideDiv).(*ir.DenseArrayAttr)
	other, p := c.Load.OperandNamed("other"), pastOf(c.Load)
	numbers, isTile := r.Numbers.Type().(*ir.TensorType)
	least := func(v ir.Value) bool { return ranges.Of(v).SMin >= 0 }
	switch {
	case tile.IsHalf(t.Elem) || ir.BitWidth(t.Elem) < 8:
		return fmt.Sprintf("elements of type '%s' are not copied as they are", ir.TypeString(t.Elem))
	case !isTile || numbers.NumElements() != t.Shape[r.Dim] || ir.BitWidth(ir.ElementType(r.Numbers.Type())) != 32:
		return "its row indices are no list of i32"
	case !other.IsNil() && !c.Load.OperandNamed("mask").IsNil() && !instr.IsZero(other):
		return "elements that are masked off are not all zero, and a tensor map pads with zeros"
	case base%tile.BulkUnit != 0 || base == 0:
		return fmt.Sprintf("the base is not known to be aligned to %d bytes", tile.BulkUnit)
	case strides == nil || strides.Values[r.Dim]*size%tile.BulkUnit != 0:
		return fmt.Sprintf("the stride of its rows is not known to be a multiple of %d bytes", tile.BulkUnit)
	case (r.Signed || r.Height.IsNil()) && !least(r.Numbers), (r.Signed || r.Width.IsNil()) && slices.ContainsFunc(r.Column, func(v ir.Value) bool { return !least(v) }):
		return "numbers of rows or columns may be negative, and are not compared as numbers without a sign: memory before the matrix may be meant"
	case !p.known:
		return unknownPast
	case len(p.threads) > 0:
		return fmt.Sprintf("it is ordered after what threads write or acquire ('%s'), and several threads would need a fence", p.threads[0].Name())
	case ranges.Of(r.Stride).SMax >= 1<<40/size:
		return "the stride of its rows may be 2^40 bytes or more"
	}
	for _, v := range slices.DeleteFunc([]ir.Value{r.Base, r.Stride, r.Height, r.Width}, ir.Value.IsNil) {
		if !tma.IsHosted(v) {
			return "what its map is made of is not known before the kernel begins"
		}
		if (v == r.Height || v == r.Width) && ranges.Of(v).SMax > math.MaxInt32 {
			return "an extent of its matrix may be 2^31 or more"
		}
	}
	return tma.Uncounted(c.Load)
}

// gathers makes the map of a copy one of rows that are gathered, or says why not.
func (c *Copy) gathers() (why string) {
	t := c.Load.Result(0).Type().(*ir.TensorType)
	if n := c.Map.Box[c.Rows.Dim]; n != t.Shape[c.Rows.Dim] {
		return fmt.Sprintf("boxes of its buffer have %d rows, and the tile %d", n, t.Shape[c.Rows.Dim])
	}
	m, why := c.Map.Gathers(c.Load.Context())
	if why == "" {
		c.Map = m
	}
	return why
}
