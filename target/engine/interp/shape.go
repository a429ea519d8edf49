package interp

import (
	"slices"
	"sync"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
)

func init() {
	define(map[*ir.OpDef]rule{
		cudatile.Iota: (*decoder).iota, cudatile.Reshape: (*decoder).same,
		cudatile.Broadcast: (*decoder).broadcast, cudatile.Permute: (*decoder).permute, cudatile.Cat: (*decoder).cat,
		cudatile.Extract: (*decoder).extract, cudatile.Insert: (*decoder).insert,
		cudatile.Pack: (*decoder).repack, cudatile.Unpack: (*decoder).repack,
		cudatile.GetTileBlockID:   coordinates(func(m *machine) [3]uint32 { return m.id }),
		cudatile.GetNumTileBlocks: coordinates(func(m *machine) [3]uint32 { return m.run.grid }),
	})
	defineVector(map[*ir.OpDef]rule{cudatile.Constant: (*decoder).constant, cudatile.Offset: (*decoder).offset})
}

func coordinates(of func(*machine) [3]uint32) rule {
	return func(d *decoder, op ir.Op) (func(*machine) error, error) {
		out := d.slotsOf(op.Results())
		return func(m *machine) error {
			for i, x := range of(m) {
				m.put(out[i], m.scalar(uint64(x)))
			}
			return nil
		}, nil
	}
}

// yields decodes an operation with a constant result, which is computed when it is first needed.
func (d *decoder) yields(op ir.Op, element func(i int) uint64) (func(*machine) error, error) {
	out, n := d.result(op, 0), count(shapeOf(op.Result(0)))
	value := sync.OnceValue(func() *vec {
		data := make([]uint64, n)
		for i := range data {
			data[i] = element(i)
		}
		return &vec{data: data, fixed: true}
	})
	return func(m *machine) error {
		m.put(out, value())
		return nil
	}, nil
}

func (d *decoder) constant(op ir.Op) (func(*machine) error, error) {
	a, ok := op.Attr("value").(*ir.DenseElementsAttr)
	if !ok {
		return nil, op.Errorf("has no dense value")
	}
	elem := elemOf(op.Result(0))
	mask := widthOf(elem).Mask() // i1 and i4 take a byte in the attribute
	return d.yields(op, func(i int) uint64 { return a.Bits(elem, i) & mask })
}

func (d *decoder) iota(op ir.Op) (func(*machine) error, error) {
	w := widthOf(elemOf(op.Result(0)))
	return d.yields(op, func(i int) uint64 { return w.Wrap(uint64(i)) })
}

// gather fills the elements of a tile of the given shape: that at coordinates c is src[base + sum(c[d]*step[d])].
//
// Every change of shape is one of these:
//
//	broadcast    step 0 along the dimensions that are repeated
//	permute      the steps of the source, in the result's order
//	extract      base at the part, steps of the whole
func gather[T any](dst, src []T, shape []int64, base int64, step []int64) {
	rows(shape, base, step, func(i, n int, at, by int64) {
		row := dst[i : i+n]
		switch by {
		case 0:
			x := src[at]
			for k := range row {
				row[k] = x
			}
		case 1:
			copy(row, src[at:])
		default:
			for k := range row {
				row[k] = src[at]
				at += by
			}
		}
	})
}

// scatter is the inverse of gather, for rows that lie together.
func scatter[T any](dst, src []T, shape []int64, base int64, step []int64) {
	rows(shape, base, step, func(i, n int, at, _ int64) { copy(dst[at:], src[i:i+n]) })
}

// rows visits the rows of a shape along its last dimension: the first element's number, how many there are, where the first is, and
// how far apart they are.
func rows(shape []int64, base int64, step []int64, visit func(i, n int, at, by int64)) {
	last := len(shape) - 1
	if last < 0 {
		visit(0, 1, base, 1)
		return
	}
	n, total := int(shape[last]), count(shape)
	coord := make([]int64, last)
	for i := 0; i < total; i += n {
		visit(i, n, base, step[last])
		for d := last - 1; d >= 0; d-- {
			coord[d]++
			base += step[d]
			if coord[d] < shape[d] {
				break
			}
			base -= coord[d] * step[d]
			coord[d] = 0
		}
	}
}

// gathered decodes an operation that takes the elements of its result from those of its first operand, at places that step says.
func (d *decoder) gathered(op ir.Op, step []int64) (func(*machine) error, error) {
	a, out, shape := d.slot(op.Operand(0)), d.result(op, 0), shapeOf(op.Result(0))
	return func(m *machine) error {
		m.put(out, m.gather(m.vals[a], shape, 0, step))
		return nil
	}, nil
}

func (m *machine) gather(src *vec, shape []int64, base int64, step []int64) *vec {
	r := m.alloc(count(shape))
	gather(r.data, src.data, shape, base, step)
	if src.undef != nil {
		r.undef = make([]bool, len(r.data))
		gather(r.undef, src.undef, shape, base, step)
	}
	return r
}

func (d *decoder) broadcast(op ir.Op) (func(*machine) error, error) {
	from := shapeOf(op.Operand(0))
	step := strides(from)
	for i, n := range from {
		if n == 1 {
			step[i] = 0
		}
	}
	return d.gathered(op, step)
}

func (d *decoder) permute(op ir.Op) (func(*machine) error, error) {
	from := strides(shapeOf(op.Operand(0)))
	step := make([]int64, len(from))
	for i, p := range op.Attr("permutation").(*ir.DenseArrayAttr).Values {
		step[i] = from[p]
	}
	return d.gathered(op, step)
}

