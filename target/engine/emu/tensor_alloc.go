package emu

import (
	"fmt"
	"math/bits"
)

// allocWait is a warp that waits at an operation that the two CTAs of a pair
// execute together (PTX ISA, "Issue Granularity").
type allocWait struct {
	w     *warp
	s     *split
	what  string
	count uint64
	first uint64 // column that is freed
	at    uint64 // where the address of the allocation goes
}

// free reports whether columns [first, first+n) belong to nobody.
func (t *tensorMemory) free(first, n int) bool {
	for _, o := range t.owner[first/tensorUnit : (first+n)/tensorUnit] {
		if o != 0 {
			return false
		}
	}
	return true
}

// columnCount checks the number of columns of an allocation.
func columnCount(w *warp, n uint64) bool {
	if n < tensorUnit || n > tensorColumns || bits.OnesCount64(n) != 1 {
		w.faultf(0, "%d columns of tensor memory are not a power of two from %d to %d", n, tensorUnit, tensorColumns)
		return false
	}
	return true
}

// together calls f with what the warps of the CTAs want, which is one warp
// without a pair. The first warp of a pair waits for the second, which takes
// the fault of f.
func (d *decoder) together(pair bool, prepare func(w *warp) (*allocWait, bool), f func(all []*allocWait) (wrong string)) {
	if pair {
		d.in.kind = kindBarrier
	}
	d.wholeWarp(func(w *warp, m uint32) {
		a, ok := prepare(w)
		if !ok {
			return
		}
		a.w, a.s = w, w.cur
		if !pair {
			if wrong := f([]*allocWait{a}); wrong != "" {
				w.faultf(0, "%s", wrong)
			}
			return
		}
		ctas := w.tensorCTAs(0, true)
		if w.err != nil {
			return
		}
		mine, other := memoryOf(w.cta), memoryOf(ctas[w.cta.rank&1^1])
		b := other.waiting
		switch {
		case mine.waiting != nil:
			w.faultf(0, "warp %d of the same CTA already waits at '%s' for the other CTA of the pair", mine.waiting.w.id, mine.waiting.what)
		case b == nil:
			mine.waiting, w.cur.state = a, splitBarrier
		case b.what != a.what || b.count != a.count:
			w.faultf(0, "the CTAs of a pair disagree: '%s' of %d columns here, '%s' of %d columns in the other", a.what, a.count, b.what, b.count)
		default:
			other.waiting = nil
			all := []*allocWait{a, b}
			if w.cta.rank&1 == 1 {
				all[0], all[1] = b, a
			}
			if wrong := f(all); wrong != "" {
				w.faultf(0, "%s", wrong)
				return
			}
			b.s.state = splitReady
			if b.w.cur == nil {
				b.w.pick()
			}
			w.cta.group.events++
		}
	})
}

// decodeTensorAlloc decodes tcgen05.alloc. A CTA has all of the memory
// here; the adversary chooses the place, the same one in both CTAs of a pair.
func decodeTensorAlloc(d *decoder, pair bool) {
	sp := d.spaceOf()
	d.typ(tB32)
	args := d.args(2)
	to, n := d.addr(args[0]), d.src(args[1], tU32)
	d.together(pair, func(w *warp) (*allocWait, bool) {
		a := &allocWait{what: "alloc", count: w.lanes(n)[0], at: to.lane(w, w.lanes(to.base), 0)}
		if !columnCount(w, a.count) {
			return nil, false
		}
		if memoryOf(w.cta).closed {
			w.faultf(0, "tensor memory is allocated after 'relinquish_alloc_permit'")
			return nil, false
		}
		return a, w.at(sp, a.at, 4, 0, true) != nil
	}, func(all []*allocWait) string {
		w, count := all[0].w, int(all[0].count)
		var places []int
		for first := 0; first < tensorColumns; first += count {
			ok := true
			for _, a := range all {
				ok = ok && memoryOf(a.w.cta).free(first, count)
			}
			if ok {
				places = append(places, first)
			}
		}
		switch last := memoryOf(w.cta).columns; {
		case len(places) == 0:
			return fmt.Sprintf("%d columns of tensor memory are not free", count)
		case count > last:
			return fmt.Sprintf("%d columns of tensor memory are allocated after an allocation of %d, and the number must not increase", count, last)
		}
		first := places[0]
		if g := w.cta.group; g.rng != nil {
			first = places[g.rng.IntN(len(places))]
		}
		for _, a := range all {
			t := memoryOf(a.w.cta)
			for i := first; i < first+count; i += tensorUnit {
				t.owner[i/tensorUnit] = uint16(first + 1)
			}
			t.columns = count
			put(a.w.at(sp, a.at, 4, 0, true), uint64(first)) // checked by prepare
		}
		return ""
	})
}

func decodeTensorFree(d *decoder, pair bool) {
	d.typ(tB32)
	args := d.args(2)
	at, n := d.src(args[0], tB32), d.src(args[1], tU32)
	d.together(pair, func(w *warp) (*allocWait, bool) {
		a := &allocWait{what: "dealloc", count: w.lanes(n)[0], first: w.lanes(at)[0]}
		return a, columnCount(w, a.count)
	}, func(all []*allocWait) string {
		for _, a := range all {
			t, owned := memoryOf(a.w.cta), 0
			for _, o := range t.owner {
				if uint64(o) == a.first+1 {
					owned += tensorUnit
				}
			}
			if owned != int(a.count) {
				return fmt.Sprintf("%d columns of tensor memory are freed at %#x, where %d are allocated", a.count, a.first, owned)
			}
			for i, o := range t.owner {
				if uint64(o) == a.first+1 {
					t.owner[i] = 0
				}
			}
		}
		return ""
	})
}

func decodeTensorRelinquish(d *decoder, pair bool) {
	d.args(0)
	d.together(pair, func(w *warp) (*allocWait, bool) { return &allocWait{what: "relinquish_alloc_permit"}, true }, func(all []*allocWait) string {
		for _, a := range all {
			memoryOf(a.w.cta).closed = true
		}
		return ""
	})
}
