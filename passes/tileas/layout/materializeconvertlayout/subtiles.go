package materializeconvertlayout

import (
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
)

// A cut divides a tile into a grid of subtiles. Every thread holds some elements of each subtile before and after
// a conversion. So each subtile is converted like the entire tile, and subtiles differ in registers only.
//
//	128x256, rows from lanes and warps except bits 3 to 5:
//	shape 2 x 8 x 8 x 256, grid 1 x 8 x 1 x 1, part 2 x 1 x 8 x 256
//
// The subtiles are not blocks of the tile: fragments of MMAs give warps the high bits of coordinates, and
// registers lower ones.
type cut struct {
	shape, part []int
	subtiles    int
	src, dst    linear.Layout // of a subtile
}

// cutInto returns the cut into the given number of subtiles, a power of two, or into fewer if there are no more.
func cutInto(src, dst linear.Layout, subtiles int) (cut, error) {
	mask := make([]int, src.Dims())
	best, err := newCut(src, dst, mask)
	if err != nil {
		return best, err
	}
	// Outer dimensions and high bits first: elements that are adjacent in memory stay together.
	for d, n := range src.Shape() {
		for bit := n / 2; bit > 0 && best.subtiles < subtiles; bit /= 2 {
			if !ofRegisters(src, d, bit) || !ofRegisters(dst, d, bit) {
				continue
			}
			mask[d] |= bit
			c, err := newCut(src, dst, mask)
			if err != nil { // registers hold this bit together with others
				mask[d] &^= bit
				continue
			}
			best = c
		}
	}
	return best, nil
}

// ofRegisters reports whether no two threads differ in a bit of a coordinate.
func ofRegisters(l linear.Layout, dim, bit int) bool {
	for _, a := range []linear.Axis{linear.Lane, linear.Warp, linear.Block} {
		for i := range l.Bits(a) {
			if l.Base(a, i)[dim]&bit != 0 {
				return false
			}
		}
	}
	return true
}

// newCut cuts at the bits of coordinates that are in the mask of their dimension.
func newCut(src, dst linear.Layout, mask []int) (c cut, err error) {
	c.subtiles = 1
	for d, n := range src.Shape() {
		for n > 1 { // a run of bits that are all in the mask, or all not, from the highest
			in, run := mask[d]&(n/2) != 0, 1
			for n > 1 && (mask[d]&(n/2) != 0) == in {
				n, run = n/2, run*2
			}
			c.shape = append(c.shape, run)
			if in {
				c.subtiles *= run
				run = 1
			}
			c.part = append(c.part, run)
		}
	}
	if c.src, err = c.subtile(src); err != nil {
		return c, err
	}
	c.dst, err = c.subtile(dst)
	return c, err
}

// subtile returns the layout of a subtile, of a tile of a layout.
func (c cut) subtile(l linear.Layout) (part linear.Layout, err error) {
	if l, err = l.Reshape(c.shape); err != nil {
		return part, err
	}
	if part, err = l.Part(c.part); err != nil {
		return part, err
	}
	whole, err := part.Whole(c.shape)
	if err != nil {
		return part, err
	}
	// reshape and cat of such subtiles must rename registers only; any exchange between lanes would be a
	// conversion of its own.
	for _, pair := range [][2]linear.Layout{{l, whole}, {whole, l}} {
		if conv, err := linear.Convert(pair[0], pair[1]); err != nil || conv.Class > linear.RegisterMove {
			return part, fmt.Errorf("subtiles of shape %v are not cut along registers", c.part)
		}
	}
	return part, nil
}

