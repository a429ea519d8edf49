package interp

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
)

func init() {
	define(map[*ir.OpDef]rule{
		cudatile.Constant: (*machine).constant, cudatile.Iota: (*machine).iota,
		cudatile.Reshape: (*machine).reshape, cudatile.Broadcast: (*machine).broadcast, cudatile.Permute: (*machine).permute,
		cudatile.Cat: (*machine).cat, cudatile.Extract: (*machine).extract,
		cudatile.Assume: (*machine).assume, cudatile.Offset: (*machine).offset,
		cudatile.GetTileBlockID:   func(m *machine, op ir.Op) error { m.coordinates(op, m.id); return nil },
		cudatile.GetNumTileBlocks: func(m *machine, op ir.Op) error { m.coordinates(op, m.grid); return nil },
	})
}

func shapeOf(v ir.Value) []int64 { return v.Type().(*cudatile.TileType).Shape }

func (m *machine) coordinates(op ir.Op, c [3]uint32) {
	for i, n := range c {
		m.result(op, i, scalar(elemOf(op.Result(i).Type()), uint64(n)))
	}
}

func (m *machine) constant(op ir.Op) error {
	a, ok := op.Attr("value").(*ir.DenseElementsAttr)
	if !ok {
		return fail(op, "has no dense value")
	}
	out := newTile(op.Result(0).Type())
	mask := uint64(1)<<ir.BitWidth(out.elem) - 1 // i1 and i4 take a byte in the attribute
	for i := range out.data {
		out.data[i] = a.Bits(out.elem, i) & mask
	}
	m.result(op, 0, out)
	return nil
}

func (m *machine) iota(op ir.Op) error {
	out := newTile(op.Result(0).Type())
	for i := range out.data {
		out.data[i] = out.width().Wrap(uint64(i))
	}
	m.result(op, 0, out)
	return nil
}

func (m *machine) reshape(op ir.Op) error {
	a := m.operand(op, 0)
	m.result(op, 0, &tile{shape: shapeOf(op.Result(0)), elem: a.elem, data: a.data})
	return nil
}

func (m *machine) broadcast(op ir.Op) error {
	a := m.operand(op, 0)
	step := strides(a.shape)
	for d, n := range a.shape {
		if n == 1 {
			step[d] = 0
		}
	}
	m.result(op, 0, gather(a, shapeOf(op.Result(0)), 0, step))
	return nil
}

func (m *machine) permute(op ir.Op) error {
	a := m.operand(op, 0)
	from := strides(a.shape)
	step := make([]int64, len(from))
	for i, p := range op.Attr("permutation").(*ir.DenseArrayAttr).Values {
		step[i] = from[p]
	}
	m.result(op, 0, gather(a, shapeOf(op.Result(0)), 0, step))
	return nil
}

func (m *machine) cat(op ir.Op) error {
	a, b := m.operand(op, 0), m.operand(op, 1)
	dim, _ := op.IntAttr("dim")
	out := newTile(op.Result(0).Type())
	to := strides(out.shape)
	walk(a.shape, 0, to, func(i int, at int64) { out.data[at] = a.data[i] })
	walk(b.shape, a.shape[dim]*to[dim], to, func(i int, at int64) { out.data[at] = b.data[i] })
	m.result(op, 0, out)
	return nil
}

func (m *machine) extract(op ir.Op) error {
	a := m.operand(op, 0)
	shape := shapeOf(op.Result(0))
	step := strides(a.shape)
	base := int64(0)
	for d := range shape {
		index := m.operand(op, 1+d).int(0)
		if n := a.shape[d] / shape[d]; index < 0 || index >= n {
			return fail(op, "index %d of dimension %d is not in 0..%d", index, d, n-1)
		}
		base += index * shape[d] * step[d]
	}
	m.result(op, 0, gather(a, shape, base, step))
	return nil
}

// assume passes its operand on, after a check of what it promises.
func (m *machine) assume(op ir.Op) error {
	v := m.get(op.Operand(0))
	m.set(op.Result(0), v)
	if v.tile == nil {
		return nil
	}
	switch p := op.Attr("predicate").(type) {
	case *cudatile.DivByAttr:
		if p.Every.Given {
			return nil
		}
		for i, x := range v.tile.data {
			if x%p.Divisor != 0 {
				return fail(op, "does not hold: element %d is %d, which %d does not divide", i, x, p.Divisor)
			}
		}
	case *cudatile.BoundedAttr:
		for i := range v.tile.data {
			x := v.tile.int(i)
			if p.Lower.Given && x < p.Lower.Value || p.Upper.Given && x > p.Upper.Value {
				return fail(op, "does not hold: element %d is %d, not in [%s, %s]", i, x, p.Lower, p.Upper)
			}
		}
	}
	return nil
}

// offset moves pointers by signed numbers of elements.
func (m *machine) offset(op ir.Op) error {
	ptr, n := m.operand(op, 0), m.operand(op, 1)
	out := like(op, ptr)
	size := uint64(elementBytes(out.elem.(*cudatile.PtrType).Pointee))
	for i, p := range ptr.data {
		out.data[i] = p + uint64(n.width().Signed(n.at(i)))*size
	}
	m.result(op, 0, out)
	return nil
}

// without returns a shape without one dimension.
func without(shape []int64, dim int) []int64 { return slices.Delete(slices.Clone(shape), dim, dim+1) }
