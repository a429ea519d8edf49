package pipelineloops

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// The loop of turns counts them from 0; what the counter of the program is follows from that.

func constant32(b *ir.Builder, n int64) ir.Value { return arith.NewInt(b, b.Context().Int(32), n) }

// constant returns a number of the counter's type.
func (x *expansion) constant(b *ir.Builder, n int) ir.Value {
	for _, v := range []ir.Value{x.loop.Operand(0), x.loop.Operand(2)} { // which would be dead else
		if arith.IsInt(v, int64(n)) {
			return v
		}
	}
	return arith.NewInt(b, x.loop.Operand(0).Type(), int64(n))
}

// less is how numbers of turns compare: as the counter does.
func (x *expansion) less() string {
	if x.loop.HasUnitAttr("unsigned") {
		return "ult"
	}
	return "slt"
}

// noWrap says that the number of a turn in the near future does not pass the largest one, which keeps offsets that are computed from it known not to be negative.
func (x *expansion) noWrap(b *ir.Builder) []ir.NamedAttr {
	unsigned := x.loop.HasUnitAttr("unsigned")
	return arith.Promise(b.Context(), numeric.Wraps{Signed: !unsigned, Unsigned: unsigned})
}

// plain reports whether the counter of the program is the number of the iteration.
func (x *expansion) plain() bool {
	return arith.IsInt(x.loop.Operand(0), 0) && arith.IsInt(x.loop.Operand(2), 1)
}

// tripCount returns how many iterations the loop has.
func (x *expansion) tripCount(b *ir.Builder) ir.Value {
	lower, upper, step := x.loop.Operand(0), x.loop.Operand(1), x.loop.Operand(2)
	t := lower.Type()
	trips := upper
	if !arith.IsInt(lower, 0) {
		trips = b.Create(arith.SubI, []ir.Value{upper, lower}, []ir.Type{t}).Result(0)
	}
	if !arith.IsInt(step, 1) { // the distance fits the type as an unsigned number, whatever the bounds
		trips = b.Create(arith.CeilDivUI, []ir.Value{trips, step}, []ir.Type{t}).Result(0)
	}
	return b.Create(arith.Select, []ir.Value{arith.NewCmpI(b, x.less(), lower, upper), trips, x.constant(b, 0)}, []ir.Type{t}).Result(0)
}

// counter returns the counter of the program for an iteration.
func (x *expansion) counter(b *ir.Builder, iteration ir.Value) ir.Value {
	if x.plain() {
		return iteration
	}
	t := iteration.Type()
	v := b.Create(arith.MulI, []ir.Value{iteration, x.loop.Operand(2)}, []ir.Type{t}).Result(0)
	return b.Create(arith.AddI, []ir.Value{v, x.loop.Operand(0)}, []ir.Type{t}).Result(0)
}
