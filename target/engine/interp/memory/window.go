package memory

import (
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp/values"
)

// A Tensor is the value of a tensor_view; sizes and strides are in elements.
type Tensor struct {
	Base           uint64
	Sizes, Strides []int64
}

// Views are the tensor_views of a machine, and the window of its latest access.
type Views struct {
	Tensors []Tensor
	win     Window
	coords  []int64 // of win
	dims    []Dim   // of win.Box
}

// NewWindow returns the window, with its origin at zero.
//
// A machine has one window, which every access reuses. Otherwise a load in a loop would allocate four lists in every
// iteration.
func (s *Views) NewWindow(v *Viewing, base uint64) *Window {
	n := len(v.Shape)
	if len(s.coords) < 4*n {
		s.coords = make([]int64, 4*n)
	}
	all := s.coords
	s.win = Window{v: v, Base: base, coord: all[:n], dims: &s.dims, Origin: all[n : 2*n], Size: all[2*n : 3*n], Stride: all[3*n : 4*n]}
	clear(s.win.Origin)
	return &s.win
}

// A Viewing is a decoded access of an operation to a view.
type Viewing struct {
	Op       ir.Op
	Tensor   int
	Elem     ir.Type
	Shape    []int64 // of the tile
	Dims     []int64 // of the tensor: which one each dimension of the tile lies along
	Step     []int64 // between consecutive tiles
	Sparse   int     // the dimension of a gather_scatter_view whose coordinates are given by the index; -1: none
	Packed   int     // the dimension along which two elements of half a byte share a byte; -1: none
	Index    []int   // slots
	Inbounds []bool
	Tested   []bool // dimensions along which code tests bounds
}

// Space returns the size of the index space along a dimension of the tile: how many tiles cover the tensor, counting a
// partial last one. A dense dimension of a gather_scatter_view has a tile for each element.
func (v *Viewing) Space(t *Tensor, dim int) int64 {
	size := t.Sizes[v.Dims[dim]]
	if v.Sparse >= 0 {
		return size
	}
	// Not (size + step - 1) / step: a size near 2^63 would overflow.
	tiles := size / v.Step[dim]
	if size%v.Step[dim] != 0 {
		tiles++
	}
	return tiles
}

// IndexValue returns the index operand of a dimension.
func (v *Viewing) IndexValue(dim int) ir.Value { return v.Op.OperandsNamed("index")[dim] }

// A Window is the part of a tensor that a tile covers.
//
// Coordinates are those of the tile's dimensions, not the tensor's. The dim_map of a view is applied once, when sizes
// and strides are fetched.
type Window struct {
	v      *Viewing
	Base   uint64
	coord  []int64
	dims   *[]Dim   // scratch of Box
	Origin []int64  // coordinates of the first element, in dimensions of the tile
	Size   []int64  // of the tensor
	Stride []int64  // in elements
	Sparse []uint64 // coordinates along v.sparse
}

// A Dim is a dimension of elements in memory: how many there are, and how far apart.
type Dim struct{ N, Stride int64 }

// maxExtent bounds the numbers that Box takes, so that none of its results overflows.
const maxExtent = 1 << 40

// Box returns the elements of a window that are inside the tensor: the offset of the first one, and the dimensions along
// which the others lie, in elements. It reports false if they are no box, as along a sparse dimension. The list is
// valid until the next call.
func (w *Window) Box() (offset int64, dims []Dim, ok bool) {
	dims = (*w.dims)[:0]
	for d, n := range w.v.Shape {
		from, stride := w.Origin[d], w.Stride[d]
		if d == w.v.Sparse || max(from, -from, stride, -stride) > maxExtent {
			return 0, nil, false
		}
		first, end := max(from, 0), min(from+n, w.Size[d])
		offset += first * stride
		dims = append(dims, Dim{max(end-first, 0), stride})
	}
	*w.dims = dims
	return offset, dims, true
}

// maxStride bounds the strides of Whole in elements, of which a tile has 2^24 at most. So no distance of elements of
// eight bytes overflows.
const maxStride = 1 << 36

