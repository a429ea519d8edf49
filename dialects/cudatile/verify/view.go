package verify

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// The number of operands follows from the type: one for each ? in sizes, then one for each in strides.
func MakeTensorView(op ir.Op) error {
	view := op.Result(0).Type().(*cudatile.TensorViewType)
	ptr := cudatile.ElemOf(op.Operand(0).Type()).(*cudatile.PtrType)
	if ptr.Pointee != view.Elem {
		return op.Errorf("expected pointer to %s to build tensor_view of this type, got %s", cudatile.Quoted(view.Elem), cudatile.Quoted(ptr.Pointee))
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
				cudatile.Quoted(want), cudatile.Quoted(v.Type()))
		}
	}
	return nil
}

// MakeView verifies make_partition_view, make_strided_view, make_gather_scatter_view.
func MakeView(op ir.Op) error {
	got, want := op.Operand(0).Type(), ir.Type(op.Result(0).Type().(cudatile.ViewType).View().TensorView)
	if got != want {
		return op.Errorf("expected tensor_view type to be the same as the view's tensor_view type (%s), got %s", cudatile.Quoted(want), cudatile.Quoted(got))
	}
	return nil
}

// verifyViewAccess checks the indices and the tile of a load or store of a view.
//
// The order of the checks is part of the contract with the reference's tests: the number of indices, the tile,
// then each index.
func verifyViewAccess(op ir.Op, tile ir.Type) error {
	view := op.OperandNamed("view").Type().(cudatile.ViewType)
	index := ir.TypesOf(op.OperandsNamed("index"))
	if n := view.IndexRank(); len(index) != n {
		return op.Errorf("expected %d index operands (based on view type), got %d", n, len(index))
	}
	if want := ir.Type(view.TileType()); tile != want {
		return op.Errorf("expected tile type to be %s (based on view type), got %s", cudatile.Quoted(want), cudatile.Quoted(tile))
	}
	if err := view.VerifyIndices(index); err != nil {
		return op.Errorf("%s", err)
	}
	return firstError(verifyInbounds(op), verifyHintsForm(op), verifyPacking(op, view))
}

// verifyPacking checks that the pairs of elements of half a byte that share a byte are known, and that an access has
// both of each. The views may exist without it: the rule is one of accesses, in the reference too.
func verifyPacking(op ir.Op, view cudatile.ViewType) error {
	tensor := view.View().TensorView
	if !cudatile.IsFloat(tensor.Elem, numeric.F4E2M1FN) {
		return nil
	}
	units := tensor.UnitStrides()
	if len(units) != 1 {
		return op.Errorf("an f4 view access requires exactly one statically encoded unit stride to identify the packing dimension; got %d in %s", len(units),
			cudatile.Quoted(tensor))
	}
	if g, ok := view.(*cudatile.GatherScatterViewType); ok && g.SparseDim == int64(units[0]) {
		return op.Errorf("an f4 gather/scatter view cannot use packing dimension %d as its sparse dimension", units[0])
	}
	return nil
}

// verifyInbounds checks that there is an entry for each index; an empty list says nothing, as in versions without the
// attribute.
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

// LoadView verifies load_view_tko.
func LoadView(op ir.Op) error {
	return firstError(verifyViewAccess(op, op.Result(0).Type()), verifyLoadOrdering(op))
}

// StoreView verifies store_view_tko.
func StoreView(op ir.Op) error {
	return firstError(verifyViewAccess(op, op.OperandNamed("tile").Type()), verifyStoreOrdering(op))
}

// GetIndexSpaceShape verifies get_index_space_shape.
func GetIndexSpaceShape(op ir.Op) error {
	if n := op.Operand(0).Type().(cudatile.ViewType).IndexRank(); op.NumResults() != n {
		return op.Errorf("expected %d results due to view index space rank, but got %d", n, op.NumResults())
	}
	return nil
}

// GetTensorShape verifies get_tensor_shape.
func GetTensorShape(op ir.Op) error {
	if n := len(op.Operand(0).Type().(*cudatile.TensorViewType).Shape); op.NumResults() != n {
		return op.Errorf("expected %d results due to tensor rank, but got %d", n, op.NumResults())
	}
	return nil
}

// Multimem checks the operations on multicast memory.
func Multimem(op ir.Op) error {
	view := op.OperandNamed("view").Type().(cudatile.ViewType)
	tensor := view.View().TensorView
	if tensor.Attr == nil || cudatile.PtrAttr(tensor.Attr.Value) != cudatile.PtrMulticast {
		return op.Errorf("expected a multicast pointer, but got %s", cudatile.Quoted(tensor))
	}
	load := op.Def().OperandField("tile") < 0
	tile := op.Result(0).Type()
	if !load {
		tile = op.OperandNamed("tile").Type()
	}
	if err := verifyViewAccess(op, tile); err != nil {
		return err
	}
	switch kind := cudatile.MultimemReductionOf(op); kind {
	case cudatile.MultimemAnd, cudatile.MultimemOr, cudatile.MultimemXor, cudatile.MultimemUMin, cudatile.MultimemUMax:
		if _, integer := cudatile.ElemOf(tile).(*ir.IntegerType); !integer {
			return op.Errorf("and/or/xor/umin/umax reductions require integer element types, but got %s", cudatile.Quoted(cudatile.ElemOf(tile)))
		}
	}
	if load {
		return verifyLoadOrdering(op)
	}
	return verifyStoreOrdering(op)
}
