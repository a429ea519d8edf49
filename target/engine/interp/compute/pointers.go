package compute

import (
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp/core"
	"github.com/tilewright/tilewright/target/engine/interp/values"
)

// offsetHalves decodes the offset of pointers to elements of half a byte. An odd offset has no address.
func offsetHalves(d *core.Decoder, op ir.Op) (core.Action, error) {
	shift := 64 - uint(values.WidthOf(values.ElemOf(op.Operand(1))))
	b, shape := d.Slot(op.Operand(1)), values.ShapeOf(op.Result(0))
	move, err := applyBinary(d, op, func(out, ptr, n []uint64) {
		for i := range out {
			out[i] = ptr[i] + uint64(int64(n[i]<<shift)>>shift>>1)
		}
	})
	if err != nil {
		return nil, err
	}
	return func(m *core.Machine) error {
		x := m.Vals[b]
		for i, n := range x.Data {
			if n&1 != 0 && !x.IsUndef(i) {
				return op.Errorf("%s: %d elements of half a byte lead to the middle of a byte, which has no address", values.PlaceIn(shape, i, len(x.Data)), int64(n<<shift)>>shift)
			}
		}
		return move(m)
	}, nil
}

// offset moves pointers by signed numbers of elements.
func offset(d *core.Decoder, op ir.Op) (core.Action, error) {
	to, _ := values.Pointee(values.ElemOf(op.Result(0)))
	if values.IsHalf(to) {
		return offsetHalves(d, op)
	}
	size, shift := uint64(values.ElementBytes(to)), 64-uint(values.WidthOf(values.ElemOf(op.Operand(1))))
	return applyBinary(d, op, func(out, ptr, n []uint64) {
		ptr, n = ptr[:len(out)], n[:len(out)]
		for i := range out {
			out[i] = ptr[i] + uint64(int64(n[i]<<(shift&63))>>(shift&63))*size
		}
	})
}
