package updatesymbolname

import (
	"strings"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
)

// Options are the options of the pass. Symbols are paths from the module that the pass runs on, as in outer::inner.
type Options struct {
	Symbol     string `opt:"symbol-to-rename" help:"the symbol to rename, as in outer::inner"`
	Scope      string `opt:"scope" help:"the operation in which subprograms are replaced, as in outer::inner; empty: the module"`
	NewName    string `opt:"new-name" help:"the new name; of outer::inner it replaces inner"`
	UpdateUses bool   `opt:"update-uses" help:"rename references to the symbol too"`
}

// Pass is the pass.
var Pass = passes.Register(&passes.Pass{
	Name:    "test-debuginfo-update-symbol-name",
	Title:   "TestDebugInfoUpdateSymbolName",
	Summary: "rename a symbol and the debug information that names it",
	Doc: `Gives a symbol a new name and, where its location is in a debug scope, replaces the subprogram by one with that linkage name
wherever the scope mentions it.`,
	On:      "builtin.module",
	Options: func() any { return new(Options) },
	Run:     run,
})

func run(r *passes.Run) error {
	opts := passes.OptionsOf[Options](r)
	if opts.Symbol == "" || opts.NewName == "" {
		return ir.Errorf(r.Op.Loc(), "pass '%s' needs the options 'symbol-to-rename' and 'new-name'", r.Pass.Name)
	}
	scope := r.Op
	if opts.Scope != "" {
		if scope = find(r.Op, opts.Scope); scope.IsNil() {
			return notFound(r.Op, opts.Scope)
		}
	}
	symbol := find(r.Op, opts.Symbol)
	if symbol.IsNil() || !symbol.HasTrait(ir.Symbol) {
		return notFound(r.Op, opts.Symbol)
	}
	return Rename(symbol, opts.NewName, scope, opts.UpdateUses)
}

func notFound(module ir.Op, path string) error {
	names := strings.Split(path, "::")
	ref := module.Context().SymbolRef(names[0], names[1:]...)
	return ir.Errorf(module.Loc(), "could not find symbol op with name '%s'", ir.AttrString(ref))
}

// find returns the operation with a path from a symbol table, or a zero Op.
func find(table ir.Op, path string) ir.Op {
	op := table
	for name := range strings.SplitSeq(path, "::") {
		if op = lookup(op, name); op.IsNil() {
			break
		}
	}
	return op
}

// lookup returns what has a name in a symbol table. It need not be a symbol: a cuda_tile.module is none, and paths
// begin with its name.
func lookup(table ir.Op, name string) ir.Op {
	if name == "" || !table.HasTrait(ir.SymbolTable) {
		return ir.Op{}
	}
	for block := range table.Region(0).Blocks() {
		for op := range block.Ops() {
			if op.SymbolName() == name {
				return op
			}
		}
	}
	return ir.Op{}
}
