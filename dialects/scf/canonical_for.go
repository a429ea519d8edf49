package scf

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/rewrite"
)

func init() {
	For.Attach(rewrite.Canonicalizers.Is([]rewrite.Pattern{
		{Name: "scf-for-one-trip", Rewrite: oneTrip},
		{Name: "scf-for-idle-values", Rewrite: idleValues},
	}))
}

// oneTrip puts the body of a loop that runs once in the place of the loop.
//
// A loop over columns runs once where one tile holds a row. Pipelined, it would prefetch the tile of an iteration that
// never comes, and wait for its loads in front of its store.
func oneTrip(op ir.Op, rw *rewrite.Rewriter) bool {
	body := op.Region(0).First()
	term := body.Last()
	if n, ok := Trips(op); !ok || n != 1 || term.IsNil() || !isOp(term, "continue") || leavesEarly(body, term) {
		return false
	}
	rw.InlineBefore(body, op, append([]ir.Value{op.Operand(0)}, op.Operands()[3:]...)...)
	rw.Replace(op, term.Operands()...)
	rw.Erase(term)
	return true
}

// idleValues removes loop-carried values that every iteration passes on unchanged, or that nothing reads but what
// computes the next one.
//
//	%r:2 = scf.for %i = ... iter_args(%a = %x, %b = %c0) {              %r = scf.for %i = ... iter_args(%a = %x) {
//	  ... uses %b                                                  ->     ... uses %c0
//	  scf.continue %next, %c0                                              scf.continue %next
//
// The front end of CUDA Tile C++ carries each object that a loop assigns to; an object without members is a byte that
// is always 0. A loop with a carried value that its body does not compute is not pipelined.
func idleValues(op ir.Op, rw *rewrite.Rewriter) bool {
	inits, body := op.Operands()[3:], op.Region(0).First()
	term := body.Last()
	if term.IsNil() || !isOp(term, "continue") || leavesEarly(body, term) {
		return false
	}
	var kept []int
	for i, init := range inits {
		arg, next := body.Arg(1+i), term.Operand(i)
		if !keeps(next, arg, init, mostLinks) && read(op, i) {
			kept = append(kept, i)
			continue
		}
		// Where a value is only carried on, or computed from itself, any value does.
		rw.ReplaceUses(op.Result(i), init)
		rw.ReplaceUses(arg, init)
	}
	if len(kept) == len(inits) {
		return false
	}
	rebuild(op, rw, kept)
	return true
}

// mostLinks bounds how many selects stand between what an iteration begins with and what it passes on.
const mostLinks = 4

// keeps reports whether a value is the one that a loop begins with, if arg is: itself, or a choice between such.
func keeps(v, arg, init ir.Value, links int) bool {
	if v == arg || ir.SameValue(init, v) {
		return true
	}
	def := v.DefiningOp()
	if def.IsNil() || links == 0 {
		return false
	}
	switch {
	case def.Is(arith.Select):
		return keeps(def.Operand(1), arg, init, links-1) && keeps(def.Operand(2), arg, init, links-1)
	case def.Is(If):
		for i := range def.NumRegions() {
			if term := def.Region(i).First().Last(); term.IsNil() || !isOp(term, "yield") || !keeps(term.Operand(v.Index()), arg, init, links-1) {
				return false
			}
		}
		return true
	}
	return false
}

// rebuild makes the loop again with the loop-carried values that are kept. Nothing uses the others.
func rebuild(op ir.Op, rw *rewrite.Rewriter, kept []int) {
	inits, body := op.Operands()[3:], op.Region(0).First()
	term := body.Last()
	rw.SetInsertionPointBefore(op)
	rw.SetLocOf(op)
	var starts, nexts []ir.Value
	for _, i := range kept {
		starts, nexts = append(starts, inits[i]), append(nexts, term.Operand(i))
	}
	attrs := append(op.InherentAttrs(), op.DiscardableAttrs().Entries...)
	loop := CreateFor(rw.Builder, op.Operand(0), op.Operand(1), op.Operand(2), starts, attrs...)
	to := loop.Region(0).First()
	args := append([]ir.Value{to.Arg(0)}, inits...) // those that are gone have no uses: their initial values are as good as any
	results := append([]ir.Value{}, inits...)
	for n, i := range kept {
		args[1+i], results[i] = to.Arg(1+n), loop.Result(n)
	}
	rw.SetInsertionPointToEnd(to)
	rw.SetLocOf(term)
	end := rw.Create(Continue, nexts, nil)
	rw.Erase(term)
	rw.InlineBefore(body, end, args...)
	rw.Replace(op, results...)
}

// A slot is a loop-carried value: its place among those of a loop.
type slot struct {
	loop ir.Op
	i    int
}

// values returns the value inside the loop and after it.
func (s slot) values() []ir.Value {
	return []ir.Value{s.loop.Region(0).First().Arg(1 + s.i), s.loop.Result(s.i)}
}

// read reports whether what a loop carries has an effect. It has none if loops only hand it around, an outer loop and
// one inside perhaps in a circle, and if all that is computed from it has none either.
func read(loop ir.Op, i int) bool {
	slots := []slot{{loop, i}}
	values := slots[0].values()
	for n := 0; n < len(values); n++ {
		if n == maxValues {
			return true
		}
		for u := range values[n].Uses() {
			owner := u.Owner()
			to := slot{owner, u.Index() - 3}
			if owner.Is(Continue) {
				to = slot{owner.ParentOp(), u.Index()}
			}
			switch {
			case to.loop.Is(For) && to.i >= 0:
				if !slices.Contains(slots, to) {
					slots = append(slots, to)
					values = append(values, to.values()...)
				}
			case ir.WouldBeTriviallyDead(owner):
				for _, v := range owner.Results() {
					if !slices.Contains(values, v) {
						values = append(values, v)
					}
				}
			default:
				return true
			}
		}
	}
	return false
}

// maxValues bounds the search.
const maxValues = 64

// leavesEarly reports whether an iteration of the loop may end elsewhere than at its last operation, with other values.
func leavesEarly(body ir.Block, last ir.Op) (early bool) {
	for op := range body.Ops() {
		op.Walk(func(inner ir.Op) ir.WalkResult {
			if isLoop(inner) { // whose own iterations these end
				return ir.SkipBelow
			}
			early = early || inner != last && (isOp(inner, "continue") || isOp(inner, "break"))
			return ir.Advance
		})
	}
	return early
}
