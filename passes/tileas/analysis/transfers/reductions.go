package transfers

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes/analysis/tma"
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
	why, known := tma.Describable(acc, ranges, false)
	switch o := op.StringAttr(tile.AttrOrdering); {
	case why != "":
	case !known:
		why = "what its map is made of is not known before the kernel begins, and it would be made for one tile"
	case o != "" && o != "weak" && o != "relaxed" || op.StringAttr(tile.AttrScope) == "sys":
		why = "the update is stronger than relaxed for the device, and reductions are not"
	default:
		why = s.placed()
	}
	if why != "" {
		return nil, why
	}
	if why = s.choose(acc, t); why != "" {
		return nil, why
	}
	return s, ""
}
