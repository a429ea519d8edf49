package linear

import (
	"fmt"
	"math/bits"
	"slices"
)

// Limits of a layout. They keep coordinates and packed indices inside a word and
// bound what hostile text can make the package allocate.
const (
	MaxDims        = 32 // dimensions of a tile
	MaxElementBits = 30 // log2 of the number of elements of a tile
	MaxAxisBits    = 30 // log2 of the extent of one input axis
	MaxInputBits   = 62 // log2 of the number of positions over all input axes
)

// Layout is a linear map from positions (register, lane, warp and block, or an
// offset) to the coordinates of a tile. The zero value is the layout of a single
// element of rank 0 in a single position. A Layout is immutable; copies share
// their storage.
type Layout struct {
	in    widths
	shape []uint8  // log2 of each extent
	bases []uint64 // flat coordinates, one per input bit
}

// Bases lists, for each input axis, the coordinates of each of its bits:
//
//	Bases{Register: {{0, 1}}, Lane: {{0, 2}, {1, 0}}}
type Bases [Element][][]int

// New builds a layout from its bases. Every extent must be a power of two and
// every coordinate inside the shape.
func New(shape []int, bases Bases) (Layout, error) {
	l, err := empty(shape)
	if err != nil {
		return Layout{}, err
	}
	for a, list := range bases {
		if len(list) > MaxAxisBits {
			return Layout{}, fmt.Errorf("layout has %d bases for %s, at most %d are supported", len(list), Axis(a), MaxAxisBits)
		}
		l.in[a] = uint8(len(list))
	}
	if n := l.in.total(); n > MaxInputBits {
		return Layout{}, fmt.Errorf("layout has %d input bits, at most %d are supported", n, MaxInputBits)
	}
	if l.in[Offset] > 0 && l.in.total() != int(l.in[Offset]) {
		return Layout{}, fmt.Errorf("layout has both offset bases and bases of threads: a layout describes either a buffer or a distributed tile")
	}
	l.bases = make([]uint64, 0, l.in.total())
	for a, list := range bases {
		for bit, coords := range list {
			flat, err := l.flatten(coords)
			if err != nil {
				return Layout{}, fmt.Errorf("basis %d of %s: %w", bit, Axis(a), err)
			}
			l.bases = append(l.bases, flat)
		}
	}
	return l, nil
}

// empty returns a layout with the shape and no inputs.
func empty(shape []int) (Layout, error) {
	log, err := logShape(shape)
	return Layout{shape: log}, err
}

func logShape(shape []int) ([]uint8, error) {
	if len(shape) > MaxDims {
		return nil, fmt.Errorf("shape has %d dimensions, at most %d are supported", len(shape), MaxDims)
	}
	log, total := make([]uint8, len(shape)), 0
	for i, n := range shape {
		b, ok := log2(n)
		if !ok {
			return nil, fmt.Errorf("extent %d of dimension %d is not a power of two", n, i)
		}
		log[i] = uint8(b)
		total += b
	}
	if total > MaxElementBits {
		return nil, fmt.Errorf("shape %v has 2^%d elements, at most 2^%d are supported", shape, total, MaxElementBits)
	}
	return log, nil
}

func log2(n int) (int, bool) {
	if n <= 0 || n&(n-1) != 0 {
		return 0, false
	}
	return bits.TrailingZeros(uint(n)), true
}

// Dims returns the number of dimensions of the tile.
func (l Layout) Dims() int { return len(l.shape) }

// Shape returns the extents of the tile.
func (l Layout) Shape() []int {
	out := make([]int, len(l.shape))
	for i, b := range l.shape {
		out[i] = 1 << b
	}
	return out
}

// ElementBits returns log2 of the number of elements of the tile.
func (l Layout) ElementBits() int {
	n := 0
	for _, b := range l.shape {
		n += int(b)
	}
	return n
}

// Bits returns log2 of the extent of an input axis.
func (l Layout) Bits(a Axis) int { return int(l.in[a]) }

// Size returns the extent of an input axis, such as the registers per thread.
func (l Layout) Size(a Axis) int { return 1 << l.in[a] }

// FlatBase returns the row-major element number that an input bit contributes.
// The bit must be below Bits(a).
func (l Layout) FlatBase(a Axis, bit int) uint64 { return l.axisBases(a)[bit] }

// Base returns the coordinates that an input bit contributes.
func (l Layout) Base(a Axis, bit int) []int { return l.coords(l.FlatBase(a, bit)) }

func (l Layout) axisBases(a Axis) []uint64 {
	s := l.in.shift(a)
	return l.bases[s : s+int(l.in[a]) : s+int(l.in[a])]
}

// Map returns l as a map to the row-major number of the element.
func (l Layout) Map() Map {
	return Map{l.in, widths{Element: uint8(l.ElementBits())}, l.bases}
}

// Equal reports whether l and o have the same shape, inputs and bases.
func (l Layout) Equal(o Layout) bool {
	return l.in == o.in && slices.Equal(l.shape, o.shape) && slices.Equal(l.bases, o.bases)
}

// field returns where a dimension lies in flat coordinates.
func (l Layout) field(dim int) (shift, width int) {
	for _, b := range l.shape[dim+1:] {
		shift += int(b)
	}
	return shift, int(l.shape[dim])
}

// dimMask returns the flat bits of a dimension.
func (l Layout) dimMask(dim int) uint64 {
	shift, width := l.field(dim)
	return (1<<width - 1) << shift
}

func (l Layout) flatten(coords []int) (uint64, error) {
	if len(coords) != len(l.shape) {
		return 0, fmt.Errorf("%d coordinates, expected %d", len(coords), len(l.shape))
	}
	var flat uint64
	for i, c := range coords {
		if c < 0 || c >= 1<<l.shape[i] {
			return 0, fmt.Errorf("coordinate %d of dimension %d is outside its extent %d", c, i, 1<<l.shape[i])
		}
		flat = flat<<l.shape[i] | uint64(c)
	}
	return flat, nil
}

func (l Layout) coords(flat uint64) []int {
	out := make([]int, len(l.shape))
	for i := len(l.shape) - 1; i >= 0; i-- {
		out[i] = int(flat & (1<<l.shape[i] - 1))
		flat >>= l.shape[i]
	}
	return out
}

// withBases returns a layout with the same inputs.
func (l Layout) withBases(shape []uint8, f func(flat uint64) uint64) Layout {
	out := Layout{l.in, shape, make([]uint64, len(l.bases))}
	for i, b := range l.bases {
		out.bases[i] = f(b)
	}
	return out
}
