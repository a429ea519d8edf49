package verify

import (
	"slices"
	"strings"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
)

// Module verifies module.
func Module(op ir.Op) error {
	if op.Region(0).Empty() {
		return nil
	}
	for inner := range op.Body().Ops() {
		if l := scopeOf(inner); l != nil && !inner.HasTrait(ir.IsolatedFromAbove) {
			return inner.Errorf("invalid operation debug info scope: %s. Global variables must not have scope.", ir.AttrString(l))
		}
	}
	return nil
}

// Entry verifies entry.
func Entry(op ir.Op) error {
	t, ok := op.Attr("function_type").(*ir.TypeAttr)
	if !ok {
		return op.Errorf("requires attribute 'function_type'")
	}
	f, ok := t.Value.(*ir.FunctionType)
	if !ok {
		return op.Errorf("attribute 'function_type' failed to satisfy constraint: type attribute of function type, but got %s", cudatile.Quoted(t.Value))
	}
	if len(f.Results) != 0 {
		return op.Errorf("entry op must not return values")
	}
	for _, in := range f.Inputs {
		if tile, ok := in.(*cudatile.TileType); ok && tile.Rank() != 0 {
			return op.Errorf("entry op must have scalar types (rank 0 !cuda_tile.tile), but got %s", cudatile.Quoted(in))
		}
	}
	return firstError(verifyArgAttrs(op, len(f.Inputs)), verifyHintsForm(op), verifyEntryScope(op))
}

// verifyArgAttrs checks that there is a dictionary for each argument, with names of some dialect.
func verifyArgAttrs(op ir.Op, args int) error {
	list, ok := op.Attr("arg_attrs").(*ir.ArrayAttr)
	if !ok {
		return nil
	}
	if len(list.Elems) != args {
		return op.Errorf("expects argument attribute array to have the same number of elements as the number of function arguments, got %d, "+
			"but expected %d", len(list.Elems), args)
	}
	for _, a := range list.Elems {
		d, ok := a.(*ir.DictAttr)
		if !ok {
			return op.Errorf("expects argument attribute dictionary to be a DictionaryAttr, but got `%s`", ir.AttrString(a))
		}
		for _, e := range d.Entries {
			if !strings.Contains(e.Name, ".") {
				return op.Errorf("arguments may only have dialect attributes")
			}
		}
	}
	return nil
}

// scopeOf returns the location with a debug scope of an operation, or nil.
func scopeOf(op ir.Op) *cudatile.DILocAttr {
	if op.HasPlainLoc() {
		return nil
	}
	return scopedLoc(op.Loc())
}

// scopedLoc returns the location with a debug scope that a location stands for; of an inlined one that of the caller.
// The callee's scope belongs to another subprogram, which the function that it was inlined into need not have.
func scopedLoc(l ir.Location) *cudatile.DILocAttr {
	switch l := l.(type) {
	case *cudatile.DILocAttr:
		return l
	case *ir.CallSiteLoc:
		return scopedLoc(l.Caller)
	case *ir.NameLoc:
		return scopedLoc(l.Child)
	case *ir.FusedLoc:
		for _, child := range l.Locs {
			if d := scopedLoc(child); d != nil {
				return d
			}
		}
	}
	return nil
}

// A subprogram is found by its linkage name, which is the kernel's: a debugger would else show another
// function's variables.
func verifyEntryScope(op ir.Op) error {
	if op.HasPlainLoc() {
		return nil
	}
	if _, inlined := op.Loc().(*ir.CallSiteLoc); inlined {
		return op.Errorf("invalid function debug info location: %s. Function location must not be a CallSiteLoc.", ir.AttrString(op.Loc()))
	}
	l := scopedLoc(op.Loc())
	if l == nil {
		return nil
	}
	sub, ok := l.Scope.(*cudatile.DISubprogramAttr)
	if !ok {
		return op.Errorf("invalid function debug info scope: %s. Function location must have cuda_tile.di_subprogram debug info scope.",
			ir.AttrString(l.Scope))
	}
	if name := op.SymbolName(); sub.LinkageName != name {
		return op.Errorf("invalid function debug info scope: %s. Function name \"%s\" does not match subprogram scope linkage name \"%s\".",
			ir.AttrString(sub), name, sub.LinkageName)
	}
	return nil
}