// Each operand is a part of the result, the second behind the first along the dimension.
func (d *decoder) cat(op ir.Op) (func(*machine) error, error) {
	a, b, out := d.slot(op.Operand(0)), d.slot(op.Operand(1)), d.result(op, 0)
	dim, _ := op.IntAttr("dim")
	first, second, shape := shapeOf(op.Operand(0)), shapeOf(op.Operand(1)), shapeOf(op.Result(0))
	to := strides(shape)
	return func(m *machine) error {
		r := m.alloc(count(shape))
		m.insertPart(r, m.vals[a], first, 0, to)
		m.insertPart(r, m.vals[b], second, first[dim]*to[dim], to)
		m.put(out, r)
		return nil
	}, nil
}

// insertPart stores a tile of the given shape into dst, which no slot holds yet.
func (m *machine) insertPart(dst, part *vec, shape []int64, base int64, step []int64) {
	scatter(dst.data, part.data, shape, base, step)
	switch {
	case part.undef != nil:
		if dst.undef == nil {
			dst.undef = make([]bool, len(dst.data))
		}
		scatter(dst.undef, part.undef, shape, base, step)
	case dst.undef != nil:
		scatter(dst.undef, make([]bool, len(part.data)), shape, base, step)
	}
}

// A slicing finds where in a tile the part at given indices, which count parts, begins.
type slicing struct {
	op    ir.Op
	index []int
	part  []int64
	count []uint64 // of parts along each dimension
	step  []int64
}

func (d *decoder) slicing(op ir.Op, whole, part []int64, indices []ir.Value) *slicing {
	s := &slicing{op: op, index: d.slotsOf(indices), part: part, step: strides(whole)}
	for i, n := range whole {
		s.count = append(s.count, uint64(n/part[i]))
	}
	return s
}

// An index outside is an error here, whereas compiled code takes its low bits (tileastonvvm, choose): undefined
// behaviour is found, not imitated.
func (s *slicing) base(m *machine) (int64, error) {
	base := int64(0)
	for i, slot := range s.index {
		if err := m.defined(s.op, slot, nil, "index"); err != nil {
			return 0, err
		}
		x := m.vals[slot].data[0]
		if x >= s.count[i] {
			return 0, s.op.Errorf("index %d of dimension %d is outside of the %d parts", int32(x), i, s.count[i])
		}
		base += int64(x) * s.part[i] * s.step[i]
	}
	return base, nil
}

func (d *decoder) extract(op ir.Op) (func(*machine) error, error) {
	a, out, shape := d.slot(op.Operand(0)), d.result(op, 0), shapeOf(op.Result(0))
	s := d.slicing(op, shapeOf(op.Operand(0)), shape, op.OperandsNamed("indices"))
	return func(m *machine) error {
		base, err := s.base(m)
		if err != nil {
			return err
		}
		m.put(out, m.gather(m.vals[a], shape, base, s.step))
		return nil
	}, nil
}

func (d *decoder) insert(op ir.Op) (func(*machine) error, error) {
	part, whole, out := d.slot(op.Operand(0)), d.slot(op.Operand(1)), d.result(op, 0)
	shape := shapeOf(op.Operand(0))
	s := d.slicing(op, shapeOf(op.Result(0)), shape, op.OperandsNamed("indices"))
	return func(m *machine) error {
		base, err := s.base(m)
		if err != nil {
			return err
		}
		w := m.vals[whole]
		r := m.alloc(len(w.data))
		copy(r.data, w.data)
		r.undef = slices.Clone(w.undef)
		m.insertPart(r, m.vals[part], shape, base, s.step)
		m.put(out, r)
		return nil
	}, nil
}

// repack reads the elements, one after the other from the lowest bit, as elements of another width. An element is unspecified if
// any of its bits is.
func (d *decoder) repack(op ir.Op) (func(*machine) error, error) {
	a, out := d.slot(op.Operand(0)), d.result(op, 0)
	from, to := uint(widthOf(elemOf(op.Operand(0)))), uint(widthOf(elemOf(op.Result(0))))
	n := count(shapeOf(op.Result(0)))
	return func(m *machine) error {
		x := m.vals[a]
		r := m.alloc(n)
		if x.undef != nil {
			r.undef = make([]bool, n)
		}
		clear(r.data)
		for bit := uint(0); bit < uint(n)*to; bit += min(from, to) {
			i, k := bit/from, bit/to
			piece := x.data[i] >> (bit % from) & (1<<min(from, to) - 1)
			r.data[k] |= piece << (bit % to)
			if x.isUndef(int(i)) {
				r.undef[k] = true
			}
		}
		m.put(out, r)
		return nil
	}, nil
}

// offset moves pointers by signed numbers of elements.
func (d *decoder) offset(op ir.Op) (func(*machine) error, error) {
	to, _ := pointee(elemOf(op.Result(0)))
	if isHalf(to) {
		return d.offsetHalves(op)
	}
	size, shift := uint64(elementBytes(to)), 64-uint(widthOf(elemOf(op.Operand(1))))
	return d.applyBinary(op, func(out, ptr, n []uint64) {
		ptr, n = ptr[:len(out)], n[:len(out)]
		for i := range out {
			out[i] = ptr[i] + uint64(int64(n[i]<<shift)>>shift)*size
		}
	})
}
