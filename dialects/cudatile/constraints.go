package cudatile

import (
	"strconv"
	"strings"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// An elemSet is a set of element types, in the order in which diagnostics list them.
type elemSet []elem

// elem is a number type, by the name that the text uses, or "ptr".
type elem string

func (e elem) matches(t ir.Type) bool {
	switch t := t.(type) {
	case *PtrType:
		return e == "ptr"
	case *ir.IntegerType:
		return e[0] == 'i' && string(e[1:]) == strconv.Itoa(t.Width)
	case *ir.FloatType:
		return string(e) == t.Format.String()
	}
	return false
}

func (e elem) desc() string {
	if e == "ptr" {
		return "Pointer type"
	}
	return string(e)
}

func elems(names string) elemSet {
	var s elemSet
	for _, n := range strings.Fields(names) {
		s = append(s, elem(n))
	}
	return s
}

func (s elemSet) has(t ir.Type) bool {
	for _, e := range s {
		if e.matches(t) {
			return true
		}
	}
	return false
}

func (s elemSet) desc() string {
	var names []string
	for _, e := range s {
		names = append(names, e.desc())
	}
	return strings.Join(names, " or ")
}

const (
	intNames       = "i1 i8 i16 i32 i64"
	baseFloatNames = "f16 bf16 f32 f64"
	floatNames     = baseFloatNames + " tf32 f8E4M3FN f8E5M2 f8E8M0FNU f4E2M1FN"
	numberNames    = intNames + " " + floatNames
)

// tileOf admits tiles whose elements are among names; what is what diagnostics call them. The elements in unlisted, which newer
// versions added, are admitted but not named in diagnostics, as in the reference tools.
func tileOf(what, names string, unlisted ...elem) ir.TypeConstraint {
	s := elems(names)
	all := append(append(elemSet(nil), s...), unlisted...)
	return ir.TypeConstraint{Desc: what + " of " + s.desc() + " values", Check: func(t ir.Type) bool {
		tile, ok := t.(*TileType)
		return ok && all.has(tile.Elem)
	}}
}

// scalarOf admits rank 0 tiles whose element is among names.
func scalarOf(names string) ir.TypeConstraint {
	s := elems(names)
	return ir.TypeConstraint{Desc: "0D tile of " + s.desc() + " values", Check: func(t ir.Type) bool {
		tile, ok := t.(*TileType)
		return ok && tile.Rank() == 0 && s.has(tile.Elem)
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
	anyTile     = ir.TypeConstraint{Desc: "tile of any type values", Check: func(t ir.Type) bool { _, ok := t.(*TileType); return ok }}
	intTile     = tileOf("tile", intNames)
	floatTile   = tileOf("tile", baseFloatNames) // what arithmetic works on
	anyFloat    = tileOf("tile", floatNames, fnv)
	numberTile  = tileOf("tile", numberNames, fnv)
	packable    = tileOf("tile", numberNames+" i4", fnv)
	extInt      = tileOf("tile", intNames+" i4")
	boolTile    = tileOf("tile", "i1")
	i8Tile      = tileOf("tile", "i8")
	i64Tile     = tileOf("tile", "i64")
	smallInt    = tileOf("tile", "i1 i8 i16 i32")
	ptrTile     = tileOf("tile", "ptr")
	boolScalar  = only(scalarOf("i1"), func(c *ir.Context) ir.Type { return Scalar(c, c.Int(1)) })
	i32Scalar   = only(scalarOf("i32"), func(c *ir.Context) ir.Type { return Scalar(c, c.Int(32)) })
	intScalar   = scalarOf(intNames)
	ptrScalar   = scalarOf("ptr")
	tokenType   = only(isType[*TokenType]("cuda tile token type"), func(c *ir.Context) ir.Type { return Token(c) })
	tensorView  = isType[*TensorViewType]("tensor view type")
	partView    = isType[*PartitionViewType]("partition view type")
	stridedView = isType[*StridedViewType]("strided view type")
	gatherView  = isType[*GatherScatterViewType]("gather/scatter view type")
	tileView    = isType[ViewType]("TileView instance")
	anyType     = ir.AnyType
	// anyCudaType is what may leave a region: a number or any type of the dialect.
	anyCudaType = ir.TypeConstraint{Desc: "number type or any cuda_tile type", Check: func(t ir.Type) bool {
		return isNumber(t) || ir.TypeDialect(t) == D
	}}

	mmaFactor    = tileOf("mmaf operand tile type", baseFloatNames+" tf32 f8E4M3FN f8E5M2")
	mmaAcc       = tileOf("mmaf acc/result tile type", "f16 f32 f64")
	mmaIntFactor = tileOf("mmai operand tile type", "i8")
	mmaIntAcc    = tileOf("mmai acc tile type", "i32")
	mmaIntResult = tileOf("mmai result tile type", "i32")
	scaledFactor = tileOf("mmaf_scaled operand tile type", "f8E4M3FN f8E5M2 f4E2M1FN")
	scaledScale  = tileOf("mmaf_scaled scale tile type", "f8E4M3FN f8E8M0FNU")
	scaledAcc    = tileOf("mmaf_scaled result tile type", "f32")
)

// fnv is the format that version 13.4 added; the operations that admit every float admit it too.
var fnv = elem(numeric.F8E5M3FNU.String())