// EntryBody checks that the arguments of the body are those of the signature, and that the debug scopes inside
// are those of the entry.
func EntryBody(op ir.Op) error {
	if got, want := ir.TypesOf(op.Body().Args()), signatureOf(op).Inputs; !slices.Equal(got, want) {
		return op.Errorf("entry block arguments (%s) must match the function signature (%s)", typesText(got), typesText(want))
	}
	var want *cudatile.DISubprogramAttr
	if l := scopeOf(op); l != nil {
		want = l.Scope.Subprogram()
	}
	var err error
	op.Walk(func(inner ir.Op) ir.WalkResult {
		l := scopeOf(inner)
		if l == nil {
			return ir.Advance
		}
		switch got := l.Scope.Subprogram(); {
		case got == nil, got == want:
			return ir.Advance
		case want == nil:
			err = inner.Errorf("invalid operation debug info scope: %s. Operation has debug info scope, but function debug info scope is undefined.",
				ir.AttrString(got))
		default:
			err = ir.Errorf(inner.Loc(), "invalid operation debug info scope: %s. Operation debug info scope does not match function debug info scope: %s.",
				ir.AttrString(got), ir.AttrString(want))
		}
		return ir.Interrupt
	})
	return err
}

// Global verifies global.
func Global(op ir.Op) error {
	if t, ok := op.Attr("value").(*ir.DenseElementsAttr).Type().(*cudatile.TileType); !ok || t.Rank() != 1 {
		return op.Errorf("type must have rank 1")
	}
	return nil
}

// The symbol is looked up from here and not when the module is verified: an error is reported where the name is used.
func GetGlobal(op ir.Op) error {
	name := op.Attr("name").(*ir.SymbolRefAttr).Root
	var global ir.Op
	if table := op.NearestSymbolTable(); !table.IsNil() {
		global = table.LookupSymbol(name)
	}
	if !cudatile.Global.Is(global) {
		return op.Errorf("'%s' does not reference a valid global", name)
	}
	value, ok := global.Attr("value").(*ir.DenseElementsAttr)
	if !ok {
		return nil // the global is at fault
	}
	ptr := cudatile.ElemOf(op.Result(0).Type()).(*cudatile.PtrType)
	if elem := cudatile.ElemOf(value.Type()); ptr.Pointee != elem {
		return op.Errorf("pointee type of result type %s does not match type %s of the global @%s", cudatile.Quoted(ptr), cudatile.Quoted(elem), name)
	}
	return nil
}

// Assume verifies assume.
func Assume(op ir.Op) error {
	if err := cudatile.VerifyPredicate(op.Attr("predicate"), op.Result(0).Type()); err != nil {
		return op.Errorf("%s", err)
	}
	return nil
}

// Print checks that there is an operand for each format expression but %%.
//
// Only the number is checked. Whether %d fits a float is the lowering's business, which converts
// (tileastonvvm).
func Print(op ir.Op) error {
	format := op.StringAttr("str")
	want := 0
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			continue
		}
		n := formatLen(format[i:])
		if n == 0 {
			return op.Errorf("found unterminated format expression")
		}
		if format[i:i+n] == "%%" {
			i++
			continue
		}
		want++
	}
	if _, got := op.OperandRange(0); got != want {
		return op.Errorf("incorrect number of operands: expected %d, found %d", want, got)
	}
	return nil
}

// formatLen returns the length of the format expression that text begins with; 0 when it does not end. What stands
// between the percent sign and the conversion is not looked at: flags and widths are left to the printf of the
// device.
func formatLen(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case 'd', 'i', 'u', 'o', 'x', 'X', 'e', 'E', 'f', 'F', 'g', 'G', 'a', 'A', 'c', 's', 'S', 'p', 'n', '%':
			return i + 1
		}
	}
	return 0
}
