package access

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp/core"
	"github.com/tilewright/tilewright/target/engine/interp/onchip"
	"github.com/tilewright/tilewright/target/engine/interp/values"
)

// The value of a buffer is one number, its Location. So selects, loops and ifs pass it on as they do scalars.
func init() {
	core.Define(core.Table{
		tileas.ConvertLayout: {As: cudatile.Reshape},
		tileas.AllocShared:   {Run: allocShared}, tileas.DeallocShared: {Run: deallocShared},
		tileas.BufferStage: {Run: bufferStage}, tileas.BufferSlice: {Run: bufferSlice},
		tileas.BufferPermute: {Run: samePlace}, tileas.BufferReinterpret: {Run: samePlace},
		tileas.LocalStore: {Run: localStore}, tileas.LocalLoad: {Run: localLoad},
	})
}

func allocShared(d *core.Decoder, op ir.Op) (core.Action, error) {
	t := onchip.BufferType(op.Result(0))
	if d.Buffers++; d.Buffers > onchip.MaxBuffers {
		return nil, op.Errorf("cannot be interpreted: is one of more than %d allocations", onchip.MaxBuffers)
	}
	at := onchip.Unplaced + onchip.Apart*d.Buffers
	if k, ok := op.IntAttr(tileas.AttrOffset); ok {
		at = uint64(k)
	}
	out, hi := d.Result(op, 0), at+uint64(t.Bytes())
	value := d.Buffers<<onchip.AddressBits | at
	return func(m *core.Machine) error {
		m.Shared.Clear(&m.Pool, at, hi)
		m.Put(out, m.Scalar(value))
		return nil
	}, nil
}

func deallocShared(d *core.Decoder, op ir.Op) (core.Action, error) {
	buf, n := d.Slot(op.Operand(0)), uint64(onchip.BufferType(op.Operand(0)).Bytes())
	return func(m *core.Machine) error {
		at, err := m.Address(op, buf)
		if err != nil {
			return err
		}
		m.Shared.End(&m.Pool, at.Address(), at.Address()+n, op)
		return nil
	}, nil
}

func bufferStage(d *core.Decoder, op ir.Op) (core.Action, error) {
	t := onchip.BufferType(op.Operand(0))
	buf, index, out := d.Slot(op.Operand(0)), d.Slot(op.Operand(1)), d.Result(op, 0)
	ahead, _ := op.IntAttr(tileas.AttrAhead)
	return func(m *core.Machine) error {
		at, err := m.Address(op, buf)
		if err == nil {
			err = m.Defined(op, index, nil, "index")
		}
		if err != nil {
			return err
		}
		i := int64(int32(m.Vals[index].Data[0]))
		if i < 0 || i >= t.Stages {
			return op.Errorf("index must be from 0 to %d, but is %d", t.Stages-1, i)
		}
		m.Put(out, m.Scalar(uint64(at)+uint64((i+ahead)%t.Stages*t.StageBytes())))
		return nil
	}, nil
}

func bufferSlice(d *core.Decoder, op ir.Op) (core.Action, error) {
	buf, out, offset := d.Slot(op.Operand(0)), d.Result(op, 0), uint64(tileas.SliceOffset(op))
	return func(m *core.Machine) error {
		at, err := m.Address(op, buf)
		if err == nil {
			m.Put(out, m.Scalar(uint64(at)+offset))
		}
		return err
	}, nil
}

// samePlace decodes a change of a buffer's type.
func samePlace(d *core.Decoder, op ir.Op) (core.Action, error) {
	buf, out := d.Slot(op.Operand(0)), d.Result(op, 0)
	return func(m *core.Machine) error {
		m.Share(out, m.Vals[buf])
		return nil
	}, nil
}

// Local decodes an access of a buffer: at returns its location, and rejects one whose lifetime has ended.
func Local(d *core.Decoder, op ir.Op, v ir.Value) (t *tileas.BufferType, at func(*core.Machine) (onchip.Location, error), err error) {
	t = onchip.BufferType(v)
	if n := values.Count(t.Shape); n < 1 || n > core.MaxElements {
		return nil, nil, op.Errorf("cannot be interpreted: accesses a buffer of %d elements", n)
	}
	buf, n := d.Slot(v), uint64(t.TileBytes())
	return t, func(m *core.Machine) (onchip.Location, error) {
		at, err := m.Address(op, buf)
		if err == nil {
			err = m.Shared.Alive(op, at.Address(), at.Address()+n)
		}
		return at, err
	}, nil
}

func localStore(d *core.Decoder, op ir.Op) (core.Action, error) {
	t, address, err := Local(d, op, op.Operand(1))
	if err != nil {
		return nil, err
	}
	value, acc := d.Slot(op.Operand(0)), onchip.LocalAccess(op, t, op.Operand(0).Type(), true)
	return func(m *core.Machine) error {
		at, err := address(m)
		if err == nil {
			err = m.Writable(op, at.Address(), at.Address()+acc.Bytes)
		}
		if err == nil {
			m.Shared.Store(&m.Pool, at, t, m.Vals[value], op)
			err = m.Meets(acc, at)
		}
		return err
	}, nil
}

func localLoad(d *core.Decoder, op ir.Op) (core.Action, error) {
	t, address, err := Local(d, op, op.Operand(0))
	if err != nil {
		return nil, err
	}
	out, acc := d.Result(op, 0), onchip.LocalAccess(op, t, op.Result(0).Type(), false)
	from, _ := op.Attr(tileas.AttrFrom).(*ir.DenseArrayAttr)
	step, base := values.Strides(t.Shape), int64(0)
	if from != nil {
		for d, n := range from.Values {
			base += n * step[d]
		}
	}
	part := values.ShapeOf(op.Result(0))
	moved, err := runTimeStart(d, op, t.Shape, part)
	if err != nil {
		return nil, err
	}
	return func(m *core.Machine) error {
		at, err := address(m)
		plus := int64(0)
		if err == nil {
			plus, err = moved(m)
		}
		if err == nil {
			v := m.Shared.Load(&m.Pool, at, t)
			if from != nil {
				whole := v
				v = m.Gather(whole, part, base+plus, step)
				m.Release(whole)
			}
			m.Put(out, v)
			err = m.Meets(acc, at)
		}
		return err
	}, nil
}

// runTimeStart decodes the part of local_load's start that is known at run time only, as a number of elements.
func runTimeStart(d *core.Decoder, op ir.Op, whole, part []int64) (func(*core.Machine) (int64, error), error) {
	v, along, ok := tileas.RunTimeStart(op)
	if !ok {
		return func(*core.Machine) (int64, error) { return 0, nil }, nil
	}
	plus, step := d.Slot(v), values.Strides(whole)[along]
	from := op.Attr(tileas.AttrFrom).(*ir.DenseArrayAttr).Values[along]
	return func(m *core.Machine) (int64, error) {
		if err := m.Defined(op, plus, nil, "coordinate"); err != nil {
			return 0, err
		}
		n := int64(int32(m.Vals[plus].Data[0]))
		if at := from + n; at < 0 || at >= whole[along] || at%part[along] != 0 {
			return 0, op.Errorf("no part of %d begins at %d along dimension %d", part[along], at, along)
		}
		return n * step, nil
	}, nil
}
