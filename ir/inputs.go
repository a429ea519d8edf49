package ir

// Inputs returns the outside values that an operation uses, in its regions too, each once.
func Inputs(op Op) (out []Value) {
	seen := make(map[Value]bool)
	op.Walk(func(inner Op) WalkResult {
		for _, v := range inner.Operands() {
			if !seen[v] && !v.IsInside(op) {
				seen[v] = true
				out = append(out, v)
			}
		}
		return Advance
	})
	return out
}

// IsInside reports whether a value is defined in a region of an operation.
func (v Value) IsInside(op Op) bool {
	for i := range op.NumRegions() {
		if r := v.Block().Region(); r == op.Region(i) || op.Region(i).IsAncestorOf(r) {
			return true
		}
	}
	return false
}
