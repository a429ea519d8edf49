package access

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/target/engine/interp/core"
	"github.com/tilewright/tilewright/target/engine/interp/memory"
	"github.com/tilewright/tilewright/target/engine/interp/values"
)

// A multicast pointer refers to one copy of the memory on each device of a multicast object: the replicas of a buffer.
// Memory without replicas counts as one copy. The kernel runs on the first device, and other operations access that
// copy. A multimem load combines the copies from the first device to the last, and rounds each sum to the element type.
// A multimem reduction updates each copy atomically, in this order. A multimem store writes each.

func init() {
	core.Define(core.Table{
		cudatile.MultimemLoadReduceView: {Run: multimemLoad},
		cudatile.MultimemReduceView:     {Run: multimemReduce},
		cudatile.MultimemStoreView:      {Run: multimemStore},
	})
}

// combination returns how a multimem reduction combines elements.
func combination(op ir.Op, elem ir.Type) (func(a, b uint64) uint64, error) {
	w := values.WidthOf(elem)
	kind := cudatile.MultimemReductionOf(op)
	if t, ok := elem.(*ir.FloatType); ok {
		f, env := t.Format, numeric.Env{}
		switch kind {
		case cudatile.MultimemAdd:
			return func(a, b uint64) uint64 { return f.Add(a, b, env) }, nil
		case cudatile.MultimemMin:
			return func(a, b uint64) uint64 { return f.Min(a, b, false, env) }, nil
		case cudatile.MultimemMax:
			return func(a, b uint64) uint64 { return f.Max(a, b, false, env) }, nil
		}
		return nil, op.Errorf("has reduction %s, which is none of '%s'", kind, ir.TypeString(elem))
	}
	switch kind {
	case cudatile.MultimemAdd:
		return w.Add, nil
	case cudatile.MultimemMin, cudatile.MultimemUMin:
		return func(a, b uint64) uint64 { return w.Min(a, b, kind == cudatile.MultimemMin) }, nil
	case cudatile.MultimemMax, cudatile.MultimemUMax:
		return func(a, b uint64) uint64 { return w.Max(a, b, kind == cudatile.MultimemMax) }, nil
	case cudatile.MultimemAnd:
		return func(a, b uint64) uint64 { return a & b }, nil
	case cudatile.MultimemOr:
		return func(a, b uint64) uint64 { return a | b }, nil
	case cudatile.MultimemXor:
		return func(a, b uint64) uint64 { return a ^ b }, nil
	}
	return nil, op.Errorf("has an unknown reduction")
}

// copies calls f with the position of each copy of an element. position is that of the first device's copy.
func (c Cell) copies(m *core.Machine, position uint64, f func(device int, position uint64) error) error {
	addr := position
	if c.half {
		addr = position >> 1
	}
	n, apart := 1, uint64(0)
	if b := m.Mem.BufferAt(addr); b != nil && b.Devices > 1 {
		n, apart = b.Devices, c.position(b.Apart)
	}
	for device := range n {
		if err := f(device, position+uint64(device)*apart); err != nil {
			if n > 1 {
				return fmt.Errorf("device %d: %w", device, err)
			}
			return err
		}
	}
	return nil
}

// multimem decodes an access to all copies of a tile. visit calls each with the number of an element in the tile and
// its position on the first device.
func multimem(d *core.Decoder, op ir.Op) (c Cell, visit func(m *core.Machine, w *memory.Window, each func(i int, position uint64) error) error, v *memory.Viewing, err error) {
	if v, err = viewing(d, op, op.OperandNamed("view"), op.OperandsNamed("index")); err != nil {
		return c, nil, nil, err
	}
	if c, err = NewCell(d, op, v.Elem); err != nil {
		return c, nil, nil, err
	}
	return c, func(m *core.Machine, w *memory.Window, each func(i int, position uint64) error) error {
		step := w.Stride[len(w.Stride)-1] * int64(c.unit)
		return w.Runs(func(row memory.Run) error {
			position := c.position(w.Base) + uint64(row.Offset)*c.unit
			for i := row.First; i < row.First+row.Inside; i++ {
				if err := each(i, position); err != nil {
					return err
				}
				position += uint64(step)
			}
			return nil
		})
	}, v, nil
}

