package linear

import (
	"fmt"
	"slices"
)

// Permute returns the layout of the transposed tile, whose dimension i is
// dimension perm[i] of l. No data moves.
func (l Layout) Permute(perm []int) (Layout, error) {
	if err := checkOrder(perm, len(l.shape)); err != nil {
		return Layout{}, err
	}
	shape := make([]uint8, len(perm))
	from := make([]int, len(perm)) // where each new dimension lies now
	for i, d := range perm {
		shape[i] = l.shape[d]
		from[i], _ = l.field(d)
	}
	return l.withBases(shape, func(flat uint64) uint64 {
		var out uint64
		for i, w := range shape {
			out = out<<w | flat>>from[i]&(1<<w-1)
		}
		return out
	}), nil
}

// Reshape returns the layout of the same elements, in row-major order, seen with
// another shape.
func (l Layout) Reshape(shape []int) (Layout, error) {
	out, err := empty(shape)
	if err != nil {
		return Layout{}, err
	}
	if out.ElementBits() != l.ElementBits() {
		return Layout{}, fmt.Errorf("cannot reshape %v to %v: the number of elements differs", l.Shape(), shape)
	}
	out.in, out.bases = l.in, l.bases
	return out, nil
}

// ExpandDim inserts a dimension of extent 1 before dimension dim.
func (l Layout) ExpandDim(dim int) (Layout, error) {
	if dim < 0 || dim > len(l.shape) {
		return Layout{}, fmt.Errorf("dimension %d is outside 0..%d", dim, len(l.shape))
	}
	if len(l.shape) == MaxDims {
		return Layout{}, fmt.Errorf("layout has %d dimensions already", MaxDims)
	}
	return Layout{l.in, slices.Insert(slices.Clone(l.shape), dim, 0), l.bases}, nil
}

// Repeat returns the layout of a tile of so many lines along a new dimension, of which each thread holds all where it holds
// one.
func (l Layout) Repeat(dim int, shape []int) (Layout, error) {
	line, err := l.ExpandDim(dim)
	if err != nil {
		return Layout{}, err
	}
	return line.BroadcastTo(shape)
}

// RemoveDim forgets a dimension: positions that differed in it only now hold the
// same element. Inputs stay as they are, so registers still correspond one to one.
func (l Layout) RemoveDim(dim int) (Layout, error) {
	if err := l.checkDim(dim); err != nil {
		return Layout{}, err
	}
	shift, width := l.field(dim)
	return l.withBases(slices.Delete(slices.Clone(l.shape), dim, dim+1), func(flat uint64) uint64 {
		return flat>>(shift+width)<<shift | flat&(1<<shift-1)
	}), nil
}

// Slice is the layout of the result of a reduction along dim that leaves its
// result in every thread that took part: RemoveDim without the registers that
// became copies.
func (l Layout) Slice(dim int) (Layout, error) {
	out, err := l.RemoveDim(dim)
	if err != nil {
		return Layout{}, err
	}
	return out.CompactRegisters(), nil
}

// BroadcastSource returns the layout that a source of the given shape needs so
// that broadcasting it to l moves nothing between threads. Each extent of the
// source is 1 or that of l.
func (l Layout) BroadcastSource(source []int) (Layout, error) {
	out, err := l.broadcastView(source)
	if err != nil {
		return Layout{}, err
	}
	return out.CompactRegisters(), nil
}

// BroadcastRegisters returns, for each register of l, the register of
// BroadcastSource(source) with its value.
func (l Layout) BroadcastRegisters(source []int) ([]int, error) {
	view, err := l.broadcastView(source)
	if err != nil {
		return nil, err
	}
	c, err := Convert(view.CompactRegisters(), view)
	if err != nil {
		return nil, err
	}
	return c.RegisterMap()
}

func (l Layout) broadcastView(source []int) (Layout, error) {
	log, err := logShape(source)
	if err != nil {
		return Layout{}, err
	}
	if len(log) != len(l.shape) {
		return Layout{}, fmt.Errorf("cannot broadcast %v to %v: the ranks differ", source, l.Shape())
	}
	for i := range log {
		if log[i] != 0 && log[i] != l.shape[i] {
			return Layout{}, fmt.Errorf("cannot broadcast %v to %v: dimension %d is neither 1 nor %d", source, l.Shape(), i, 1<<l.shape[i])
		}
	}
	return l.withBases(log, func(flat uint64) uint64 {
		var out uint64
		shift, to := 0, 0
		for i := len(log) - 1; i >= 0; i-- {
			out |= flat >> shift & (1<<log[i] - 1) << to
			shift += int(l.shape[i])
			to += int(log[i])
		}
		return out
	}), nil
}

// BroadcastTo grows dimensions of extent 1 to the given shape. Each thread keeps
// the copies in additional registers, the last dimension fastest.
func (l Layout) BroadcastTo(shape []int) (Layout, error) {
	log, err := logShape(shape)
	if err != nil {
		return Layout{}, err
	}
	if len(log) != len(l.shape) {
		return Layout{}, fmt.Errorf("cannot broadcast %v to %v: the ranks differ", l.Shape(), shape)
	}
	b := newBuilder(log)
	for i := range log {
		if l.shape[i] != 0 && l.shape[i] != log[i] {
			return Layout{}, fmt.Errorf("cannot broadcast %v to %v: dimension %d is neither 1 nor %d", l.Shape(), shape, i, shape[i])
		}
		b.used[i] = l.shape[i]
	}
	for axis := range Element {
		for _, v := range l.axisBases(axis) {
			b.bases[axis] = append(b.bases[axis], l.embed(v, log, nil))
		}
	}
	for dim := len(log) - 1; dim >= 0; dim-- {
		b.take(Register, dim, b.left(dim), false)
	}
	return b.layout()
}

// CompactRegisters drops the register bits whose basis is a sum of those of
// earlier register bits, so that no thread holds an element twice. Order and
// number of the remaining bits are kept.
func (l Layout) CompactRegisters() Layout {
	var e echelon
	var kept []uint64
	for _, v := range l.axisBases(Register) {
		if _, ok := e.add(v, 0); ok {
			kept = append(kept, v)
		}
	}
	if len(kept) == int(l.in[Register]) {
		return l
	}
	out := Layout{l.in, l.shape, append(kept, l.bases[l.in[Register]:]...)}
	out.in[Register] = uint8(len(kept))
	return out
}

func (l Layout) checkDim(dim int) error {
	if dim < 0 || dim >= len(l.shape) {
		return fmt.Errorf("dimension %d is outside the shape %v", dim, l.Shape())
	}
	return nil
}

// OneWarp returns the layout of a tile that each warp holds whole, for a kernel of one warp; ok is false if warps hold
// different elements.
func (l Layout) OneWarp() (one Layout, ok bool) {
	for bit := range l.Bits(Warp) {
		if l.FlatBase(Warp, bit) != 0 {
			return Layout{}, false
		}
	}
	one = Layout{in: l.in, shape: l.shape}
	one.in[Warp] = 0
	for a := Register; a < Element; a++ {
		if a != Warp {
			one.bases = append(one.bases, l.axisBases(a)...)
		}
	}
	return one, true
}
