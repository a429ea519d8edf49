package linear

import (
	"errors"
	"fmt"
	"slices"
)

// Limits of a TMA copy (CUDA driver API, cuTensorMapEncodeTiled): extents of a box, dimensions, and what its
// innermost extent is a multiple of.
const (
	maxBoxExtent = 256
	maxBoxDims   = 5
	boxUnit      = 16 // bytes
	// maxBoxes bounds the copies that fill one buffer, each of which is an instruction.
	maxBoxes = 32
)

// Boxes is how TMA loads fill a buffer, or TMA stores empty it: boxes of one shape, each contiguous in the buffer. In
// a box the innermost dimension comes first, and the swizzle permutes the 16-byte units of a row.
type Boxes struct {
	Swizzle int   // bytes of a row over which chunks are permuted: 32, 64 or 128; 0: none
	Box     []int // extents of a box, by the dimensions of the tile
	Order   []int // the dimensions, innermost first
	Places  []BoxPlace
}

// A BoxPlace is where one box is: its first coordinates in the tile, and its first offset in the buffer, in elements.
type BoxPlace struct {
	From   []int
	Offset int
}

// Align returns what the address of the buffer must be a multiple of, in bytes: the permutation is one of addresses,
// not of offsets.
func (b Boxes) Align() int { return max(128, 8*b.Swizzle) }

// TensorBoxes returns how TMA fills a buffer whose tile has elements along dimension inner next to each other in
// global memory.
//
// Bits of the offset are taken from the lowest on as long as they stay in one box; the others tell boxes apart, in any
// order:
//
//	{shape = [4, 128] of f16, swizzle 128}   offset = [0,1] .. [0,32] | [1,0] [2,0] | [0,64]     box of 4 x 64, twice
func (s Shared) TensorBoxes(elemBits, inner int) (Boxes, error) {
	elem, err := elemLog(elemBits)
	if err != nil {
		return Boxes{}, err
	}
	switch n := s.layout.Dims(); {
	case elem < 3:
		return Boxes{}, fmt.Errorf("elements of %d bits", elemBits)
	case n < 1 || n > maxBoxDims || inner < 0 || inner >= n:
		return Boxes{}, fmt.Errorf("a tile of %d dimensions, where there are from 1 to %d", n, maxBoxDims)
	}
	var first error
	for _, swizzle := range []int{0, 32, 64, 128} {
		b, err := s.boxes(elem, inner, swizzle)
		if err == nil {
			return b, nil
		}
		if first == nil || first == errOrder { // what a swizzle that fits is rejected for says more
			first = err
		}
	}
	return Boxes{}, first
}

var errOrder = errors.New("the buffer keeps elements in an order that no swizzle of 32, 64 or 128 bytes makes")

// boxes is TensorBoxes for one swizzle.
func (s Shared) boxes(elem, inner, swizzle int) (Boxes, error) {
	bases := slices.Clone(s.layout.bases)
	// Undo the swizzle, which XORs the bits of a byte address from 128 up into those from 16 up. What is left must be
	// boxes in plain order.
	if span, ok := log2(swizzle); ok {
		for i := range span - 4 {
			if src, dst := 7+3-elem+i, 4+3-elem+i; src < len(bases) {
				bases[src] ^= bases[dst]
			}
		}
	}
	shape := s.Shape()
	b := Boxes{Swizzle: swizzle, Box: make([]int, len(shape))}
	for d := range b.Box {
		b.Box[d] = 1
	}
	// The lowest bits of the offset, as many as go through one box: along one dimension after the other. A dimension that
	// comes up again later, or a step over a gap, begins another box.
	n := 0
	for ; n < len(bases); n++ {
		d, step, ok := single(s.layout.coords(bases[n]))
		if !ok {
			return b, errOrder
		}
		if step != b.Box[d] || 2*step > maxBoxExtent {
			break
		}
		if i := slices.Index(b.Order, d); i < 0 {
			b.Order = append(b.Order, d)
		} else if i != len(b.Order)-1 {
			break
		}
		b.Box[d] *= 2
	}
	for _, d := range append([]int{inner}, descending(len(shape))...) {
		if !slices.Contains(b.Order, d) {
			b.Order = append(b.Order, d)
		}
	}
	switch row := b.Box[inner] << elem / 8; {
	case b.Order[0] != inner:
		return b, fmt.Errorf("the buffer keeps neighbours of global memory apart")
	case swizzle > 0 && row != swizzle:
		return b, fmt.Errorf("a swizzle of %d bytes, but rows of %d", swizzle, row)
	case row%boxUnit != 0:
		return b, fmt.Errorf("rows of %d bytes, which is no multiple of %d", row, boxUnit)
	case len(bases)-n > 5:
		return b, fmt.Errorf("%d boxes, where at most %d are worth it", 1<<(len(bases)-n), maxBoxes)
	}
	for i := range 1 << (len(bases) - n) {
		p := BoxPlace{From: make([]int, len(shape)), Offset: i << n}
		for k, v := range bases[n:] {
			d, step, ok := single(s.layout.coords(v))
			if !ok {
				return b, errOrder
			}
			if i>>k&1 == 1 {
				p.From[d] += step
			}
		}
		b.Places = append(b.Places, p)
	}
	if at := 1 << n << elem / 8; len(b.Places) > 1 && at%128 != 0 {
		return b, fmt.Errorf("boxes of %d bytes, which would begin between rows of banks", at)
	}
	return b, nil
}

// Parts returns smaller boxes, so that there are at least n: halves of these, or halves of halves. There are fewer
// where rows, or the pattern of the swizzle, would be split.
func (b Boxes) Parts(n, elemBytes int) Boxes {
	for len(b.Places) < n {
		next, ok := b.halves()
		if !ok || product(next.Box)*elemBytes%b.Align() != 0 {
			break
		}
		b = next
	}
	return b
}

// Until returns boxes that are halves of these, or halves of halves, as small as a box; these where none is.
func (b Boxes) Until(box []int) Boxes {
	for at, ok := b, true; ok && len(at.Places) <= maxParts; at, ok = at.halves() {
		if slices.Equal(at.Box, box) {
			return at
		}
	}
	return b
}

// maxParts bounds how many boxes parts of boxes may be.
const maxParts = 8 * maxBoxes

// halves cuts boxes along their outermost dimension, whose elements come last in the buffer.
func (b Boxes) halves() (Boxes, bool) {
	for _, d := range slices.Backward(b.Order) {
		switch {
		case b.Box[d] == 1:
			continue
		case d == b.Order[0]: // rows are not split
			return b, false
		}
		out := Boxes{Swizzle: b.Swizzle, Box: slices.Clone(b.Box), Order: b.Order}
		out.Box[d] /= 2
		for _, p := range b.Places {
			second := BoxPlace{From: slices.Clone(p.From), Offset: p.Offset + product(out.Box)}
			second.From[d] += out.Box[d]
			out.Places = append(out.Places, p, second)
		}
		return out, true
	}
	return b, false
}

func product(xs []int) int {
	n := 1
	for _, x := range xs {
		n *= x
	}
	return n
}

// single returns the only dimension along which coordinates are not 0.
func single(coords []int) (dim, step int, ok bool) {
	for d, c := range coords {
		if c != 0 {
			if step != 0 {
				return 0, 0, false
			}
			dim, step = d, c
		}
	}
	return dim, step, step&(step-1) == 0 && step > 0
}

// descending returns the numbers below n, the largest first.
func descending(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = n - 1 - i
	}
	return out
}
