package nvvm

import (
	"slices"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// AttrKind is the name of the attribute that says which operation an atomic one is.
const AttrKind = "kind"

// AtomicKind is the kind of that attribute. Those without a letter in front are for signless or signed integers, but
// add, which is for numbers.
var AtomicKind = ir.KeywordKind("atomic operation", "add", "and", "or", "xor", "min", "max", "umin", "umax", "exch")

// Atomic operations on global or shared memory, and fences. Without an ordering they are relaxed.
var (
	AtomicRMW = Dialect.Op(ir.OpDef{Name: "atom", Summary: "Combines a value with one in memory, and returns the old value.",
		Doc:      "If the predicate is false, nothing happens and the result is zero.",
		Operands: []ir.Field{{Name: "addr", Type: ptr}, {Name: "value", Type: scalar}, {Name: "predicate", Type: i1, Arity: ir.Optional}},
		Attrs:    []ir.Field{{Name: AttrKind, Kind: AtomicKind}, opt(AttrOffset, ir.I64Kind), opt(AttrOrdering, OrderingKind), {Name: AttrScope, Kind: ScopeKind}},
		Results:  []ir.Field{{Name: "result", Type: scalar}}, Traits: ir.AttrSizedOperandSegments,
		Syntax:     "$kind $addr (`+` $offset^)? `,` $value (`if` $predicate^)? attr-dict `:` type($addr) `,` type($value)",
		InferTypes: valueType, Verify: verifyAtomic, Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
	AtomicCAS = Dialect.Op(ir.OpDef{Name: "atom.cas", Summary: "Replaces the value in memory if it equals another one, and returns the old value.",
		Doc: "If the predicate is false, nothing happens and the result is zero.",
		Operands: []ir.Field{{Name: "addr", Type: ptr}, {Name: "value", Type: scalar}, {Name: "compare", Type: scalar},
			{Name: "predicate", Type: i1, Arity: ir.Optional}},
		Attrs:   []ir.Field{opt(AttrOffset, ir.I64Kind), opt(AttrOrdering, OrderingKind), {Name: AttrScope, Kind: ScopeKind}},
		Results: []ir.Field{{Name: "result", Type: scalar}}, Traits: ir.AttrSizedOperandSegments,
		Syntax:     "$addr (`+` $offset^)? `,` $value `,` $compare (`if` $predicate^)? attr-dict `:` type($addr) `,` type($value) `,` type($compare)",
		InferTypes: valueType, Verify: verifyCAS, Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
	Red = Dialect.Op(ir.OpDef{Name: "red", Summary: "Adds 2, 4 or 8 floats to those side by side in global memory, each by an atomic operation, if the predicate is true.",
		Operands: []ir.Field{{Name: "addr", Type: ptr}, {Name: "values", Type: scalar, Arity: ir.Variadic}, {Name: "predicate", Type: i1, Arity: ir.Optional}},
		Attrs:    []ir.Field{opt(AttrOffset, ir.I64Kind), opt(AttrOrdering, OrderingKind), {Name: AttrScope, Kind: ScopeKind}},
		Traits:   ir.AttrSizedOperandSegments,
		Syntax:   "$addr (`+` $offset^)? `,` $values (`if` $predicate^)? attr-dict `:` type($addr) `,` type($values)",
		Verify:   verifyRed, Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
	Fence = Dialect.Op(ir.OpDef{Name: "fence", Summary: "Orders the thread's accesses before it and after it (acquire and release).",
		Attrs: []ir.Field{{Name: AttrScope, Kind: ScopeKind}}, Syntax: "$scope attr-dict", Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
)

// valueType infers the result of an atomic operation.
func valueType(st *ir.OpState) ([]ir.Type, error) { return []ir.Type{st.Operands[1].Type()}, nil }

func verifyAtomic(op ir.Op) error {
	if err := verifyAtomicCommon(op); err != nil {
		return err
	}
	_, float := op.Operand(1).Type().(*ir.FloatType)
	if kind := op.StringAttr(AttrKind); float && kind != "add" && kind != "exch" {
		return op.Errorf("'%s' is for integers only, but got '%s'", kind, ir.TypeString(op.Operand(1).Type()))
	}
	return nil
}

// verifyRed checks what red.global.add has vectors for (PTX ISA, "red"): of 32 to 128 bits, of f32, f16 and bf16.
func verifyRed(op ir.Op) error {
	values := op.OperandsNamed("values")
	if err := verifyOneType(op, "values", values); err != nil {
		return err
	}
	t, n := values[0].Type(), len(values)
	bits := ir.BitWidth(t)
	if f, ok := t.(*ir.FloatType); !ok || f.Format != numeric.F32 && f.Format != numeric.F16 && f.Format != numeric.BF16 {
		return op.Errorf("adds f32, f16 or bf16, but got '%s'", ir.TypeString(t))
	}
	if n < 2 || n&(n-1) != 0 || n*bits > 128 {
		return op.Errorf("adds 2, 4 or 8 values of at most 128 bits, but got %d of %d", n, bits)
	}
	if space := op.Operand(0).Type().(*PtrType).Space; space != Global {
		return op.Errorf("cannot access %s memory", space)
	}
	if ordering := op.StringAttr(AttrOrdering); ordering != "" && ordering != "relaxed" && ordering != "release" {
		return op.Errorf("cannot have ordering '%s'", ordering)
	}
	return nil
}

func verifyCAS(op ir.Op) error {
	if v, c := op.Operand(1).Type(), op.Operand(2).Type(); v != c {
		return op.Errorf("requires the same type for the value and what memory is compared with, but got '%s' and '%s'", ir.TypeString(v),
			ir.TypeString(c))
	}
	return verifyAtomicCommon(op)
}

func verifyAtomicCommon(op ir.Op) error {
	if v, r := op.Operand(1).Type(), op.Result(0).Type(); v != r {
		return op.Errorf("result must have the type '%s' of the value, but got '%s'", ir.TypeString(v), ir.TypeString(r))
	}
	space := op.Operand(0).Type().(*PtrType).Space
	if !slices.Contains([]Space{Generic, Global, Shared}, space) {
		return op.Errorf("cannot access %s memory", space)
	}
	if ordering := op.StringAttr(AttrOrdering); ordering == "weak" || ordering == "volatile" {
		return op.Errorf("cannot have ordering '%s'", ordering)
	}
	return nil
}
