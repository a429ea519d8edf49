package stripmine

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/analysis/alias"
	"github.com/tilewright/tilewright/passes/analysis/tokens"
)

// mustFollow reports whether u, later in the block, must stay after x: by tokens, or, where one of the two takes
// none, because they conflict.
func (m *miner) mustFollow(x, u ir.Op) bool {
	if m.after(x)[u] {
		return true
	}
	found, ordered := false, readsByTokens(x)
	u.Walk(func(inner ir.Op) ir.WalkResult {
		if inner.NumRegions() == 0 && !(ordered && tokens.Access(inner)) && !ir.HasNoEffects(inner) && m.conflict(x, inner) {
			found = true
			return ir.Interrupt
		}
		return ir.Advance
	})
	return found
}

// after returns the operations of the block of x that tokens order after it.
func (m *miner) after(x ir.Op) map[ir.Op]bool {
	if b, ok := m.afterKnown[x]; ok {
		return b
	}
	out := make(map[ir.Op]bool)
	block := x.Block()
	var follow func(op ir.Op)
	follow = func(op ir.Op) {
		for _, v := range op.Results() {
			if !tokens.Is(v) {
				continue
			}
			// The users of a token may be inside of regions: the order then is that of the operation of this
			// block around them.
			for u := range v.Uses() {
				user := u.Owner().AncestorIn(block.Region())
				if !user.IsNil() && user != x && !out[user] {
					out[user] = true
					follow(user)
				}
			}
		}
	}
	follow(x)
	m.afterKnown[x] = out
	return out
}

// mayPass reports whether different parts of two accesses, x before y, may change places.
func (p *plan) mayPass(x, y ir.Op) bool {
	if !p.mustFollow(x, y) || !p.conflict(x, y) {
		return true
	}
	// Through pointers two elements may be at one address, so part i of one access may overlap part k of the other.
	// In a strided object they are not, since storing to overlapping elements has no meaning. The parts must be the
	// same, which those of a matrix and of its transpose in place are not.
	if !alias.SameLocation(x, y) || x.Def().OperandField("offsets") < 0 && !p.distinct(tile.Pointer(x)) {
		return false
	}
	a, okA := p.axisIn(x, p.id)
	b, okB := p.axisIn(y, p.id)
	return okA && okB && a.Dims[0].Dim == b.Dims[0].Dim
}

// conflict reports whether two accesses may touch the same memory, and one changes it, when the block around x is
// executed once.
func (m *miner) conflict(x, y ir.Op) bool {
	return m.aliases().ConflictIn(x, y, ir.LoopAround(x, false))
}
