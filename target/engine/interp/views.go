package interp

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/launch"
)

func init() {
	define(map[*ir.OpDef]rule{
		cudatile.MakeTensorView:    (*decoder).makeTensorView,
		cudatile.MakePartitionView: (*decoder).makeView, cudatile.MakeStridedView: (*decoder).makeView,
		cudatile.MakeGatherScatterView: (*decoder).makeView,
		cudatile.GetTensorShape:        (*decoder).tensorShape, cudatile.GetIndexSpaceShape: (*decoder).indexSpace,
	})
}

// A dimension is a size or a stride of a tensor: known, or in a slot.
type dimension struct {
	value int64
	slot  int // -1: known
}

// A view has no tile of its own: its base, sizes and strides are in m.tensors under a number that is fixed when
// the kernel is decoded, since views neither leave loops nor pass through ifs (the verifier).
func (d *decoder) makeTensorView(op ir.Op) (func(*machine) error, error) {
	t := op.Result(0).Type().(*cudatile.TensorViewType)
	base := d.slot(op.OperandNamed("base"))
	var dynamic []ir.Value
	dims := func(static []int64, name string) []dimension {
		operands := op.OperandsNamed(name)
		dynamic = append(dynamic, operands...)
		out := make([]dimension, len(static))
		for i, n := range static {
			out[i] = dimension{n, -1}
			if n == cudatile.Dynamic {
				out[i].slot = d.slot(operands[0])
				operands = operands[1:]
			}
		}
		return out
	}
	sizes, steps := dims(t.Shape, "dynamicShape"), dims(t.Strides, "dynamicStrides")
	shift := uint(0)
	if len(dynamic) > 0 {
		shift = 64 - uint(widthOf(elemOf(dynamic[0])))
	}
	number := len(d.p.tensors)
	d.p.tensors = append(d.p.tensors, len(t.Shape))
	d.views[op.Result(0)] = number
	fill := func(m *machine, to []int64, from []dimension, what string, least int64) error {
		for i, dim := range from {
			to[i] = dim.value
			if dim.slot < 0 {
				continue
			}
			if err := m.defined(op, dim.slot, nil, what); err != nil {
				return err
			}
			if to[i] = int64(m.vals[dim.slot].data[0]<<shift) >> shift; to[i] < least && !(to[i] == 0 && m.run.engine.LooseStrides) {
				return op.Errorf("%s %d is %d, which is %s", what, i, to[i], [...]string{"negative", "not positive"}[least])
			}
		}
		return nil
	}
	return func(m *machine) error {
		if err := m.defined(op, base, nil, "base"); err != nil {
			return err
		}
		tv := &m.tensors[number]
		tv.base = m.vals[base].data[0]
		if err := fill(m, tv.sizes, sizes, "size", 0); err != nil {
			return err
		}
		return fill(m, tv.strides, steps, "stride", 1)
	}, nil
}

// makeView: what a view adds to its tensor is in its type.
func (d *decoder) makeView(op ir.Op) (func(*machine) error, error) {
	number, ok := d.views[op.Operand(0)]
	if !ok {
		return nil, op.Errorf("views a tensor that no make_tensor_view made")
	}
	d.views[op.Result(0)] = number
	return nothing, nil
}

func (d *decoder) tensorShape(op ir.Op) (func(*machine) error, error) {
	number, out := d.views[op.Operand(0)], d.slotsOf(op.Results())
	return func(m *machine) error {
		return m.putSizes(op, out, m.tensors[number].sizes)
	}, nil
}

// putSizes makes sizes the results of op.
func (m *machine) putSizes(op ir.Op, out []int, sizes []int64) error {
	for i, n := range sizes {
		w := widthOf(elemOf(op.Result(i)))
		if w.Wrap(uint64(n)) != uint64(n) {
			return op.Errorf("result %d does not hold %d", i, n)
		}
		m.put(out[i], m.scalar(uint64(n)))
	}
	return nil
}

// A viewing is the access of an operation to a view.
type viewing struct {
	op       ir.Op
	tensor   int
	elem     ir.Type
	shape    []int64 // of the tile
	dims     []int64 // of the tensor, that the tile lies along
	step     []int64 // between consecutive tiles
	sparse   int     // the dimension of a gather_scatter_view whose coordinates are given; -1: none
	packed   int     // the dimension along which two elements of half a byte share one; -1: none do
	index    []int   // slots
	inbounds []bool
}

