package interp

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
)

func init() {
	define(map[*ir.OpDef]rule{cudatile.Reduce: (*machine).reduce, cudatile.Scan: (*machine).scan})
}

// slice returns position k along dim of a tile, as a tile without that dimension.
func slice(t *tile, dim int, k int64) *tile {
	step := strides(t.shape)
	return gather(t, without(t.shape, dim), k*step[dim], append(append([]int64{}, step[:dim]...), step[dim+1:]...))
}

// combine runs the body of a reduce or scan on whole slices: its operations are element-wise, so a scalar stands for a vector of them. The
// block arguments are, for each operand, an element and the accumulator (Tile IR specification, reduce).
func (m *machine) combine(op ir.Op, elem, acc []*tile) ([]*tile, error) {
	body := op.Body()
	for i := range elem {
		m.set(body.Arg(2*i), value{tile: elem[i]})
		m.set(body.Arg(2*i+1), value{tile: acc[i]})
	}
	e, err := m.block(body)
	if err != nil {
		return nil, err
	}
	out := make([]*tile, len(elem))
	for i, v := range e.values {
		t := v.tile
		if len(t.data) != len(elem[i].data) { // the body yields a constant
			full := &tile{shape: elem[i].shape, elem: t.elem, data: make([]uint64, len(elem[i].data))}
			for k := range full.data {
				full.data[k] = t.at(k)
			}
			t = full
		}
		out[i] = t
	}
	return out, nil
}

func (m *machine) operands(op ir.Op) []*tile {
	out := make([]*tile, op.NumOperands())
	for i := range out {
		out[i] = m.operand(op, i)
	}
	return out
}

func slicesAt(ts []*tile, dim int, k int64) []*tile {
	out := make([]*tile, len(ts))
	for i, t := range ts {
		out[i] = slice(t, dim, k)
	}
	return out
}

func (m *machine) reduce(op ir.Op) error {
	ts := m.operands(op)
	d, _ := op.IntAttr("dim")
	dim := int(d)
	acc := slicesAt(ts, dim, 0)
	for k := int64(1); k < ts[0].shape[dim]; k++ {
		var err error
		if acc, err = m.combine(op, slicesAt(ts, dim, k), acc); err != nil {
			return err
		}
	}
	for i, t := range acc {
		m.result(op, i, &tile{shape: shapeOf(op.Result(i)), elem: t.elem, data: t.data})
	}
	return nil
}

func (m *machine) scan(op ir.Op) error {
	ts := m.operands(op)
	d, _ := op.IntAttr("dim")
	dim := int(d)
	n := ts[0].shape[dim]
	reverse, _ := op.IntAttr("reverse")
	position := func(k int64) int64 {
		if reverse != 0 {
			return n - 1 - k
		}
		return k
	}
	outs := make([]*tile, len(ts))
	for i := range ts {
		outs[i] = newTile(op.Result(i).Type())
	}
	var acc []*tile
	for k := range n {
		elem := slicesAt(ts, dim, position(k))
		if acc == nil {
			acc = elem
		} else {
			var err error
			if acc, err = m.combine(op, elem, acc); err != nil {
				return err
			}
		}
		for i, out := range outs {
			step := strides(out.shape)
			rest := append(append([]int64{}, step[:dim]...), step[dim+1:]...)
			walk(without(out.shape, dim), position(k)*step[dim], rest, func(j int, at int64) { out.data[at] = acc[i].data[j] })
		}
	}
	for i, out := range outs {
		m.result(op, i, out)
	}
	return nil
}
