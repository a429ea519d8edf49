package transfers

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
	"github.com/tilewright/tilewright/ir/linear"
)

// PlanReduction plans the update of a tile of a view by a bulk tensor reduction, or says why it cannot be; with
// neither, the operation is no such update.
//
// Threads update element by element, each with an address and a test of bounds. The reduction is relaxed and of the
// scope of the device, as those of cuda_tile are at most.
func PlanReduction(op ir.Op, ranges *intrange.Ranges) (s *Store, why string) {
	if !op.Is(tileas.Level.TiledAtomic) {
		return nil, ""
	}
	acc := tile.AccessOf(op)
	t, ok := acc.Tile.(*ir.TensorType)
	if !ok {
		return nil, ""
	}
	if why = tileas.NoReduction(op.StringAttr(tile.AttrMode), t.Elem); why != "" {
		return nil, why
	}
	// Whether what stands before the update goes through shared memory does not matter: the tile does.
	s = &Store{Op: op, Value: op.Operand(0), access: linear.AccessOptions{}}
	s.unwind()
	s.ofMMA(s.Value, make(map[ir.Value]bool))
	return s.planned(acc, t, ranges, func() string {
		if o := op.StringAttr(tile.AttrOrdering); o != "" && o != "weak" && o != "relaxed" || op.StringAttr(tile.AttrScope) == "sys" {
			return "the update is stronger than relaxed for the device, and reductions are not"
		}
		return s.placed()
	})
}
