package races

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/tilewright/tilewright/target/engine/interp/memory"
)

// Real memory is far below maxAddr. maxSpan bounds the bytes from the first to the last of a tile.
const (
	maxAddr = 1 << 62
	maxSpan = 1 << 46
)

// Tile notes that the current event touches the elements of a tile, of size bytes each, of which the first is at addr.
// It is Access for all of them, in any order. If one of them may race, it reports false and notes nothing: Access finds
// the first one.
//
// It needs no valid addresses: who accesses others gets an error from memory.
func (r *State) Tile(addr, size uint64, dims []memory.Dim, write bool) bool {
	length, outer, ok := r.rows(addr, size, dims, write)
	if !ok {
		return false
	}
	now, shared := r.current(write), seenByOthers(addr)
	if length == 0 {
		return true
	}
	if r.halves {
		addr, length = 2*addr, 2*length
	}
	return each(addr, outer, func(first uint64) bool { return r.mayAccess(first, first+length, shared, now) }) &&
		each(addr, outer, func(first uint64) bool { return r.noteAccess(first, first+length, shared, now) })
}

// Elements is Tile for elements at any addresses, whose list it sorts.
func (r *State) Elements(addrs []uint64, size uint64, write bool) bool {
	if len(addrs) == 0 {
		return true
	}
	if !slices.IsSorted(addrs) {
		slices.Sort(addrs)
	}
	last := addrs[len(addrs)-1] + size - 1
	if last > maxAddr || seenByOthers(addrs[0]) != seenByOthers(last) {
		return false
	}
	now, shared := r.current(write), seenByOthers(addrs[0])
	return r.ranges(addrs, size, write, func(first, end uint64) bool { return r.mayAccess(first, end, shared, now) }) &&
		r.ranges(addrs, size, write, func(first, end uint64) bool { return r.noteAccess(first, end, shared, now) })
}

// ranges calls f with the positions of sorted elements, neighbours together, until f returns false. It reports whether
// it never did, and false if two elements of a store share bytes.
func (r *State) ranges(addrs []uint64, size uint64, write bool, f func(first, end uint64) bool) bool {
	scale := uint64(1)
	if r.halves {
		scale = 2
	}
	first, end := addrs[0], addrs[0]+size
	for _, at := range addrs[1:] {
		switch {
		case at < end && write:
			return false
		case at > end:
			if !f(first*scale, end*scale) {
				return false
			}
			first = at
		}
		end = at + size
	}
	return f(first*scale, end*scale)
}

// mayAccess reports whether the current event races at none of some positions.
func (r *State) mayAccess(first, end uint64, shared bool, now *Event) bool {
	return r.check(first, first, end) == nil && (!shared || r.Blocks.check(first, first, end, now) == nil)
}

// noteAccess adds the current event to positions.
func (r *State) noteAccess(first, end uint64, shared bool, now *Event) bool {
	if r.note(first, end); shared {
		r.Blocks.note(first, end, now)
	}
	return true
}

// rows returns the bytes of a tile as rows of some length, and the dimensions along which they are repeated. It reports
// false if two elements of a store share bytes, and for what no tile in memory is.
//
// A transposed tile has the rows of the tile in memory: the dimension with the least stride is the innermost.
func (r *State) rows(addr, size uint64, dims []memory.Dim, write bool) (length uint64, outer []memory.Dim, ok bool) {
	outer = r.dims[:0]
	for _, d := range dims {
		switch {
		case d.N == 0:
			return 0, nil, true
		case d.N == 1:
		case d.Stride < 0 || d.Stride > maxSpan || d.Stride == 0 && write:
			return 0, nil, false
		case d.Stride > 0:
			outer = append(outer, memory.Dim{N: d.N, Stride: d.Stride * int64(size)})
		}
	}
	r.dims = outer
	slices.SortFunc(outer, func(a, b memory.Dim) int { return cmp.Compare(a.Stride, b.Stride) })
	span, inner := size, 0
	length = size
	for i, d := range outer {
		stride := uint64(d.Stride)
		switch {
		case stride == length && i == inner:
			length *= uint64(d.N)
			inner++
		case stride < span && write:
			return 0, nil, false
		}
		high, low := bits.Mul64(uint64(d.N-1), stride)
		if span += low; high != 0 || low > maxSpan || span > maxSpan {
			return 0, nil, false
		}
	}
	if last := addr + span - 1; addr > maxAddr || seenByOthers(addr) != seenByOthers(last) {
		return 0, nil, false
	}
	outer = outer[inner:]
	if r.halves {
		for i := range outer {
			outer[i].Stride *= 2
		}
	}
	return length, outer, true
}

// each calls f with the first position of each row, until f returns false, and reports whether it never did.
func each(first uint64, outer []memory.Dim, f func(first uint64) bool) bool {
	if len(outer) == 0 {
		return f(first)
	}
	last := len(outer) - 1
	for i := range outer[last].N {
		if !each(first+uint64(i)*uint64(outer[last].Stride), outer[:last], f) {
			return false
		}
	}
	return true
}
