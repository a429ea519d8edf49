package plancopies

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/remark"
	"github.com/tilewright/tilewright/passes/tileas/copies"
)

// loaded says that a load travels by bulk tensor copies.
func loaded(r *passes.Run, c *copies.Copy) {
	remark.LoadSelected.At(r, c.Load.Loc(), "load travels by bulk tensor copies of %d x %s, swizzled over %d bytes", len(c.Boxes.Places), extents(c.Boxes.Box), c.Boxes.Swizzle).
		Arg(remark.InstructionKey, remark.TMALoad).Arg(remark.ShapeKey, remark.Shape(c.Boxes.Box)).Report()
}

// stored says that a store travels by bulk tensor copies.
func stored(r *passes.Run, s *copies.Store, what string) {
	remark.StoreSelected.At(r, s.Op.Loc(), "%s travels by bulk tensor copies of %d x %s, swizzled over %d bytes", what, len(s.Boxes.Places), extents(s.Boxes.Box), s.Boxes.Swizzle).
		Arg(remark.InstructionKey, remark.TMAStore).Arg(remark.ShapeKey, remark.Shape(s.Boxes.Box)).Report()
}

// refusedLoad says why a load does not travel by bulk tensor copies, or, where the target has none, by cp.async.
func refusedLoad(r *passes.Run, op ir.Op, why string, tensors bool) {
	switch {
	case op.Is(tileas.Level.Load):
		text := "load does not travel by a bulk tensor copy: " + why
		if !tensors {
			text = "elements of the load pass registers: " + why
		}
		remark.Gather.At(r, op.Loc(), "%s", text).Arg(remark.ReasonKey, "its elements are where pointers say").
			Cure("if the addresses are those of a strided array, load a tile of a view of it (make_tensor_view, load_view_tko) instead of through a tile of pointers").Report()
	case tensors:
		reasons, missing, cure := lacking(op, why)
		m := remark.TmaLoadFailed.At(r, op.Loc(), "load does not travel by a bulk tensor copy: %s", why)
		for _, reason := range reasons {
			m.Arg(remark.ReasonKey, reason)
		}
		m.Cure("%s", cure).Missing(missing...).Report()
	default:
		a := tile.AccessOf(op)
		n := 4 / tile.ElementBytes(ir.ElementType(a.Tile)) // the least that cp.async moves
		var missing []ir.MissingFact
		if n > a.VectorElements() {
			missing = a.MissingForVector(tile.MaxVectorBytes / tile.ElementBytes(ir.ElementType(a.Tile)))
		}
		remark.LdgstsFailed.At(r, op.Loc(), "elements of the load pass registers: %s", why).Arg(remark.ReasonKey, why).Missing(missing...).Report()
	}
}

// refusedStore says why a store does not travel by bulk tensor copies.
func refusedStore(r *passes.Run, op ir.Op, what, why string) {
	reasons, missing, cure := lacking(op, why)
	m := remark.TmaStoreFailed.At(r, op.Loc(), "%s does not travel by a bulk tensor copy: %s", what, why)
	for _, reason := range reasons {
		m.Arg(remark.ReasonKey, reason)
	}
	m.Cure("%s", cure).Missing(missing...).Report()
}

// lacking sorts why an access has no tensor map: in the words of tileiras where it has them, with the facts that are missing, or with what to change where no promise helps.
func lacking(op ir.Op, why string) (reasons []string, missing []ir.MissingFact, cure string) {
	a := tile.AccessOf(op)
	elem := ir.ElementType(a.Tile)
	size := int64(tile.ElementBytes(elem))
	about := func(what string) bool { return strings.Contains(why, what) }
	switch {
	case about("the base is not known"), about("is not known to be a multiple of"):
		missing = copies.MissingForMap(a)
		for _, m := range missing {
			words := fmt.Sprintf("stride not %d-byte aligned", tileas.BulkUnit)
			if m.Operand == "base" {
				words = fmt.Sprintf("base pointer not %d-byte aligned", tileas.BulkUnit)
			}
			if !slices.Contains(reasons, words) {
				reasons = append(reasons, words)
			}
		}
		return reasons, missing, ""
	case about("stride 1"):
		return []string{why}, copies.MissingForMap(a), ""
	case about("rows of"):
		inner := a.ContiguousDim()
		row := tile.Shape(a.Tile)[inner] * size
		return []string{fmt.Sprintf("leading tile dimension not %d-byte aligned", tileas.BulkUnit)}, nil,
			fmt.Sprintf("make tiles at least %d elements long in dimension %d, along which memory is contiguous: a row of the tile has %d bytes, and a copy takes multiples of %d", max(1, int64(tileas.BulkUnit)/size), inner, row, tileas.BulkUnit)
	case about("a tensor map has zeros"):
		return []string{"software-implemented TMA padding is not profitable for this tile"}, nil, "pad with zero, and select another value behind the load where it is needed"
	case about("may be 2^31 or more"):
		return []string{why}, nil, "pass sizes as i32, or promise by assume bounded that they are below 2^31"
	case about("takes the tile too"):
		return []string{why}, nil, "load the tile once more for the other use: what products read from shared memory is in nobody's registers"
	case about("does not fit beside the others"):
		return []string{why}, nil, "make the tiles smaller"
	case about("the hint allow_tma"):
		return []string{why}, nil, "drop the hint"
	case about("ordered after what threads write"):
		return []string{why}, nil, "give it a token that does not come from stores of threads to other memory"
	}
	return []string{why}, nil, ""
}
