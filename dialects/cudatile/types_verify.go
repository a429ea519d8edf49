package cudatile

import (
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// VerifyType checks the rules of a type of the dialect; the types inside it are taken to have been checked. It accepts
// every type of another dialect.
//
// A type is verified once, when it is read or when an operation that has it is verified. It is not verified where it
// is made: types are uniqued, and a builder may make the same one millions of times.
func VerifyType(t ir.Type) error {
	switch t := t.(type) {
	case *TileType:
		return t.verify()
	case *PtrType:
		if !IsNumber(t.Pointee) {
			return badElement("pointeeType", "", t.Pointee)
		}
	case *TensorViewType:
		return t.verify()
	case *PartitionViewType:
		return verifyGridView(t.View())
	case *StridedViewType:
		return t.verify()
	case *GatherScatterViewType:
		return t.verify()
	}
	return nil
}

// badElement says that a type is not one of the number types, or those in more.
func badElement(what, more string, got ir.Type) error {
	const floats = "f16 or bf16 or f32 or tf32 or f64 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN"
	return fmt.Errorf("failed to verify '%s': %s or i1 or i8 or i16 or i32 or i64%s, but got %s", what, floats, more, Quoted(got))
}

// IsNumber reports whether t is a number type: what a pointer may point to.
func IsNumber(t ir.Type) bool {
	switch t := t.(type) {
	case *ir.IntegerType:
		return slices.Contains(numberWidths, t.Width)
	case *ir.FloatType:
		return true
	}
	return false
}

// numberWidths are the widths of the integers in memory; an i4 is none of them, for it has no address.
var numberWidths = []int{1, 8, 16, 32, 64}

// IsInt reports whether t is an integer type of one of the given widths.
func IsInt(t ir.Type, widths ...int) bool {
	it, ok := t.(*ir.IntegerType)
	return ok && slices.Contains(widths, it.Width)
}

// IsFloat reports whether t is a float of one of the given formats.
func IsFloat(t ir.Type, formats ...numeric.Format) bool {
	ft, ok := t.(*ir.FloatType)
	return ok && slices.Contains(formats, ft.Format)
}

func (t *TileType) verify() error {
	if _, isPtr := t.Elem.(*PtrType); !isPtr && !IsNumber(t.Elem) && !IsInt(t.Elem, 4) {
		return badElement("elementType", " or Pointer type or i4", t.Elem)
	}
	// The specification (5.2.1) would admit tiles whose pointers can be proved to make pairs. The released verifier
	// does not, and neither do we: whether a program is valid would depend on how much an analysis finds.
	if p, ok := t.Elem.(*PtrType); ok && len(t.Shape) > 0 && IsFloat(p.Pointee, numeric.F4E2M1FN) {
		return fmt.Errorf("tiles of ptr<f4E2M1FN> must have rank 0; use an f4 tile view for memory accesses")
	}
	return verifyTile(t.Shape, t.Elem)
}

// The limit of 2^24 elements is the reference's. It bounds what folders, the interpreter and layouts may be
// asked to hold.
func verifyTile(shape []int64, elem ir.Type) error {
	if IsFloat(elem, numeric.F4E2M1FN) && !hasEven(shape) {
		return fmt.Errorf("F4E2M1FN tiles must have an even number of elements")
	}
	n := int64(1)
	for _, d := range shape {
		if d <= 0 {
			return fmt.Errorf("all dimensions must be positive constants, got %s", SizesText(shape, ", "))
		}
		if d&(d-1) != 0 {
			return fmt.Errorf("all dimensions must be powers of two, got %s", SizesText(shape, ", "))
		}
		// Divided, not multiplied: the product of hostile sizes overflows.
		if n > MaxTileElements/d {
			return fmt.Errorf("tile would exceed the maximum of %d elements", MaxTileElements)
		}
		n *= d
	}
	return nil
}

// Sizes are powers of two, so that one even size makes the number of elements even; pairs share a byte (5.2).
func hasEven(shape []int64) bool {
	for _, d := range shape {
		if d%2 == 0 {
			return true
		}
	}
	return false
}

func (t *TensorViewType) verify() error {
	if !IsNumber(t.Elem) {
		return badElement("elementType", "", t.Elem)
	}
	if len(t.Shape) != len(t.Strides) {
		return fmt.Errorf("expected shape and stride to be of same rank but got shape of rank %d and stride of rank %d",
			len(t.Shape), len(t.Strides))
	}
	if !allPositive(t.Shape) {
		return fmt.Errorf("dimensions must have strictly positive constant sizes but got [%s]", SizesText(t.Shape, ", "))
	}
	if !allPositive(t.Strides) {
		return fmt.Errorf("dimensions must have strictly positive constant strides but got [%s]", SizesText(t.Strides, ", "))
	}
	return nil
}

// allPositive reports whether all static sizes are positive.
func allPositive(xs []int64) bool {
	for _, x := range xs {
		if x <= 0 && x != Dynamic {
			return false
		}
	}
	return true
}

// verifyViewTile checks what all views require of the tile shape, before anything else of theirs.
func verifyViewTile(v ViewParts) error {
	if len(v.TileShape) == 0 {
		return fmt.Errorf("0-dimension tile shape is not supported")
	}
	if len(v.TileShape) != len(v.TensorView.Shape) {
		return fmt.Errorf("expected tensor_view rank and tile rank to match, got tensor_view of rank %d and tiles of rank %d",
			len(v.TensorView.Shape), len(v.TileShape))
	}
	return nil
}

func verifyViewDims(v ViewParts) error {
	for _, d := range v.TileShape {
		if d <= 0 {
			return fmt.Errorf("tile shape dimensions must have positive length but got [%s]", SizesText(v.TileShape, ", "))
		}
	}
	for _, d := range v.TileShape {
		if d&(d-1) != 0 {
			return fmt.Errorf("tile shape dimensions must have power of two length but got [%s]", SizesText(v.TileShape, ", "))
		}
	}
	return nil
}

func verifyViewElements(v ViewParts) error {
	if err := verifyTile(v.TileShape, v.TensorView.Elem); err != nil {
		return err
	}
	if _, float := v.TensorView.Elem.(*ir.FloatType); v.Padding != nil && PaddingValue(v.Padding.Value) != PadZero && !float {
		return fmt.Errorf("padding_value %s can only be used with floating point element types, got %s", v.Padding,
			Quoted(v.TensorView.Elem))
	}
	return nil
}

// The checks stand in the reference's order, since its tests expect the first one that fails. The tile's rank comes
// first also because the later ones index by it.
func verifyGridView(v ViewParts) error {
	if err := verifyViewTile(v); err != nil {
		return err
	}
	if len(v.DimMap) != len(v.TileShape) {
		return fmt.Errorf("expected dim_map to map exactly all %d dimensions of the tile, got %d mappings", len(v.TileShape), len(v.DimMap))
	}
	if err := verifyViewDims(v); err != nil {
		return err
	}
	usedBy := make(map[int64]int)
	for i, d := range v.DimMap {
		if d < 0 {
			return fmt.Errorf("target dimension must not be negative, got %d", d)
		}
		if d >= int64(len(v.TensorView.Shape)) {
			return fmt.Errorf("target dimension is outside of tensor view dimensions, expected strictly less than %d, got %d",
				len(v.TensorView.Shape), d)
		}
		if first, used := usedBy[d]; used {
			return fmt.Errorf("target dimension %d mapped at least twice (for tile dimensions %d and %d)", d, first, i)
		}
		usedBy[d] = i
	}
	return verifyViewElements(v)
}

func (t *StridedViewType) verify() error {
	if err := verifyGridView(t.View()); err != nil {
		return err
	}
	if len(t.TraversalStrides) != len(t.TileShape) {
		return fmt.Errorf("expected %d traversal strides, got %d", len(t.TileShape), len(t.TraversalStrides))
	}
	for _, s := range t.TraversalStrides {
		if s <= 0 {
			return fmt.Errorf("traversal strides must be strictly positive but got [%s]", SizesText(t.TraversalStrides, ", "))
		}
	}
	return nil
}

func (t *GatherScatterViewType) verify() error {
	v := t.View()
	if err := verifyViewTile(v); err != nil {
		return err
	}
	if err := verifyViewDims(v); err != nil {
		return err
	}
	if t.SparseDim < 0 || t.SparseDim >= int64(len(t.TensorView.Shape)) {
		return fmt.Errorf("gather dimension is outside of tensor view dimensions, expected strictly less than %d, got %d",
			len(t.TensorView.Shape), t.SparseDim)
	}
	return verifyViewElements(v)
}

// VerifyIndices implements ViewType.
func (t *PartitionViewType) VerifyIndices(types []ir.Type) error { return verifyScalarIndices(types) }

// VerifyIndices implements ViewType.
func (t *StridedViewType) VerifyIndices(types []ir.Type) error { return verifyScalarIndices(types) }

func verifyScalarIndices(types []ir.Type) error {
	for _, t := range types {
		tile, ok := t.(*TileType)
		if !ok {
			return fmt.Errorf("expected index type to be a tile type, got %s", Quoted(t))
		}
		if tile.Rank() != 0 {
			return fmt.Errorf("expected index type to be a scalar tile, got %s", Quoted(t))
		}
	}
	for i, t := range types {
		if t != types[0] {
			return fmt.Errorf("expected index type %d to be the same as other index types (%s), got %s", i, Quoted(types[0]), Quoted(t))
		}
	}
	return nil
}

// VerifyIndices implements ViewType.
//
//	gather_scatter_view<tile=(8x64), sparse_dim = 0>      indices: tile<8xi32>, tile<i32>
func (t *GatherScatterViewType) VerifyIndices(types []ir.Type) error {
	var scalar ir.Type
	if int(t.SparseDim) < len(types) {
		if err := t.verifySparseIndex(types[t.SparseDim]); err != nil {
			return err
		}
	}
	for i, ty := range types {
		if int64(i) == t.SparseDim {
			continue
		}
		if tile, ok := ty.(*TileType); !ok || tile.Rank() != 0 {
			return fmt.Errorf("expected index %d to be a scalar tile for GatherScatterView", i)
		}
		if scalar == nil {
			scalar = ty
		}
		if ty != scalar {
			return fmt.Errorf("expected scalar index %d to have the same type as other scalar indices (%s), got %s", i, Quoted(scalar),
				Quoted(ty))
		}
	}
	return nil
}

func (t *GatherScatterViewType) verifySparseIndex(ty ir.Type) error {
	tile, ok := ty.(*TileType)
	if !ok {
		return fmt.Errorf("expected index at sparse_dim position %d to be a tile type for GatherScatterView", t.SparseDim)
	}
	if tile.Rank() != 1 {
		return fmt.Errorf("expected index at sparse_dim position %d to be a 1D tensor for GatherScatterView, got rank %d", t.SparseDim,
			tile.Rank())
	}
	if want := t.TileShape[t.SparseDim]; tile.Shape[0] != want {
		return fmt.Errorf("expected gather/scatter index size (%d) to match tile shape at gather/scatter dimension %d (%d)",
			tile.Shape[0], t.SparseDim, want)
	}
	return nil
}
