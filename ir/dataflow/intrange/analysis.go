package intrange

import (
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/constfold"
	"github.com/tilewright/tilewright/ir/dataflow"
	"github.com/tilewright/tilewright/ir/numeric"
)

// Infer is the capability of operations to compute the ranges of their results from those of their operands; those of
// results that are no integers do not count. Of an operation with neither it nor constfold.Computes nothing is known.
var Infer = ir.NewCap[func(op ir.Op, in []Range) []Range]("integer-ranges")

// Guard is the capability of operations that run a region only if an i1 operand has a certain value, and of
// terminators that choose a successor so. With ir.RegionExit it says when all regions are skipped. It reports false
// for a way that depends on nothing.
var Guard = ir.NewCap[func(op ir.Op, way int) (cond ir.Value, is bool, ok bool)]("guard")

// GuardedRegions is the [Guard] of an `if`: operand 0 chooses region 0, or region 1 where there is one.
var GuardedRegions = Guard.Is(func(op ir.Op, way int) (ir.Value, bool, bool) {
	switch {
	case way == 0:
		return op.Operand(0), true, true
	case way == 1 || op.Region(1).Empty():
		return op.Operand(0), false, true
	}
	return ir.Value{}, false, false // control after an if with two regions
})

// Ranges are the ranges of the values inside an operation.
type Ranges struct {
	facts  *dataflow.Facts[Range]
	scopes *scopes
}

// Of returns the range of a value. One that is never computed, or stands outside the operation, may be anything.
func (r *Ranges) Of(v ir.Value) Range {
	if f, ok := r.facts.Of(v); ok {
		return r.scopes.bounded(v, f)
	}
	return TypeRange(v.Type())
}

// At returns the range of an operand of op, with what the branches around op say about it.
func (r *Ranges) At(op ir.Op, v ir.Value) Range { return r.scopes.use(op, v, r.Of(v)) }

// Computed reports whether a value inside the operation may come into being.
func (r *Ranges) Computed(v ir.Value) bool {
	if Width(v) != 0 {
		_, ok := r.facts.Of(v)
		return ok
	}
	if def := v.DefiningOp(); !def.IsNil() {
		return r.Executed(def)
	}
	return r.Executed(v.Block().First())
}

// Executed reports whether op may run.
func (r *Ranges) Executed(op ir.Op) bool { return r.facts.Executed(op) }

// TypeRange returns all that the elements of a type can be.
func TypeRange(t ir.Type) Range {
	if et, ok := constfold.TypeOf(t); ok && et.Int != 0 {
		return Full(et.Int)
	}
	return Range{}
}

// Analyze computes the ranges of all values inside an operation, but not inside isolated operations in it.
func Analyze(root ir.Op) *Ranges {
	problem := dataflow.Forward[Range]{
		Join:           Join,
		Equal:          func(a, b Range) bool { return a == b },
		Unknown:        func(v ir.Value) Range { return TypeRange(v.Type()) },
		Trivial:        func(v ir.Value) bool { return Width(v) == 0 },
		Transfer:       results,
		Argument:       argument,
		TakesEdge:      takesEdge,
		TakesSuccessor: func(op ir.Op, succ int, operands []Range) bool { return mayTake(op, succ, operands) },
		Widen:          widen,
	}
	r := &Ranges{facts: problem.Run(root), scopes: new(scopes)}
	// Once more, not until nothing changes: what the first solution says holds whatever the branches do, so limits
	// made of it stay right. More rounds could tighten them, but each costs a full solution.
	if r.scopes = findScopes(root, r); len(r.scopes.at) > 0 || r.scopes.carried != nil {
		problem.Use = r.scopes.use
		r.facts = problem.Run(root)
	}
	return r
}

// results sets the ranges of the results of op, which are those of their types so far.
func results(op ir.Op, in, out []Range) {
	if a := ir.ConstantOf(op); a != nil && len(out) == 1 {
		out[0] = OfConstant(op.Result(0).Type(), a)
	} else if infer, ok := Infer.Of(op); ok {
		for i, r := range infer(op, in) {
			// A fact of another width is a mistake of the row: it is dropped here, before it spoils the invariant
			// that Join and Meet rely on.
			if r.W == out[i].W {
				out[i] = r
			}
		}
	} else if computes, ok := constfold.Computes.Of(op); ok && out[0].IsInt() {
		if spec, ok := computes(op); ok {
			out[0] = Of(&spec, in)
		}
	}
}

// maxElements is how many elements of a constant are looked at.
// A larger one may be anything: no constant is to cost more than the rest of the function.
const maxElements = 1 << 12

// OfConstant returns the range of a constant of a type.
func OfConstant(t ir.Type, a ir.Attribute) Range {
	full := TypeRange(t)
	w := full.W
	if w == 0 {
		return full
	}
	switch a := a.(type) {
	case *ir.IntegerAttr:
		return Const(w, uint64(a.Value))
	case *ir.DenseElementsAttr:
		elem := ir.ElementType(t)
		n := len(a.Data) / max(1, ir.DenseElemBytes(elem))
		if n < 1 || n > maxElements || ir.BitWidth(elem) != int(w) {
			return full
		}
		var b builder
		for i := range n {
			bits := w.Wrap(a.Bits(elem, i))
			b.part(w, part{bits, bits})
		}
		return b.sum
	}
	return full
}

