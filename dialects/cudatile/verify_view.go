package cudatile

import (
	"slices"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// The number of operands follows from the type: one for each ? in sizes, then one for each in strides.
func verifyMakeTensorView(op ir.Op) error {
	view := op.Result(0).Type().(*TensorViewType)
	ptr := ElemOf(op.Operand(0).Type()).(*PtrType)
	if ptr.Pointee != view.Elem {
		return op.Errorf("expected pointer to %s to build tensor_view of this type, got %s", quoted(view.Elem), quoted(ptr.Pointee))
	}
	if ptr.Attr != view.Attr {
		return op.Errorf("tensor_view must preserve ptr_attr from base pointer")
	}
	sizes, strides := op.OperandGroup(1), op.OperandGroup(2)
	wantSizes, wantStrides := view.NumDynamic()
	if len(sizes) != wantSizes {
		return op.Errorf("expected %d dynamic shape operands, got %d", wantSizes, len(sizes))
	}
	if len(strides) != wantStrides {
		return op.Errorf("expected %d dynamic stride operands, got %d", wantStrides, len(strides))
	}
	if len(sizes)+len(strides) == 0 {
		return nil
	}
	// Sizes and strides are one list here: either may be empty, and all are of one type.
	want := op.Operand(1).Type()
	for i, v := range append(sizes, strides...) {
		what, index := "shape", i
		if i >= len(sizes) {
			what, index = "stride", i-len(sizes)
		}
		if v.Type() != want {
			return op.Errorf("expected dynamic %s index %d to be of the same type as the other dynamic values (%s), got %s", what, index,
				quoted(want), quoted(v.Type()))
		}
	}
	return nil
}

func verifyMakeView(op ir.Op) error {
	got, want := op.Operand(0).Type(), ir.Type(op.Result(0).Type().(ViewType).View().TensorView)
	if got != want {
		return op.Errorf("expected tensor_view type to be the same as the view's tensor_view type (%s), got %s", quoted(want), quoted(got))
	}
	return nil
}

// verifyViewAccess checks the indices and the tile of a load or store of a view.
//
// The order of the checks is part of the contract with the reference's tests: the number of indices, the tile,
// then each index.
func verifyViewAccess(op ir.Op, tile ir.Type) error {
	view := op.OperandNamed("view").Type().(ViewType)
	index := valueTypes(op.OperandsNamed("index"))
	if n := view.IndexRank(); len(index) != n {
		return op.Errorf("expected %d index operands (based on view type), got %d", n, len(index))
	}
	if want := ir.Type(view.TileType()); tile != want {
		return op.Errorf("expected tile type to be %s (based on view type), got %s", quoted(want), quoted(tile))
	}
	if err := view.verifyIndices(index); err != nil {
		return op.Errorf("%s", err)
	}
	return firstError(verifyInbounds(op), verifyHintsForm(op), verifyPacking(op, view))
}

// verifyPacking checks that the pairs of elements of half a byte that share a byte are known, and that an access has both of each. The views may exist without it: the rule is
// one of accesses, in the reference too.
func verifyPacking(op ir.Op, view ViewType) error {
	tensor := view.View().TensorView
	if !isFloat(tensor.Elem, numeric.F4E2M1FN) {
		return nil
	}
	units := tensor.unitStrides()
	if len(units) != 1 {
		return op.Errorf("an f4 view access requires exactly one statically encoded unit stride to identify the packing dimension; got %d in %s", len(units),
			quoted(tensor))
	}
	if g, ok := view.(*GatherScatterViewType); ok && g.SparseDim == int64(units[0]) {
		return op.Errorf("an f4 gather/scatter view cannot use packing dimension %d as its sparse dimension", units[0])
	}
	return nil
}

// unitStrides returns the dimensions whose stride is known to be 1.
func (t *TensorViewType) unitStrides() (dims []int) {
	for d, s := range t.Strides {
		if s == 1 {
			dims = append(dims, d)
		}
	}
	return dims
}

// PackingDim returns the dimension of the tile along which pairs of elements of half a byte share bytes; -1 when elements take whole bytes, or when that cannot be told, which the
// verifier allows for no access.
func PackingDim(view ViewType) int {
	parts := view.View()
	units := parts.TensorView.unitStrides()
	if !isFloat(parts.TensorView.Elem, numeric.F4E2M1FN) || len(units) != 1 {
		return -1
	}
	return slices.Index(parts.DimMap, int64(units[0]))
}

// verifyInbounds checks that there is an entry for each index; an empty list says nothing, as in versions without the attribute.
func verifyInbounds(op ir.Op) error {
	a, ok := op.Attr("inbounds").(*ir.DenseArrayAttr)
	if !ok || len(a.Values) == 0 {
		return nil
	}
	if n := len(op.OperandsNamed("index")); len(a.Values) != n {
		return op.Errorf("inbounds size (%d) must match the number of indices (%d)", len(a.Values), n)
	}
	return nil
}

func verifyLoadView(op ir.Op) error {
	return firstError(verifyViewAccess(op, op.Result(0).Type()), verifyLoadOrdering(op))
}

func verifyStoreView(op ir.Op) error {
	return firstError(verifyViewAccess(op, op.OperandNamed("tile").Type()), verifyStoreOrdering(op))
}

func verifyGetIndexSpaceShape(op ir.Op) error {
	if n := op.Operand(0).Type().(ViewType).IndexRank(); op.NumResults() != n {
		return op.Errorf("expected %d results due to view index space rank, but got %d", n, op.NumResults())
	}
	return nil
}

func verifyGetTensorShape(op ir.Op) error {
	if n := len(op.Operand(0).Type().(*TensorViewType).Shape); op.NumResults() != n {
		return op.Errorf("expected %d results due to tensor rank, but got %d", n, op.NumResults())
	}
	return nil
}

// verifyMultimem checks the operations on multicast memory.
func verifyMultimem(op ir.Op) error {
	view := op.OperandNamed("view").Type().(ViewType)
	tensor := view.View().TensorView
	if tensor.Attr == nil || PtrAttr(tensor.Attr.Value) != PtrMulticast {
		return op.Errorf("expected a multicast pointer, but got %s", quoted(tensor))
	}
	load := op.Def().OperandField("tile") < 0
	tile := op.Result(0).Type()
	if !load {
		tile = op.OperandNamed("tile").Type()
	}
	if err := verifyViewAccess(op, tile); err != nil {
		return err
	}
	switch kind := MultimemReductionOf(op); kind {
	case MultimemAnd, MultimemOr, MultimemXor, MultimemUMin, MultimemUMax:
		if _, integer := ElemOf(tile).(*ir.IntegerType); !integer {
			return op.Errorf("and/or/xor/umin/umax reductions require integer element types, but got %s", quoted(ElemOf(tile)))
		}
	}
	if load {
		return verifyLoadOrdering(op)
	}
	return verifyStoreOrdering(op)
}
