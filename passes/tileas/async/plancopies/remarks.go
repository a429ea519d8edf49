package plancopies

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/analysis/tma"
	"github.com/tilewright/tilewright/passes/remark"
)

// A rejection is why the better transfers of a load were rejected; "" for one that was not considered, or is chosen.
type rejection struct{ tma, cpAsync string }

func (w rejection) none() bool { return w == rejection{} }

// String returns the reasons, each after the name of its transfer, as the attribute nv_tileas.rejected has them.
func (w rejection) String() string {
	switch {
	case w.cpAsync == "":
		return beginTMA + w.tma
	case w.tma == "":
		return "cp.async: " + w.cpAsync
	}
	return beginTMA + w.tma + "; cp.async: " + w.cpAsync
}

const beginTMA = "tma: "

// afterTMA is String for a text that has named TMA already.
func (w rejection) afterTMA() string { return strings.TrimPrefix(w.String(), beginTMA) }

// selected reports an access that uses TMA.
func selected(r *passes.Run, op ir.Op, kind *remark.Kind, what, instruction string, boxes linear.Boxes) {
	extents := strings.Trim(strings.ReplaceAll(fmt.Sprint(boxes.Box), " ", " x "), "[]")
	kind.At(r, op.Loc(), "%s uses TMA: %d x %s, %d-byte swizzle", what, len(boxes.Places), extents, boxes.Swizzle).
		Arg(remark.InstructionKey, instruction).Arg(remark.ShapeKey, remark.Shape(boxes.Box)).Report()
}

// rejectedLoad reports why a load cannot use TMA or, on targets without TMA, cp.async.
func rejectedLoad(r *passes.Run, op ir.Op, why rejection, tensors bool) {
	switch {
	case op.Is(tileas.Level.Load):
		text := "load cannot use TMA: " + why.afterTMA()
		if !tensors {
			text = "load is staged through registers: " + why.String()
		}
		remark.Gather.At(r, op.Loc(), "%s", text).Arg(remark.ReasonKey, "it gathers through a tile of pointers").
			Cure("if the addresses are those of a strided array, load a tile of a view of it (make_tensor_view, load_view_tko) instead of through a tile of pointers").Report()
	case tensors:
		withoutTMA(r, op, remark.TmaLoadFailed, "load", why.afterTMA())
	default:
		a := tile.AccessOf(op)
		n := 4 / tile.ElementBytes(ir.ElementType(a.Tile)) // cp.async copies at least 4 bytes (PTX ISA, cp.async)
		var missing []ir.MissingFact
		if n > a.VectorElements() {
			missing = a.MissingForVector(tile.MaxVectorBytes / tile.ElementBytes(ir.ElementType(a.Tile)))
		}
		remark.LdgstsFailed.At(r, op.Loc(), "load is staged through registers: %s", why).Arg(remark.ReasonKey, why.String()).Missing(missing...).Report()
	}
}

// withoutTMA reports why an access cannot use TMA.
func withoutTMA(r *passes.Run, op ir.Op, kind *remark.Kind, what, why string) {
	reasons, missing, cure := lacking(op, why)
	m := kind.At(r, op.Loc(), "%s cannot use TMA: %s", what, why)
	for _, reason := range reasons {
		m.Arg(remark.ReasonKey, reason)
	}
	m.Cure("%s", cure).Missing(missing...).Report()
}

// lacking sorts why an access has no tensor map: the reasons as tileiras words them where it has them, the missing
// facts, and what to change where no promise helps.
func lacking(op ir.Op, why string) (reasons []string, missing []ir.MissingFact, cure string) {
	a := tile.AccessOf(op)
	elem := ir.ElementType(a.Tile)
	size := int64(tile.ElementBytes(elem))
	about := func(what string) bool { return strings.Contains(why, what) }
	switch {
	case about("the base is not known"), about("is not known to be a multiple of"):
		missing = tma.MissingForMap(a)
		for _, m := range missing {
			words := fmt.Sprintf("stride not %d-byte aligned", tile.BulkUnit)
			if m.Operand == "base" {
				words = fmt.Sprintf("base pointer not %d-byte aligned", tile.BulkUnit)
			}
			if !slices.Contains(reasons, words) {
				reasons = append(reasons, words)
			}
		}
		return reasons, missing, ""
	case about("stride 1"):
		return []string{why}, tma.MissingForMap(a), ""
	case about("rows of"):
		inner := a.ContiguousDim()
		row := tile.Shape(a.Tile)[inner] * size
		return []string{fmt.Sprintf("leading tile dimension not %d-byte aligned", tile.BulkUnit)}, nil,
			fmt.Sprintf("make tiles at least %d elements long in dimension %d, along which memory is contiguous: a row of the tile has %d bytes, and a copy takes multiples of %d", max(1, int64(tile.BulkUnit)/size), inner, row, tile.BulkUnit)
	case about("a tensor map pads with zeros"):
		return []string{"software-implemented TMA padding is not profitable for this tile"}, nil, "pad with zero, and select another value after the load where it is needed"
	case about("may be 2^31 or more"):
		return []string{why}, nil, "pass sizes as i32, or promise by assume bounded that they are below 2^31"
	case about("takes the tile too"):
		return []string{why}, nil, "load the tile once more for the other use: what MMAs read from shared memory is in nobody's registers"
	case about("does not fit beside the others"):
		return []string{why}, nil, "make the tiles smaller"
	case about("the hint allow_tma"):
		return []string{why}, nil, "drop the hint"
	case about("ordered after what threads write"):
		return []string{why}, nil, "give it a token that does not come from stores of threads to other memory"
	}
	return []string{why}, nil, ""
}