func (d *decoder) viewing(op ir.Op, view ir.Value, index []ir.Value) (*viewing, error) {
	number, ok := d.views[view]
	if !ok {
		return nil, op.Errorf("accesses a view that is not made from a make_tensor_view")
	}
	t := view.Type().(cudatile.ViewType)
	parts := t.View()
	v := &viewing{op: op, tensor: number, elem: parts.TensorView.Elem, shape: parts.TileShape, dims: parts.DimMap, step: parts.TileShape, sparse: -1,
		packed: cudatile.PackingDim(t),
		index:  d.slotsOf(index), inbounds: make([]bool, len(parts.TileShape))}
	switch t := t.(type) {
	case *cudatile.StridedViewType:
		v.step = t.TraversalStrides
	case *cudatile.GatherScatterViewType:
		v.sparse = int(t.SparseDim)
	}
	if a, ok := op.Attr("inbounds").(*ir.DenseArrayAttr); ok {
		for i, x := range a.Values {
			v.inbounds[i] = x != 0
		}
	}
	return v, nil
}

// space returns the size of the index space along a dimension of the tile: the tiles that cover the tensor, the last one perhaps
// in part. The dense dimensions of a gather_scatter_view have a tile for each element that one can begin with.
func (v *viewing) space(t *tensor, dim int) int64 {
	size := t.sizes[v.dims[dim]]
	if v.sparse >= 0 {
		return size
	}
	// Not (size + step - 1) / step: a size near 2^63 would overflow.
	tiles := size / v.step[dim]
	if size%v.step[dim] != 0 {
		tiles++
	}
	return tiles
}

func (d *decoder) indexSpace(op ir.Op) (func(*machine) error, error) {
	v, err := d.viewing(op, op.Operand(0), nil)
	if err != nil {
		return nil, err
	}
	out := d.slotsOf(op.Results())
	return func(m *machine) error {
		sizes := make([]int64, len(out))
		for dim := range sizes {
			sizes[dim] = v.space(&m.tensors[v.tensor], dim)
		}
		return m.putSizes(op, out, sizes)
	}, nil
}

// A window is the part of a tensor that a tile covers.
//
// Coordinates are those of the tile's dimensions, not of the tensor's: the dim_map of a view is applied once, when
// sizes and strides are fetched.
type window struct {
	v      *viewing
	base   uint64
	coord  []int64
	origin []int64  // coordinates of the first element, in dimensions of the tile
	size   []int64  // of the tensor
	stride []int64  // in elements
	sparse []uint64 // coordinates along v.sparse
}

// A windowing finds where an access is made. The window is valid until the next call of any.
type windowing = func(m *machine) (*window, error)

// newWindow returns the window of the machine, with its origin at zero.
//
// There is one window for each machine, used again: a load in a loop would allocate four lists in every iteration.
func (m *machine) newWindow(v *viewing, base uint64) *window {
	n := len(v.shape)
	if len(m.coords) < 4*n {
		m.coords = make([]int64, 4*n)
	}
	all := m.coords
	m.win = window{v: v, base: base, coord: all[:n], origin: all[n : 2*n], size: all[2*n : 3*n], stride: all[3*n : 4*n]}
	clear(m.win.origin)
	return &m.win
}

