package licm

import (
	"slices"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/constfold"
	"github.com/tilewright/tilewright/passes/analysis/alias"
)

// A loop is what operations are moved out of.
//
// Structured loops and natural ones look alike here; where they come from (structured, naturalLoops) is the
// only difference.
type loop struct {
	// contains reports whether a block of the function is in the loop, at any depth.
	contains func(ir.Block) bool
	// everyTime lists the blocks that each full iteration passes, in an order in which definitions come before uses.
	everyTime []ir.Block
	// sometimes lists other blocks of the loop in such an order.
	sometimes []ir.Block
	// all returns the outermost blocks of the loop, for the effects of what is in them.
	all func() []ir.Block
	// runs says that control provably reaches the first of everyTime when it reaches the loop.
	runs bool
	// before is the operation that moved ones are put before.
	before ir.Op
	// carried is how many values go from one iteration to the next.
	carried int

	effects *loopEffects // nil: not looked at yet
}

// loopEffects is what the operations of a loop may change.
type loopEffects struct {
	anything bool // something did not say
	writers  map[*ir.Resource][]ir.Op
}

// structured returns the loop that an operation is. Nothing is moved when it has no body.
func structured(l ir.Loop) *loop {
	out := &loop{before: l.Op, contains: func(b ir.Block) bool { return l.Body.IsAncestorOf(b.Region()) }}
	if l.Body.Empty() {
		return out
	}
	out.everyTime = []ir.Block{l.Body.First()}
	out.carried = l.Body.First().NumArgs()
	out.all = func() []ir.Block { return slices.Collect(l.Body.Blocks()) }
	out.runs = !l.MayNotRun || !l.Lower.IsNil() && !l.Upper.IsNil() && provablyLess(l.Lower, l.Upper, l.Unsigned)
	return out
}

// provablyLess reports whether constants, integers or shaped ones of a single value, say that a is less than b.
func provablyLess(a, b ir.Value, unsigned bool) bool {
	x, okX := constantBits(a)
	y, okY := constantBits(b)
	if !okX || !okY {
		return false
	}
	width := ir.BitWidth(ir.ElementType(a.Type()))
	if width < 1 || width > 64 {
		return false
	}
	if !unsigned { // the sign bit moves to where an unsigned comparison sees it as the order wants
		x, y = x^1<<(width-1), y^1<<(width-1)
	}
	return x < y
}

func constantBits(v ir.Value) (uint64, bool) {
	if a, ok := ir.ConstantValue(v).(*ir.IntegerAttr); ok {
		return a.Unsigned(), true
	}
	return constfold.Splat(ir.ConstantValue(v))
}

type hoister struct {
	opts         *Options
	dom          *ir.Dominance
	aliases      func(op ir.Op) *alias.Aliases // of the kernel around; asked for when a read and a write meet
	may          func(what string, op ir.Op) bool
	moved, reads int
}

// hoist moves what it can out of a loop.
//
// Linear in the operations of everyTime, but for invariant, which walks what is inside an operation once for
// each loop around it.
func (h *hoister) hoist(l *loop) {
	var alive *live
	if h.opts.MaxLive > 0 && len(l.everyTime) > 0 {
		alive = newLive(l)
	}
	// In order, so that an operation is looked at when what it uses has already moved: one pass is enough. What every
	// iteration executes comes first, since it saves more of a limited number of registers.
	for i, b := range slices.Concat(l.everyTime, l.sometimes) {
		often := i < len(l.everyTime)
		// Only in the first block: the loop may be left between it and the others, although every full iteration
		// passes them.
		sure := l.runs && i == 0
		for op := range b.Ops() {
			if op.HasTrait(ir.Terminator) {
				break
			}
			if (often || !isCondition(op)) && l.invariant(op) {
				if may, reads := h.mayMove(op, l, sure); may && (alive == nil || alive.move(op, h.opts.MaxLive)) && h.may("hoist", op) {
					op.MoveBefore(l.before)
					h.moved++
					if reads {
						h.reads++
					}
					continue
				}
			}
			sure = sure && isPassed(op)
		}
	}
}

// isCondition reports whether an operation computes a condition. Predicate registers are so few (7) that a condition
// which not every iteration needs should not take one throughout the loop: ptxas computes one after the other what finds
// none free.
func isCondition(op ir.Op) bool {
	return op.NumResults() == 1 && ir.BitWidth(op.Result(0).Type()) == 1
}

