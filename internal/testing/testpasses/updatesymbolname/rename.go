package updatesymbolname

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
)

// Rename gives a symbol a new name, and replaces its subprogram, if it has one, by one with that linkage name in
// everything that scope encloses. With uses, references in the symbol table follow. On an error nothing has changed.
func Rename(symbol ir.Op, name string, scope ir.Op, uses bool) error {
	if !scope.IsAncestorOf(symbol) {
		return ir.Errorf(symbol.Loc(), "attempted to update symbol names in a scope that did not enclose the symbol itself").
			Note(scope.Loc(), "scope defined here")
	}
	c, old := symbol.Context(), symbol.SymbolName()
	table := symbol.ParentOp()
	if other := lookup(table, name); !other.IsNil() && other != symbol {
		return ir.Errorf(symbol.Loc(), "cannot rename symbol '%s' to '%s', which is the name of another one", old, name).
			Note(other.Loc(), "see existing symbol definition here")
	}
	if uses {
		follow := replacer{ctx: c, leaf: func(a ir.Attribute) ir.Attribute {
			if ref, ok := a.(*ir.SymbolRefAttr); ok && ref.Root == old {
				return c.SymbolRef(name, ref.Nested...)
			}
			return a
		}}
		follow.below(table, ir.SymbolTable)
	}
	symbol.SetAttr(ir.SymName, c.String(name))

	at, ok := symbol.Loc().(*cudatile.DILocAttr)
	if !ok {
		return nil
	}
	sub, ok := at.Scope.(*cudatile.DISubprogramAttr)
	if !ok {
		return nil
	}
	renamed := cudatile.DISubprogram(c, cudatile.DISubprogramAttr{File: sub.File, Line: sub.Line, Name: sub.Name, LinkageName: name,
		CompileUnit: sub.CompileUnit, ScopeLine: sub.ScopeLine})
	debug := replacer{ctx: c, leaf: func(a ir.Attribute) ir.Attribute {
		if a == ir.Attribute(sub) {
			return renamed
		}
		return a
	}}
	debug.op(scope)
	debug.below(scope, 0)
	return nil
}
