package licm

import "github.com/tilewright/tilewright/ir"

// live counts the values that a loop keeps alive from one iteration to the next: those from outside that it uses, and
// those that it carries. Constants do not count, since they are made where they are used.
//
// An estimate of registers from below: what the loop computes and uses up within an iteration is not counted,
// since hoisting does not change it.
type live struct {
	loop *loop
	n    int
	uses map[ir.Value]int // of values from outside, in the loop
}

func newLive(l *loop) *live {
	v := &live{loop: l, n: l.carried, uses: make(map[ir.Value]int)}
	for _, b := range l.all() {
		for op := range b.Ops() {
			v.eachOutside(op, func(x ir.Value) {
				if v.uses[x]++; v.uses[x] == 1 && counts(x) {
					v.n++
				}
			})
		}
	}
	return v
}

func counts(x ir.Value) bool {
	def := x.DefiningOp()
	return def.IsNil() || !def.HasTrait(ir.ConstantLike)
}

// eachOutside calls f for each use, in op and inside it, of a value from outside of the loop.
func (v *live) eachOutside(op ir.Op, f func(ir.Value)) {
	op.Walk(func(inner ir.Op) ir.WalkResult {
		for i := range inner.NumOperands() {
			if x := inner.Operand(i); !v.loop.contains(x.Block()) {
				f(x)
			}
		}
		return ir.Advance
	})
}

// move takes note of an operation that leaves the loop, unless there would be more than limit values alive after it
// and more than before. It reports whether it did.
//
// For %k = muli %x, %y with %x and %y used by nothing else in the loop, moving frees two and takes one; with
// both used elsewhere, it takes one more.
func (v *live) move(op ir.Op, limit int) bool {
	before := v.n
	v.eachOutside(op, func(x ir.Value) {
		if v.uses[x]--; v.uses[x] == 0 && counts(x) {
			v.n--
		}
	})
	for _, r := range op.Results() {
		if v.uses[r] = r.NumUses(); v.uses[r] > 0 && counts(r) { // uses after the loop keep it alive as well
			v.n++
		}
	}
	if v.n <= max(limit, before) {
		return true
	}
	for _, r := range op.Results() {
		delete(v.uses, r)
	}
	v.eachOutside(op, func(x ir.Value) { v.uses[x]++ })
	v.n = before
	return false
}