// inSubtiles converts subtile by subtile through one buffer of the size of a subtile.
//
//	%x2 = convert_layout (reshape %x) ; %buf = alloc_shared
//	%p0 = extract %x2[0] ; local_store %p0, %buf ; (barrier) ; %q0 = local_load %buf ; (barrier)
//	%p1 = extract %x2[1] ; local_store %p1, %buf ; ...
//	%y  = reshape (convert_layout (cat %q0, %q1))
//
// Everything but the trips through the buffer renames registers.
func (c cut) inSubtiles(op ir.Op, t *ir.TensorType) error {
	layout, err := swizzle(op.Context(), c.src, c.dst, tile.ElementBytes(t.Elem), feedsDot(op))
	if err != nil {
		return op.Errorf("%v", err)
	}
	b := ir.BuilderBefore(op)
	b.Loc = op.Loc()
	x := tileas.AsParts(b, c.reshape(b, op.Operand(0), c.shape), c.src)
	buf := b.Create(tileas.AllocShared, nil, []ir.Type{tileas.Buffer(op.Context(), wide(c.part), t.Elem, layout)}).Result(0)
	part := op.Context().Tensor(wide(c.part), t.Elem, tileas.Layout(op.Context(), c.dst))
	var load func(at []int) ir.Value
	load = func(at []int) ir.Value {
		d := len(at)
		if d == len(c.shape) {
			b.Create(tileas.LocalStore, []ir.Value{tileas.TakePart(b, x, c.src, at), buf}, nil)
			return b.Create(tileas.LocalLoad, []ir.Value{buf}, []ir.Type{part}).Result(0)
		}
		var row []ir.Value
		for i := range c.shape[d] / c.part[d] {
			row = append(row, load(append(slices.Clone(at), i)))
		}
		for len(row) > 1 {
			for i := range len(row) / 2 {
				row[i] = join(b, row[2*i], row[2*i+1], d)
			}
			row = row[:len(row)/2]
		}
		return row[0]
	}
	y := load(nil)
	dst, _ := tileas.LayoutOf(t)
	to, err := dst.Reshape(c.shape)
	if err != nil {
		return op.Errorf("%v", err)
	}
	// The subtiles in order may number the registers in another way than the result's layout does. That moves
	// registers only.
	if got, _ := tileas.LayoutOf(y.Type()); !got.Equal(to) {
		y = b.Create(tileas.ConvertLayout, []ir.Value{y}, []ir.Type{tileas.WithLayout(y.Type().(*ir.TensorType), to)}).Result(0)
	}
	if !slices.Equal(y.Type().(*ir.TensorType).Shape, t.Shape) {
		y = b.Create(tileas.Level.Reshape, []ir.Value{y}, []ir.Type{t}).Result(0)
	}
	op.ReplaceWith(y)
	return nil
}

func (c cut) reshape(b *ir.Builder, v ir.Value, shape []int) ir.Value {
	t := v.Type().(*ir.TensorType)
	if slices.Equal(t.Shape, wide(shape)) {
		return v
	}
	l, _ := tileas.LayoutOf(t)
	l, _ = l.Reshape(shape) // newCut has done it
	return b.Create(tileas.Level.Reshape, []ir.Value{v}, []ir.Type{b.Context().Tensor(wide(shape), t.Elem, tileas.Layout(b.Context(), l))}).Result(0)
}

// join concatenates two tensors, in the layout that has the registers of the second after those of the first.
func join(b *ir.Builder, lhs, rhs ir.Value, dim int) ir.Value {
	ctx, t := b.Context(), lhs.Type().(*ir.TensorType)
	shape := slices.Clone(t.Shape)
	shape[dim] *= 2
	l, _ := tileas.LayoutOf(t)
	narrow := make([]int, len(shape))
	for d, n := range shape {
		narrow[d] = int(n)
	}
	whole, _ := l.Whole(narrow)
	return b.Create(tileas.Level.Cat, []ir.Value{lhs, rhs}, []ir.Type{ctx.Tensor(shape, t.Elem, tileas.Layout(ctx, whole))},
		ir.NamedAttr{Name: tile.AttrDim, Value: ctx.IntAttr(ctx.Int(64), int64(dim))}).Result(0)
}

func wide(shape []int) []int64 {
	out := make([]int64, len(shape))
	for i, n := range shape {
		out[i] = int64(n)
	}
	return out
}
