package linear

import (
	"fmt"
	"slices"
)

// Scales returns the layouts of the scales of a block-scaled MMA of this tile; each scale is for several elements
// along K. The scales of A have the shape [..., M, blocks], those of B [..., blocks, N].
//
// An instruction reads a byte from a register of some lanes, and names the byte and the lanes for the entire warp (PTX
// ISA, "Block Scaling for mma.sync"). For the rows of A it reads from one pair of the four lanes that have a row. For
// the columns of B it reads from one of the four. So the four lanes need not hold the same scales:
//
//	A   lane 4g     row g of one fragment, 4g+1 row g+8;    4g+2 and 4g+3 the same of another fragment, half of all away
//	B   lane 4g+i   column g of fragment i of four, a quarter of all away from each other
//
// Each warp holds each scale once. An instruction takes the scales of so many blocks together. Fragments that lanes
// tell apart are the furthest ones, so that scales that are adjacent in memory stay in one thread.
func (t MMATile) Scales(m MMA, blocks, together, warpsM, warpsN, interleaveM, interleaveN int) (a, b Layout, err error) {
	if a, err = m.scales(t.C, true, blocks, together, warpsM, warpsN, interleaveM); err == nil {
		b, err = m.scales(t.C, false, blocks, together, warpsM, warpsN, interleaveN)
	}
	return a, b, err
}

// scales returns the layout for the rows of the accumulator c, or for its columns.
func (m MMA) scales(c Layout, rows bool, blocks, together, warpsM, warpsN, interleave int) (Layout, error) {
	shape := c.Shape()
	side, along := len(shape)-2, len(shape)-1
	if !rows {
		side, along = along, side
	}
	shape[along] = blocks
	log, err := logShape(shape)
	if err != nil {
		return Layout{}, err
	}
	wm, ok1 := log2(warpsM)
	wn, ok2 := log2(warpsN)
	taken, ok3 := log2(together)
	dealt, ok4 := log2(interleave) // of rows, the lowest bit tells the halves of a fragment apart
	if !ok1 || !ok2 || !ok3 || !ok4 || m.Warps != 1 || m.M != 16 || m.N != 8 {
		return Layout{}, fmt.Errorf("there are no scales of %s for %d x %d warps", m, warpsM, warpsN)
	}
	f := newBuilder(log)
	own, neighbours := wm, max(0, dealt-1)
	if !rows {
		own, neighbours = wn, dealt
	}
	// The groups of four lanes have the rows, or columns, of a fragment. Two lanes of a group have the halves of 16
	// rows. Warps and lanes have the highest bits of the rest.
	var lanes []uint64
	group := f.bits(side, fragmentLog)
	halves := 0
	if rows {
		lanes = f.bits(side, 1)
		halves = 1
	}
	fragments := max(0, f.left(side)-own)
	apart := min(fragments, 2-halves)
	// Registers: first what an instruction takes together, then neighbours along rows or columns, where fragments
	// have them apart: then scales lie in memory as the factors do.
	neighbours = min(neighbours, fragments-apart)
	f.take(Register, along, taken, false)
	f.take(Register, side, neighbours, false)
	f.take(Register, along, f.left(along), false)
	f.take(Register, side, fragments-apart-neighbours, false)
	lanes = append(lanes, f.bits(side, apart)...)
	for len(lanes) < 2 {
		lanes = append(lanes, 0)
	}
	f.bases[Lane] = append(lanes, group...)
	warps := func(mine bool, n int) {
		if mine {
			f.take(Warp, side, n, true)
			return
		}
		for range n {
			f.bases[Warp] = append(f.bases[Warp], 0)
		}
	}
	warps(rows, wm)
	warps(!rows, wn)
	for dim := len(shape) - 3; dim >= 0; dim-- {
		f.take(Register, dim, f.left(dim), false)
	}
	l, err := f.layout()
	if err == nil && dealt > 0 {
		l = l.rotate(side, fragmentLog+dealt, dealt)
	}
	return l, err
}

// bits returns the next n bits of a dimension as bases, without giving them to an axis; those beyond the extent are
// zero.
func (b *builder) bits(dim, n int) (bases []uint64) {
	at := len(b.bases[Lane])
	b.take(Lane, dim, n, true)
	bases = append(bases, b.bases[Lane][at:]...)
	b.bases[Lane] = b.bases[Lane][:at]
	return bases
}

// A ScalePlace is where the threads of each warp hold the scales of a fragment: in consecutive registers from First.
// Thread is the pair of lanes (A), or the lane (B), of each group of four that has them.
type ScalePlace struct{ First, Thread int }

// ScalesOfA finds the factors of fragment i of the rows for n blocks from the given one on, and reports whether l has
// them where an instruction can take them.
func (t MMATile) ScalesOfA(l Layout, batch, i, block, n int) (ScalePlace, bool) {
	return findScales(l, l.Dims()-1, block, n, 2, func(group, half, warp uint32) []int {
		return t.C.Apply(Index{Register: uint32(t.FirstC(batch, i, 0)) + 2*half, Lane: 4 * group, Warp: warp})
	})
}

// ScalesOfB is ScalesOfA for fragment j of the columns.
func (t MMATile) ScalesOfB(l Layout, batch, j, block, n int) (ScalePlace, bool) {
	return findScales(l, l.Dims()-2, block, n, 1, func(group, _, warp uint32) []int {
		return t.B.Apply(Index{Register: uint32(t.FirstB(batch, j, 0)), Lane: 4 * group, Warp: warp})
	})
}

// findScales finds the factors of n blocks for what at names: by group of lanes, by half of 16 rows where members is
// 2, and by warp.
func findScales(l Layout, along, block, n, members int, at func(group, half, warp uint32) []int) (p ScalePlace, ok bool) {
	if l.Size(Lane) != 32 {
		return p, false
	}
	holds := func(p ScalePlace, group, half, warp uint32) bool {
		want := at(group, half, warp)
		for i := range n {
			want[along] = block + i
			got := l.Apply(Index{Register: uint32(p.First + i), Lane: 4*group + uint32(members*p.Thread) + half, Warp: warp})
			if !slices.Equal(got, want) {
				return false
			}
		}
		return true
	}
	all := func(p ScalePlace) bool {
		for warp := range uint32(l.Size(Warp)) {
			for group := range uint32(8) {
				for half := range uint32(members) {
					if !holds(p, group, half, warp) {
						return false
					}
				}
			}
		}
		return true
	}
	for p.First = 0; p.First < l.Size(Register); p.First += n {
		for p.Thread = range 4 / members {
			if holds(p, 0, 0, 0) {
				return p, all(p)
			}
		}
	}
	return p, false
}
