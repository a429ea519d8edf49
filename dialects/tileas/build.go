package tileas

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
)

// Number returns an attribute of 32 bits.
func Number(c *ir.Context, name string, n int64) ir.NamedAttr {
	return ir.NamedAttr{Name: name, Value: c.IntAttr(c.Int(32), n)}
}

// NewDotWait creates a wait for all MMAs but the latest `pending`, and returns the finished accumulators.
func NewDotWait(b *ir.Builder, pending int, accumulators ...ir.Value) ir.Op {
	return b.Create(DotWait, accumulators, ir.TypesOf(accumulators), Number(b.Context(), AttrPending, int64(pending)))
}

// NewMbarriers creates n mbarriers in one buffer, each of which expects so many arrivals.
func NewMbarriers(b *ir.Builder, n, arrivals int64) ir.Value {
	all := b.Create(AllocShared, nil, []ir.Type{MbarrierBuffer(b.Context(), n)}).Result(0)
	for i := range n {
		one := all
		if n > 1 {
			at := arith.NewInt(b, b.Context().Int(32), i)
			one = b.Create(BufferStage, []ir.Value{all, at}, []ir.Type{MbarrierBuffer(b.Context(), 1)}).Result(0)
		}
		b.Create(MbarrierInit, []ir.Value{one}, nil, Number(b.Context(), AttrArrivals, arrivals))
	}
	return all
}
