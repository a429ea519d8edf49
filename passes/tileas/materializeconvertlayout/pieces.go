package materializeconvertlayout

import (
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/ir"
)

// A cut is how a tile is seen as a grid of pieces, each of which every thread holds some of before and after a conversion. So a piece is converted as the whole would be, and none but registers tell pieces
// apart.
//
//	128x256, rows from lanes and warps but for bits 3 to 5:    shape 2 x 8 x 8 x 256, grid 1 x 8 x 1 x 1, part 2 x 1 x 8 x 256
//
// The pieces are not blocks of the tile: fragments of matrix products give warps the high bits of coordinates, and registers those below.
type cut struct {
	shape, part []int
	pieces      int
	src, dst    linear.Layout // of a piece
}

// cutInto returns the cut into the given number of pieces, a power of two, or fewer where there are no more.
func cutInto(src, dst linear.Layout, pieces int) (cut, error) {
	mask := make([]int, src.Dims())
	best, err := newCut(src, dst, mask)
	if err != nil {
		return best, err
	}
	// Outer dimensions and high bits first: what is next to each other in memory stays together.
	for d, n := range src.Shape() {
		for bit := n / 2; bit > 0 && best.pieces < pieces; bit /= 2 {
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

// ofRegisters reports whether no thread differs from another one in a bit of a coordinate.
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
	c.pieces = 1
	for d, n := range src.Shape() {
		for n > 1 { // a run of bits that are all in the mask, or all not, from the highest
			in, run := mask[d]&(n/2) != 0, 1
			for n > 1 && (mask[d]&(n/2) != 0) == in {
				n, run = n/2, run*2
			}
			c.shape = append(c.shape, run)
			if in {
				c.pieces *= run
				run = 1
			}
			c.part = append(c.part, run)
		}
	}
	if c.src, err = c.piece(src); err != nil {
		return c, err
	}
	c.dst, err = c.piece(dst)
	return c, err
}

// piece returns the layout of a piece, of a tile of a layout.
func (c cut) piece(l linear.Layout) (part linear.Layout, err error) {
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
	for _, pair := range [][2]linear.Layout{{l, whole}, {whole, l}} {
		if conv, err := linear.Convert(pair[0], pair[1]); err != nil || conv.Class > linear.RegisterMove {
			return part, fmt.Errorf("pieces of shape %v are not cut along registers", c.part)
		}
	}
	return part, nil
}

// inPieces converts piece by piece through one buffer of the size of a piece.
//
//	%x2 = convert_layout (reshape %x) ; %buf = alloc_shared
//	%p0 = extract %x2[0] ; local_store %p0, %buf ; (barrier) ; %q0 = local_load %buf ; (barrier)
//	%p1 = extract %x2[1] ; local_store %p1, %buf ; ...
//	%y  = reshape (convert_layout (cat %q0, %q1))
//
// All but the trips through the buffer only names registers otherwise.
func (c cut) inPieces(op ir.Op, t *ir.TensorType) error {
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

// join puts two tensors one after the other, in the layout that has the registers of the second behind those of the first.
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
