package ir

// SymName is the attribute that names a symbol.
const SymName = "sym_name"

// SymbolName returns the name that op defines in its symbol table; "" when it defines none.
func (op Op) SymbolName() string { return op.StringAttr(SymName) }

// LookupSymbol returns the operation of a symbol table's region that defines name, or a zero Op.
func (op Op) LookupSymbol(name string) Op {
	for i := range op.NumRegions() {
		for b := range op.Region(i).Blocks() {
			for inner := range b.Ops() {
				if inner.HasTrait(Symbol) && inner.SymbolName() == name {
					return inner
				}
			}
		}
	}
	return Op{}
}

// NearestSymbolTable returns the innermost ancestor of op (or op itself) that is a symbol table, or a zero Op.
func (op Op) NearestSymbolTable() Op {
	for ; !op.IsNil(); op = op.ParentOp() {
		if op.HasTrait(SymbolTable) {
			return op
		}
	}
	return Op{}
}
