package symboldce

import (
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
)

var numErased = passes.NewStatistic("num-erased", "symbols erased")

// Pass is the pass.
var Pass = passes.Register(&passes.Pass{
	Name:    "symbol-dce",
	Summary: "erase private symbols that nothing refers to",
	Doc: `Erases private symbols, such as globals, that nothing alive refers to. Alive is what is public, what is no symbol, and
what something alive refers to. The pass runs on a symbol table.`,
	Steps: []passes.Step{{Level: property.CudaTile, MinOpt: 1, On: "builtin.module", After: []passes.Edge{
		{Pass: "canonicalize", Reason: "what folding makes dead refers to nothing any more"},
		{Pass: "cse", Reason: "dead operations are erased there too"},
		{Pass: "loop-split", Reason: "a step on the module between steps on its kernels would keep those apart"},
	}}},
	Statistics: []*passes.Statistic{numErased},
	Run:        run,
})

func run(r *passes.Run) error {
	if !r.Op.HasTrait(ir.SymbolTable) {
		return r.Op.Errorf("is no symbol table, so that no symbols in it can be erased")
	}
	l := &liveness{root: r.Op, alive: make(map[ir.Op]bool)}
	l.mark(r.Op)
	for len(l.work) > 0 {
		op := l.work[len(l.work)-1]
		l.work = l.work[:len(l.work)-1]
		op.Walk(l.visit)
	}
	dead := l.dead()
	for _, op := range dead {
		op.Erase()
	}
	r.Add(numErased, len(dead))
	return nil
}

// liveness finds what is alive.
//
// Mark and sweep rather than counts of references: two private symbols that name each other have a count of one
// each.
type liveness struct {
	root   ir.Op
	tables ir.SymbolTables
	alive  map[ir.Op]bool // of the private symbols, and of the root
	work   []ir.Op        // alive, and not looked into yet
}

func (l *liveness) mark(op ir.Op) {
	if !l.alive[op] {
		l.alive[op] = true
		l.work = append(l.work, op)
	}
}

// isPrivate reports whether op is a private symbol of a symbol table inside the root, or of the root.
func (l *liveness) isPrivate(op ir.Op) bool {
	if op == l.root || !ir.IsPrivateSymbol(op) {
		return false
	}
	around := op.ParentOp()
	return !around.IsNil() && around.HasTrait(ir.SymbolTable)
}

// visit marks what an operation that is alive refers to. Private symbols inside are not entered unless they are marked.
//
// A public symbol is entered by the walk itself; what is inside a private one counts only once something alive
// names it.
func (l *liveness) visit(op ir.Op) ir.WalkResult {
	if l.isPrivate(op) && !l.alive[op] {
		return ir.SkipBelow
	}
	eachRef(op, func(ref *ir.SymbolRefAttr) {
		for _, symbol := range l.tables.Resolve(op, ref) {
			if l.isPrivate(symbol) {
				l.mark(symbol)
			}
		}
	})
	return ir.Advance
}

// dead returns the private symbols that are not alive, without those inside others.
func (l *liveness) dead() (out []ir.Op) {
	l.root.Walk(func(op ir.Op) ir.WalkResult {
		if l.isPrivate(op) && !l.alive[op] {
			out = append(out, op)
			return ir.SkipBelow
		}
		return ir.Advance
	})
	return out
}
