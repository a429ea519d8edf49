package pipelineloops

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// The steady state counts iterations from 0. The source loop's counter is computed from that number.

// bounds are the bounds of a loop's counter, as values that are available where they are used.
type bounds struct {
	lower, upper, step ir.Value
	less               string // the predicate that compares iteration numbers: as the loop compares its counter
	unsigned           bool
}

func boundsOf(loop ir.Op) bounds {
	return bounds{loop.Operand(0), loop.Operand(1), loop.Operand(2), scf.Less(loop), loop.HasUnitAttr("unsigned")}
}

// constant returns a constant of the counter's type.
func (c bounds) constant(b *ir.Builder, n int) ir.Value {
	for _, v := range []ir.Value{c.lower, c.step} { // reuse them: they would be dead otherwise
		if arith.IsInt(v, int64(n)) {
			return v
		}
	}
	return arith.NewInt(b, c.lower.Type(), int64(n))
}

// noWrap promises that the number of a near future iteration does not overflow. So offsets that are computed from it
// are still known to be non-negative.
func (c bounds) noWrap(b *ir.Builder) []ir.NamedAttr {
	return arith.Promise(b.Context(), numeric.Wraps{Signed: !c.unsigned, Unsigned: c.unsigned})
}

// tripCount returns the trip count of the loop.
func (c bounds) tripCount(b *ir.Builder) ir.Value {
	t := c.lower.Type()
	trips := c.upper
	if !arith.IsInt(c.lower, 0) {
		trips = b.Create(arith.SubI, []ir.Value{c.upper, c.lower}, []ir.Type{t}).Result(0)
	}
	if !arith.IsInt(c.step, 1) { // upper - lower fits as an unsigned number, whatever the bounds are
		trips = b.Create(arith.CeilDivUI, []ir.Value{trips, c.step}, []ir.Type{t}).Result(0)
	}
	// Without iterations the difference may have wrapped around.
	return b.Create(arith.Select, []ir.Value{arith.NewCmpI(b, c.less, c.lower, c.upper), trips, c.constant(b, 0)}, []ir.Type{t}).Result(0)
}

// counter returns the source counter of an iteration.
func (c bounds) counter(b *ir.Builder, iteration ir.Value) ir.Value {
	if arith.IsInt(c.lower, 0) && arith.IsInt(c.step, 1) {
		return iteration
	}
	t := iteration.Type()
	v := b.Create(arith.MulI, []ir.Value{iteration, c.step}, []ir.Type{t}).Result(0)
	return b.Create(arith.AddI, []ir.Value{v, c.lower}, []ir.Type{t}).Result(0)
}

// lastWith returns the bound of the iterations k for which iteration k + n exists.
func (c bounds) lastWith(b *ir.Builder, trips ir.Value, n int) ir.Value {
	t := trips.Type()
	left := b.Create(arith.SubI, []ir.Value{trips, c.constant(b, n)}, []ir.Type{t}).Result(0)
	if !c.unsigned { // signed: a negative bound admits no iteration
		return left
	}
	return b.Create(arith.Select, []ir.Value{arith.NewCmpI(b, "ult", c.constant(b, n), trips), left, c.constant(b, 0)}, []ir.Type{t}).Result(0)
}
