package compute

import (
	"slices"
	"sync"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp/core"
	"github.com/tilewright/tilewright/target/engine/interp/values"
)

func init() {
	core.Define(core.Table{
		cudatile.Iota: {Run: iotaOp}, cudatile.Reshape: {Run: same},
		cudatile.Broadcast: {Run: broadcast, MakesNarrow: true}, cudatile.Permute: {Run: permute}, cudatile.Cat: {Run: cat},
		cudatile.Extract: {Run: extract}, cudatile.Insert: {Run: insert},
		cudatile.Pack: {Run: repack}, cudatile.Unpack: {Run: repack},
		cudatile.GetTileBlockID:   {Run: coordinates(func(m *core.Machine) [3]uint32 { return m.ID })},
		cudatile.GetNumTileBlocks: {Run: coordinates(func(m *core.Machine) [3]uint32 { return m.Launch.Grid })},
	})
	core.Define(core.Table{cudatile.Constant: {Run: constant, Vector: true, MakesNarrow: true}})
	defineVector(map[*ir.OpDef]core.Rule{cudatile.Offset: offset})
	for _, l := range core.Levels {
		core.Define(core.Table{l.Splat: {Run: splat, MakesNarrow: true}})
	}
}

func coordinates(of func(*core.Machine) [3]uint32) core.Rule {
	return func(d *core.Decoder, op ir.Op) (core.Action, error) {
		out := d.SlotsOf(op.Results())
		return func(m *core.Machine) error {
			for i, x := range of(m) {
				m.Put(out[i], m.Scalar(uint64(x)))
			}
			return nil
		}, nil
	}
}

// yields decodes an operation with a constant result. It is computed at its first use, once for all machines. One whose
// elements are equal may be narrow.
func yields(d *core.Decoder, op ir.Op, equal bool, element func(i int) uint64) (core.Action, error) {
	out, n := d.Result(op, 0), values.Count(values.ShapeOf(op.Result(0)))
	value := sync.OnceValue(func() *values.Vec {
		data := make([]uint64, n)
		for i := range data {
			data[i] = element(i)
		}
		return &values.Vec{Data: data, Fixed: true}
	})
	narrow := equal && d.Narrow(op.Result(0))
	one := &values.Vec{Data: []uint64{element(0)}, Fixed: true}
	return func(m *core.Machine) error {
		if narrow && !m.Watched() {
			m.Put(out, one)
			return nil
		}
		m.Put(out, value())
		return nil
	}, nil
}

func constant(d *core.Decoder, op ir.Op) (core.Action, error) {
	a, ok := op.Attr("value").(*ir.DenseElementsAttr)
	if !ok {
		return nil, op.Errorf("has no dense value")
	}
	elem := values.ElemOf(op.Result(0))
	mask := values.WidthOf(elem).Mask() // i1 and i4 take a byte in the attribute
	return yields(d, op, a.IsSplat(elem), func(i int) uint64 { return a.Bits(elem, i) & mask })
}

func iotaOp(d *core.Decoder, op ir.Op) (core.Action, error) {
	w := values.WidthOf(values.ElemOf(op.Result(0)))
	return yields(d, op, false, func(i int) uint64 { return w.Wrap(uint64(i)) })
}

// gathered decodes a change of shape: the result gathers the elements of the first operand by step. It shares the
// operand where that may be narrow.
func gathered(d *core.Decoder, op ir.Op, step []int64) (core.Action, error) {
	a, out, shape := d.Slot(op.Operand(0)), d.Result(op, 0), values.ShapeOf(op.Result(0))
	times := values.Repetitions(shape, step)
	narrow := times > 1 && (times&(times-1) == 0 || times == values.Count(shape)) && d.Narrow(op.Result(0))
	return func(m *core.Machine) error {
		if narrow && m.Vals[a].Undef == nil && !m.Watched() {
			m.Share(out, m.Vals[a])
			return nil
		}
		m.Put(out, m.Gather(m.Vals[a], shape, 0, step))
		return nil
	}, nil
}

func broadcast(d *core.Decoder, op ir.Op) (core.Action, error) {
	from := values.ShapeOf(op.Operand(0))
	step := values.Strides(from)
	for i, n := range from {
		if n == 1 {
			step[i] = 0
		}
	}
	return gathered(d, op, step)
}

// splat repeats a scalar.
func splat(d *core.Decoder, op ir.Op) (core.Action, error) {
	return gathered(d, op, make([]int64, len(values.ShapeOf(op.Result(0)))))
}