// argument returns the range of the induction variable of a loop.
func argument(op ir.Op, arg ir.Value, operands []Range) Range {
	full := TypeRange(arg.Type())
	l, ok := countedLoop(op)
	if !ok || l.IndVar != arg {
		return full
	}
	lower, upper, step := bound(op, l.Lower, operands), bound(op, l.Upper, operands), bound(op, l.Step, operands)
	if lower.W != full.W || upper.W != full.W {
		return full
	}
	if l.Unsigned {
		// No number is below zero, and upper - 1 would wrap around.
		if upper.UMax == 0 {
			return full // does not run
		}
		return Unsigned(full.W, lower.UMin, lastUnsigned(lower, upper, step))
	}
	if upper.SMax <= full.SMin {
		return full
	}
	return Signed(full.W, lower.SMin, lastSigned(lower, upper, step))
}

// lastSigned and lastUnsigned return the largest value of an induction variable: the one before the upper bound that
// the step hits, when both the start and the step are known.
func lastSigned(lower, upper, step Range) int64 {
	last := upper.SMax - 1
	if lower.SMin == lower.SMax && step.SMin == step.SMax && step.SMin > 0 && last >= lower.SMin {
		last -= int64(uint64(last-lower.SMin) % uint64(step.SMin))
	}
	return last
}

func lastUnsigned(lower, upper, step Range) uint64 {
	last := upper.UMax - 1
	if lower.UMin == lower.UMax && step.UMin == step.UMax && step.UMin > 0 && last >= lower.UMin {
		last -= (last - lower.UMin) % step.UMin
	}
	return last
}

func countedLoop(op ir.Op) (ir.Loop, bool) {
	describe, ok := ir.LoopLike.Of(op)
	if !ok {
		return ir.Loop{}, false
	}
	l := describe(op)
	return l, !l.IndVar.IsNil()
}

// bound returns the fact of an operand of op.
func bound(op ir.Op, v ir.Value, operands []Range) Range {
	for i := range operands {
		if op.Operand(i) == v {
			return operands[i]
		}
	}
	return Range{}
}

// takesEdge leaves out regions that a condition or the bounds of a loop exclude.
func takesEdge(e ir.RegionEdge, operands []Range) bool {
	// The bounds decide whether a loop is entered. Of the next iteration they say nothing here, so that the way back
	// is always open.
	if e.From != e.To {
		return true
	}
	if !mayTake(e.To, e.Region, operands) {
		return false
	}
	l, ok := countedLoop(e.To)
	if !ok {
		return true
	}
	lower, upper := bound(e.From, l.Lower, operands), bound(e.From, l.Upper, operands)
	if lower.W == 0 || lower.W != upper.W {
		return true
	}
	never, always := lower.SMin >= upper.SMax, lower.SMax < upper.SMin
	if l.Unsigned {
		never, always = lower.UMin >= upper.UMax, lower.UMax < upper.UMin
	}
	if e.Region == ir.RegionExit {
		return !always
	}
	return !never
}

// mayTake reports whether the condition of a way may hold.
func mayTake(op ir.Op, way int, operands []Range) bool {
	guard, ok := Guard.Of(op)
	if !ok {
		return true
	}
	cond, is, ok := guard(op, way)
	if !ok {
		return true
	}
	bits, known := bound(op, cond, operands).IsConst()
	return !known || (bits != 0) == is
}

// widen gives up the bounds that keep growing, and keeps the others.
// Each of the four bounds by itself, so that a counter that only grows keeps where it starts from.
func widen(_ ir.Value, old, grown Range) Range {
	if old.W == 0 || old.W != grown.W {
		return grown
	}
	full := Full(old.W)
	out := grown
	if out.SMin < old.SMin {
		out.SMin = full.SMin
	}
	if out.SMax > old.SMax {
		out.SMax = full.SMax
	}
	if out.UMin < old.UMin {
		out.UMin = full.UMin
	}
	if out.UMax > old.UMax {
		out.UMax = full.UMax
	}
	signed, unsigned := Signed(old.W, out.SMin, out.SMax), Unsigned(old.W, out.UMin, out.UMax)
	if r, ok := Meet(signed, unsigned); ok {
		return r
	}
	return full
}

// Elements is an Infer for operations whose only result consists of elements of the first n operands: changes of
// shape, concatenation.
func Elements(n int) func(op ir.Op, in []Range) []Range {
	return func(_ ir.Op, in []Range) []Range {
		out := in[0]
		for _, r := range in[1:n] {
			out = Join(out, r)
		}
		return []Range{out}
	}
}

// Choose is the Infer of a select: its first operand is the condition.
func Choose(_ ir.Op, in []Range) []Range { return []Range{choose(in)} }

// Width returns the width of the integers that a value consists of; 0 for one that is no integer.
func Width(v ir.Value) numeric.Int {
	if t, ok := constfold.TypeOf(v.Type()); ok {
		return t.Int
	}
	return 0
}
