// Package tokens follows memory tokens backwards: from the operation that takes one to those that it is ordered after.
//
// A token is the set of the accesses that come before it. It is made by an access, joined, and merged by control flow: a block argument or result of a loop or if is one of
// several tokens, depending on the way that control took. The package sees these merges by ir.RegionBranch, so that it names no operation of control flow.
package tokens

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
)

// Is reports whether a value is a token.
func Is(v ir.Value) bool {
	_, ok := v.Type().(*tile.TokenType)
	return ok
}

// A Graph is how the tokens of a kernel follow from each other.
type Graph struct {
	merges map[ir.Value][]ir.Value // what each merge is one of
	// Order lists, in the order of the text, the operations that take or make tokens, and Moves the operands that carry tokens into merges.
	Order []ir.Op
	Moves map[ir.Op][]int
}

// New looks at a kernel.
func New(kernel ir.Op) *Graph {
	g := &Graph{merges: make(map[ir.Value][]ir.Value), Moves: make(map[ir.Op][]int)}
	kernel.Walk(func(op ir.Op) ir.WalkResult {
		if op != kernel && op.HasTrait(ir.IsolatedFromAbove) {
			return ir.SkipBelow
		}
		moved := make(map[int]bool)
		ir.RegionEdges(op, func(e ir.RegionEdge) {
			for i := range e.Len() {
				if in := e.Input(i); Is(in) {
					g.merges[in] = append(g.merges[in], e.Operand(i))
					if !moved[e.Lo+i] {
						moved[e.Lo+i] = true
						g.Moves[op] = append(g.Moves[op], e.Lo+i)
					}
				}
			}
		})
		if Access(op) || len(moved) > 0 {
			g.Order = append(g.Order, op)
		}
		return ir.Advance
	})
	return g
}

// Access reports whether an operation makes a token that it is itself part of: an access, a fence, a print. Neither control flow, nor what makes and joins tokens is.
func Access(op ir.Op) bool {
	return op.Def().OperandField("token") >= 0 && !After(op).IsNil()
}

// Of returns the token that an access takes, or a zero Value.
func Of(op ir.Op) ir.Value { return op.OperandNamed("token") }

// After returns the token that an access makes, or a zero Value.
func After(op ir.Op) ir.Value {
	for i := op.NumResults() - 1; i >= 0; i-- {
		if r := op.Result(i); Is(r) {
			return r
		}
	}
	return ir.Value{}
}

// Set makes an access take another token.
func Set(op ir.Op, v ir.Value) {
	lo, hi := op.OperandRange(op.Def().OperandField("token"))
	if lo < hi {
		op.SetOperand(lo, v)
	}
}

// Merged returns what a token is one of, when control flow merged it.
func (g *Graph) Merged(v ir.Value) (from []ir.Value, ok bool) {
	from, ok = g.merges[v]
	return from, ok
}

// Joined returns the operands of the join that made a token. One that is made of nothing is a join of none; any other operation without a token operand, too.
func Joined(v ir.Value) (from []ir.Value, ok bool) {
	def := v.DefiningOp()
	if def.IsNil() || Access(def) || def.NumRegions() > 0 {
		return nil, false
	}
	for _, x := range def.Operands() {
		if !Is(x) {
			return nil, false
		}
	}
	return def.Operands(), def.HasTrait(ir.Pure)
}

// OrderedAfter tells whether a token surely comes after an access, on every way that control may have taken from the access to it. It looks at joins and
// accesses only, not at merges, and gives up, with false, after so many steps.
func (g *Graph) OrderedAfter(token ir.Value, access ir.Op, steps int) bool {
	seen := make(map[ir.Value]bool)
	work := []ir.Value{token}
	for len(work) > 0 && steps > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		steps--
		if v.IsNil() || seen[v] {
			continue
		}
		seen[v] = true
		if from, ok := Joined(v); ok {
			work = append(work, from...)
		} else if def := v.DefiningOp(); !def.IsNil() && Access(def) {
			if def == access {
				return true
			}
			work = append(work, Of(def))
		}
	}
	return false
}

// Drop erases an access whose value nobody needs; what was ordered after it is ordered after what it was ordered after, which may be nothing: the token none.
func Drop(op ir.Op, none func() ir.Value) {
	if after := After(op); after.HasUses() {
		before := Of(op)
		if before.IsNil() {
			before = none()
		}
		after.ReplaceAllUsesWith(before)
	}
	op.Erase()
}