// window evaluates the indices. It is a windowing.
//
// Index 2 of a partition view of 16 wide tiles has the origin 32. An index is compared as an unsigned number,
// so that -1 is outside; its message shows it as signed.
func (v *viewing) window(m *machine) (*window, error) {
	t := &m.tensors[v.tensor]
	w := m.newWindow(v, t.base)
	for dim, slot := range v.index {
		w.size[dim], w.stride[dim] = t.sizes[v.dims[dim]], t.strides[v.dims[dim]]
		x := m.vals[slot]
		if dim == v.sparse {
			if err := m.defined(v.op, slot, v.shape[dim:dim+1], "index"); err != nil {
				return nil, err
			}
			w.sparse = x.data
			continue
		}
		if err := m.defined(v.op, slot, nil, "index"); err != nil {
			return nil, err
		}
		if space := v.space(t, dim); x.data[0] >= uint64(space) && !(m.run.engine.LooseIndices && x.data[0] < 1<<31) {
			return nil, failf(v.op, launch.OutOfBounds, "index %d of dimension %d is outside of the index space of %d", widthOf(elemOf(v.indexValue(dim))).Signed(x.data[0]), dim, space)
		}
		w.origin[dim] = int64(x.data[0])
		if v.sparse < 0 {
			w.origin[dim] *= v.step[dim]
		}
		if end := w.origin[dim] + v.shape[dim]; v.inbounds[dim] && end > w.size[dim] {
			if m.run.engine.LooseBounds && end > 0 {
				w.size[dim] = end // not compared: what is there decides
				continue
			}
			return nil, failf(v.op, launch.OutOfBounds, "is marked in bounds along dimension %d, but its tile ends at %d of %d", dim, w.origin[dim]+v.shape[dim], w.size[dim])
		}
	}
	return w, nil
}

func (v *viewing) indexValue(dim int) ir.Value { return v.op.OperandsNamed("index")[dim] }

// wholeBytes reports an access that has one half of a byte without the other: the regions of loads and stores are aligned to bytes (Tile IR specification, load and store
// requirements), and compiled code takes them to be.
func (w *window) wholeBytes() error {
	v, p := w.v, w.v.packed
	if p < 0 {
		return nil
	}
	const pairs = "but pairs of elements of half a byte share bytes along dimension"
	switch {
	case w.stride[p] != 1:
		return v.op.Errorf("stride %d is %d, %s %d", p, w.stride[p], pairs, p)
	case w.size[p]%2 != 0:
		return v.op.Errorf("size %d is %d, %s %d", p, w.size[p], pairs, p)
	case v.shape[p]%2 != 0:
		return v.op.Errorf("has a tile of %d elements along dimension %d, %s %d", v.shape[p], p, pairs, p)
	case w.origin[p]%2 != 0:
		return v.op.Errorf("begins at element %d of dimension %d, %s %d", w.origin[p], p, pairs, p)
	}
	for d, n := range v.shape {
		if d == p || w.stride[d]%2 == 0 {
			continue
		}
		for k := range n {
			if c := w.coordinate(d, k); c%2 != 0 && c >= 0 && c < w.size[d] {
				return v.op.Errorf("has elements at %d of dimension %d, whose stride is %d, %s %d", c, d, w.stride[d], pairs, p)
			}
		}
	}
	return nil
}

// A run is consecutive elements along the last dimension of a tile.
type run struct {
	first, n int   // their numbers in the tile
	offset   int64 // of the first from the base of the tensor, in elements
	inside   int   // how many are in the tensor; the others follow
}

// runs visits the elements of a tile, in order.
//
// A run ends where the row of the tile does, or where elements leave the tensor; so the inside of a tile costs one
// visit for each row, and its border one more comparison.
//
// For a tile of 2 x 8 at column 12 of a tensor of 16 columns: two runs of 8 elements, of which 4 are inside.
func (w *window) runs(visit func(r run) error) error {
	v := w.v
	last := len(v.shape) - 1
	coord := w.coord
	clear(coord)
	length := v.shape[last]
	if v.sparse == last || w.origin[last] < 0 {
		length = 1
	}
	total := count(v.shape)
	for i := 0; i < total; {
		at, inside := int64(0), true
		for dim, k := range coord {
			c := w.coordinate(dim, k)
			inside = inside && c >= 0 && c < w.size[dim]
			at += c * w.stride[dim]
		}
		r := run{first: i, n: int(length), offset: at}
		switch {
		case inside && length == 1:
			r.inside = 1
		case inside:
			r.inside = int(min(length, w.size[last]-w.origin[last]))
		}
		if err := visit(r); err != nil {
			return err
		}
		i += r.n
		coord[last] += length
		for dim := last; dim > 0 && coord[dim] == v.shape[dim]; dim-- {
			coord[dim] = 0
			coord[dim-1]++
		}
	}
	return nil
}

// coordinate returns where in the tensor position k of a dimension is. Sparse coordinates are unsigned.
func (w *window) coordinate(dim int, k int64) int64 {
	if dim == w.v.sparse {
		return int64(min(w.sparse[k], 1<<62))
	}
	return w.origin[dim] + k
}
