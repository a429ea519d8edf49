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
		b.Create(MbarrierInit, []ir.Value{NewStage(b, all, func() ir.Value { return arith.NewI32(b, i) }, 0)}, nil, Number(b.Context(), AttrArrivals, arrivals))
	}
	return all
}

// NewStage returns a stage of a buffer, some stages further than an index, around the end. A buffer of one stage is that
// stage, and has no index.
func NewStage(b *ir.Builder, all ir.Value, index func() ir.Value, further int64) ir.Value {
	t := all.Type().(*BufferType)
	if t.Stages == 1 {
		return all
	}
	var attrs []ir.NamedAttr
	if further %= t.Stages; further > 0 {
		attrs = append(attrs, Number(b.Context(), AttrAhead, further))
	}
	return b.Create(BufferStage, []ir.Value{all, index()}, []ir.Type{t.WithStages(1)}, attrs...).Result(0)
}

// NextStage returns the index of the stage after one, around the end.
func NextStage(b *ir.Builder, index ir.Value, stages int64) ir.Value {
	last := arith.NewCmpI(b, "eq", index, arith.NewI32(b, stages-1))
	return arith.New(b, arith.Select, last, arith.NewI32(b, 0), arith.New(b, arith.AddI, index, arith.NewI32(b, 1)))
}

// NextParity returns the parity of the phase to wait for at the stage after one. It flips around the end. A buffer of one
// stage has no index.
func NextParity(b *ir.Builder, parity, index ir.Value, stages int64) ir.Value {
	if stages == 1 {
		return arith.New(b, arith.XOrI, parity, arith.NewI32(b, 1))
	}
	last := arith.NewCmpI(b, "eq", index, arith.NewI32(b, stages-1))
	return arith.New(b, arith.XOrI, parity, b.Create(arith.ExtUI, []ir.Value{last}, []ir.Type{parity.Type()}).Result(0))
}
