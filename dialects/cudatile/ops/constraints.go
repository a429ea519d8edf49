package ops

import (
	"strings"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
)

// tileOf admits tiles whose elements are among names; what is what diagnostics call them. The elements in unlisted,
// which newer versions added, are admitted but not named in diagnostics, as in the reference tools.
func tileOf(what, names string, unlisted ...string) ir.TypeConstraint {
	s := cudatile.Elems(names)
	all := cudatile.Elems(names + " " + strings.Join(unlisted, " "))
	return ir.TypeConstraint{Desc: what + " of " + s.Desc() + " values", Check: func(t ir.Type) bool {
		tile, ok := t.(*cudatile.TileType)
		return ok && all.Has(tile.Elem)
	}}
}

// scalarOf admits rank 0 tiles whose element is among names.
func scalarOf(names string) ir.TypeConstraint {
	s := cudatile.Elems(names)
	return ir.TypeConstraint{Desc: "0D tile of " + s.Desc() + " values", Check: func(t ir.Type) bool {
		tile, ok := t.(*cudatile.TileType)
		return ok && tile.Rank() == 0 && s.Has(tile.Elem)
	}}
}

func isType[T ir.Type](desc string) ir.TypeConstraint {
	return ir.TypeConstraint{Desc: desc, Check: func(t ir.Type) bool { _, ok := t.(T); return ok }}
}

// only says which type is the one that a constraint admits, so that formats need not spell it.
func only(t ir.TypeConstraint, make func(*ir.Context) ir.Type) ir.TypeConstraint {
	t.Only = make
	return t
}

// The type constraints of operands and results.
var (
	anyTile     = ir.TypeConstraint{Desc: "tile of any type values", Check: func(t ir.Type) bool { _, ok := t.(*cudatile.TileType); return ok }}
	intTile     = tileOf("tile", cudatile.IntNames)
	floatTile   = tileOf("tile", cudatile.BaseFloatNames) // what arithmetic works on
	anyFloat    = tileOf("tile", cudatile.FloatNames, cudatile.NewestFloat)
	numberTile  = tileOf("tile", cudatile.NumberNames, cudatile.NewestFloat)
	packable    = tileOf("tile", cudatile.NumberNames+" i4", cudatile.NewestFloat)
	extInt      = tileOf("tile", cudatile.IntNames+" i4")
	boolTile    = tileOf("tile", "i1")
	i8Tile      = tileOf("tile", "i8")
	i64Tile     = tileOf("tile", "i64")
	smallInt    = tileOf("tile", "i1 i8 i16 i32")
	ptrTile     = tileOf("tile", "ptr")
	boolScalar  = only(scalarOf("i1"), func(c *ir.Context) ir.Type { return cudatile.Scalar(c, c.Int(1)) })
	i32Scalar   = only(scalarOf("i32"), func(c *ir.Context) ir.Type { return cudatile.Scalar(c, c.Int(32)) })
	intScalar   = scalarOf(cudatile.IntNames)
	ptrScalar   = scalarOf("ptr")
	tokenType   = only(isType[*cudatile.TokenType]("cuda tile token type"), func(c *ir.Context) ir.Type { return cudatile.Token(c) })
	tensorView  = isType[*cudatile.TensorViewType]("tensor view type")
	partView    = isType[*cudatile.PartitionViewType]("partition view type")
	stridedView = isType[*cudatile.StridedViewType]("strided view type")
	gatherView  = isType[*cudatile.GatherScatterViewType]("gather/scatter view type")
	tileView    = isType[cudatile.ViewType]("TileView instance")
	anyType     = ir.AnyType
	// anyCudaType is what may leave a region: a number or any type of the dialect.
	anyCudaType = ir.TypeConstraint{Desc: "number type or any cuda_tile type", Check: func(t ir.Type) bool {
		return cudatile.IsNumber(t) || ir.TypeDialect(t) == Dialect
	}}

	mmaFactor    = tileOf("mmaf operand tile type", cudatile.BaseFloatNames+" tf32 f8E4M3FN f8E5M2")
	mmaAcc       = tileOf("mmaf acc/result tile type", "f16 f32 f64")
	mmaIntFactor = tileOf("mmai operand tile type", "i8")
	mmaIntAcc    = tileOf("mmai acc tile type", "i32")
	mmaIntResult = tileOf("mmai result tile type", "i32")
	scaledFactor = tileOf("mmaf_scaled operand tile type", "f8E4M3FN f8E5M2 f4E2M1FN")
	scaledScale  = tileOf("mmaf_scaled scale tile type", "f8E4M3FN f8E8M0FNU", cudatile.NewestFloat)
	scaledAcc    = tileOf("mmaf_scaled result tile type", "f32")
)
