package cudatile

import (
	"github.com/tilewright/tilewright/ir"
)

func verifyModule(op ir.Op) error {
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

func verifyEntry(op ir.Op) error {
	t, ok := op.Attr("function_type").(*ir.TypeAttr)
	if !ok {
		return op.Errorf("requires attribute 'function_type'")
	}
	f, ok := t.Value.(*ir.FunctionType)
	if !ok {
		return op.Errorf("attribute 'function_type' failed to satisfy constraint: type attribute of function type, but got %s", quoted(t.Value))
	}
	if len(f.Results) != 0 {
		return op.Errorf("entry op must not return values")
	}
	for _, in := range f.Inputs {
		if tile, ok := in.(*TileType); ok && tile.Rank() != 0 {
			return op.Errorf("entry op must have scalar types (rank 0 !cuda_tile.tile), but got %s", quoted(in))
		}
	}
	if err := verifyHintsForm(op); err != nil {
		return err
	}
	return verifyEntryScope(op)
}

// scopeOf returns the location with a debug scope of an operation, or nil.
func scopeOf(op ir.Op) *DILocAttr {
	if op.HasPlainLoc() {
		return nil
	}
	return scopedLoc(op.Loc())
}

// scopedLoc returns the location with a debug scope that a location stands for; of an inlined one that of the caller.
// The callee's scope belongs to another subprogram, which the function that it was inlined into need not have.
func scopedLoc(l ir.Location) *DILocAttr {
	switch l := l.(type) {
	case *DILocAttr:
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
	sub, ok := l.Scope.(*DISubprogramAttr)
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

// verifyEntryBody checks that the arguments of the body are those of the signature, and that the debug scopes inside are those of the entry.
func verifyEntryBody(op ir.Op) error {
	if got, want := valueTypes(op.Body().Args()), signatureOf(op).Inputs; !equal(got, want) {
		return op.Errorf("entry block arguments (%s) must match the function signature (%s)", typesText(got), typesText(want))
	}
	var want *DISubprogramAttr
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

func verifyGlobal(op ir.Op) error {
	if t, ok := op.Attr("value").(*ir.DenseElementsAttr).Type().(*TileType); !ok || t.Rank() != 1 {
		return op.Errorf("type must have rank 1")
	}
	return nil
}

// The symbol is looked up from here and not when the module is verified as a whole: an error is reported where
// the name is used.
func verifyGetGlobal(op ir.Op) error {
	name := op.Attr("name").(*ir.SymbolRefAttr).Root
	var global ir.Op
	if table := op.NearestSymbolTable(); !table.IsNil() {
		global = table.LookupSymbol(name)
	}
	if !isOp(global, "global") {
		return op.Errorf("'%s' does not reference a valid global", name)
	}
	value, ok := global.Attr("value").(*ir.DenseElementsAttr)
	if !ok {
		return nil // the global is at fault
	}
	ptr := ElemOf(op.Result(0).Type()).(*PtrType)
	if elem := ElemOf(value.Type()); ptr.Pointee != elem {
		return op.Errorf("pointee type of result type %s does not match type %s of the global @%s", quoted(ptr), quoted(elem), name)
	}
	return nil
}

func verifyAssume(op ir.Op) error {
	if err := verifyPredicate(op.Attr("predicate"), op.Result(0).Type()); err != nil {
		return op.Errorf("%s", err)
	}
	return nil
}

// verifyPrint checks that there is an operand for each format expression but %%.
//
// Only the number is checked. Whether %d fits a float is the lowering's business, which converts
// (tileastonvvm).
func verifyPrint(op ir.Op) error {
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

// formatLen returns the length of the format expression that text begins with; 0 when it does not end.
// What stands between the percent sign and the conversion is not looked at: flags and widths are left to the printf of the device.
func formatLen(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case 'd', 'i', 'u', 'o', 'x', 'X', 'e', 'E', 'f', 'F', 'g', 'G', 'a', 'A', 'c', 's', 'S', 'p', 'n', '%':
			return i + 1
		}
	}
	return 0
}