func multimemLoad(d *core.Decoder, op ir.Op) (core.Action, error) {
	c, visit, v, err := multimem(d, op)
	if err != nil {
		return nil, err
	}
	combine, err := combination(op, v.Elem)
	if err != nil {
		return nil, err
	}
	pad, padded := padding(op.OperandNamed("view").Type().(cudatile.ViewType))
	out, n := d.Result(op, 0), values.Count(v.Shape)
	return func(m *core.Machine) error {
		w, err := window(v, m)
		if err != nil {
			return err
		}
		r, one := m.Alloc(n), m.Alloc(1)
		defer m.Release(one)
		m.Put(out, r)
		for i := range r.Data {
			if r.Data[i] = pad; !padded {
				r.MarkUndef(i)
			}
		}
		return visit(m, w, func(i int, position uint64) error {
			return located(op, v.Shape, i, c.copies(m, position, func(device int, position uint64) error {
				one.Undef = nil
				if err := c.Load(m, position, one, 0); err != nil {
					return err
				}
				if device == 0 {
					r.Data[i] = one.Data[0]
				} else {
					r.Data[i] = combine(r.Data[i], one.Data[0])
				}
				switch {
				case one.IsUndef(0):
					r.MarkUndef(i)
				// The element is inside the tensor, so that the padding above does not stand for it. Later copies only
				// add marks.
				case device == 0 && r.Undef != nil:
					r.Undef[i] = false
				}
				return nil
			}))
		})
	}, nil
}

func multimemReduce(d *core.Decoder, op ir.Op) (core.Action, error) {
	c, visit, v, err := multimem(d, op)
	if err != nil {
		return nil, err
	}
	// It reads, changes and writes, unlike a load or store. Tile blocks that reduce floats into one element depend on
	// their order.
	d.Program.Synchronises = true // even if it is weak
	combine, err := combination(op, v.Elem)
	if err != nil {
		return nil, err
	}
	return multimemWrite(d, op, v, visit, func(m *core.Machine, position, x uint64) error {
		return c.copies(m, position, func(_ int, position uint64) error {
			_, err := c.Update(m, position, func(old uint64) uint64 { return combine(old, x) })
			return err
		})
	})
}

func multimemStore(d *core.Decoder, op ir.Op) (core.Action, error) {
	c, visit, v, err := multimem(d, op)
	if err != nil {
		return nil, err
	}
	return multimemWrite(d, op, v, visit, func(m *core.Machine, position, x uint64) error {
		return c.copies(m, position, func(_ int, position uint64) error { return c.Store(m, position, x) })
	})
}

// multimemWrite decodes an operation that writes the elements of its tile.
func multimemWrite(d *core.Decoder, op ir.Op, v *memory.Viewing, visit func(*core.Machine, *memory.Window, func(int, uint64) error) error,
	write func(m *core.Machine, position, x uint64) error,
) (core.Action, error) {
	tile := d.Slot(op.OperandNamed("tile"))
	return func(m *core.Machine) error {
		w, err := window(v, m)
		if err != nil {
			return err
		}
		x := m.Vals[tile]
		return visit(m, w, func(i int, position uint64) error {
			if x.IsUndef(i) {
				return unspecified(op, v.Shape, i)
			}
			return located(op, v.Shape, i, write(m, position, x.Data[i]))
		})
	}, nil
}

// located adds the element of an operation to an error.
func located(op ir.Op, shape []int64, i int, err error) error {
	if err == nil {
		return nil
	}
	return op.Errorf("%s: %v", values.Place(shape, i), err)
}
