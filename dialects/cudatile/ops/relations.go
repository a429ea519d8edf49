package ops

import (
	"slices"
	"strings"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
)

// typesOf appends the types that the named operand, result or attribute of op has: none if it is absent.
func typesOf(buf []ir.Type, op ir.Op, name string) []ir.Type {
	def := op.Def()
	if i := def.OperandField(name); i >= 0 {
		lo, hi := op.OperandRange(i)
		for ; lo < hi; lo++ {
			buf = append(buf, op.Operand(lo).Type())
		}
		return buf
	}
	if i := def.ResultField(name); i >= 0 {
		lo, hi := op.ResultRange(i)
		for ; lo < hi; lo++ {
			buf = append(buf, op.Result(lo).Type())
		}
		return buf
	}
	if a, ok := op.Attr(name).(ir.TypedAttribute); ok {
		buf = append(buf, a.Type())
	}
	return buf
}

// A fieldIndex is where a value stands in an operation: the number of an operand or a result, or the slot of an
// attribute that has a type.
type fieldIndex struct {
	kind  fieldKind
	index int
}

type fieldKind uint8

const (
	operandField fieldKind = iota
	resultField
	attrField
)

// fieldIndexes returns where the values of a relation are in the operations of a row. It is nil when that depends on
// the operation, or when equal types do not imply the relation. It is computed once for each row. So to verify an
// operation of the usual form takes a few comparisons of numbers and no look-up of a name.
func fieldIndexes(def *ir.OpDef, r Relation) (out []fieldIndex) {
	if r.Kind > SameElementType || !isSimple(def) {
		return nil
	}
	for _, name := range r.Names {
		if i := def.OperandField(name); i >= 0 {
			out = append(out, fieldIndex{operandField, i})
		} else if i := def.ResultField(name); i >= 0 {
			out = append(out, fieldIndex{resultField, i})
		} else if i := fieldNamed(def.Attrs, name); i >= 0 {
			out = append(out, fieldIndex{attrField, i})
		}
	}
	return out
}

// isSimple reports whether each operand field of a row is one operand, and each result field one result.
func isSimple(def *ir.OpDef) bool {
	for _, list := range [][]ir.Field{def.Operands, def.Results} {
		for i := range list {
			if list[i].Arity != ir.One {
				return false
			}
		}
	}
	return def.Traits&(ir.AttrSizedOperandSegments|ir.AttrSizedResultSegments) == 0
}

func fieldNamed(list []ir.Field, name string) int {
	for i := range list {
		if list[i].Name == name {
			return i
		}
	}
	return -1
}

// sameTypes reports whether the values of the relation are seen to have the same type, which is what all relations
// with indexes are content with.
func (r *Relation) sameTypes(op ir.Op) bool {
	first := 0
	for i, at := range r.indexes {
		t := 0
		switch at.kind {
		case operandField:
			t = op.Operand(at.index).TypeNumber()
		case resultField:
			t = op.Result(at.index).TypeNumber()
		default:
			if a, ok := op.AttrAt(at.index).(ir.TypedAttribute); ok {
				t = ir.TypeNumber(a.Type())
			}
		}
		if i > 0 && t != first {
			return false
		}
		first = t
	}
	return r.indexes != nil
}

// verify checks the relation on op. The diagnostics are those that MLIR generates for its traits.
func (r Relation) verify(op ir.Op) error {
	switch r.Kind {
	case BoolShapedLike:
		return r.verifyBoolResult(op)
	case PointsTo:
		return r.verifyPointee(op)
	case SameType:
		if r.isPairwise(op) {
			return r.verifyPairwise(op)
		}
	}
	var space [8]ir.Type // enough for most, so that verifying does not allocate
	types := space[:0]
	for _, name := range r.Names {
		types = typesOf(types, op, name)
	}
	for i := 1; i < len(types); i++ {
		if !r.agree(types[0], types[i]) {
			return r.mismatch(op)
		}
	}
	return nil
}

func (r Relation) agree(a, b ir.Type) bool {
	switch r.Kind {
	case SameType:
		return a == b
	case SameShape:
		return slices.Equal(cudatile.ShapeOf(a), cudatile.ShapeOf(b))
	case SameRank:
		return len(cudatile.ShapeOf(a)) == len(cudatile.ShapeOf(b))
	default:
		return cudatile.ElemOf(a) == cudatile.ElemOf(b)
	}
}

func (r Relation) mismatch(op ir.Op) error {
	names := strings.Join(r.Names, ", ")
	switch {
	// The reference declares these three by predicates with words of their own, and its tests compare the words.
	case op.Is(cudatile.LoadPtr) && r.Kind == SameShape:
		return op.Errorf("failed to verify that shape of 'mask' must match the shape of 'source'")
	case op.Is(cudatile.LoadPtr) && r.Kind == SameType:
		return op.Errorf("failed to verify that type of 'paddingValue' must match the type of 'result'")
	case op.Is(cudatile.StorePtr) && r.Kind == SameShape:
		return op.Errorf("failed to verify that shape of 'destination' must match the shape of 'mask'")
	}
	what := [...]string{"same type", "same shape", "same rank", "the same element type"}[r.Kind]
	return op.Errorf("failed to verify that all of {%s} have %s", names, what)
}

// isPairwise reports whether the relation is between lists of values, of which each pair agrees.
func (r Relation) isPairwise(op ir.Op) bool {
	for _, name := range r.Names {
		def := op.Def()
		if i := def.OperandField(name); i >= 0 && def.Operands[i].Arity == ir.Variadic {
			return true
		}
	}
	return false
}

func (r Relation) verifyPairwise(op ir.Op) error {
	var space, other [8]ir.Type
	first := typesOf(space[:0], op, r.Names[0])
	for _, name := range r.Names[1:] {
		if !slices.Equal(first, typesOf(other[:0], op, name)) {
			return r.mismatch(op)
		}
	}
	return nil
}

func (r Relation) verifyBoolResult(op ir.Op) error {
	like, ok := op.Operand(0).Type().(*cudatile.TileType)
	result, isTile := op.Result(0).Type().(*cudatile.TileType)
	if ok && isTile && ir.BitWidth(result.Elem) == 1 && slices.Equal(result.Shape, like.Shape) {
		return nil
	}
	return op.Errorf("failed to verify that Result type has i1 element type and same shape as operands")
}

func (r Relation) verifyPointee(op ir.Op) error {
	for _, p := range typesOf(nil, op, r.Names[0]) {
		for _, v := range typesOf(nil, op, r.Names[1]) {
			if ptr, ok := cudatile.ElemOf(p).(*cudatile.PtrType); !ok || ptr.Pointee != cudatile.ElemOf(v) || !slices.Equal(cudatile.ShapeOf(p), cudatile.ShapeOf(v)) {
				return op.Errorf("failed to verify that `%s` type is expected a pointer type of `%s` type", r.Names[0], r.Names[1])
			}
		}
	}
	return nil
}
