package symboldce

import "github.com/tilewright/tilewright/ir"

// eachRef calls f for the references to symbols in the attributes of an operation, once for each that is different.
// They may lie in arrays and dictionaries; no attribute of a dialect holds any.
//
// Attributes form a graph without cycles, in which one may be reached on very many ways (aliases of aliases):
// hence seen, without which a few lines of text could take for ever.
func eachRef(op ir.Op, f func(*ir.SymbolRefAttr)) {
	w := refWalker{f: f}
	for i := range op.Def().Attrs {
		w.walk(op.AttrAt(i))
	}
	w.walk(op.DiscardableAttrs())
}

type refWalker struct {
	f    func(*ir.SymbolRefAttr)
	seen map[ir.Attribute]bool // aliases let an attribute lie in very many places
}

func (w *refWalker) walk(a ir.Attribute) {
	switch a := a.(type) {
	case *ir.SymbolRefAttr:
		w.f(a)
	case *ir.ArrayAttr:
		if w.enter(a) {
			for _, e := range a.Elems {
				w.walk(e)
			}
		}
	case *ir.DictAttr:
		if w.enter(a) {
			for _, e := range a.Entries {
				w.walk(e.Value)
			}
		}
	}
}

func (w *refWalker) enter(a ir.Attribute) bool {
	if w.seen[a] {
		return false
	}
	if w.seen == nil {
		w.seen = make(map[ir.Attribute]bool)
	}
	w.seen[a] = true
	return true
}
