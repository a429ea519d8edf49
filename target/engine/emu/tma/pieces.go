package tma

import (
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// copyMode is the load mode of a TMA copy ("Tensor Access Modes").
type copyMode uint8

const (
	copyTile   copyMode = iota
	copyRows            // tile::gather4 and tile::scatter4: four rows
	copyIm2col          // im2col, and im2col_no_offs
	copyWide            // im2col::w
	copyWide128
)

// box is what one TMA copy moves: start coordinates and, by mode, row
// numbers or offsets.
type box struct {
	mode   copyMode
	at     [5]int64
	rows   [4]int64
	offset [3]int64 // of the filter: w, h and d; of im2col::w: halo and offset
}

// tensorRun collects the pieces of a copy, row by row of shared memory.
type tensorRun struct {
	m      *tensorMap
	base   uint64 // of shared memory
	linear uint64 // bytes of shared memory so far
	change change
	out    []piece
}

// row adds the box's extent of the innermost dimension, from x on, at the global address of the other dimensions, or
// outside of the tensor.
//
// Rows are cut where the swizzle may tear them apart, so that the piece at a border has 16 bytes. What fills a span of the
// swizzle is one piece, whose chunks change places.
func (r *tensorRun) row(x int64, global uint64, in bool) {
	m := r.m
	a := m.atom()
	atoms, limit, start := int64(m.box[0])/a.elems, int64(m.dims[0])/a.elems, x/a.elems
	size := a.shared
	step := max(int64(m.swizzle.chunk()/size), 1)
	align := int(min(a.global, 4))
	if a.global&(a.global-1) == 0 {
		align = int(a.global)
	}
	span := int64(0)
	if a.global == size {
		span = int64(m.swizzle.span(uint64(atoms)*size) / size)
	}
	out, base, fill := r.out, r.base+r.linear, m.fill
	for k := int64(0); k < atoms; {
		first, to := start+k, base+uint64(k)*size
		count := step
		inside := func() bool { return in && first >= 0 && first+count <= limit }
		outside := func() bool { return !in || first+count <= 0 || first >= limit }
		if span > step && k+span <= atoms && m.swizzle.starts(to) {
			if count = span; !inside() && !outside() {
				count = step
			}
		}
		p := piece{to: to, from: noSource, n: int(count) * int(a.global), align: align}
		if count == span {
			p.exchange = m.swizzle.place(to) ^ to
		} else {
			p.to = m.swizzle.place(to)
		}
		switch {
		case inside():
			p.from, p.change = global+uint64(first)*a.global, r.change
			out = append(out, p)
		case outside():
			p.fill = fill
			out = append(out, p)
		default:
			for e := range count {
				p := piece{to: p.to + uint64(e)*size, from: noSource, n: int(a.global), align: align, fill: fill}
				if y := first + e; in && y >= 0 && y < limit {
					p.change = r.change
					p.from = global + uint64(y)*a.global
				}
				out = append(out, p)
			}
		}
		k += count
	}
	r.out = out
	r.linear += uint64(atoms) * size
}

// place is the global address of coordinates, and whether they are inside
// of the tensor; the innermost coordinate does not count.
//
// Outside coordinates wrap in the sum; the address is not used then.
func (m *tensorMap) place(c [5]int64) (global uint64, in bool) {
	global, in = m.address, true
	for i := 1; i < 5; i++ {
		in = in && c[i] >= 0 && c[i] < int64(m.dims[i])
		global += uint64(c[i]) * m.strides[i]
	}
	return global, in
}

// runs lists what a box moves between the tensor and shared memory at base.
// Elements outside of the tensor have address noSource.
//
// Loads and stores share the list: a store reverses each piece and leaves out those outside of the tensor.
func (m *tensorMap) runs(base uint64, b box, load bool) []piece {
	r := tensorRun{m: m, base: base, change: m.change(load)}
	if b.mode == copyTile {
		r.out = make([]piece, 0, m.bytes/max(m.swizzle.width, m.swizzle.chunk())) // more where the tensor ends
	}
	switch b.mode {
	case copyTile:
		r.tile(b)
	case copyRows:
		for _, y := range b.rows {
			c := b.at
			c[1] = y
			global, in := m.place(c)
			r.row(b.at[0], global, in)
		}
	case copyIm2col:
		r.im2col(b)
	default:
		r.wide(b)
	}
	return r.out
}

// tile visits the box; with an element stride, only every so many elements
// of a dimension.
//
// The element stride leaves gaps in the tensor, not in shared memory, where the elements lie close together.
func (r *tensorRun) tile(b box) {
	m := r.m
	var c [5]uint64
	for {
		at := b.at
		for i := 1; i < 5; i++ {
			at[i] += int64(c[i])
		}
		global, in := m.place(at)
		r.row(b.at[0], global, in)
		i := 1
		for ; i < 5; i++ {
			if c[i] += m.elementStrides[i]; c[i] < m.box[i] {
				break
			}
			c[i] = 0
		}
		if i == 5 {
			return
		}
	}
}

// reducible is the type that a reduction of tensor elements works on.
func reducible(t syntax.Type) syntax.Type {
	if t == syntax.TF32 {
		return syntax.F32
	}
	return t
}
