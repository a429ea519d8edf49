package races

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/tilewright/tilewright/target/engine/interp/memory"
)

// Real memory is far below maxAddr. maxSpan bounds the bytes from the first to the last of a tile.
const (
	maxAddr = 1 << 62
	maxSpan = 1 << 46
)

// Everywhere is what Tile returns if it has noted all elements.
const Everywhere = math.MaxUint64

// Tile notes that the current event touches the elements of a tile, of size bytes each, of which the first is at addr.
// It is Access for all of them, in any order, until one races. It returns the address below which it has noted all
// elements. The others are for Access, which finds the first one that races.
//
// It needs no valid addresses: who accesses others gets an error from memory.
func (r *State) Tile(addr, size uint64, dims []memory.Dim, write bool) (noted uint64) {
	length, outer, ok := r.rows(addr, size, dims, write)
	if !ok {
		return 0
	}
	end := addr + length
	for _, d := range outer {
		end += uint64((d.N - 1) * d.Stride)
	}
	byOwn, byOthers := r.deferred(addr, end, write, func() place { return place{addr: addr, length: length, outer: slices.Clone(outer)} })
	if byOwn && byOthers {
		return Everywhere
	}
	noted = r.noteRows(addr, length, outer, r.current(write), levels{!byOwn, seenByOthers(addr)})
	if byOwn && noted != Everywhere {
		r.takeBack(addr)
		return 0
	}
	return noted
}

// Elements is Tile for elements at any addresses, whose list it sorts.
func (r *State) Elements(addrs []uint64, size uint64, write bool) (noted uint64) {
	if len(addrs) == 0 {
		return Everywhere
	}
	if write && !slices.IsSorted(addrs) {
		slices.Sort(addrs)
	}
	var byOwn, byOthers bool
	if end := slices.Max(addrs) + size; end > maxAddr {
		return 0
	} else if !write || apart(addrs, size) {
		byOwn, byOthers = r.deferred(slices.Min(addrs), end, write, func() place { return place{length: size, addrs: slices.Clone(addrs)} })
	}
	if byOwn && byOthers {
		return Everywhere
	}
	if !write {
		slices.Sort(addrs)
	}
	if noted = r.noteSorted(addrs, size, write, levels{!byOwn, seenByOthers(addrs[0])}); byOwn && noted != Everywhere {
		r.takeBack(addrs[0])
		return 0
	}
	return noted
}

// apart reports whether no two elements of a sorted list share bytes.
func apart(addrs []uint64, size uint64) bool {
	for i, at := range addrs[1:] {
		if at < addrs[i]+size {
			return false
		}
	}
	return true
}

// levels says where an access gets records: among those of its own CTA, and among those of all.
type levels struct{ own, all bool }

// noteSorted is noteRange for elements, in order.
func (r *State) noteSorted(addrs []uint64, size uint64, write bool, at levels) (noted uint64) {
	now, first, end := r.current(write), addrs[0], addrs[0]+size
	if seenByOthers(addrs[len(addrs)-1]) != at.all {
		return 0
	}
	if at.all && !r.halves {
		r.warmed += r.Blocks.races.bytes.warm(addrs)
	}
	for _, a := range addrs[1:] {
		switch {
		case a < end && write: // two elements share bytes
			return first
		case a > end:
			if !r.noteRange(first, end-first, now, at) {
				return first
			}
			first = a
		}
		end = a + size
	}
	if !r.noteRange(first, end-first, now, at) {
		return first
	}
	return Everywhere
}

// noteRange notes the current event at some bytes, and reports whether it races at none of them. Else it notes nothing.
func (r *State) noteRange(addr, length uint64, now *Event, at levels) bool {
	r.record(addr, addr+length, at.own)
	first, end := r.position(addr), r.position(addr+length)
	if at.own && r.check(addr, first, end) != nil || at.all && r.Blocks.check(addr, first, end, now) != nil {
		return false
	}
	if at.own {
		r.note(first, end)
	}
	if at.all {
		r.Blocks.note(first, end, now)
	}
	return true
}

// noteRows is noteRange for rows, the lowest first. Rows of loads may overlap: if one of them races, none counts as
// noted, since Access may note a load again.
func (r *State) noteRows(addr, length uint64, outer []memory.Dim, now *Event, at levels) (noted uint64) {
	last := len(outer) - 1
	switch {
	case length == 0:
	case last < 0:
		if !r.noteRange(addr, length, now, at) {
			if now.write {
				return addr
			}
			return 0
		}
	default:
		for i := range uint64(outer[last].N) {
			if noted := r.noteRows(addr+i*uint64(outer[last].Stride), length, outer[:last], now, at); noted != Everywhere {
				return noted
			}
		}
	}
	return Everywhere
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
	return length, outer[inner:], true
}
