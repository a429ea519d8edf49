// Package tokens follows memory tokens, backwards as a rule: from an operation that takes a token to the operations that
// it is ordered after.
//
//	%t1 = store ...        %t2 = store ...
//	%t3 = join %t1, %t2    load token %t3: after both stores
//
// A token stands for the accesses that come before it. An access creates one, a join combines several, and control
// flow merges them. A block argument, or a result of a loop or an if, is one of several tokens, depending on the path
// taken. The package finds these merges by ir.RegionBranch, so it names no control-flow operation.
package tokens

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
)

// Is reports whether a value is a token.
func Is(v ir.Value) bool { _, ok := v.Type().(*tile.TokenType); return ok }

// A Graph is how the tokens of a kernel depend on each other.
type Graph struct {
	merges map[ir.Value][]ir.Value // the tokens that each merge may be
	// Order lists the operations with tokens in the order of the text, and Moves the operands that carry tokens into
	// merges.
	Order []ir.Op
	Moves map[ir.Op][]int
}

// New builds the graph of a kernel.
func New(kernel ir.Op) *Graph {
	g := &Graph{merges: make(map[ir.Value][]ir.Value), Moves: make(map[ir.Op][]int)}
	kernel.Walk(func(op ir.Op) ir.WalkResult {
		// No token enters an isolated operation.
		if op != kernel && op.HasTrait(ir.IsolatedFromAbove) {
			return ir.SkipBelow
		}
		for i, v := range op.Operands() {
			if !Is(v) {
				continue
			}
			to, _ := op.OperandUse(i).HandedOn()
			for _, in := range to {
				g.merges[in] = append(g.merges[in], v)
			}
			if len(to) > 0 {
				g.Moves[op] = append(g.Moves[op], i)
			}
		}
		if Access(op) || len(g.Moves[op]) > 0 {
			g.Order = append(g.Order, op)
		}
		return ir.Advance
	})
	return g
}

// Access reports whether an operation is ordered by tokens and creates one: an access, a fence, a print. Control flow,
// and operations that only create or join tokens, are none.
func Access(op ir.Op) bool {
	return op.Def().OperandField("token") >= 0 && !After(op).IsNil()
}

// Of returns the token that an access takes, or a zero Value.
func Of(op ir.Op) ir.Value { return op.OperandNamed("token") }

// After returns the token that an access creates, or a zero Value.
func After(op ir.Op) ir.Value {
	for i := op.NumResults() - 1; i >= 0; i-- {
		if r := op.Result(i); Is(r) {
			return r
		}
	}
	return ir.Value{}
}

// Set replaces the token that an access takes.
func Set(op ir.Op, v ir.Value) {
	lo, hi := op.OperandRange(op.Def().OperandField("token"))
	if lo < hi {
		op.SetOperand(lo, v)
	}
}

// Merged returns the tokens that a token may be, if control flow merged it.
func (g *Graph) Merged(v ir.Value) (from []ir.Value, ok bool) {
	from, ok = g.merges[v]
	return from, ok
}

// Joined returns the operands of the join that created a token. A token from nothing is a join of none; so is one from
// any other operation without a token operand.
func Joined(v ir.Value) (from []ir.Value, ok bool) {
	def := v.DefiningOp()
	if def.IsNil() || !isJoin(def) {
		return nil, false
	}
	return def.Operands(), def.HasTrait(ir.Pure)
}

// OrderedAfter reports whether a token of an operation comes from an earlier one, perhaps through joins and accesses. A
// token from control flow may: a loop-carried one, say, comes from anywhere in the loop or before it. It counts as
// ordered if may is true, and so does everything beyond so many steps.
func OrderedAfter(op, earlier ir.Op, may bool, steps int) bool {
	work := ir.NewWorklist(op)
	for op := range work.All() {
		if steps--; steps < 0 {
			return may
		}
		for _, v := range ir.Filter(op.Operands(), Is) {
			switch def := v.DefiningOp(); {
			case def.IsNil() || def.NumRegions() > 0:
				if may {
					return true
				}
			case def == earlier:
				return true
			default:
				work.Add(def)
			}
		}
	}
	return false
}

// Followers returns the operations that a token orders: those that take it, or a join or merge that it may be in.
func Followers(token ir.Value) (out []ir.Op) {
	work := ir.NewWorklist(token)
	for v := range work.All() {
		for u := range v.Uses() {
			op := u.Owner()
			switch to, _ := u.HandedOn(); {
			case len(to) > 0:
				work.Add(to...)
			case op.NumResults() == 1 && isJoin(op):
				work.Add(op.Result(0))
			default:
				out = append(out, op)
			}
		}
	}
	return out
}

// Drop erases an access whose value is unused. What was ordered after it is now ordered after its predecessors, or
// after nothing: the token that none returns.
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

func isJoin(op ir.Op) bool {
	return !Access(op) && op.NumRegions() == 0 && !slices.ContainsFunc(op.Operands(), func(v ir.Value) bool { return !Is(v) })
}
