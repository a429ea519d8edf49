package verify

import (
	"slices"
	"strings"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// verifyOrdering checks the memory ordering and scope of a load or store. As in the PTX memory consistency model: a
// weak access is not one that others may synchronise with, so a scope would say nothing; a strong one needs it.
func verifyOrdering(op ir.Op, what string, orderings ...cudatile.MemoryOrdering) error {
	ordering := cudatile.MemoryOrderingOf(op)
	_, scoped := cudatile.MemoryScopeOf(op)
	if !slices.Contains(orderings, ordering) {
		return op.Errorf("expect one of: %s, but got: %s", orList(orderings), ordering)
	}
	if ordering == cudatile.Weak && scoped {
		return op.Errorf("weak %s must not have memory scope", what)
	}
	if ordering != cudatile.Weak && !scoped {
		return op.Errorf("memory scope is required for %s %s", ordering, what)
	}
	return nil
}

// orList spells "a, b, or c".
func orList(orderings []cudatile.MemoryOrdering) string {
	names := make([]string, len(orderings))
	for i, o := range orderings {
		names[i] = o.String()
	}
	names[len(names)-1] = "or " + names[len(names)-1]
	return strings.Join(names, ", ")
}

func verifyLoadOrdering(op ir.Op) error {
	return verifyOrdering(op, "load", cudatile.Weak, cudatile.Relaxed, cudatile.Acquire)
}
func verifyStoreOrdering(op ir.Op) error {
	return verifyOrdering(op, "store", cudatile.Weak, cudatile.Relaxed, cudatile.Release)
}

// Load verifies load_ptr_tko.
func Load(op ir.Op) error { return firstError(verifyHintsForm(op), verifyLoadOrdering(op)) }

// Store verifies store_ptr_tko.
func Store(op ir.Op) error { return firstError(verifyHintsForm(op), verifyStoreOrdering(op)) }

// JoinTokens verifies join_tokens.
func JoinTokens(op ir.Op) error {
	if op.NumOperands() < 2 {
		return op.Errorf("expect two or more tokens")
	}
	return nil
}

// The natural size of an i1 is a byte.
func Alloca(op ir.Op) error {
	alignment, _ := op.IntAttr("alignment")
	if alignment <= 0 || alignment&(alignment-1) != 0 {
		return op.Errorf("'alignment' must be power of two")
	}
	pointee := cudatile.ElemOf(op.Result(0).Type()).(*cudatile.PtrType).Pointee
	size := int64(width(pointee) / 8)
	if cudatile.IsInt(pointee, 1) {
		size = 1
	}
	if alignment < size {
		return op.Errorf("'alignment' (%d) must be at least the natural size (%d bytes) for element type %s", alignment, size, cudatile.Quoted(pointee))
	}
	return nil
}

// verifyPointee checks that the pointers of an atomic operation point to the elements of one of its operands.
func verifyPointee(op ir.Op, operand string) error {
	pointee := cudatile.ElemOf(op.OperandNamed("pointers").Type()).(*cudatile.PtrType).Pointee
	if elem := cudatile.ElemOf(op.OperandNamed(operand).Type()); pointee != elem {
		return op.Errorf("expected pointee type (%s) to match element type of '%s' (%s)", cudatile.Quoted(pointee), operand, cudatile.Quoted(elem))
	}
	return nil
}

// verifyMask checks that the mask, if there is one, has the shape of the other operands.
//
// The masks of loads and stores need no such check: their rows say that the shapes agree.
func verifyMask(op ir.Op, operand, all string) error {
	mask := op.OperandNamed("mask")
	if mask.IsNil() || slices.Equal(cudatile.ShapeOf(mask.Type()), cudatile.ShapeOf(op.OperandNamed(operand).Type())) {
		return nil
	}
	return op.Errorf("failed to verify that all of {%s} have same shape", all)
}

// PTX has no weak atom or red either: without an ordering they are relaxed.
func verifyAtomicOrdering(op ir.Op) error {
	if cudatile.MemoryOrderingOf(op) == cudatile.Weak {
		return op.Errorf("memory ordering semantics must be one of: relaxed, acquire, release, acq_rel")
	}
	return nil
}

// isWord reports whether PTX exchanges elements of a type.
func isWord(elem ir.Type) bool { return width(elem) == 32 || width(elem) == 64 }

// AtomicCAS verifies atomic_cas_tko.
func AtomicCAS(op ir.Op) error {
	if err := verifyPointee(op, "val"); err != nil {
		return err
	}
	elem := cudatile.ElemOf(op.OperandNamed("val").Type())
	if !isWord(elem) {
		return op.Errorf("expect only float or integer types with 32 or 64 bit")
	}
	return firstError(verifyMask(op, "val", "pointers, val, cmp and mask"), verifyAtomicOrdering(op))
}

// AtomicRMW verifies atomic_rmw_tko.
func AtomicRMW(op ir.Op) error {
	return firstError(verifyPointee(op, "arg"), verifyMask(op, "arg", "pointers, arg, mask"),
		verifyAtomicMode(op, cudatile.ElemOf(op.OperandNamed("arg").Type())), verifyAtomicOrdering(op))
}

// verifyAtomicMode checks that elements can be modified in that way.
//
// Floats are added only, integers of 32 and 64 bits take every mode: what PTX's atom has for global memory,
// less the packed forms.
func verifyAtomicMode(op ir.Op, elem ir.Type) error {
	switch mode := cudatile.AtomicModeOf(op); mode {
	case cudatile.AtomicAddF:
		if !cudatile.IsFloat(elem, numeric.F16, numeric.BF16, numeric.F32, numeric.F64) {
			return op.Errorf("'%s' works only with floats f16, bf16, f32, and f64", mode)
		}
	case cudatile.AtomicXchg:
		if !isWord(elem) {
			return op.Errorf("'%s' works only with integers or float of 32 or 64 bitwidth", mode)
		}
	default:
		if !cudatile.IsInt(elem, 32, 64) {
			return op.Errorf("'%s' works only with integers i32 and i64", mode)
		}
	}
	return nil
}

// The limits are those of PTX's cp.reduce.async.bulk.tensor, whose reductions are relaxed at gpu scope and give
// nothing back, so that there is no xchg.
func AtomicRedView(op ir.Op) error {
	view := op.OperandNamed("view").Type().(cudatile.ViewType)
	value := op.OperandNamed("value").Type().(*cudatile.TileType)
	tile := view.TileType()
	if _, gather := view.(*cudatile.GatherScatterViewType); gather {
		return op.Errorf("gather_scatter_view is not supported; use partition_view instead")
	}
	switch scope, _ := cudatile.MemoryScopeOf(op); {
	case view.View().Padding != nil:
		return op.Errorf("views with padding_value are not supported for atomic reductions")
	case tile.Elem != value.Elem:
		return op.Errorf("view element type (%s) must match value element type (%s)", cudatile.Quoted(tile.Elem), cudatile.Quoted(value.Elem))
	case !slices.Equal(tile.Shape, value.Shape):
		return op.Errorf("view tile shape %s must match value shape %s for element-wise atomic operations", cudatile.SizesText(tile.Shape, ", "),
			cudatile.SizesText(value.Shape, ", "))
	case cudatile.AtomicModeOf(op) == cudatile.AtomicXchg:
		return op.Errorf("atomic_red_view_tko op cannot use xchg operation")
	case verifyAtomicMode(op, value.Elem) != nil:
		return verifyAtomicMode(op, value.Elem)
	case cudatile.MemoryOrderingOf(op) != cudatile.Relaxed:
		return op.Errorf("only 'relaxed' memory ordering is supported for view-based atomic reductions")
	case scope == cudatile.ScopeSys:
		return op.Errorf("memory scope 'sys' is not supported for view-based atomic reductions; use 'tl_blk' or 'device' for TMA compatibility")
	}
	indices := op.OperandsNamed("index")
	if len(indices) != tile.Rank() {
		return op.Errorf("expected %d index operand(s) for view with tile rank %d, got %d", tile.Rank(), tile.Rank(), len(indices))
	}
	for i, v := range indices {
		if shape := cudatile.ShapeOf(v.Type()); len(shape) != 0 {
			return op.Errorf("index operand %d must be a scalar tile (rank 0), got shape %s", i, cudatile.SizesText(shape, ", "))
		}
	}
	return verifyInbounds(op)
}

// verifyHintsForm checks that hints are dictionaries by architecture.
func verifyHintsForm(op ir.Op) error {
	a, ok := op.Attr("optimization_hints").(*cudatile.HintsAttr)
	if !ok {
		return nil
	}
	for _, e := range a.Dict.Entries {
		if _, ok := e.Value.(*ir.DictAttr); !ok {
			return op.Errorf("expected dictionary attribute for optimization_hints entry `%s` got value=%s", e.Name, ir.AttrString(e.Value))
		}
	}
	return nil
}
