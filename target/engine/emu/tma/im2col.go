package tma

import (
	"fmt"
)

// im2col visits the pixels of a column ("im2col mode"). It goes from the filter base along w first, then h, d and n,
// each in steps of its traversal stride and within the bounding box. The offsets of the filter are added to where the
// pixels are read. Pixels after the last image are outside of the tensor.
//
// It is a walk and not arithmetic on the number of the pixel. The ISA defines it so, with a carry from one dimension to
// the next at the corner of the bounding box.
func (r *tensorRun) im2col(b box) {
	m := r.m
	c := b.at
	for range m.pixels {
		at := c
		for i := range m.spatial() {
			at[1+i] += b.offset[i]
		}
		global, in := m.place(at)
		r.row(b.at[0], global, in)
		for i := 1; i < m.rank; i++ {
			if i == m.rank-1 {
				c[i]++
				break
			}
			if c[i] += int64(m.elementStrides[i]); c[i] <= m.last(i) {
				break
			}
			c[i] = m.lower[i-1]
		}
	}
}

// last is the largest coordinate of the bounding box in a dimension.
func (m *tensorMap) last(i int) int64 { return int64(m.dims[i]) - 1 + m.upper[i-1] }

// spatial is the number of dimensions between the channels and the images.
func (m *tensorMap) spatial() int { return m.rank - 2 }

// wide visits the pixels of im2col::w, which go along w and, after the end of the bounding box, on in the next image.
// The halo are pixels that follow the last one. im2col::w::128 has 128 pixels and a halo after each 32 of them. The
// pixels of that halo are those with which the next 32 begin.
func (r *tensorRun) wide(b box) {
	m := r.m
	halo, offset := int(b.offset[0]), b.offset[1]
	pixels, part := int(m.pixels), int(m.pixels)
	if b.mode == copyWide128 {
		pixels, part = 128, 32
	}
	c := b.at
	c[1] += offset
	low, last := m.lower[0]+offset, m.last(1)+offset
	for done := 0; done < pixels; done += part {
		var next [5]int64
		for k := range part + halo {
			if k == part {
				next = c
			}
			global, in := m.place(c)
			r.row(b.at[0], global, in)
			if c[1] += int64(m.elementStrides[1]); c[1] > last {
				c[1] = low
				c[m.rank-1]++
			}
		}
		if halo > 0 {
			c = next
		}
	}
}

// fits reports why the map does not go with the copy, if it does not.
func (m *tensorMap) fits(b box, load bool) error {
	want := mapTiled
	switch b.mode {
	case copyIm2col:
		want = mapIm2col
	case copyWide, copyWide128:
		want = mapWide
	}
	flip := m.swizzle.width == 128 && m.swizzle.atomicity == atom32Flip8
	a := m.atom()
	switch {
	case m.mode != want:
		return fmt.Errorf("the map is %s, the copy is %s", modeNames[m.mode], modeNames[want])
	case b.mode == copyWide && m.pixels == 0:
		return fmt.Errorf("the map has no pixels")
	case b.mode == copyRows && (m.rank != 2 || m.box[1] != 1):
		return fmt.Errorf("a copy of four rows needs two dimensions and a box of one row, not %d and %d", m.rank, m.box[1])
	case !load && flip:
		return fmt.Errorf("a swizzle with a flip of 8 bytes is for loads only")
	case !load && m.t.name == "b4x16_p64":
		return fmt.Errorf("type .b4x16_p64 is for loads only")
	case a.elems == 16 && b.at[0]%128 != 0, b.at[0]%a.elems != 0:
		return fmt.Errorf("coordinate %d is in the middle of the packed elements", b.at[0])
	case want == mapWide && (m.swizzle.width == 0 || flip):
		return fmt.Errorf("this swizzle does not go with im2col::w")
	case b.mode == copyWide128 && m.swizzle.width == 96:
		return fmt.Errorf("swizzle 96 does not go with im2col::w::128")
	}
	if b.mode == copyIm2col {
		return m.fitsBounds(b, load)
	}
	return nil
}

// fitsBounds reports why a copy of columns does not go with the bounding box of its map, if it does not.
func (m *tensorMap) fitsBounds(b box, load bool) error {
	for i := range m.spatial() {
		if x := b.at[1+i]; x < m.lower[i] || x > m.last(1+i) {
			return fmt.Errorf("coordinate %d of dimension %d is outside of the bounding box from %d to %d", x, 1+i, m.lower[i], m.last(1+i))
		}
	}
	for i := range m.spatial() {
		if !load && (m.lower[i] < 0 || m.upper[i] > 0) {
			return fmt.Errorf("the bounding box of a store leaves the tensor in dimension %d", 1+i)
		}
	}
	return nil
}
