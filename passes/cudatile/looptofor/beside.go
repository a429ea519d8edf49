package looptofor

import (
	"math/bits"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
)

// bounds counts the operands of a for in front of the values that it begins with.
const bounds = 3

// beside replaces what a for counts beside its own counter:
//
//	for %i in (%a to %b, step 128) iter_values(%n = %m) { ... %n ... ; continue %n + 1 }
//
// %n becomes %m + (%i - %a >> 7). Loads at %n can then be prefetched: an address that depends on the last iteration
// alone is known late. Both increments are constant powers of two, so that the quotient is exact and a shift. The
// difference is exact as an unsigned number, also where it overflows as a signed one. It reports whether there was one.
func beside(loop ir.Op) (found bool) {
	lower, size := loop.Operand(0), increment(loop.Operand(2))
	t, ok := lower.Type().(*cudatile.TileType)
	last := loop.Body().Terminator()
	if !ok || size == 0 || continuesElsewhere(loop, last) {
		return false
	}
	for i, next := range last.Operands() {
		arg, init := loop.Body().Arg(1+i), loop.Operand(bounds+i)
		add := next.DefiningOp()
		if arg.Type() != lower.Type() || add.IsNil() || !add.Is(cudatile.AddI) || add.Operand(0) != arg {
			continue
		}
		by := increment(add.Operand(1))
		if by == 0 || !readBy(arg, add) {
			continue
		}
		b := ir.BuilderAtStart(loop.Body())
		b.SetLocOf(add)
		create := func(def *ir.OpDef, x, y ir.Value, attr string, a ir.Attribute) ir.Value {
			st := b.NewState(def, b.Loc)
			st.Operands, st.Types = []ir.Value{x, y}, []ir.Type{t}
			st.SetAttr(attr, a)
			return b.Insert(st).Result(0)
		}
		none := cudatile.OverflowNone.Attr(b.Context())
		n := create(cudatile.SubI, loop.Body().Arg(0), lower, "overflow", none)
		shift := bits.TrailingZeros64(size) - bits.TrailingZeros64(by)
		switch {
		case shift > 0:
			n = create(cudatile.ShRI, n, cudatile.NewSplat(b, t, uint64(shift)), "signedness", cudatile.Unsigned.Attr(b.Context()))
		case shift < 0:
			n = create(cudatile.ShLI, n, cudatile.NewSplat(b, t, uint64(-shift)), "overflow", none)
		}
		arg.ReplaceAllUsesWith(create(cudatile.AddI, init, n, "overflow", none))
		found = true
	}
	return found
}

// increment returns a constant that is a power of two; else 0.
func increment(v ir.Value) uint64 {
	n, ok := cudatile.SplatBits(v)
	if !ok || bits.OnesCount64(n) != 1 || bits.Len64(n) >= width(v) { // the highest bit is a sign
		return 0
	}
	return n
}

// readBy reports whether a value is read by more than one operation.
func readBy(v ir.Value, but ir.Op) bool {
	for u := range v.Uses() {
		if u.Owner() != but {
			return true
		}
	}
	return false
}

// continuesElsewhere reports whether a loop is continued by another operation than its last one.
func continuesElsewhere(loop, last ir.Op) (found bool) {
	loop.Walk(func(op ir.Op) ir.WalkResult {
		found = found || op != last && op.Is(cudatile.Continue) && ir.ExitTarget(op) == loop
		return ir.Advance
	})
	return found
}
