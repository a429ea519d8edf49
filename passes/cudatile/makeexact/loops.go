package makeexact

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
)

// mostTrips is how many iterations a loop has of which that is not known, and how many CTAs add to one element. An
// accumulator of f32 then has room for 65,536 products of inputs in each. More of them need not make a sum inexact: those
// of either sign cancel, so n of them reach the square root of n rather than n.
const mostTrips = 1 << 8

// rounds are how often bounds are computed before one that still grows faster each time counts as unbounded.
const rounds = 4

// loop computes the bounds of a loop. First it finds bounds of the loop-carried values that hold for each iteration;
// then it visits the body with these.
func (b *bounds) loop(op ir.Op) {
	first := 0 // of the initial values
	if op.Is(cudatile.For) {
		first = 3
	}
	args := op.Body().Args()
	args = args[len(args)-(op.NumOperands()-first):]
	in := make([]float64, len(args))
	for i := range args {
		in[i] = b.operand(op, first+i)
	}
	trips := b.trips(op)
	limits := make([]float64, len(args))
	for i, a := range args {
		if f, ok := formatOf(a.Type()); ok {
			limits[i] = exactUpTo(f)
		}
	}
	b.settle(in, limits, trips, func() []float64 { return b.iterate(op, args, in) }, func(i int) float64 {
		b.hashExits(op, i)
		return b.operand(op, first+i)
	})
	next := b.iterate(op, args, in)
	out := slices.Clone(next)
	if op.Is(cudatile.Loop) {
		out = b.breaks[op]
	} else {
		for i := range out {
			out[i] = max(out[i], in[i]) // also of no iteration
		}
	}
	for i, r := range op.Results() {
		if _, ok := formatOf(r.Type()); ok && i < len(out) {
			b.of[r] = out[i]
		}
	}
}

// trips bounds the iterations of a loop.
func (b *bounds) trips(op ir.Op) float64 {
	if !op.Is(cudatile.For) {
		return mostTrips
	}
	lower, upper, step := b.ranges.Of(op.Operand(0)), b.ranges.Of(op.Operand(1)), b.ranges.Of(op.Operand(2))
	if n := float64(upper.SMax) - float64(lower.SMin); step.SMin > 0 && n >= 0 {
		return min(mostTrips, n/float64(step.SMin)+1)
	}
	return mostTrips
}

// iterate visits the body with bounds of its arguments, and returns the bounds of the next ones.
func (b *bounds) iterate(op ir.Op, args []ir.Value, in []float64) []float64 {
	for i, a := range args {
		if _, ok := formatOf(a.Type()); ok {
			b.of[a] = in[i]
		}
	}
	delete(b.exits, op)
	delete(b.breaks, op)
	b.block(op.Body())
	if next := b.exits[op]; next != nil {
		return next
	}
	return make([]float64, len(args)) // no iteration follows the first
}

// settle raises bounds of values that are computed again and again until they hold for each time. again computes the
// next bounds from in. A bound may grow by a constant each time, as far as its limit; cut makes other values small
// before they are used again, and returns the bound that the first one has.
func (b *bounds) settle(in, limits []float64, trips float64, again func() []float64, cut func(i int) float64) {
	grows := make([]float64, len(in)) // by how much, each time, beyond in
	for range 2*len(in) + 1 {
		steps := b.growth(in, grows, again)
		if steps == nil {
			return
		}
		for i, g := range steps {
			switch {
			case g == 0 || limits[i] == 0:
			case in[i]+g*trips <= limits[i]:
				grows[i] += g
				in[i] += g * trips
			default:
				in[i], grows[i] = max(cut(i), largest(bitsOperand)), 0
			}
		}
	}
}

// growth raises bounds to what they are after some rounds, and returns by how much each grows from one round to the
// next then, beyond what is known. That is unknown if it is more than before. It returns nil if no bound changed.
func (b *bounds) growth(in, grows []float64, again func() []float64) []float64 {
	changed := false
	step, before := make([]float64, len(in)), make([]float64, len(in))
	for range rounds {
		var next []float64
		b.trial(func() { next = again() })
		step, before = before, step
		for i := range next {
			step[i] = 0
			if x := next[i] - grows[i]; x > in[i] {
				step[i] = x - in[i]
				in[i] = x
				changed = true
			}
		}
	}
	if !changed {
		return nil
	}
	for i := range step {
		if step[i] > before[i] {
			step[i] = unknown
		}
	}
	return step
}

// hashExits hashes a loop-carried value where it enters the next iteration.
func (b *bounds) hashExits(op ir.Op, i int) {
	op.Walk(func(o ir.Op) ir.WalkResult {
		if o.Is(cudatile.Continue) && ir.ExitTarget(o) == op {
			b.hash(o, i, bitsOperand)
		}
		return ir.Advance
	})
}

// branch joins the bounds of both regions.
func (b *bounds) branch(op ir.Op) {
	delete(b.exits, op)
	for i := range op.NumRegions() {
		if !op.Region(i).Empty() {
			b.block(op.Region(i).First())
		}
	}
	for i, r := range op.Results() {
		if _, ok := formatOf(r.Type()); ok && b.exits[op] != nil {
			b.of[r] = b.exits[op][i]
		}
	}
}

// aggregate computes the bounds of a reduce or scan, which combines elements in any order: as a tree of pairs. Operands
// are hashed until the whole fits.
func (b *bounds) aggregate(op ir.Op) {
	n := op.NumOperands()
	args := op.Body().Args()
	dim, _ := op.IntAttr("dim")
	length := op.Operand(0).Type().(*cudatile.TileType).Shape[dim]
	combined := func() []float64 {
		now := make([]float64, n)
		for i := range now {
			now[i] = b.operand(op, i)
		}
		for count := int64(1); count < length; count *= 2 {
			for i, a := range args { // accumulator and element of each operand
				if _, ok := formatOf(a.Type()); ok {
					b.of[a] = now[i/2]
				}
			}
			delete(b.exits, op)
			b.block(op.Body())
			for i := range now {
				now[i] = max(now[i], b.exits[op][i])
			}
		}
		return now
	}
	for _, bits := range []int{bitsOperand, bitsInLoop, -1} {
		var now []float64
		before := len(b.hashed)
		inside := false
		b.trial(func() {
			now = combined()
			inside = len(b.hashed) > before // a hash inside would not be associative
		})
		fits := !inside
		for i, r := range op.Results() {
			f, ok := formatOf(r.Type())
			fits = fits && (!ok || now[i] <= exactUpTo(f))
			if ok {
				b.of[r] = now[i]
			}
		}
		if fits || bits < 0 {
			return
		}
		for i := range n {
			if b.operand(op, i) > largest(bits) {
				b.hash(op, i, bits)
			}
		}
	}
}
