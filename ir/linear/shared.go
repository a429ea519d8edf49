package linear

import (
	"fmt"
	"slices"
)

// Shared is the layout of a tile in a buffer: offsets, counted in elements, and
// elements correspond one to one. The zero value is a buffer of one element.
type Shared struct {
	layout  Layout   // from Offset
	offsets []uint64 // from the bits of the row-major element number
}

// NewShared checks that a layout with Offset as its only input is invertible.
func NewShared(l Layout) (Shared, error) {
	if l.in.total() != int(l.in[Offset]) {
		return Shared{}, fmt.Errorf("layout of a buffer has threads: %s", l)
	}
	if !l.IsInvertible() {
		return Shared{}, fmt.Errorf("layout of a buffer does not hold each element once: %s", l)
	}
	inverse, _ := preimages(l.bases, unit(len(l.bases)))
	return Shared{l, inverse}, nil
}

// SharedRowMajor stores the tile without gaps or swizzling, the first dimension
// of order fastest: [1, 0] is row-major.
func SharedRowMajor(shape, order []int) (Shared, error) {
	log, err := logShape(shape)
	if err != nil {
		return Shared{}, err
	}
	if err := checkOrder(order, len(shape)); err != nil {
		return Shared{}, err
	}
	b := newBuilder(log)
	for _, dim := range order {
		b.take(Offset, dim, b.left(dim), true)
	}
	l, err := b.layout()
	if err != nil {
		return Shared{}, err
	}
	return NewShared(l)
}

// SharedSwizzled stores the tile in the given order with chunks of vec elements
// permuted inside each row: chunk number XOR row/perPhase mod maxPhase. Rows run
// along the second dimension of order; chunks that would leave a row wrap.
func SharedSwizzled(shape []int, vec, perPhase, maxPhase int, order []int) (Shared, error) {
	plain, err := SharedRowMajor(shape, order)
	if err != nil {
		return Shared{}, err
	}
	v, ok1 := log2(vec)
	per, ok2 := log2(perPhase)
	phases, ok3 := log2(maxPhase)
	if !ok1 || !ok2 || !ok3 {
		return Shared{}, fmt.Errorf("swizzle with vec %d, perPhase %d and maxPhase %d: not powers of two", vec, perPhase, maxPhase)
	}
	if len(order) < 2 {
		return plain, nil
	}
	cols, rows := int(plain.layout.shape[order[0]]), int(plain.layout.shape[order[1]])
	return plain.swizzled(cols+per, v, min(phases, cols-v, rows-per))
}

// SharedTMA stores the tile as TMA and wgmma expect it with swizzling over 32, 64 or 128 bytes, or 0 for none. Boxes
// are as wide as the swizzle and follow one after the other. In each box the 16-byte units of a row are permuted by
// the bits of the address from 128 bytes up.
func SharedTMA(shape []int, elemBits, swizzleBytes int, order []int) (Shared, error) {
	if swizzleBytes == 0 {
		return SharedRowMajor(shape, order)
	}
	span, ok := log2(swizzleBytes)
	if !ok || span < 5 || span > 7 {
		return Shared{}, fmt.Errorf("swizzle over %d bytes, expected 32, 64 or 128", swizzleBytes)
	}
	elem, err := elemLog(elemBits)
	if err != nil {
		return Shared{}, err
	}
	log, err := logShape(shape)
	if err != nil {
		return Shared{}, err
	}
	if err := checkOrder(order, len(shape)); err != nil {
		return Shared{}, err
	}
	inner := span + 3 - elem // log2 of the elements of a row of a box
	if len(order) == 0 || int(log[order[0]]) < inner {
		return Shared{}, fmt.Errorf("shape %v has rows of less than %d bytes", shape, swizzleBytes)
	}
	b := newBuilder(log)
	b.take(Offset, order[0], inner, true)
	for _, dim := range order[1:] {
		b.take(Offset, dim, b.left(dim), true)
	}
	b.take(Offset, order[0], b.left(order[0]), true)
	l, err := b.layout()
	if err != nil {
		return Shared{}, err
	}
	plain, err := NewShared(l)
	if err != nil {
		return Shared{}, err
	}
	return plain.swizzled(7+3-elem, 4+3-elem, min(span-4, len(l.bases)-(7+3-elem)))
}

// swizzled XORs n bits of the offset, from bit src on, to those from bit dst on.
func (s Shared) swizzled(src, dst, n int) (Shared, error) {
	l := s.layout
	l.bases = slices.Clone(l.bases)
	for i := range n {
		l.bases[src+i] ^= s.layout.bases[dst+i]
	}
	return NewShared(l)
}

// elemLog returns log2 of the width of an element.
func elemLog(elemBits int) (int, error) {
	n, ok := log2(elemBits)
	if !ok || elemBits > 128 {
		return 0, fmt.Errorf("element width %d is not a power of two up to 128", elemBits)
	}
	return n, nil
}

// Layout returns s as a layout from Offset.
func (s Shared) Layout() Layout { return s.layout }

// Shape returns the extents of the tile.
func (s Shared) Shape() []int { return s.layout.Shape() }

// Offset returns the offset of the element with a row-major number.
func (s Shared) Offset(element uint64) uint64 { return apply(s.offsets, element) }

// Equal reports whether s and o store the same tile in the same way.
func (s Shared) Equal(o Shared) bool { return s.layout.Equal(o.layout) }

// String prints the layout; ParseShared reads it.
func (s Shared) String() string { return s.layout.String() }

// ParseShared reads the layout of a buffer.
func ParseShared(text string) (Shared, error) {
	l, err := Parse(text)
	if err != nil {
		return Shared{}, err
	}
	return NewShared(l)
}

// Permute returns the transposed view of the same buffer; see [Layout.Permute].
func (s Shared) Permute(perm []int) (Shared, error) { return s.view(s.layout.Permute(perm)) }

// Reshape returns another view of the same buffer; see [Layout.Reshape].
func (s Shared) Reshape(shape []int) (Shared, error) { return s.view(s.layout.Reshape(shape)) }

func (s Shared) view(l Layout, err error) (Shared, error) {
	if err != nil {
		return Shared{}, err
	}
	return NewShared(l)
}

// Offsets returns the map from a position of a distributed layout of the same
// tile to the offset of its element.
func (s Shared) Offsets(dist Layout) (Map, error) {
	if !slices.Equal(dist.shape, s.layout.shape) {
		return Map{}, fmt.Errorf("layout of shape %v does not fit a buffer of shape %v", dist.Shape(), s.Shape())
	}
	cols := make([]uint64, len(dist.bases))
	for i, v := range dist.bases {
		cols[i] = apply(s.offsets, v)
	}
	return Map{dist.in, widths{Offset: s.layout.in[Offset]}, cols}, nil
}
