package cudatile

import (
	"math"
	"slices"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// Dynamic stands for a size or stride of a tensor_view that is known only at run time; it prints as "?".
const Dynamic = math.MinInt64

// MaxTileElements is the largest number of elements that a tile may have.
const MaxTileElements = 1 << 24

// TileType is a tile: a value of static shape. Elem is a number or a pointer.
type TileType struct {
	ir.TypeBase
	Shape []int64
	Elem  ir.Type
}

// PtrType is the address of a number in global memory.
type PtrType struct {
	ir.TypeBase
	Pointee ir.Type
	Attr    *EnumAttr // of PtrAttrs; nil: not given
}

// TensorViewType describes a tensor in global memory. Sizes and strides (in elements) may be Dynamic.
type TensorViewType struct {
	ir.TypeBase
	Shape, Strides []int64
	Elem           ir.Type
	Attr           *EnumAttr // of PtrAttrs; nil: not given
}

// PartitionViewType cuts a tensor_view into a grid of tiles. Dimension i of the tile lies along dimension DimMap[i]
// of the tensor.
type PartitionViewType struct {
	ir.TypeBase
	TileShape  []int64
	TensorView *TensorViewType
	DimMap     []int64
	Padding    *EnumAttr // of PaddingValues; nil: reading out of bounds yields an undefined value
}

// StridedViewType is like PartitionViewType, but consecutive tiles are TraversalStrides elements apart.
type StridedViewType struct {
	ir.TypeBase
	TileShape        []int64
	TraversalStrides []int64
	TensorView       *TensorViewType
	DimMap           []int64
	Padding          *EnumAttr
}

// GatherScatterViewType takes the coordinates along SparseDim from a one-dimensional tile of indices.
type GatherScatterViewType struct {
	ir.TypeBase
	TileShape  []int64
	TensorView *TensorViewType
	SparseDim  int64
	Padding    *EnumAttr
}

// TokenType orders memory operations.
type TokenType struct{ ir.TypeBase }

type (
	tileKey struct {
		shape string
		elem  ir.Type
	}
	ptrKey struct {
		pointee ir.Type
		attr    *EnumAttr
	}
	tensorViewKey struct {
		shape, strides string
		elem           ir.Type
		attr           *EnumAttr
	}
	partitionViewKey struct {
		tile    string
		tv      *TensorViewType
		dimMap  string
		padding *EnumAttr
	}
	stridedViewKey struct {
		tile, traversal string
		tv              *TensorViewType
		dimMap          string
		padding         *EnumAttr
	}
	gatherScatterViewKey struct {
		tile    string
		tv      *TensorViewType
		sparse  int64
		padding *EnumAttr
	}
	tokenKey struct{}
)

func clone(xs []int64) []int64 { return append([]int64(nil), xs...) }

// Tile returns the tile type of a shape; a nil shape is that of a scalar. Like the other constructors it checks
// nothing: see VerifyType.
func Tile(c *ir.Context, shape []int64, elem ir.Type) *TileType {
	return ir.UniqueType(c, Bare, tileKey{ir.Int64Key(shape), elem}, func() *TileType {
		return &TileType{Shape: clone(shape), Elem: elem}
	})
}

// Ptr returns the type of pointers to pointee; attr may be nil.
func Ptr(c *ir.Context, pointee ir.Type, attr *EnumAttr) *PtrType {
	return ir.UniqueType(c, Bare, ptrKey{pointee, attr}, func() *PtrType { return &PtrType{Pointee: pointee, Attr: attr} })
}

// TensorView returns a tensor_view type; attr may be nil.
func TensorView(c *ir.Context, shape, strides []int64, elem ir.Type, attr *EnumAttr) *TensorViewType {
	key := tensorViewKey{ir.Int64Key(shape), ir.Int64Key(strides), elem, attr}
	return ir.UniqueType(c, Bare, key, func() *TensorViewType {
		return &TensorViewType{Shape: clone(shape), Strides: clone(strides), Elem: elem, Attr: attr}
	})
}

// PartitionView returns a partition_view type; a nil dimMap is the identity and padding may be nil.
func PartitionView(c *ir.Context, tile []int64, tv *TensorViewType, dimMap []int64, padding *EnumAttr) *PartitionViewType {
	dimMap = orIdentity(dimMap, len(tile))
	key := partitionViewKey{ir.Int64Key(tile), tv, ir.Int64Key(dimMap), padding}
	return ir.UniqueType(c, Bare, key, func() *PartitionViewType {
		return &PartitionViewType{TileShape: clone(tile), TensorView: tv, DimMap: clone(dimMap), Padding: padding}
	})
}

// StridedView returns a strided_view type; a nil dimMap is the identity and padding may be nil.
func StridedView(c *ir.Context, tile, traversal []int64, tv *TensorViewType, dimMap []int64, padding *EnumAttr) *StridedViewType {
	dimMap = orIdentity(dimMap, len(tile))
	key := stridedViewKey{ir.Int64Key(tile), ir.Int64Key(traversal), tv, ir.Int64Key(dimMap), padding}
	return ir.UniqueType(c, Bare, key, func() *StridedViewType {
		return &StridedViewType{TileShape: clone(tile), TraversalStrides: clone(traversal), TensorView: tv,
			DimMap: clone(dimMap), Padding: padding}
	})
}

// GatherScatterView returns a gather_scatter_view type; padding may be nil.
func GatherScatterView(c *ir.Context, tile []int64, tv *TensorViewType, sparseDim int64, padding *EnumAttr) *GatherScatterViewType {
	key := gatherScatterViewKey{ir.Int64Key(tile), tv, sparseDim, padding}
	return ir.UniqueType(c, Bare, key, func() *GatherScatterViewType {
		return &GatherScatterViewType{TileShape: clone(tile), TensorView: tv, SparseDim: sparseDim, Padding: padding}
	})
}

// Token returns the token type.
func Token(c *ir.Context) *TokenType {
	return ir.UniqueType(c, Bare, tokenKey{}, func() *TokenType { return &TokenType{} })
}

// Scalar returns the rank 0 tile type of an element type.
func Scalar(c *ir.Context, elem ir.Type) *TileType { return Tile(c, nil, elem) }

func orIdentity(dimMap []int64, rank int) []int64 {
	if dimMap != nil {
		return dimMap
	}
	return identity(rank)
}

func identity(rank int) []int64 {
	m := make([]int64, rank)
	for i := range m {
		m[i] = int64(i)
	}
	return m
}

// Dims and ElemType implement ir.ShapedType.
func (t *TileType) Dims() []int64     { return t.Shape }
func (t *TileType) ElemType() ir.Type { return t.Elem }

// Rank returns the number of dimensions.
func (t *TileType) Rank() int { return len(t.Shape) }

// NumElements returns the product of the dimensions.
func (t *TileType) NumElements() int64 {
	n := int64(1)
	for _, d := range t.Shape {
		n *= d
	}
	return n
}

// With returns the tile type of the same shape with other elements, or of another shape with the same.
func (t *TileType) With(elem ir.Type) *TileType        { return Tile(t.Context(), t.Shape, elem) }
func (t *TileType) WithShape(shape ...int64) *TileType { return Tile(t.Context(), shape, t.Elem) }

// NumDynamic counts the dynamic sizes and strides.
func (t *TensorViewType) NumDynamic() (sizes, strides int) {
	return count(t.Shape, Dynamic), count(t.Strides, Dynamic)
}

func count(xs []int64, x int64) int {
	n := 0
	for _, y := range xs {
		if y == x {
			n++
		}
	}
	return n
}

// A ViewType is a type that loads and stores tiles by index: a partition_view, strided_view or gather_scatter_view.
type ViewType interface {
	ir.Type
	// View returns what all views have in common.
	View() ViewParts
	// IndexRank returns how many indices a load or store takes.
	IndexRank() int
	// TileType returns the type of the tiles.
	TileType() *TileType
	// VerifyIndices checks the types of the indices of a load or store.
	VerifyIndices(types []ir.Type) error
}

// ViewParts is what all views have in common. DimMap is the identity for a gather_scatter_view.
type ViewParts struct {
	TileShape  []int64
	TensorView *TensorViewType
	DimMap     []int64
	Padding    *EnumAttr
}

// View implements ViewType.
func (t *PartitionViewType) View() ViewParts {
	return ViewParts{t.TileShape, t.TensorView, t.DimMap, t.Padding}
}

// View implements ViewType.
func (t *StridedViewType) View() ViewParts {
	return ViewParts{t.TileShape, t.TensorView, t.DimMap, t.Padding}
}

// View implements ViewType.
func (t *GatherScatterViewType) View() ViewParts {
	return ViewParts{t.TileShape, t.TensorView, identity(len(t.TileShape)), t.Padding}
}

// IndexRank implements ViewType.
func (t *PartitionViewType) IndexRank() int { return len(t.TileShape) }

// IndexRank implements ViewType.
func (t *StridedViewType) IndexRank() int { return len(t.TileShape) }

// IndexRank implements ViewType.
func (t *GatherScatterViewType) IndexRank() int { return len(t.TileShape) }

// TileType implements ViewType.
func (t *PartitionViewType) TileType() *TileType {
	return Tile(t.Context(), t.TileShape, t.TensorView.Elem)
}

// TileType implements ViewType.
func (t *StridedViewType) TileType() *TileType {
	return Tile(t.Context(), t.TileShape, t.TensorView.Elem)
}

// TileType implements ViewType.
func (t *GatherScatterViewType) TileType() *TileType {
	return Tile(t.Context(), t.TileShape, t.TensorView.Elem)
}

// ElemOf returns the element type of a tile, tensor_view or view, and the type itself for anything else.
func ElemOf(t ir.Type) ir.Type {
	switch t := t.(type) {
	case *TileType:
		return t.Elem
	case *TensorViewType:
		return t.Elem
	case ViewType:
		return t.View().TensorView.Elem
	}
	return t
}

// ShapeOf returns the shape of a tile, and nil for anything else.
func ShapeOf(t ir.Type) []int64 {
	if t, ok := t.(*TileType); ok {
		return t.Shape
	}
	return nil
}

// AddressBits implements divisibility.Addressed.
func (t *PtrType) AddressBits() int { return 64 }

// PointeeBytes implements divisibility.Addressed. Elements of less than a byte share one, so that pointers to them
// are not counted in bytes.
func (t *PtrType) PointeeBytes() int {
	if _, ok := t.Pointee.(*PtrType); ok {
		return 8
	}
	if bits := ir.BitWidth(t.Pointee); bits != 1 {
		return bits / 8
	}
	return 1
}

// PackingDim returns the dimension of the tile along which pairs of elements of half a byte share bytes. It is -1 when
// elements are at least a byte, or when the dimension is unknown, which the verifier allows for no access.
func PackingDim(view ViewType) int {
	parts := view.View()
	units := parts.TensorView.UnitStrides()
	if !IsFloat(parts.TensorView.Elem, numeric.F4E2M1FN) || len(units) != 1 {
		return -1
	}
	return slices.Index(parts.DimMap, int64(units[0]))
}

// UnitStrides returns the dimensions whose stride is known to be 1.
func (t *TensorViewType) UnitStrides() (dims []int) {
	for d, s := range t.Strides {
		if s == 1 {
			dims = append(dims, d)
		}
	}
	return dims
}