// Whole is Box in bytes for tiles of n elements of which none is outside the tensor. Dimensions are joined where one
// goes on where the next ends; there is at least one. The last element ends length bytes after the first begins.
func (w *Window) Whole(n int, size uint64) (offset int64, dims []Dim, length uint64, ok bool) {
	offset, box, ok := w.Box()
	if !ok {
		return 0, nil, 0, false
	}
	inside, length := int64(1), size
	dims = box[:0]
	for _, d := range box {
		if d.Stride < 0 || d.Stride > maxStride {
			return 0, nil, 0, false
		}
		inside *= d.N
		d.Stride *= int64(size)
		length += uint64((d.N - 1) * d.Stride)
		switch last := len(dims) - 1; {
		case d.N == 1:
		case last >= 0 && dims[last].Stride == d.N*d.Stride:
			dims[last] = Dim{dims[last].N * d.N, d.Stride}
		default:
			dims = append(dims, d)
		}
	}
	if len(dims) == 0 {
		dims = append(dims, Dim{1, int64(size)})
	}
	return offset * int64(size), dims, length, inside == int64(n)
}

// A Run is consecutive elements along the last dimension of a tile.
type Run struct {
	First, N int   // their numbers in the tile
	Offset   int64 // of the first one from the tensor's base, in elements
	Inside   int   // how many are in the tensor; the rest follow them
}

// Runs visits the elements of a tile, in order.
//
// A tile of 2 x 8 at column 12 of a tensor of 16 columns has two runs of 8 elements, of which 4 are inside.
//
// A run ends with the row of the tile. Elements outside the tensor are at its end. So the inside of a tile costs one
// visit for each row, and its border one more comparison.
func (w *Window) Runs(visit func(r Run) error) error {
	v := w.v
	last := len(v.Shape) - 1
	coord := w.coord
	clear(coord)
	length := v.Shape[last]
	if v.Sparse == last || w.Origin[last] < 0 {
		length = 1
	}
	total := values.Count(v.Shape)
	for i := 0; i < total; {
		at, inside := int64(0), true
		for dim, k := range coord {
			c := w.coordinate(dim, k)
			inside = inside && c >= 0 && c < w.Size[dim]
			at += c * w.Stride[dim]
		}
		r := Run{First: i, N: int(length), Offset: at}
		switch {
		case inside && length == 1:
			r.Inside = 1
		case inside:
			r.Inside = int(min(length, w.Size[last]-w.Origin[last]))
		}
		if err := visit(r); err != nil {
			return err
		}
		i += r.N
		coord[last] += length
		for dim := last; dim > 0 && coord[dim] == v.Shape[dim]; dim-- {
			coord[dim] = 0
			coord[dim-1]++
		}
	}
	return nil
}

// coordinate returns the tensor coordinate of position k of a dimension. Sparse coordinates are unsigned.
func (w *Window) coordinate(dim int, k int64) int64 {
	if dim == w.v.Sparse {
		return int64(min(w.Sparse[k], 1<<62))
	}
	return w.Origin[dim] + k
}

// WholeBytes rejects an access of one half of a byte without the other. The specification aligns the regions of loads
// and stores to bytes (load and store requirements), and compiled code relies on that.
func (w *Window) WholeBytes() error {
	v, p := w.v, w.v.Packed
	if p < 0 {
		return nil
	}
	const pairs = "but pairs of elements of half a byte share bytes along dimension"
	switch {
	case w.Stride[p] != 1:
		return v.Op.Errorf("stride %d is %d, %s %d", p, w.Stride[p], pairs, p)
	case w.Size[p]%2 != 0:
		return v.Op.Errorf("size %d is %d, %s %d", p, w.Size[p], pairs, p)
	case v.Shape[p]%2 != 0:
		return v.Op.Errorf("has a tile of %d elements along dimension %d, %s %d", v.Shape[p], p, pairs, p)
	case w.Origin[p]%2 != 0:
		return v.Op.Errorf("begins at element %d of dimension %d, %s %d", w.Origin[p], p, pairs, p)
	}
	for d, n := range v.Shape {
		if d == p || w.Stride[d]%2 == 0 {
			continue
		}
		for k := range n {
			if c := w.coordinate(d, k); c%2 != 0 && c >= 0 && c < w.Size[d] {
				return v.Op.Errorf("has elements at %d of dimension %d, whose stride is %d, %s %d", c, d, w.Stride[d], pairs, p)
			}
		}
	}
	return nil
}
