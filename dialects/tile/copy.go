package tile

import (
	"slices"

	"github.com/tilewright/tilewright/ir"
)

// A Holder is a type whose values are places for a tile, as a buffer is. HeldTile returns the tensor type of the
// tile; nil when it holds several.
type Holder interface{ HeldTile() ir.Type }

// BulkUnit is what the size of a bulk copy and both its addresses are multiples of, in bytes (PTX ISA, cp.async.bulk).
const BulkUnit = 16

// FieldPlace is the operand of a copy that is the place on the other side of global memory.
const FieldPlace = "place"

// FieldPredicate is the operand of a copy that says whether anything is copied.
const FieldPredicate = "predicate"

// notOfCopies are the attributes of a tiled_load that a copy does not have: it is weak, and its elements are at least
// a byte.
var notOfCopies = []string{ir.OperandSegmentSizes, AttrScope, AttrPacked, AttrNoTMA}

// DefineCopy adds an operation of the level that moves a tile between a place, its first operand, and a strided memory
// object. The object is described as in a tiled_load, including the facts. The row's capabilities say what the
// operation does to both.
func (l *Level) DefineCopy(def ir.OpDef, place ir.TypeConstraint) *ir.OpDef {
	load := l.TiledLoad
	def.Operands = append([]ir.Field{{Name: FieldPlace, Type: place}}, load.Operands...)
	def.Operands = append(def.Operands, ir.Field{Name: FieldPredicate, Type: Bool, Arity: ir.Optional, Doc: "if false, nothing is read, and the contents of the place are undetermined afterwards"})
	def.Attrs = append(slices.DeleteFunc(slices.Clone(load.Attrs), func(f ir.Field) bool { return slices.Contains(notOfCopies, f.Name) }), def.Attrs...)
	def.Results = []ir.Field{{Name: "after", Type: Token}}
	def.Traits |= ir.AttrSizedOperandSegments
	def.Parse, def.Print = l.parseCopy, printTiledStore
	more := def.Verify
	def.Verify = ordered(func(op ir.Op) error {
		if op.Operand(0).Type().(Holder).HeldTile() == nil {
			return op.Errorf("copies one tile, but its place is '%s'", ir.TypeString(op.Operand(0).Type()))
		}
		if err := verifyTiled(op); err != nil || more == nil {
			return err
		}
		return more(op)
	}, "weak")
	return l.op(def)
}

// DefineGather adds an operation of the level that moves what the pointers of a tensor point to, as a load does, to a
// place, its first operand. What it does to both the row's capabilities say.
func (l *Level) DefineGather(def ir.OpDef, place ir.TypeConstraint) *ir.OpDef {
	def.Operands = []ir.Field{{Name: FieldPlace, Type: place}, {Name: "ptrs", Type: PtrLike}, {Name: "mask", Type: BoolLike, Arity: ir.Optional},
		{Name: "token", Type: Token, Arity: ir.Optional},
		{Name: FieldPredicate, Type: Bool, Arity: ir.Optional, Doc: "if false, nothing is read, and the contents of the place are undetermined afterwards"}}
	def.Attrs = []ir.Field{opt(AttrRuns, ir.I64ArrayKind), opt(AttrObjects, ObjectsKind)}
	def.Results = []ir.Field{{Name: "after", Type: Token}}
	def.Traits |= ir.AttrSizedOperandSegments
	def.Syntax = "$place `,` $ptrs (`mask` $mask^ `:` type($mask))? (`token` $token^ `:` type($token))? (`if` $predicate^ `:` type($predicate))? attr-dict `:` type($place) `,` type($ptrs) `->` type($after)"
	def.Verify = func(op ir.Op) error {
		held := op.Operand(0).Type().(Holder).HeldTile()
		if held == nil {
			return op.Errorf("copies one tile, but its place is '%s'", ir.TypeString(op.Operand(0).Type()))
		}
		ptrs := op.OperandNamed("ptrs").Type()
		if !slices.Equal(Shape(ptrs), Shape(held)) {
			return op.Errorf("pointers and place must have the same shape, but got '%s' and '%s'", ir.TypeString(ptrs), ir.TypeString(held))
		}
		if m := op.OperandNamed("mask"); !m.IsNil() {
			if err := verifySameShape(op, m.Type(), "mask", ptrs, "pointers"); err != nil {
				return err
			}
		}
		if err := verifyElement(op, ptrs, held); err != nil {
			return err
		}
		return verifyRuns(op)
	}
	return l.op(def)
}
