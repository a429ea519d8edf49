package tcgen05

import (
	"fmt"
	"math/bits"

	"github.com/tilewright/tilewright/target/engine/emu/decode"
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// allocWait is a warp that waits at an operation that the two CTAs of a pair
// execute together (PTX ISA, "Issue Granularity").
type allocWait struct {
	w     *machine.Warp
	s     *machine.Split
	what  string
	count uint64
	first uint64 // column that is freed
	at    uint64 // where the address of the allocation goes
}

// free reports whether columns [first, first+n) belong to nobody.
func (t *memory) free(first, n int) bool {
	for _, o := range t.owner[first/columnUnit : (first+n)/columnUnit] {
		if o != 0 {
			return false
		}
	}
	return true
}

// columnCount checks the number of columns of an allocation.
func columnCount(w *machine.Warp, n uint64) bool {
	if n < columnUnit || n > memoryColumns || bits.OnesCount64(n) != 1 {
		w.Faultf(0, "%d columns of TMEM are not a power of two from %d to %d", n, columnUnit, memoryColumns)
		return false
	}
	return true
}

// together calls f with what the warps of the CTAs want, which is one warp without a pair. The first warp of a pair
// waits for the second, which takes the fault of f.
//
// Of a pair, one warp of each CTA executes the instruction and both block until the other has come, which makes it a
// barrier of two warps. It is built as one, so that a missing partner is a deadlock that names both.
func together(d *decode.Decoder, pair bool, prepare func(w *machine.Warp) (*allocWait, bool), f func(all []*allocWait) (wrong string)) {
	if pair {
		d.Inst.Kind = machine.KindBarrier
	}
	d.WholeWarp(func(w *machine.Warp, m uint32) {
		a, ok := prepare(w)
		if !ok {
			return
		}
		a.w, a.s = w, w.Cur
		if !pair {
			if wrong := f([]*allocWait{a}); wrong != "" {
				w.Faultf(0, "%s", wrong)
			}
			return
		}
		ctas := pairOf(w, 0, true)
		if w.Err != nil {
			return
		}
		mine, other := memoryOf(w.CTA), memoryOf(ctas[w.CTA.Rank&1^1])
		b := other.waiting
		switch {
		case mine.waiting != nil:
			w.Faultf(0, "warp %d of the same CTA already waits at '%s' for the other CTA of the pair", mine.waiting.w.ID, mine.waiting.what)
		case b == nil:
			mine.waiting, w.Cur.State = a, machine.SplitBarrier
		case b.what != a.what || b.count != a.count:
			w.Faultf(0, "the CTAs of a pair disagree: '%s' of %d columns here, '%s' of %d columns in the other", a.what, a.count, b.what, b.count)
		default:
			other.waiting = nil
			all := []*allocWait{a, b} // the CTA with the even rank first, whichever came first
			if w.CTA.Rank&1 == 1 {
				all[0], all[1] = b, a
			}
			if wrong := f(all); wrong != "" {
				w.Faultf(0, "%s", wrong)
				return
			}
			b.s.State = machine.SplitReady
			if b.w.Cur == nil {
				b.w.Pick()
			}
			w.CTA.Cluster.Events++
		}
	})
}

// decodeAlloc decodes tcgen05.alloc. A CTA has all of the memory
// here; the adversary chooses the place, the same one in both CTAs of a pair.
//
// The ISA lets an allocation block until another CTA of the SM frees columns. Here a CTA has the SM for itself, so
// that an allocation which finds no room would wait forever, and faults instead.
func decodeAlloc(d *decode.Decoder, pair bool) {
	sp := d.Space()
	d.Type(syntax.B32)
	args := d.Args(2)
	to, n := d.Addr(args[0]), d.Src(args[1], syntax.U32)
	together(d, pair, func(w *machine.Warp) (*allocWait, bool) {
		a := &allocWait{what: "alloc", count: w.Lanes(n)[0], at: to.Lane(w, w.Lanes(to.Base), 0)}
		if !columnCount(w, a.count) {
			return nil, false
		}
		if memoryOf(w.CTA).closed {
			w.Faultf(0, "TMEM is allocated after 'relinquish_alloc_permit'")
			return nil, false
		}
		ok := false
		w.Unseen(func() { ok = w.At(sp, a.at, 4, 0, true) != nil })
		return a, ok
	}, func(all []*allocWait) string {
		w, count := all[0].w, int(all[0].count)
		var places []int
		for first := 0; first < memoryColumns; first += count {
			ok := true
			for _, a := range all {
				ok = ok && memoryOf(a.w.CTA).free(first, count)
			}
			if ok {
				// Of a pair, both CTAs get the same columns, since one address serves both.
				places = append(places, first)
			}
		}
		switch last := memoryOf(w.CTA).columns; {
		case len(places) == 0:
			return fmt.Sprintf("%d columns of TMEM are not free", count)
		case count > last:
			return fmt.Sprintf("%d columns of TMEM are allocated after an allocation of %d, and the number must not increase", count, last)
		}
		first := places[0]
		if g := w.CTA.Cluster; g.Rng != nil {
			first = places[g.Rng.IntN(len(places))]
		}
		for _, a := range all {
			t := memoryOf(a.w.CTA)
			for i := first; i < first+count; i += columnUnit {
				t.owner[i/columnUnit] = uint16(first + 1)
			}
			t.columns = count
			a.w.StoreAsync(sp, a.at, 4, 0, uint64(first)) // checked by prepare
		}
		return ""
	})
}

// Columns are freed in the blocks of their allocation, all at once; another count or start is undefined and faults.
func decodeDealloc(d *decode.Decoder, pair bool) {
	d.Type(syntax.B32)
	args := d.Args(2)
	at, n := d.Src(args[0], syntax.B32), d.Src(args[1], syntax.U32)
	together(d, pair, func(w *machine.Warp) (*allocWait, bool) {
		a := &allocWait{what: "dealloc", count: w.Lanes(n)[0], first: w.Lanes(at)[0]}
		return a, columnCount(w, a.count)
	}, func(all []*allocWait) string {
		for _, a := range all {
			t, owned := memoryOf(a.w.CTA), 0
			for _, o := range t.owner {
				if uint64(o) == a.first+1 {
					owned += columnUnit
				}
			}
			if owned != int(a.count) {
				return fmt.Sprintf("%d columns of TMEM are freed at %#x, where %d are allocated", a.count, a.first, owned)
			}
			a.w.Cells(a.w.CTA, 0, memoryLanes, int(a.first), owned, true)
			for i, o := range t.owner {
				if uint64(o) == a.first+1 {
					t.owner[i] = 0
				}
			}
		}
		return ""
	})
}

func decodeRelinquish(d *decode.Decoder, pair bool) {
	d.Args(0)
	together(d, pair, func(w *machine.Warp) (*allocWait, bool) { return &allocWait{what: "relinquish_alloc_permit"}, true }, func(all []*allocWait) string {
		for _, a := range all {
			memoryOf(a.w.CTA).closed = true
		}
		return ""
	})
}
