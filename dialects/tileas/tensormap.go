package tileas

import (
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/ir/numeric"
)

// TensorMapType is the type of tensor maps. With the base, sizes and strides of the value, it has all that the 128
// bytes of a tensor map hold.
//
//	tma_map<128x64xf16, order = [1, 0], swizzle = 128>     boxes of 128 x 64; dimension 1 is the one with stride 1
//	tma_map<128x32xtf32, order = [1, 0], swizzle = 128, rounded>
//
// A map that rounds is for objects of f32, which the copy rounds to tf32, to the nearest even; NaNs and infinities are
// copied unchanged. Dimensions are those of the tile, so that offsets of a copy are those of a tiled_load. The order
// says in which order the hardware has them. It is part of the type, and not found from the strides, because a stride
// that is 1 need not be a constant.
type TensorMapType struct {
	ir.TypeBase
	Box     []int64
	Elem    ir.Type
	Order   []int64 // dimensions, innermost first
	Swizzle int64   // in bytes; 0: none
	Rounded bool    // from f32
}

type tensorMapKey struct {
	box, order string
	elem       ir.Type
	swizzle    int64
	rounded    bool
}

// TensorMap returns the type of maps for copies in such boxes.
func TensorMap(c *ir.Context, box []int64, elem ir.Type, order []int64, swizzle int64) *TensorMapType {
	return tensorMapOf(c, &TensorMapType{Box: box, Elem: elem, Order: order, Swizzle: swizzle})
}

func tensorMapOf(c *ir.Context, t *TensorMapType) *TensorMapType {
	return ir.UniqueType(c, Dialect, tensorMapKey{ir.Int64Key(t.Box), ir.Int64Key(t.Order), t.Elem, t.Swizzle, t.Rounded}, func() *TensorMapType {
		return &TensorMapType{Box: slices.Clone(t.Box), Elem: t.Elem, Order: slices.Clone(t.Order), Swizzle: t.Swizzle, Rounded: t.Rounded}
	})
}

// Rounding returns the type of maps for the same copies from objects of f32.
func (t *TensorMapType) Rounding(c *ir.Context) *TensorMapType {
	r := TensorMapType{Box: t.Box, Elem: t.Elem, Order: t.Order, Swizzle: t.Swizzle, Rounded: true}
	return tensorMapOf(c, &r)
}

// boxed returns the type of maps for copies in smaller boxes.
func (t *TensorMapType) boxed(c *ir.Context, box []int64) *TensorMapType {
	out := TensorMapType{Box: box, Elem: t.Elem, Order: t.Order, Swizzle: t.Swizzle, Rounded: t.Rounded}
	return tensorMapOf(c, &out)
}

// Parts returns the type of maps with smaller boxes, so that the same tile is copied in at least n boxes. If boxes
// cannot be made so small, there are as many as there can be.
func (t *TensorMapType) Parts(c *ir.Context, boxes linear.Boxes, n int) *TensorMapType {
	return t.boxed(c, linear.Int64s(boxes.Parts(n, int(elementBytes(t.Elem))).Box))
}

// Source returns the element type of the objects that a map is for.
func (t *TensorMapType) Source() ir.Type {
	if t.Rounded {
		return t.Elem.(*ir.FloatType).Context().F32()
	}
	return t.Elem
}

// TensorMapFor returns the type of maps for copies between a buffer and memory objects whose elements are
// neighbours along a dimension, and the boxes of such a copy. The error says why no TMA copy does it.
func TensorMapFor(b *BufferType, inner int) (*TensorMapType, linear.Boxes, error) {
	boxes, err := b.Layout.Shared.TensorBoxes(8*int(b.ElementBytes()), inner)
	if err != nil {
		return nil, boxes, err
	}
	if n, align := b.StageBytes(), int64(boxes.Align()); align > stageAlignment && n&-n < align { // stages follow each other
		return nil, boxes, fmt.Errorf("a swizzle repeats after %d bytes, and the buffer has %d", align, n)
	}
	return TensorMap(b.Context(), linear.Int64s(boxes.Box), b.Elem, linear.Int64s(boxes.Order), int64(boxes.Swizzle)), boxes, nil
}

