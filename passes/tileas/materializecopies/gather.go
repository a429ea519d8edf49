package materializecopies

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/analysis/gathers"
	"github.com/tilewright/tilewright/passes/tileas/copies"
)

// gather is materialize of a load through pointers that gathers rows of a matrix:
//
//	in front of all:              %m = tensor_map %p sizes [height, width] strides [stride, 1]
//	where the numbers are made:   %rows = convert_layout %numbers
//	here:                         tma_load %buf, %m[0, column], %bar rows(%rows)
func (m *maps) gather(c *copies.Copy, bar, parity ir.Value) error {
	load := c.Load
	r, why := gathers.Of(load) // again: the loops around it may have been made anew
	if why != "" {
		return load.Errorf("is planned to travel by a bulk tensor copy, but cannot: %s", why)
	}
	b := ir.BuilderBefore(load)
	b.Loc = load.Loc()
	ctx := b.Context()
	rows, err := numbers(load, r)
	if err != nil {
		return err
	}
	offsets := []ir.Value{arith.NewInt(b, ctx.Int(64), 0), arith.NewInt(b, ctx.Int(64), 0)}
	for _, v := range r.Column {
		offsets[1-r.Dim] = b.Create(arith.AddI, []ir.Value{offsets[1-r.Dim], wide(b, v)}, []ir.Type{ctx.Int(64)}).Result(0)
	}
	var made []ir.Value
	for _, name := range []string{"ptrs", "mask"} {
		if v := load.OperandNamed(name); !v.IsNil() {
			made = append(made, v)
		}
	}
	groups := [][]ir.Value{nil, {m.matrix(load, r, c.Map)}, offsets, {bar}, nil, nil, {rows}}
	if token := load.OperandNamed("token"); !token.IsNil() {
		groups[4] = []ir.Value{token}
	}
	err = put(c, bar, parity, func(st *ir.OpState, buffer ir.Value) {
		groups[0] = []ir.Value{buffer}
		st.OperandGroups(groups...)
	})
	if err == nil {
		eraseUnused(made)
	}
	return err
}

// wide makes an integer an i64.
func wide(b *ir.Builder, v ir.Value) ir.Value {
	i64 := b.Context().Int(64)
	if v.Type() == ir.Type(i64) {
		return v
	}
	return b.Create(arith.ExtSI, []ir.Value{v}, []ir.Type{i64}).Result(0)
}

// matrix returns the map of the matrix whose rows a load gathers. Where nothing is compared with an extent all of it is inside.
func (m *maps) matrix(load ir.Op, r *gathers.Rows, t *tileas.TensorMapType) ir.Value {
	const unbounded = 1<<31 - 1
	b := ir.BuilderBefore(load)
	b.Loc = load.Loc()
	i64 := b.Context().Int(64)
	extent := func(v ir.Value) ir.Value {
		if v.IsNil() {
			return arith.NewInt(b, i64, unbounded)
		}
		return wide(b, v)
	}
	a := tile.Access{Op: load, Base: r.Base, Sizes: make([]ir.Value, 2), Strides: make([]ir.Value, 2)}
	a.Sizes[r.Dim], a.Sizes[1-r.Dim] = extent(r.Height), extent(r.Width)
	a.Strides[r.Dim], a.Strides[1-r.Dim] = wide(b, r.Stride), arith.NewInt(b, i64, 1)
	v := m.of(a, t, nil)
	eraseUnused(append(a.Sizes, a.Strides...))
	return v
}

// numbers returns the numbers of rows as threads share them that bring the rows, where they are made.
func numbers(load ir.Op, r *gathers.Rows) (ir.Value, error) {
	warps, err := contract.NumWarpsOf(tileas.KernelOf(load))
	if err != nil {
		return r.Numbers, err
	}
	t := r.Numbers.Type().(*ir.TensorType)
	layout, err := tileas.RowLayout(t.NumElements(), warps)
	if err != nil {
		return r.Numbers, load.Errorf("rows cannot be shared: %v", err)
	}
	b := ir.BuilderAtStart(r.Numbers.Block())
	if def := r.Numbers.DefiningOp(); !def.IsNil() {
		b.SetInsertionPointBefore(def.Next())
	}
	b.Loc = load.Loc()
	v, flat := r.Numbers, t.Context().Tensor([]int64{t.NumElements()}, t.Elem, nil)
	if len(t.Shape) != 1 {
		have, _ := tileas.LayoutOf(t)
		list, err := have.Reshape([]int{int(t.NumElements())})
		if err != nil {
			return v, load.Errorf("rows cannot be listed: %v", err)
		}
		v = b.Create(tileas.Level.Reshape, []ir.Value{v}, []ir.Type{tileas.WithLayout(flat, list)}).Result(0)
	}
	return b.Create(tileas.ConvertLayout, []ir.Value{v}, []ir.Type{tileas.WithLayout(flat, layout)}).Result(0), nil
}
