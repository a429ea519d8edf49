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

// HandedOn returns the values that control flow makes of a use: arguments of blocks, and results. ok is false if the
// operation is none that hands values on.
func (u Use) HandedOn() (to []Value, ok bool) {
	ok = RegionEdges(u.Owner(), func(e RegionEdge) {
		if e.Lo <= u.Index() && u.Index() < e.Hi {
			to = append(to, e.Input(u.Index()-e.Lo))
		}
	})
	return to, ok
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
