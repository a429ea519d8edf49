package linear

import "fmt"

// Axis names a space of indices: a level of the thread hierarchy, or memory.
type Axis uint8

// The axes. A tile that is distributed over threads has the first four as its
// inputs, a buffer has Offset, counted in elements. Element is the row-major
// number of an element in its tile; it occurs in a [Map] only, where it stands for
// the coordinates.
const (
	Register Axis = iota
	Lane
	Warp
	Block
	Offset
	Element
	NumAxes = int(Element) + 1
)

var axisNames = [NumAxes]string{"register", "lane", "warp", "block", "offset", "element"}

func (a Axis) String() string {
	if int(a) < NumAxes {
		return axisNames[a]
	}
	return fmt.Sprintf("axis(%d)", uint8(a))
}

// Index is a position: one value per axis.
type Index [NumAxes]uint32

// widths is the number of bits of each axis. The bits of several axes form one
// vector, with Register in the lowest bits and Element in the highest.
type widths [NumAxes]uint8

func (w widths) total() int {
	n := 0
	for _, b := range w {
		n += int(b)
	}
	return n
}

func (w widths) shift(a Axis) int {
	n := 0
	for _, b := range w[:a] {
		n += int(b)
	}
	return n
}

// mask has the bits of the given axis in the packed vector.
func (w widths) mask(a Axis) uint64 { return (1<<w[a] - 1) << w.shift(a) }

// pack drops bits of idx that exceed an axis.
func (w widths) pack(idx Index) uint64 {
	var v uint64
	shift := 0
	for a, b := range w {
		v |= (uint64(idx[a]) & (1<<b - 1)) << shift
		shift += int(b)
	}
	return v
}

func (w widths) unpack(v uint64) Index {
	var idx Index
	for a, b := range w {
		idx[a] = uint32(v & (1<<b - 1))
		v >>= b
	}
	return idx
}