// PrintType implements ir.Type.
func (t *TensorMapType) PrintType(p ir.AsmPrinter) {
	p.Str("tma_map<")
	for _, n := range t.Box {
		p.Int(n)
		p.Str("x")
	}
	p.Type(t.Elem)
	p.Str(", order = [")
	for i, d := range t.Order {
		if i > 0 {
			p.Str(", ")
		}
		p.Int(d)
	}
	p.Str("]")
	if t.Swizzle > 0 {
		p.Str(", swizzle = ")
		p.Int(t.Swizzle)
	}
	if t.Rounded {
		p.Str(", rounded")
	}
	p.Str(">")
}

// parseTensorMap reads `<` (size `x`)+ element `,` `order` `=` `[` dimension, ... `]` (`,` `swizzle` `=` bytes)? (`,`
// `rounded`)? `>`.
func parseTensorMap(p ir.AsmParser) ir.Type {
	var t TensorMapType
	p.Expect("<")
	pos := p.Pos()
	t.Box = p.DimList(false)
	t.Elem = p.Type()
	p.Expect(",")
	p.ExpectKeyword("order")
	p.Expect("=")
	p.CommaList("[", "]", func() { t.Order = append(t.Order, p.Integer()) })
	more := p.Opt(",")
	if more && p.OptKeyword("swizzle") {
		p.Expect("=")
		t.Swizzle = p.Integer()
		more = p.Opt(",")
	}
	if more {
		p.ExpectKeyword("rounded")
		t.Rounded = true
	}
	p.Expect(">")
	if p.Failed() {
		return nil
	}
	if err := t.check(); err != nil {
		p.ErrorAt(pos, "%v", err)
		return nil
	}
	return tensorMapOf(p.Context(), &t)
}

// Limits of a tensor map (CUDA driver API, cuTensorMapEncodeTiled).
const (
	maxBox     = 256
	maxMapDims = 5
)

func (t *TensorMapType) check() error {
	if n := len(t.Box); n < 1 || n > maxMapDims {
		return fmt.Errorf("a tensor map has from 1 to %d dimensions, but got %d", maxMapDims, n)
	}
	if slices.ContainsFunc(t.Box, func(n int64) bool { return n < 1 || n > maxBox }) {
		return fmt.Errorf("a box has from 1 to %d elements along each dimension, but got %v", maxBox, t.Box)
	}
	sorted := slices.Sorted(slices.Values(t.Order))
	for i := range t.Box {
		if i >= len(sorted) || sorted[i] != int64(i) || len(sorted) != len(t.Box) {
			return fmt.Errorf("the order must have each of %d dimensions once, but got %v", len(t.Box), t.Order)
		}
	}
	if !copied(t.Elem) {
		return fmt.Errorf("elements must be numbers of 1, 2, 4 or 8 bytes, but got '%s'", ir.TypeString(t.Elem))
	}
	if f, ok := t.Elem.(*ir.FloatType); t.Rounded && (!ok || f.Format != numeric.TF32) {
		return fmt.Errorf("a map rounds to tf32, but got '%s'", ir.TypeString(t.Elem))
	}
	row := t.Box[t.Order[0]] * elementBytes(t.Elem)
	switch {
	case !slices.Contains([]int64{0, 32, 64, 128}, t.Swizzle):
		return fmt.Errorf("a swizzle is over 32, 64 or 128 bytes, but got %d", t.Swizzle)
	case row%tile.BulkUnit != 0 || t.Swizzle > 0 && row != t.Swizzle:
		return fmt.Errorf("rows of a box are a multiple of %d bytes, and as long as the swizzle, but have %d bytes", tile.BulkUnit, row)
	}
	return nil
}

// copied reports whether TMA copies move elements of a type as they are. Those of i1 would need to become 0 or 1 on
// the way.
func copied(t ir.Type) bool {
	if !tile.Scalar.Check(t) || tile.IsHalf(t) || ir.BitWidth(t) < 8 {
		return false
	}
	_, ptr := t.(*tile.PtrType)
	return !ptr
}

// Bytes returns the size of a box.
func (t *TensorMapType) Bytes() int64 { return tileBytes(t.Box, t.Elem) }

// Inner returns the dimension along which elements are neighbours in memory.
func (t *TensorMapType) Inner() int { return int(t.Order[0]) }