func permute(d *core.Decoder, op ir.Op) (core.Action, error) {
	from := values.Strides(values.ShapeOf(op.Operand(0)))
	step := make([]int64, len(from))
	for i, p := range op.Attr("permutation").(*ir.DenseArrayAttr).Values {
		step[i] = from[p]
	}
	return gathered(d, op, step)
}

// cat places the second operand after the first along the dimension.
func cat(d *core.Decoder, op ir.Op) (core.Action, error) {
	a, b, out := d.Slot(op.Operand(0)), d.Slot(op.Operand(1)), d.Result(op, 0)
	dim, _ := op.IntAttr("dim")
	first, second, shape := values.ShapeOf(op.Operand(0)), values.ShapeOf(op.Operand(1)), values.ShapeOf(op.Result(0))
	to := values.Strides(shape)
	return func(m *core.Machine) error {
		r := m.Alloc(values.Count(shape))
		m.InsertPart(r, m.Vals[a], first, 0, to)
		m.InsertPart(r, m.Vals[b], second, first[dim]*to[dim], to)
		m.Put(out, r)
		return nil
	}, nil
}

// A slicing finds where a subtile begins. Its indices count subtiles.
type slicing struct {
	op    ir.Op
	index []int
	part  []int64
	count []uint64 // of parts along each dimension
	step  []int64
}

func newSlicing(d *core.Decoder, op ir.Op, whole, part []int64, indices []ir.Value) *slicing {
	s := &slicing{op: op, index: d.SlotsOf(indices), part: part, step: values.Strides(whole)}
	for i, n := range whole {
		s.count = append(s.count, uint64(n/part[i]))
	}
	return s
}

// base rejects an index outside. Compiled code takes its low bits (tileastonvvm/elements, choose): the interpreter
// finds undefined behaviour and does not imitate it.
func (s *slicing) base(m *core.Machine) (int64, error) {
	base := int64(0)
	for i, slot := range s.index {
		if err := m.Defined(s.op, slot, nil, "index"); err != nil {
			return 0, err
		}
		x := m.Vals[slot].Data[0]
		if x >= s.count[i] {
			return 0, s.op.Errorf("index %d of dimension %d is outside of the %d parts", int32(x), i, s.count[i])
		}
		base += int64(x) * s.part[i] * s.step[i]
	}
	return base, nil
}

func extract(d *core.Decoder, op ir.Op) (core.Action, error) {
	a, out, shape := d.Slot(op.Operand(0)), d.Result(op, 0), values.ShapeOf(op.Result(0))
	s := newSlicing(d, op, values.ShapeOf(op.Operand(0)), shape, op.OperandsNamed("indices"))
	return func(m *core.Machine) error {
		base, err := s.base(m)
		if err != nil {
			return err
		}
		m.Put(out, m.Gather(m.Vals[a], shape, base, s.step))
		return nil
	}, nil
}

func insert(d *core.Decoder, op ir.Op) (core.Action, error) {
	part, whole, out := d.Slot(op.Operand(0)), d.Slot(op.Operand(1)), d.Result(op, 0)
	shape := values.ShapeOf(op.Operand(0))
	s := newSlicing(d, op, values.ShapeOf(op.Result(0)), shape, op.OperandsNamed("indices"))
	return func(m *core.Machine) error {
		base, err := s.base(m)
		if err != nil {
			return err
		}
		w := m.Vals[whole]
		r := m.Alloc(len(w.Data))
		copy(r.Data, w.Data)
		r.Undef = slices.Clone(w.Undef)
		m.InsertPart(r, m.Vals[part], shape, base, s.step)
		m.Put(out, r)
		return nil
	}, nil
}

// repack reads the bits of the elements, from the lowest on, as elements of another width. An element is unspecified if
// any of its bits is.
func repack(d *core.Decoder, op ir.Op) (core.Action, error) {
	a, out := d.Slot(op.Operand(0)), d.Result(op, 0)
	from, to := uint(values.WidthOf(values.ElemOf(op.Operand(0)))), uint(values.WidthOf(values.ElemOf(op.Result(0))))
	n := values.Count(values.ShapeOf(op.Result(0)))
	return func(m *core.Machine) error {
		x := m.Vals[a]
		r := m.Alloc(n)
		if x.Undef != nil {
			r.Undef = make([]bool, n)
		}
		clear(r.Data)
		for bit := uint(0); bit < uint(n)*to; bit += min(from, to) {
			i, k := bit/from, bit/to
			piece := x.Data[i] >> (bit % from) & (1<<min(from, to) - 1)
			r.Data[k] |= piece << (bit % to)
			if x.IsUndef(int(i)) {
				r.Undef[k] = true
			}
		}
		m.Put(out, r)
		return nil
	}, nil
}
