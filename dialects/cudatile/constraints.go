package cudatile

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// An elemSet is a set of element types: number types, by the names that the text uses, and "ptr".
type elemSet struct {
	names  []string // in the order in which diagnostics list them
	ptr    bool
	ints   uint64 // a bit for each width, less one
	floats uint64 // a bit for each format
}

func elems(names string) elemSet {
	s := elemSet{names: strings.Fields(names)}
	for _, n := range s.names {
		width, err := strconv.Atoi(n[1:])
		switch {
		case n == "ptr":
			s.ptr = true
		case n[0] == 'i' && err == nil:
			s.ints |= 1 << (width - 1)
		default:
			for _, f := range numeric.Formats() {
				if f.String() == n {
					s.floats |= 1 << f
				}
			}
		}
	}
	return s
}

func (s *elemSet) has(t ir.Type) bool {
	switch t := t.(type) {
	case *PtrType:
		return s.ptr
	case *ir.IntegerType:
		return s.ints>>(t.Width-1)&1 != 0
	case *ir.FloatType:
		return s.floats>>t.Format&1 != 0
	}
	return false
}

func (s *elemSet) desc() string {
	names := slices.Clone(s.names)
	for i, n := range names {
		if n == "ptr" {
			names[i] = "Pointer type"
		}
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
func tileOf(what, names string, unlisted ...string) ir.TypeConstraint {
	s := elems(names)
	all := elems(names + " " + strings.Join(unlisted, " "))
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
		return isNumber(t) || ir.TypeDialect(t) == Dialect
	}}

	mmaFactor    = tileOf("mmaf operand tile type", baseFloatNames+" tf32 f8E4M3FN f8E5M2")
	mmaAcc       = tileOf("mmaf acc/result tile type", "f16 f32 f64")
	mmaIntFactor = tileOf("mmai operand tile type", "i8")
	mmaIntAcc    = tileOf("mmai acc tile type", "i32")
	mmaIntResult = tileOf("mmai result tile type", "i32")
	scaledFactor = tileOf("mmaf_scaled operand tile type", "f8E4M3FN f8E5M2 f4E2M1FN")
	scaledScale  = tileOf("mmaf_scaled scale tile type", "f8E4M3FN f8E8M0FNU", fnv)
	scaledAcc    = tileOf("mmaf_scaled result tile type", "f32")
)

// fnv is the format that version 13.4 added; the operations that admit every float admit it too.
var fnv = numeric.F8E5M3FNU.String()
