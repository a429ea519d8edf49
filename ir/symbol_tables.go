package ir

// PrivateSymbol is the capability of symbols that need not be visible from outside: it tells whether all references
// to op are in the symbol table that it stands in. A symbol without it must be taken to be used from anywhere.
var PrivateSymbol = NewCap[func(op Op) bool]("private-symbol")

// IsPrivateSymbol reports whether op is a symbol to which nothing outside the symbol table around it refers.
func IsPrivateSymbol(op Op) bool {
	is, ok := PrivateSymbol.Of(op)
	return ok && op.HasTrait(Symbol) && op.SymbolName() != "" && is(op)
}

// SymbolTables finds symbols by their names. Like MLIR it takes everything with a name for one, as a module in a
// module. It remembers the tables that it has seen, which must not change meanwhile. The zero value is ready for use.
type SymbolTables struct {
	names map[Op]map[string]Op
}

// Lookup returns the operation of a symbol table that defines name, or a zero Op.
func (s *SymbolTables) Lookup(table Op, name string) Op {
	names := s.names[table]
	if names == nil {
		names = make(map[string]Op)
		for i := range table.NumRegions() {
			for b := range table.Region(i).Blocks() {
				for op := range b.Ops() {
					if name := op.SymbolName(); name != "" && names[name].IsNil() {
						names[name] = op
					}
				}
			}
		}
		if s.names == nil {
			s.names = make(map[Op]map[string]Op)
		}
		s.names[table] = names
	}
	return names[name]
}

// LookupPath returns the operation that the names lead to, each defined in the symbol table that the one before it
// names; all on the way come first. It returns nil if one is missing.
func (s *SymbolTables) LookupPath(table Op, names ...string) []Op {
	var path []Op
	for _, name := range names {
		op := s.Lookup(table, name)
		if op.IsNil() {
			return nil
		}
		path = append(path, op)
		table = op
	}
	return path
}

// Resolve returns the operations that a reference in op names, outermost first: those that the innermost symbol table
// around op has for it that has any. It returns nil if there are none.
func (s *SymbolTables) Resolve(op Op, ref *SymbolRefAttr) []Op {
	names := append([]string{ref.Root}, ref.Nested...)
	for table := op.NearestSymbolTable(); !table.IsNil(); {
		if path := s.LookupPath(table, names...); path != nil {
			return path
		}
		outer := table.ParentOp()
		if outer.IsNil() {
			break
		}
		table = outer.NearestSymbolTable()
	}
	return nil
}
