package pipelineloops

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// The steady state counts iterations from 0. The source loop's counter is computed from that number (scf.Bounds).

// isUnsigned reports whether iterations are compared as unsigned numbers.
func isUnsigned(c scf.Bounds) bool { return c.Less == "ult" }

// noWrap promises that the number of a near future iteration does not overflow. So offsets that are computed from it
// are still known to be non-negative.
func noWrap(b *ir.Builder, c scf.Bounds) []ir.NamedAttr {
	return arith.Promise(b.Context(), numeric.Wraps{Signed: !isUnsigned(c), Unsigned: isUnsigned(c)})
}

// lastWith returns the bound of the iterations k for which iteration k + n exists.
func lastWith(b *ir.Builder, c scf.Bounds, trips ir.Value, n int) ir.Value {
	t := trips.Type()
	left := b.Create(arith.SubI, []ir.Value{trips, c.Constant(b, n)}, []ir.Type{t}).Result(0)
	if !isUnsigned(c) { // signed: a negative bound admits no iteration
		return left
	}
	return b.Create(arith.Select, []ir.Value{arith.NewCmpI(b, "ult", c.Constant(b, n), trips), left, c.Constant(b, 0)}, []ir.Type{t}).Result(0)
}
