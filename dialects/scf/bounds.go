package scf

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// Bounds are the bounds of a for's counter, as values that are available where they are used. Passes that rebuild a loop
// count iterations from 0, and compute the counter from their number.
type Bounds struct {
	Lower, Upper, Step ir.Value
	Less               string // the predicate that compares iteration numbers: as the loop compares its counter
}

// BoundsOf returns the bounds of a for.
func BoundsOf(loop ir.Op) Bounds {
	return Bounds{loop.Operand(0), loop.Operand(1), loop.Operand(2), Less(loop)}
}

// Constant returns a constant of the counter's type.
func (c Bounds) Constant(b *ir.Builder, n int) ir.Value {
	for _, v := range []ir.Value{c.Lower, c.Step} { // reuse them: they would be dead otherwise
		if arith.IsInt(v, int64(n)) {
			return v
		}
	}
	return arith.NewInt(b, c.Lower.Type(), int64(n))
}

// TripCount returns the number of iterations.
func (c Bounds) TripCount(b *ir.Builder) ir.Value {
	if n, ok := constantTrips([]ir.Value{c.Lower, c.Upper, c.Step}, c.Less == "ult"); ok && n>>(ir.BitWidth(c.Lower.Type())-1) == 0 {
		return c.Constant(b, int(n))
	}
	trips := c.Upper
	if !arith.IsInt(c.Lower, 0) {
		trips = arith.New(b, arith.SubI, c.Upper, c.Lower)
	}
	if !arith.IsInt(c.Step, 1) { // upper - lower fits as an unsigned number, whatever the bounds are
		trips = arith.New(b, arith.CeilDivUI, trips, c.Step)
	}
	// Without iterations the difference may have wrapped around.
	return arith.New(b, arith.Select, arith.NewCmpI(b, c.Less, c.Lower, c.Upper), trips, c.Constant(b, 0))
}

// Counter returns the counter of an iteration.
func (c Bounds) Counter(b *ir.Builder, iteration ir.Value) ir.Value {
	if arith.IsInt(c.Lower, 0) && arith.IsInt(c.Step, 1) {
		return iteration
	}
	v := arith.New(b, arith.MulI, iteration, c.Step)
	return arith.New(b, arith.AddI, v, c.Lower)
}

// Ahead returns whether the loop has an iteration whose counter is a distance above another iteration's, and its counter:
// the given one again if there is none.
func (c Bounds) Ahead(b *ir.Builder, counter, distance ir.Value) (exists, ahead ir.Value) {
	t := counter.Type()
	// The counter is below the upper bound, so the difference fits the type as an unsigned number.
	left := arith.New(b, arith.SubI, c.Upper, counter)
	exists = arith.NewCmpI(b, "ugt", left, distance)
	by := arith.New(b, arith.Select, exists, distance, arith.NewInt(b, t, 0))
	return exists, b.Create(arith.AddI, []ir.Value{counter, by}, []ir.Type{t}, c.NoWrap(b)...).Result(0)
}

// NoWrap promises that the counter or the number of an iteration near an existing one does not overflow. So offsets that
// are computed from it are still known to be non-negative.
func (c Bounds) NoWrap(b *ir.Builder) []ir.NamedAttr {
	return arith.Promise(b.Context(), numeric.Wraps{Signed: !c.IsUnsigned(), Unsigned: c.IsUnsigned()})
}

// IsUnsigned reports whether iterations are compared as unsigned numbers.
func (c Bounds) IsUnsigned() bool { return c.Less == "ult" }