// invariant reports whether op, and everything inside it, uses only what is defined outside the loop or inside op.
func (l *loop) invariant(op ir.Op) bool {
	return op.Walk(func(inner ir.Op) ir.WalkResult {
		for i := range inner.NumOperands() {
			v := inner.Operand(i)
			if l.contains(v.Block()) && (inner == op || !definedInside(v, op)) {
				return ir.Interrupt
			}
		}
		return ir.Advance
	})
}

func definedInside(v ir.Value, op ir.Op) bool {
	if def := v.DefiningOp(); !def.IsNil() {
		return op.IsAncestorOf(def)
	}
	return op.IsAncestorOf(v.Block().ParentOp())
}

// mayMove reports whether an invariant operation may be executed once, before the loop, and whether it reads.
// sure says that the loop provably executes it.
//
// Order of the conditions: effects first, which are cheap to ask and rule out most; whether something writes,
// which may need the alias analysis, last.
func (h *hoister) mayMove(op ir.Op, l *loop, sure bool) (may, reads bool) {
	may = true
	ir.Effects(op, func(e ir.Effect) {
		switch {
		case e.Kind != ir.Read:
			may = false
		case !may:
		case !h.opts.HoistReads || !sure || e.Concurrent || h.mayWrite(l, op, e.Resource):
			may = false
		default:
			reads = true
		}
	})
	if may && !reads {
		may = sure || h.opts.Speculate && ir.IsSpeculatable(op)
	}
	return may, reads
}

// maxWriters is how many writes of a loop a read is compared with.
// Each read would be compared with each write, which is quadratic in a body that a generator unrolled.
const maxWriters = 256

// mayWrite reports whether something in the loop may change what an operation reads of a resource.
func (h *hoister) mayWrite(l *loop, read ir.Op, r *ir.Resource) bool {
	if l.effects == nil {
		l.effects = &loopEffects{writers: make(map[*ir.Resource][]ir.Op)}
		for _, b := range l.all() {
			for op := range b.Ops() {
				op.Walk(l.effects.add)
			}
		}
	}
	writers := l.effects.writers[r]
	switch {
	case l.effects.anything || len(writers) > maxWriters:
		return true
	case len(writers) == 0:
		return false
	case r != nil: // of other state than memory, nothing more is known
		return true
	}
	// That one of them writes is known, so it is MayAlias and not a conflict that is asked for, and of all
	// iterations: the read is to be done once for all of them.
	aliases := h.aliases(read)
	return aliases == nil || slices.ContainsFunc(writers, func(w ir.Op) bool { return aliases.MayAlias(read, w) })
}

// add adds what op does itself. What leaves a loop writes nothing, unlike in ir.Effects, which says whether an
// operation can go.
func (e *loopEffects) add(op ir.Op) ir.WalkResult {
	declared := ir.OwnEffects(op, func(effect ir.Effect) {
		if effect.Kind == ir.Write || effect.Kind == ir.Free {
			if ops := e.writers[effect.Resource]; len(ops) == 0 || ops[len(ops)-1] != op {
				e.writers[effect.Resource] = append(ops, op)
			}
		}
	})
	if !declared && !op.HasTrait(ir.Pure) && !op.HasTrait(ir.RecursiveEffects) {
		e.anything = true
	}
	return ir.Advance
}

// isPassed reports whether control provably gets from before op to after it: op does not leave the loop, trap, or go
// on for ever. A write is taken for one of these, since asserts declare one.
//
// A loop with a counter ends: its step is positive, and it stops at the greatest number (scf.for). One without
// may go on for ever, as may a cycle of blocks.
func isPassed(op ir.Op) bool {
	if !ir.Effects(op, func(ir.Effect) {}) || ir.MayWrite(op) {
		return false
	}
	return op.NumRegions() == 0 || op.Walk(func(inner ir.Op) ir.WalkResult {
		if describe, ok := ir.LoopLike.Of(inner); ok && describe(inner).IndVar.IsNil() {
			return ir.Interrupt
		}
		for i := range inner.NumRegions() {
			if r := inner.Region(i); !r.Empty() && !r.HasOneBlock() {
				return ir.Interrupt // a cycle of its blocks may have no end
			}
		}
		return ir.Advance
	})
}
