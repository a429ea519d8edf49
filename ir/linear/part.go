package linear

import (
	"fmt"
	"math/bits"
	"slices"
)

// Part returns the layout of a part, of the given shape, of the tile: coordinates count from the beginning of the
// part that the element is in. Registers that only tell parts apart are dropped, lanes and warps that do hold copies.
func (l Layout) Part(shape []int) (Layout, error) {
	if err := l.checkPart(shape); err != nil {
		return Layout{}, err
	}
	var bases Bases
	for a := range Element {
		for i := range l.Bits(a) {
			base := l.Base(a, i)
			for d := range base {
				// Extents are powers of two, so that the number of the part is just the high bits of a coordinate,
				// and dropping them keeps the map linear.
				base[d] &= shape[d] - 1
			}
			bases[a] = append(bases[a], base)
		}
	}
	out, err := New(shape, bases)
	if err != nil {
		return Layout{}, err
	}
	return out.CompactRegisters(), nil
}

// DealtPart is Part without the copies: lanes and warps that tell parts apart take over the last registers, until there
// are no more. A tile of 2x512 in one row for each of two warps, and parts of 1x512:
//
//	                   registers     lanes        warps
//	2x512              1 2 128 256   4 8 ... 64   [1, 0]
//	1x512, Part        1 2 128 256   4 8 ... 64   copies
//	1x512, DealtPart   1 2 128       4 8 ... 64   256
//
// Registers of neighbours, which an access takes at once, stay where they are, 1 and 2 here, unless l has copies already:
// those of one part after another would double.
func (l Layout) DealtPart(shape []int) (Layout, error) {
	out, err := l.Part(shape)
	if err != nil {
		return Layout{}, err
	}
	kept := 0
	if !slices.Contains(l.axisBases(Lane), 0) && !slices.Contains(l.axisBases(Warp), 0) {
		for d := range shape {
			kept = max(kept, bits.Len(uint(out.Contiguity(d)))-1)
		}
	}
	return out.deal(kept, func(a Axis, i int) bool { return l.axisBases(a)[i] != 0 }, Warp, Lane), nil
}

// DealtToLanes returns the layout in which lanes that hold copies take over the last registers instead.
func (l Layout) DealtToLanes() Layout {
	return l.CompactRegisters().deal(0, func(Axis, int) bool { return true }, Lane)
}

// deal gives bits of axes that only number copies, if they may, what the last registers hold, except for the first kept
// registers.
func (l Layout) deal(kept int, may func(a Axis, bit int) bool, axes ...Axis) Layout {
	l.bases = slices.Clone(l.bases)
	free := int(l.in[Register])
	for _, a := range axes {
		for i := range l.Bits(a) {
			if at := l.in.shift(a) + i; free > kept && l.bases[at] == 0 && may(a, i) {
				free--
				l.bases[at], l.bases[free] = l.bases[free], 0
			}
		}
	}
	return l.CompactRegisters()
}

func (l Layout) checkPart(shape []int) error {
	if len(shape) != len(l.shape) {
		return fmt.Errorf("a part of shape %v and a tile of shape %v differ in rank", shape, l.Shape())
	}
	for d, n := range shape {
		if b, ok := log2(n); !ok || b > int(l.shape[d]) {
			return fmt.Errorf("a tile of shape %v has no parts of shape %v", l.Shape(), shape)
		}
	}
	return nil
}

// Whole returns the layout of a tile of which every thread holds all parts, each in layout l: part number p, in
// row-major order, in the registers from p*l.Size(Register) on.
func (l Layout) Whole(shape []int) (Layout, error) {
	log, err := logShape(shape)
	if err != nil {
		return Layout{}, err
	}
	if err := (Layout{shape: log}).checkPart(l.Shape()); err != nil {
		return Layout{}, err
	}
	var bases Bases
	for a := range Element {
		for i := range l.Bits(a) {
			bases[a] = append(bases[a], l.Base(a, i))
		}
	}
	// The last dimension comes first, since low bits of the register vary fastest: that is the row-major order which
	// slicing by parts relies on.
	for d := len(shape) - 1; d >= 0; d-- {
		for n := 1 << l.shape[d]; n < shape[d]; n *= 2 {
			base := make([]int, len(shape))
			base[d] = n
			bases[Register] = append(bases[Register], base)
		}
	}
	return New(shape, bases)
}

// Widen returns the layout of a tile that has n elements along the last dimension for each of l, held by the same
// thread in consecutive registers.
func (l Layout) Widen(n int) (Layout, error) { return l.WidenAlong(len(l.shape)-1, n) }

// WidenAlong is Widen along any dimension.
func (l Layout) WidenAlong(dim, n int) (Layout, error) {
	bits, ok := log2(n)
	if !ok || l.checkDim(dim) != nil {
		return Layout{}, fmt.Errorf("elements of a tile of shape %v cannot become %d each", l.Shape(), n)
	}
	shape := l.Shape()
	shape[dim] *= n
	var bases Bases
	// The new bits go below all others: the elements that make up one wide one are then consecutive registers, as
	// packing takes them.
	for i := range bits {
		base := make([]int, len(shape))
		base[dim] = 1 << i
		bases[Register] = append(bases[Register], base)
	}
	for a := range Element {
		for i := range l.Bits(a) {
			base := l.Base(a, i)
			base[dim] *= n
			bases[a] = append(bases[a], base)
		}
	}
	return New(shape, bases)
}

// Narrow returns a layout of a tile that has one element for n of l along the last dimension, for which Widen comes
// close to l.
func (l Layout) Narrow(n int) (Layout, error) {
	shape := l.Shape()
	if len(shape) == 0 || n < 1 || shape[len(shape)-1]%n != 0 {
		return Layout{}, fmt.Errorf("%d elements each of a tile of shape %v cannot become one", n, shape)
	}
	last := len(shape) - 1
	shape[last] /= n
	var bases Bases
	for a := range Element {
		for i := range l.Bits(a) {
			base := slices.Clone(l.Base(a, i))
			base[last] /= n
			bases[a] = append(bases[a], base)
		}
	}
	out, err := New(shape, bases)
	if err != nil {
		return Layout{}, err
	}
	return out.CompactRegisters(), nil
}

// Everywhere returns the layout in which every thread holds the entire tile, in registers in row-major order.
func Everywhere(shape []int, lanes, warps int) (Layout, error) {
	log, err := logShape(shape)
	if err != nil {
		return Layout{}, err
	}
	laneBits, ok1 := log2(lanes)
	warpBits, ok2 := log2(warps)
	if !ok1 || !ok2 {
		return Layout{}, fmt.Errorf("%d lanes and %d warps are not powers of two", lanes, warps)
	}
	b := newBuilder(log)
	for d := len(shape) - 1; d >= 0; d-- {
		b.take(Register, d, b.left(d), false)
	}
	for range laneBits {
		b.bases[Lane] = append(b.bases[Lane], 0)
	}
	for range warpBits {
		b.bases[Warp] = append(b.bases[Warp], 0)
	}
	return b.layout()
}
