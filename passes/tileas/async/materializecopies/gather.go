package materializecopies

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/analysis/gathers"
)

// gathered returns the operands of a TMA load for a load through pointers that gathers rows of a matrix (tile::gather4):
//
//	before all loops:         %m = tensor_map %p sizes [height, width] strides [stride, 1]
//	after the row indices:    %rows = convert_layout %indices
//	at the load:              tma_load %buf, %m[0, column], %bar rows(%rows)
func (m *maps) gathered(load ir.Op, t *tileas.TensorMapType) (matrix ir.Value, offsets, rows []ir.Value, err error) {
	r, why := gathers.Of(load) // not from the plan: lowering another load may have rebuilt the loops around this one
	if why != "" {
		return matrix, nil, nil, load.Errorf(inexpressible, why)
	}
	b := ir.BuilderBefore(load).WithLoc(load.Loc())
	i64 := b.Context().Int(64)
	indices, err := rowIndices(load, r)
	if err != nil {
		return matrix, nil, nil, err
	}
	offsets = []ir.Value{arith.NewInt(b, i64, 0), arith.NewInt(b, i64, 0)}
	for _, v := range r.Column {
		// The coordinate along the rows stays 0: gather4 takes the rows from the indices instead.
		offsets[1-r.Dim] = arith.New(b, arith.AddI, offsets[1-r.Dim], wide(b, v))
	}
	return m.matrix(load, r, t), offsets, []ir.Value{indices}, nil
}

// wide sign-extends an integer to i64.
func wide(b *ir.Builder, v ir.Value) ir.Value {
	i64 := b.Context().Int(64)
	if v.Type() == ir.Type(i64) {
		return v
	}
	return b.Create(arith.ExtSI, []ir.Value{v}, []ir.Type{i64}).Result(0)
}

// matrix returns the tensor map of the matrix whose rows a load gathers.
func (m *maps) matrix(load ir.Op, r *gathers.Rows, t *tileas.TensorMapType) ir.Value {
	// A mask that compares no index with an extent promises that all rows are inside, so the map gets the largest
	// size.
	const unbounded = 1<<31 - 1
	b := ir.BuilderBefore(load).WithLoc(load.Loc())
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
	return m.mapOf(a, t)
}

// rowIndices returns the row indices in the layout that tma_load takes, right after the operation that defines them.
func rowIndices(load ir.Op, r *gathers.Rows) (ir.Value, error) {
	warps, _ := contract.NumWarpsOf(tileas.KernelOf(load)) // run has it too
	t := r.Numbers.Type().(*ir.TensorType)
	layout, err := tileas.RowLayout(t.NumElements(), warps)
	if err != nil {
		return r.Numbers, load.Errorf("rows cannot be shared: %v", err)
	}
	b := ir.BuilderAfterValue(r.Numbers).WithLoc(load.Loc())
	v, flat := r.Numbers, t.Context().Tensor([]int64{t.NumElements()}, t.Elem, nil)
	if len(t.Shape) != 1 {
		have, _ := tileas.LayoutOf(t)
		list, _ := have.Reshape([]int{int(t.NumElements())})
		v = b.Create(tileas.Level.Reshape, []ir.Value{v}, []ir.Type{tileas.WithLayout(flat, list)}).Result(0)
	}
	return b.Create(tileas.ConvertLayout, []ir.Value{v}, []ir.Type{tileas.WithLayout(flat, layout)}).Result(0), nil
}
