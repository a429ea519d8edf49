package mma

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp/cluster"
	"github.com/tilewright/tilewright/target/engine/interp/core"
	"github.com/tilewright/tilewright/target/engine/interp/values"
)

// dotOfPair is a two-CTA MMA, for which both CTAs wait. It needs the columns of B of both.
func dotOfPair(d *core.Decoder, op ir.Op) (core.Action, error) {
	b, own := d.Slot(op.Operand(1)), d.TempSlot()
	multiply, err := Multiplying(d, op, d.Slot(op.Operand(0)), own, d.Slot(op.Operand(2)), d.Result(op, 0))
	if err != nil {
		return nil, err
	}
	shape := tile.Shape(op.Operand(1).Type())
	return func(m *core.Machine) error {
		v := m.Vals[b]
		m.Retain(v)
		h, err := cluster.HalfOf(m, op, func() *values.Vec { return v })
		if err != nil {
			return err
		}
		all, err := h.Columns(m, op, shape)
		if err != nil {
			return err
		}
		m.Put(own, all)
		return multiply(m)
	}, nil
}
