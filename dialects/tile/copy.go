package tile

import (
	"slices"

	"github.com/tilewright/tilewright/ir"
)

// A Holder is a type whose values are places for a tile, as a buffer is. HeldTile returns the tensor type of the tile; nil when it holds several.
type Holder interface{ HeldTile() ir.Type }

// FieldPlace is the operand of a copy that is the place on the other side of global memory.
const FieldPlace = "place"

// FieldPredicate is the operand of a copy that says whether anything is copied.
const FieldPredicate = "predicate"

// notOfCopies are the attributes of a tiled_load that a copy has not: it is weak, and of whole bytes.
var notOfCopies = []string{ir.OperandSegmentSizes, AttrScope, AttrPacked}

// DefineCopy adds an operation of the level that moves a tile between a place, its first operand, and a strided memory object that it describes as a tiled_load does, down to the
// facts. What it does to them the row's capabilities say.
func (l *Level) DefineCopy(def ir.OpDef, place ir.TypeConstraint) *ir.OpDef {
	load := l.TiledLoad
	def.Operands = append([]ir.Field{{Name: FieldPlace, Type: place}}, load.Operands...)
	def.Operands = append(def.Operands, ir.Field{Name: FieldPredicate, Type: Bool, Arity: ir.Optional, Doc: "unless it holds nothing is read, and the place holds nothing afterwards"})
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
