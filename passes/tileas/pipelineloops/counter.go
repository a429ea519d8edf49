package pipelineloops

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// The loop of turns counts them from 0; what the counter of the program is follows from that.

func constant32(b *ir.Builder, n int64) ir.Value { return arith.NewInt(b, b.Context().Int(32), n) }

// bounds are those of the counter of a loop, as they are where they are asked for.
type bounds struct {
	lower, upper, step ir.Value
	unsigned           bool
}

func boundsOf(loop ir.Op) bounds {
	return bounds{loop.Operand(0), loop.Operand(1), loop.Operand(2), loop.HasUnitAttr("unsigned")}
}

// constant returns a number of the counter's type.
func (c bounds) constant(b *ir.Builder, n int) ir.Value {
	for _, v := range []ir.Value{c.lower, c.step} { // which would be dead else
		if arith.IsInt(v, int64(n)) {
			return v
		}
	}
	return arith.NewInt(b, c.lower.Type(), int64(n))
}

// less is how numbers of turns compare: as the counter does.
func (c bounds) less() string {
	if c.unsigned {
		return "ult"
	}
	return "slt"
}

// noWrap says that the number of a turn in the near future does not pass the largest one, which keeps offsets that are computed from it known not to be negative.
func (c bounds) noWrap(b *ir.Builder) []ir.NamedAttr {
	return arith.Promise(b.Context(), numeric.Wraps{Signed: !c.unsigned, Unsigned: c.unsigned})
}

// plain reports whether the counter of the program is the number of the iteration.
func (c bounds) plain() bool { return arith.IsInt(c.lower, 0) && arith.IsInt(c.step, 1) }

// tripCount returns how many iterations the loop has.
func (c bounds) tripCount(b *ir.Builder) ir.Value {
	t := c.lower.Type()
	trips := c.upper
	if !arith.IsInt(c.lower, 0) {
		trips = b.Create(arith.SubI, []ir.Value{c.upper, c.lower}, []ir.Type{t}).Result(0)
	}
	if !arith.IsInt(c.step, 1) { // the distance fits the type as an unsigned number, whatever the bounds
		trips = b.Create(arith.CeilDivUI, []ir.Value{trips, c.step}, []ir.Type{t}).Result(0)
	}
	return b.Create(arith.Select, []ir.Value{arith.NewCmpI(b, c.less(), c.lower, c.upper), trips, c.constant(b, 0)}, []ir.Type{t}).Result(0)
}

// counter returns the counter of the program for an iteration.
func (c bounds) counter(b *ir.Builder, iteration ir.Value) ir.Value {
	if c.plain() {
		return iteration
	}
	t := iteration.Type()
	v := b.Create(arith.MulI, []ir.Value{iteration, c.step}, []ir.Type{t}).Result(0)
	return b.Create(arith.AddI, []ir.Value{v, c.lower}, []ir.Type{t}).Result(0)
}

// without returns a bound of the turns in which there is an iteration so many turns ahead.
func (c bounds) without(b *ir.Builder, trips ir.Value, n int) ir.Value {
	t := trips.Type()
	left := b.Create(arith.SubI, []ir.Value{trips, c.constant(b, n)}, []ir.Type{t}).Result(0)
	if !c.unsigned { // below 0 no turn is
		return left
	}
	return b.Create(arith.Select, []ir.Value{arith.NewCmpI(b, "ult", c.constant(b, n), trips), left, c.constant(b, 0)}, []ir.Type{t}).Result(0)
}
