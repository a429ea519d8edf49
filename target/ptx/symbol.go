package ptx

// Sym is a name that operands of one body refer to: a variable of the module, a parameter, or a local declaration. The
// zero Sym is none. Each body has its own, so that entries can be built in parallel.
type Sym uint32

type symbols struct {
	names []string
	index map[string]Sym
}

// Sym returns the body's handle for the name.
func (b *Body) Sym(name string) Sym {
	if s, ok := b.syms.index[name]; ok {
		return s
	}
	if b.syms.index == nil {
		b.syms.index = make(map[string]Sym)
	}
	b.syms.names = append(b.syms.names, name)
	s := Sym(len(b.syms.names))
	b.syms.index[name] = s
	return s
}

// name returns the text of a symbol that the body handed out.
func (s *symbols) name(sym Sym) string { return s.names[sym-1] }

// ValidName reports whether the text is an identifier of PTX.
func ValidName(text string) bool {
	for i := range len(text) {
		switch c := text[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', c == '_', c == '$':
		case c == '%' && i == 0:
		case '0' <= c && c <= '9' && i > 0:
		default:
			return false
		}
	}
	// A letter may stand alone; the other first characters need a successor.
	return len(text) > 1 || len(text) == 1 && text[0] != '_' && text[0] != '$' && text[0] != '%'
}
