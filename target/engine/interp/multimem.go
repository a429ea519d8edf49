package interp

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// Behind a multicast pointer is one copy of the memory on each device of a multicast object: the replicas of a buffer of the launch, of which
// memory without any counts as one. The kernel runs on the first device, whose copy the other operations access. A multimem load
// combines the copies from the first device to the last, and rounds each sum to the element type; a multimem reduction is an atomic update of
// each copy, in this order; a multimem store writes each.

func init() {
	define(map[*ir.OpDef]rule{
		cudatile.MultimemLoadReduceView: (*decoder).multimemLoad,
		cudatile.MultimemReduceView:     (*decoder).multimemReduce,
		cudatile.MultimemStoreView:      (*decoder).multimemStore,
	})
}

// combination returns how a multimem reduction combines elements.
func combination(op ir.Op, elem ir.Type) (func(a, b uint64) uint64, error) {
	w := widthOf(elem)
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

// copies calls f with the position of each copy of an element, which is at a position on the first device.
func (c cell) copies(m *machine, position uint64, f func(device int, position uint64) error) error {
	addr := position
	if c.half {
		addr = position >> 1
	}
	n, apart := 1, uint64(0)
	if b := m.bufferAt(addr); b != nil && b.devices > 1 {
		n, apart = b.devices, c.position(b.apart)
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

// multimem decodes an access to all copies of a tile: each is called with the number of an element in the tile and its position on the first device.
func (d *decoder) multimem(op ir.Op) (c cell, visit func(m *machine, w *window, each func(i int, position uint64) error) error, v *viewing, err error) {
	if v, err = d.viewing(op, op.OperandNamed("view"), op.OperandsNamed("index")); err != nil {
		return c, nil, nil, err
	}
	if c, err = d.cell(op, v.elem); err != nil {
		return c, nil, nil, err
	}
	return c, func(m *machine, w *window, each func(i int, position uint64) error) error {
		step := w.stride[len(w.stride)-1] * int64(c.unit)
		return w.runs(func(row run) error {
			position := c.position(w.base) + uint64(row.offset)*c.unit
			for i := row.first; i < row.first+row.inside; i++ {
				if err := each(i, position); err != nil {
					return err
				}
				position += uint64(step)
			}
			return nil
		})
	}, v, nil
}

func (d *decoder) multimemLoad(op ir.Op) (func(*machine) error, error) {
	c, visit, v, err := d.multimem(op)
	if err != nil {
		return nil, err
	}
	combine, err := combination(op, v.elem)
	if err != nil {
		return nil, err
	}
	pad, padded := padding(op.OperandNamed("view").Type().(cudatile.ViewType))
	out, n := d.result(op, 0), count(v.shape)
	return func(m *machine) error {
		w, err := v.window(m)
		if err != nil {
			return err
		}
		r, one := m.alloc(n), m.alloc(1)
		defer m.release(one)
		m.put(out, r)
		for i := range r.data {
			if r.data[i] = pad; !padded {
				r.markUndef(i)
			}
		}
		return visit(m, w, func(i int, position uint64) error {
			return located(op, v.shape, i, c.copies(m, position, func(device int, position uint64) error {
				one.undef = nil
				if err := c.load(m, position, one, 0); err != nil {
					return err
				}
				if device == 0 {
					r.data[i] = one.data[0]
				} else {
					r.data[i] = combine(r.data[i], one.data[0])
				}
				switch {
				case one.isUndef(0):
					r.markUndef(i)
				// The element is inside the tensor: what stands for padding above does not hold for it. Later copies only add marks.
				case device == 0 && r.undef != nil:
					r.undef[i] = false
				}
				return nil
			}))
		})
	}, nil
}

func (d *decoder) multimemReduce(op ir.Op) (func(*machine) error, error) {
	c, visit, v, err := d.multimem(op)
	if err != nil {
		return nil, err
	}
	// Unlike a load or a store it reads, changes and writes: blocks that reduce into one element depend on their order, if of floats.
	d.p.synchronises = true // also where it is weak
	combine, err := combination(op, v.elem)
	if err != nil {
		return nil, err
	}
	return d.multimemWrite(op, v, visit, func(m *machine, position, x uint64) error {
		return c.copies(m, position, func(_ int, position uint64) error {
			_, err := c.update(m, position, func(old uint64) uint64 { return combine(old, x) })
			return err
		})
	})
}

func (d *decoder) multimemStore(op ir.Op) (func(*machine) error, error) {
	c, visit, v, err := d.multimem(op)
	if err != nil {
		return nil, err
	}
	return d.multimemWrite(op, v, visit, func(m *machine, position, x uint64) error {
		return c.copies(m, position, func(_ int, position uint64) error { return c.store(m, position, x) })
	})
}

// multimemWrite decodes an operation that writes the elements of its tile.
func (d *decoder) multimemWrite(op ir.Op, v *viewing, visit func(*machine, *window, func(int, uint64) error) error,
	write func(m *machine, position, x uint64) error,
) (func(*machine) error, error) {
	tile := d.slot(op.OperandNamed("tile"))
	return func(m *machine) error {
		w, err := v.window(m)
		if err != nil {
			return err
		}
		x := m.vals[tile]
		return visit(m, w, func(i int, position uint64) error {
			if x.isUndef(i) {
				return unspecified(op, v.shape, i)
			}
			return located(op, v.shape, i, write(m, position, x.data[i]))
		})
	}, nil
}

// located says of an error which element of an operation it is about.
func located(op ir.Op, shape []int64, i int, err error) error {
	if err == nil {
		return nil
	}
	return op.Errorf("%s: %v", place(shape, i), err)
}
