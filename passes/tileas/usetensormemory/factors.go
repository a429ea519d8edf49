package usetensormemory

import (
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/tileas/matrix"
)

// What threads store to tensor memory for a product is stored where no product under way reads: in the slot of a ring that has as many as there are mbarriers. A product that comes round to a slot has waited for the one before
// there, as it has for its mbarrier.

// factor stores the factor A of product n, if threads have it. Where a ring has no room there is one slot, and all products are done before it is stored to again.
func (x *rewriter) factor(b *ir.Builder, op ir.Op, n ir.Value) (ir.Value, error) {
	v := op.Operand(0)
	t, registers := v.Type().(*ir.TensorType)
	if !registers {
		return v, nil
	}
	cells, err := matrix.FactorCells(t)
	if err != nil {
		return v, op.Errorf("has a factor without a place in tensor memory: %v", err)
	}
	if x.room.Take(t, int(x.slots)) {
		return x.stored(b, v, x.slotOf(b, x.ringFor(t, cells, x.slots), n)), nil
	}
	x.await(b, n, 0)
	return x.stored(b, v, x.ringFor(t, cells, 1)), nil
}

// scales stores the scales of product n.
func (x *rewriter) scales(b *ir.Builder, op ir.Op, n ir.Value) (out []ir.Value, err error) {
	for i, v := range matrix.Scales(op) {
		t := v.Type().(*ir.TensorType)
		cells, err := matrix.ScaleCells(t.Shape, i)
		if err != nil {
			return nil, op.Errorf("has scales without a place in tensor memory: %v", err)
		}
		out = append(out, x.stored(b, v, x.slotOf(b, x.ringFor(t, cells, x.slots), n)))
	}
	return out, nil
}

// ringFor makes a ring in tensor memory for values of a type.
func (x *rewriter) ringFor(t *ir.TensorType, cells linear.Shared, slots int64) ir.Value {
	one := tileas.TensorBuffer(x.ctx, t.Shape, t.Elem, tileas.SharedLayout(x.ctx, cells))
	return x.front.Create(tileas.AllocTensor, nil, []ir.Type{one.WithSlots(slots)}).Result(0)
}

func (x *rewriter) stored(b *ir.Builder, v, slot ir.Value) ir.Value {
	b.Create(tileas.TensorStore, []ir.Value{v, slot}, nil)
	x.moves++
	return slot
}
