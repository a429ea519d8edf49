package timing

import (
	"slices"

	"github.com/tilewright/tilewright/target/engine/emu"
)

// A Buffer is memory that a launch may access, and what samples of its CTAs touched there, in bytes.
type Buffer struct {
	Base, Size uint64
	// Each is what a CTA touches on the mean.
	Each float64
	// Degree is by how many CTAs of a wave each byte is asked for. Again is the part of a wave's bytes that the wave
	// before asked for too.
	Degree, Again float64
}

// A Wave is what CTAs that run at the same time touched at the beginning of their work: by sector, how many of them.
//
// The beginning stands for all. CTAs that share rows or columns go through them in step, so that what they share at
// the first step they share at each.
type Wave struct {
	pages map[uint64]*wavePage
	last  *wavePage // that was asked for
	at    uint64    // its number
}

// pageSectors is how many sectors a page counts. CTAs touch neighbours.
const pageSectors = 1 << 10

type wavePage [pageSectors]uint16

// Add adds a sector that a CTA touched, which names it once.
func (w *Wave) Add(sector uint64) {
	if n := sector / pageSectors; w.last == nil || w.at != n {
		if w.pages == nil {
			w.pages = make(map[uint64]*wavePage)
		}
		if w.pages[n] == nil {
			w.pages[n] = new(wavePage)
		}
		w.last, w.at = w.pages[n], n
	}
	if n := &w.last[sector%pageSectors]; *n < 1<<16-1 {
		*n++
	}
}

// each calls do for the sectors that CTAs touched, with how many of them did.
func (w *Wave) each(do func(sector uint64, ctas uint16)) {
	for n, page := range w.pages {
		for i, ctas := range page {
			if ctas > 0 {
				do(n*pageSectors+uint64(i), ctas)
			}
		}
	}
}

// has says that a CTA touched a sector.
func (w *Wave) has(sector uint64) bool {
	page := w.pages[sector/pageSectors]
	return page != nil && page[sector%pageSectors] > 0
}

// Share sets what waves say about the buffers: how many CTAs of a wave share a byte, and what a second wave finds of
// the first. The second may be empty. Buffers are in the order of their addresses.
func Share(buffers []Buffer, first, second *Wave) {
	asked, distinct, next, again := make([]float64, len(buffers)), make([]float64, len(buffers)), make([]float64, len(buffers)), make([]float64, len(buffers))
	first.each(func(s uint64, n uint16) {
		if i := Find(buffers, s); i >= 0 {
			asked[i] += float64(n)
			distinct[i]++
		}
	})
	second.each(func(s uint64, _ uint16) {
		if i := Find(buffers, s); i >= 0 {
			next[i]++
			if first.has(s) {
				again[i]++
			}
		}
	})
	for i := range buffers {
		buffers[i].Degree = 1
		if distinct[i] > 0 {
			buffers[i].Degree = asked[i] / distinct[i]
		}
		if next[i] > 0 {
			buffers[i].Again = again[i] / next[i]
		}
	}
}

const sectorBytes = emu.SectorBytes

// Find is the buffer that a sector is in, -1 for none.
func Find(buffers []Buffer, sector uint64) int {
	addr := sector * sectorBytes
	i, ok := slices.BinarySearchFunc(buffers, addr, func(b Buffer, addr uint64) int {
		switch {
		case addr < b.Base:
			return 1
		case addr >= b.Base+b.Size:
			return -1
		}
		return 0
	})
	if !ok {
		return -1
	}
	return i
}

// A Traffic is what all CTAs of a grid ask of the memories, in bytes.
type Traffic struct {
	Asked  float64 // each CTA for itself
	Unique float64 // different ones
	Memory float64 // that come from memory, and not from the L2 cache
}

// NewTraffic estimates the traffic of so many CTAs, of which a wave runs at once, on a chip with such an L2 cache.
// Warm: what fits is there from an earlier launch.
//
// The first CTA of a wave that asks for a byte takes it from memory, the others from L2. What fits in L2 is taken from
// memory once. Beyond it, a wave finds what the wave before has touched if L2 holds the bytes of both: least recently
// used lines go first.
func NewTraffic(buffers []Buffer, ctas, wave, l2 float64, warm bool) (t Traffic) {
	wave = min(wave, ctas)
	working := 0.0 // bytes of a wave
	for i := range buffers {
		b := &buffers[i]
		t.Asked += b.Each * ctas
		t.Unique += b.unique(ctas)
		working += min(float64(b.Size), wave*b.Each/b.degree())
	}
	fits := t.Unique <= l2
	for i := range buffers {
		b := &buffers[i]
		unique := b.unique(ctas)
		switch {
		case fits && warm:
		case fits:
			t.Memory += unique
		default:
			again := b.Again
			if 2*working > l2 {
				again = 0
			}
			each := b.Each / b.degree()
			t.Memory += min(ctas*b.Each, max(unique, wave*each+(ctas-wave)*each*(1-again)))
		}
	}
	return t
}

func (b *Buffer) degree() float64 { return max(1, b.Degree) }

// unique is how many bytes of the buffer the grid touches. CTAs that share bytes of a wave are taken to do so in all of
// the grid, until all of the buffer is touched.
func (b *Buffer) unique(ctas float64) float64 {
	return min(float64(b.Size), ctas*b.Each/b.degree())
}
