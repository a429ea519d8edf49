package tile

import (
	"github.com/tilewright/tilewright/ir"
)

// AttrMode is the name of the attribute that says what an atomic operation does.
const AttrMode = "mode"

// ModeKind is the kind of that attribute: min and max are of signed integers, addf of floating-point numbers.
//
// umax and umin are modes, while arith has operations for signs: one row of an atomic is enough for all of
// them, since nothing folds it.
var ModeKind = ir.KeywordKind("atomic mode", "and", "or", "xor", "add", "addf", "max", "min", "umax", "umin", "xchg")

// defineAtomics adds the operations that read, modify and write memory, once for each element.
func (l *Level) defineAtomics() {
	token := ir.Field{Name: "token", Type: Token, Arity: ir.Optional}
	mask := ir.Field{Name: "mask", Type: BoolLike, Arity: ir.Optional}
	after := ir.Field{Name: "after", Type: Token}
	old := ir.Field{Name: "result", Type: TileLike, Doc: "old element; undetermined where the mask is false"}
	compared := ir.Field{Name: "result", Type: TileLike, Doc: "old element; equal to `compare` where the mask is false"}
	mode := ir.Field{Name: AttrMode, Kind: ModeKind}
	order := []ir.Field{opt(AttrOrdering, OrderingKind), opt(AttrScope, ScopeKind), opt(AttrObjects, ObjectsKind)}
	updates := accesses(ir.Read, ir.Write)
	const rest = " (`mask` $mask^ `:` type($mask))? (`token` $token^ `:` type($token))? attr-dict `:` type($ptrs) `,` type($value) `->` type(results)"
	l.AtomicRMW = l.op(ir.OpDef{Name: "atomic_rmw", Summary: "Combines each value with the element that its pointer points to.",
		Operands: []ir.Field{{Name: "ptrs", Type: PtrLike}, {Name: "value", Type: TileLike}, mask, token},
		Attrs:    append([]ir.Field{mode, opt(AttrRuns, ir.I64ArrayKind)}, order...), Results: []ir.Field{old, after}, Traits: ir.AttrSizedOperandSegments,
		Syntax: "$mode $ptrs `,` $value" + rest, Verify: verifyAtomic, Caps: []ir.CapImpl{updates}})
	l.AtomicCAS = l.op(ir.OpDef{Name: "atomic_cas", Summary: "Replaces the element that each pointer points to by `value` if it equals `compare`.",
		Operands: []ir.Field{{Name: "ptrs", Type: PtrLike}, {Name: "compare", Type: TileLike}, {Name: "value", Type: TileLike}, mask, token},
		Attrs:    order, Results: []ir.Field{compared, after}, Traits: ir.AttrSizedOperandSegments,
		Syntax: "$ptrs `,` $compare `:` type($compare) `,` $value" + rest, Verify: verifyAtomic, Caps: []ir.CapImpl{updates}})
	l.TiledAtomic = l.op(ir.OpDef{Name: "tiled_atomic_rmw", Summary: "Combines each element of a tile with the one in a strided memory object.",
		Operands: []ir.Field{{Name: "value", Type: TileLike}, {Name: "base", Type: Ptr},
			{Name: "offsets", Type: I64, Arity: ir.Variadic}, {Name: "sizes", Type: I64, Arity: ir.Variadic},
			{Name: "strides", Type: I64, Arity: ir.Variadic}, token},
		Attrs: append([]ir.Field{mode, {Name: AttrBounds, Kind: ir.BoolsKind}, opt(AttrBaseDiv, ir.I64Kind), opt(AttrOffsetDiv, ir.I64ArrayKind), opt(AttrSizeDiv, ir.I64ArrayKind), opt(AttrStrideDiv, ir.I64ArrayKind),
			opt(AttrNoTMA, ir.UnitKind)}, order...),
		Traits: ir.AttrSizedOperandSegments, Results: []ir.Field{after},
		Parse: l.parseTiledStore, Print: printTiledStore, Verify: verifyTiledAtomic, Caps: []ir.CapImpl{updates}})
}

func verifyAtomic(op ir.Op) error {
	value := op.OperandNamed("value").Type()
	if err := verifyPointee(op, op.OperandNamed("ptrs").Type(), value); err != nil {
		return err
	}
	if r := op.Result(0).Type(); r != value {
		return op.Errorf("result must have the type '%s' of the value, but got '%s'", ir.TypeString(value), ir.TypeString(r))
	}
	if op.Def().OperandField("compare") < 0 {
		if err := verifyRuns(op); err != nil {
			return err
		}
		return verifyMode(op, value)
	}
	if c := op.OperandNamed("compare").Type(); c != value {
		return op.Errorf("requires the same type for the value and what memory is compared with, but got '%s' and '%s'", ir.TypeString(value),
			ir.TypeString(c))
	}
	return nil
}

func verifyTiledAtomic(op ir.Op) error {
	value := op.OperandNamed("value").Type()
	if IsHalf(ir.ElementType(value)) {
		return op.Errorf("cannot update single elements of half a byte, but got '%s'", ir.TypeString(value))
	}
	if err := verifyTiled(op); err != nil {
		return err
	}
	return verifyMode(op, value)
}

// verifyMode checks that the elements of a value are what the mode works on.
func verifyMode(op ir.Op, value ir.Type) error {
	elem, mode := ir.ElementType(value), op.StringAttr(AttrMode)
	_, float := elem.(*ir.FloatType)
	switch {
	case mode == "addf" && !float:
		return op.Errorf("mode 'addf' is for floating-point elements, but got '%s'", ir.TypeString(elem))
	case mode != "addf" && mode != "xchg" && float:
		return op.Errorf("mode '%s' is for integer elements, but got '%s'", mode, ir.TypeString(elem))
	}
	return nil
}
