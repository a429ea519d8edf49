package cudatile

import (
	"strings"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// verifyOrdering checks the memory ordering and scope of a load or store.
// As in the PTX memory consistency model: a weak access is not one that others may synchronise with, so a scope would say nothing; a strong one needs it.
func verifyOrdering(op ir.Op, what string, orderings ...MemoryOrdering) error {
	ordering := MemoryOrderingOf(op)
	_, scoped := MemoryScopeOf(op)
	if !isOneOf(ordering, orderings...) {
		return op.Errorf("expect one of: %s, but got: %s", orList(orderings), ordering)
	}
	if ordering == Weak && scoped {
		return op.Errorf("weak %s must not have memory scope", what)
	}
	if ordering != Weak && !scoped {
		return op.Errorf("memory scope is required for %s %s", ordering, what)
	}
	return nil
}

// orList spells "a, b, or c".
func orList(orderings []MemoryOrdering) string {
	names := make([]string, len(orderings))
	for i, o := range orderings {
		names[i] = o.String()
	}
	names[len(names)-1] = "or " + names[len(names)-1]
	return strings.Join(names, ", ")
}

func verifyLoadOrdering(op ir.Op) error { return verifyOrdering(op, "load", Weak, Relaxed, Acquire) }
func verifyStoreOrdering(op ir.Op) error {
	return verifyOrdering(op, "store", Weak, Relaxed, Release)
}

func verifyLoad(op ir.Op) error  { return firstError(verifyHintsForm(op), verifyLoadOrdering(op)) }
func verifyStore(op ir.Op) error { return firstError(verifyHintsForm(op), verifyStoreOrdering(op)) }

func verifyJoinTokens(op ir.Op) error {
	if op.NumOperands() < 2 {
		return op.Errorf("expect two or more tokens")
	}
	return nil
}

// The natural size of an i1 is a byte.
func verifyAlloca(op ir.Op) error {
	alignment, _ := op.IntAttr("alignment")
	if alignment <= 0 || alignment&(alignment-1) != 0 {
		return op.Errorf("'alignment' must be power of two")
	}
	pointee := ElemOf(op.Result(0).Type()).(*PtrType).Pointee
	size := int64(width(pointee) / 8)
	if isInt(pointee, 1) {
		size = 1
	}
	if alignment < size {
		return op.Errorf("'alignment' (%d) must be at least the natural size (%d bytes) for element type %s", alignment, size, quoted(pointee))
	}
	return nil
}

// verifyPointee checks that the pointers of an atomic operation point to the elements of one of its operands.
func verifyPointee(op ir.Op, operand string) error {
	pointee := ElemOf(op.OperandNamed("pointers").Type()).(*PtrType).Pointee
	if elem := ElemOf(op.OperandNamed(operand).Type()); pointee != elem {
		return op.Errorf("expected pointee type (%s) to match element type of '%s' (%s)", quoted(pointee), operand, quoted(elem))
	}
	return nil
}

// verifyMask checks that the mask, if there is one, has the shape of the other operands.
//
// The masks of loads and stores need no such check: their rows say that the shapes agree.
func verifyMask(op ir.Op, operand, all string) error {
	mask := op.OperandNamed("mask")
	if mask.IsNil() || equal(ShapeOf(mask.Type()), ShapeOf(op.OperandNamed(operand).Type())) {
		return nil
	}
	return op.Errorf("failed to verify that all of {%s} have same shape", all)
}

// PTX has no weak atom or red either: without an ordering they are relaxed.
func verifyAtomicOrdering(op ir.Op) error {
	if MemoryOrderingOf(op) == Weak {
		return op.Errorf("memory ordering semantics must be one of: relaxed, acquire, release, acq_rel")
	}
	return nil
}

func verifyAtomicCAS(op ir.Op) error {
	if err := verifyPointee(op, "val"); err != nil {
		return err
	}
	elem := ElemOf(op.OperandNamed("val").Type())
	if !isOneOf(width(elem), 32, 64) {
		return op.Errorf("expect only float or integer types with 32 or 64 bit")
	}
	return firstError(verifyMask(op, "val", "pointers, val, cmp and mask"), verifyAtomicOrdering(op))
}

func verifyAtomicRMW(op ir.Op) error {
	return firstError(verifyPointee(op, "arg"), verifyMask(op, "arg", "pointers, arg, mask"),
		verifyAtomicMode(op, ElemOf(op.OperandNamed("arg").Type())), verifyAtomicOrdering(op))
}

// verifyAtomicMode checks that elements can be modified in that way.
//
// Floats are added only, integers of 32 and 64 bits take every mode: what PTX's atom has for global memory,
// less the packed forms.
func verifyAtomicMode(op ir.Op, elem ir.Type) error {
	switch mode := AtomicModeOf(op); mode {
	case AtomicAddF:
		if !isFloat(elem, numeric.F16, numeric.BF16, numeric.F32, numeric.F64) {
			return op.Errorf("'%s' works only with floats f16, bf16, f32, and f64", mode)
		}
	case AtomicXchg:
		if !isOneOf(width(elem), 32, 64) {
			return op.Errorf("'%s' works only with integers or float of 32 or 64 bitwidth", mode)
		}
	default:
		if !isInt(elem, 32, 64) {
			return op.Errorf("'%s' works only with integers i32 and i64", mode)
		}
	}
	return nil
}

// The limits are those of PTX's cp.reduce.async.bulk.tensor, whose reductions are relaxed at gpu scope and give nothing back, so that there is no xchg.
func verifyAtomicRedView(op ir.Op) error {
	view := op.OperandNamed("view").Type().(ViewType)
	value := op.OperandNamed("value").Type().(*TileType)
	tile := view.TileType()
	if _, gather := view.(*GatherScatterViewType); gather {
		return op.Errorf("gather_scatter_view is not supported; use partition_view instead")
	}
	switch scope, _ := MemoryScopeOf(op); {
	case view.View().Padding != nil:
		return op.Errorf("views with padding_value are not supported for atomic reductions")
	case tile.Elem != value.Elem:
		return op.Errorf("view element type (%s) must match value element type (%s)", quoted(tile.Elem), quoted(value.Elem))
	case !equal(tile.Shape, value.Shape):
		return op.Errorf("view tile shape %s must match value shape %s for element-wise atomic operations", join(tile.Shape, ", "),
			join(value.Shape, ", "))
	case AtomicModeOf(op) == AtomicXchg:
		return op.Errorf("atomic_red_view_tko op cannot use xchg operation")
	case verifyAtomicMode(op, value.Elem) != nil:
		return verifyAtomicMode(op, value.Elem)
	case MemoryOrderingOf(op) != Relaxed:
		return op.Errorf("only 'relaxed' memory ordering is supported for view-based atomic reductions")
	case scope == ScopeSys:
		return op.Errorf("memory scope 'sys' is not supported for view-based atomic reductions; use 'tl_blk' or 'device' for TMA compatibility")
	}
	indices := op.OperandsNamed("index")
	if len(indices) != tile.Rank() {
		return op.Errorf("expected %d index operand(s) for view with tile rank %d, got %d", tile.Rank(), tile.Rank(), len(indices))
	}
	for i, v := range indices {
		if shape := ShapeOf(v.Type()); len(shape) != 0 {
			return op.Errorf("index operand %d must be a scalar tile (rank 0), got shape %s", i, join(shape, ", "))
		}
	}
	return verifyInbounds(op)
}
