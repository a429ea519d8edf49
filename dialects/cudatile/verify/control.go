package verify

import (
	"slices"
	"strings"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/cudatile/facts"
	"github.com/tilewright/tilewright/ir"
)

func typesText(types []ir.Type) string {
	names := make([]string, len(types))
	for i, t := range types {
		names[i] = cudatile.Quoted(t)
	}
	return strings.Join(names, ", ")
}

// verifyExit checks that a terminator stands in one of the named operations, with only ifs between, and returns it. A
// terminator does not name what it leaves: that is the innermost operation of the kind, and ifs only may stand
// between (enclosing). Passes that put an operation with a region around others must therefore look for exits in them
// first.
func verifyExit(op ir.Op, rows ...*ir.OpDef) (ir.Op, error) {
	target, obstacle := facts.Enclosing(op, rows...)
	if !target.IsNil() {
		return target, nil
	}
	d := op.Errorf("can only be nested within a ancestor chain of '%s' operations", strings.Join(cudatile.Names(append(rows, cudatile.If)...), "', '"))
	if !obstacle.IsNil() {
		d.Note(obstacle.Loc(), "see unexpected ancestor operation")
	}
	return ir.Op{}, d
}

// Break verifies break.
func Break(op ir.Op) error {
	loop, err := verifyExit(op, cudatile.Loop)
	if err != nil {
		return err
	}
	if got, want := ir.TypesOf(op.Operands()), loop.ResultTypes(); !slices.Equal(got, want) {
		return op.Errorf("operand types must correspond to the parent loop result types: (%s) vs (%s)", typesText(got), typesText(want))
	}
	return nil
}

// Continue verifies continue.
func Continue(op ir.Op) error {
	loop, err := verifyExit(op, cudatile.For, cudatile.Loop)
	if err != nil {
		return err
	}
	name, what, want := "for", "return types", loop.ResultTypes()
	if loop.Is(cudatile.Loop) {
		name, what, want = "loop", "iter_values", ir.TypesOf(loop.Operands())
	}
	if got := ir.TypesOf(op.Operands()); !slices.Equal(got, want) {
		return ir.Errorf(op.Loc(), "`%s` is missing a valid terminator. `continue` op should have operand types that match the parent loop "+
			"%s: (%s), but found: (%s)", name, what, typesText(want), typesText(got))
	}
	return nil
}

// An entry returns nothing (verifyEntry), so that no operand is right in a valid one; a wrong entry is not this
// operation's error.
func Return(op ir.Op) error {
	entry, _ := facts.Enclosing(op, cudatile.Entry)
	if entry.IsNil() {
		return op.Errorf("must be used within a cuda_tile.entry, or cuda_tile.if operation")
	}
	want := signatureOf(entry).Results
	if n := op.NumOperands(); n != len(want) {
		return op.Errorf("has %d operands, but enclosing function (@%s) returns %d", n, entry.SymbolName(), len(want))
	}
	for i, t := range want {
		if got := op.Operand(i).Type(); got != t {
			return ir.Errorf(op.Loc(), "type of return operand %d (%s) doesn't match function result type (%s) in function @%s", i, cudatile.Quoted(got),
				cudatile.Quoted(t), entry.SymbolName())
		}
	}
	return nil
}

// For verifies for.
func For(op ir.Op) error {
	args := op.Body().Args()
	if len(args) == 0 {
		return op.Errorf("expected at least one block argument for induction variable")
	}
	if got, want := args[0].Type(), op.Operand(0).Type(); got != want {
		return op.Errorf("expected induction variable to be same type as bounds and step: %s vs %s", cudatile.Quoted(got), cudatile.Quoted(want))
	}
	return verifyCarried(op, op.Operands()[facts.ForBounds:], args[1:])
}

// Loop verifies loop.
func Loop(op ir.Op) error { return verifyCarried(op, op.Operands(), op.Body().Args()) }

// verifyCarried checks the loop-carried values of a for or loop.
//
// The types must be equal, not convertible: there is no place where a conversion could stand.
func verifyCarried(op ir.Op, inits, args []ir.Value) error {
	if len(args) != len(inits) {
		return op.Errorf("mismatch in number of region iterator values and loop iterator inits: %d vs %d", len(args), len(inits))
	}
	for i, arg := range args {
		if view := viewText(arg.Type()); view != "" {
			return op.Errorf("loop-carried value %d is a %s, which is not supported", i, view)
		}
		if a, b := inits[i].Type(), arg.Type(); a != b {
			return op.Errorf("init value %d and region iter_value %d have different type: %s != %s", i, i, cudatile.Quoted(a), cudatile.Quoted(b))
		}
	}
	return NoViews(op)
}

// NoViews checks that no result is a view. A view is a description that is typically never materialised (Tile
// IR specification 5.4.2), so that each is to be traced to the one operation that makes it.
func NoViews(op ir.Op) error {
	for i, t := range op.ResultTypes() {
		if view := viewText(t); view != "" {
			return op.Errorf("result type %d is a %s, which is not supported", i, view)
		}
	}
	return nil
}

func viewText(t ir.Type) string {
	switch t.(type) {
	case *cudatile.TensorViewType:
		return "tensor_view"
	case cudatile.ViewType:
		return "tile view"
	}
	return ""
}

// Without an else there are no results: nothing says what they would be where the condition does not hold.
func If(op ir.Op) error {
	if err := verifyBranch(op, op.Region(0), "then"); err != nil {
		return err
	}
	if op.Region(1).Empty() {
		if op.NumResults() > 0 {
			return op.Errorf("has non-empty return type, must define else branch")
		}
		return nil
	}
	return verifyBranch(op, op.Region(1), "else")
}

// verifyBranch checks what a branch of an if yields, unless it ends otherwise.
func verifyBranch(op ir.Op, r ir.Region, name string) error {
	term := r.First().Terminator()
	if !cudatile.Yield.Is(term) {
		return nil
	}
	got, want := ir.TypesOf(term.Operands()), op.ResultTypes()
	switch {
	case len(want) > 0 && len(got) == 0:
		return op.Errorf("has return type of %s but %s branch does not yield anything", typesText(want), name)
	case len(want) == 0 && len(got) > 0:
		return op.Errorf("does not return a value, but %s branch yields %s", name, typesText(got))
	case !slices.Equal(got, want):
		return op.Errorf("type does not match yield type, %s branch yields %s but op result type is %s", name, typesText(got), typesText(want))
	}
	return nil
}

// signatureOf returns the types of an entry's arguments and results.
func signatureOf(entry ir.Op) *ir.FunctionType {
	if t, ok := entry.Attr("function_type").(*ir.TypeAttr); ok {
		if f, ok := t.Value.(*ir.FunctionType); ok {
			return f
		}
	}
	return entry.Context().Func(nil, nil)
}
