package linear

import "fmt"

// Part returns the layout of the part of a buffer that begins at the given coordinates, and the offset of its first
// element.
//
// An address is a sum of the buffer's base and an offset, so the part must be contiguous. Its elements take 2^k
// offsets that differ in the lowest k bits only. The swizzle inside must not depend on where the part is. For example,
// a column of a row-major tile is no such part.
func (s Shared) Part(from, shape []int) (Shared, uint64, error) {
	whole := s.Shape()
	log, err := logShape(shape)
	if err != nil {
		return Shared{}, 0, err
	}
	if len(from) != len(whole) || len(shape) != len(whole) {
		return Shared{}, 0, fmt.Errorf("a part of %v at %v is not of the rank of %v", shape, from, whole)
	}
	bits := 0
	for d, n := range shape {
		if from[d] < 0 || from[d]%n != 0 || from[d]+n > whole[d] {
			return Shared{}, 0, fmt.Errorf("%v at %v is none of the parts that %v is cut into", shape, from, whole)
		}
		bits += int(log[d])
	}
	bases := Bases{}
	for i := range bits {
		c := s.layout.Base(Offset, i)
		for d := range c {
			if c[d] >= shape[d] {
				return Shared{}, 0, fmt.Errorf("%v of %v is not a piece of the buffer's memory without gaps", shape, whole)
			}
		}
		bases[Offset] = append(bases[Offset], c)
	}
	flat, err := s.layout.flatten(from)
	if err != nil {
		return Shared{}, 0, err
	}
	start := s.Offset(flat)
	if start&(1<<bits-1) != 0 {
		return Shared{}, 0, fmt.Errorf("the swizzle of %v at %v is not that of its first part", shape, from)
	}
	l, err := New(shape, bases)
	if err != nil {
		return Shared{}, 0, err
	}
	part, err := NewShared(l)
	return part, start, err
}

// Along returns where the bits of the coordinate along a dimension move an element, in elements.
func (s Shared) Along(dim int) []uint32 {
	shift, width := s.layout.field(dim)
	out := make([]uint32, width)
	for i := range out {
		out[i] = uint32(s.Offset(1 << (shift + i)))
	}
	return out
}
