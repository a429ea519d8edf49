package machine

import (
	"math"
	"math/bits"

	"github.com/tilewright/tilewright/target/engine/emu/num"
)

// genericWrites is a set of bytes of a CTA's shared memory that were written through the generic proxy and not fenced
// since ("Proxies"). Tensor cores and bulk copies, which read through the asynchronous proxy, may not see them yet.
// Only programs that have such readers keep the record.
//
// A warp has the set of its own writes. They move to the set of the CTA when other threads may learn of them. That is
// when a barrier completes, or the warp executes an mbarrier operation, an atomic, a strong store or a fence. A proxy
// fence clears the sets of its warp and of its CTA: what it orders depends on the synchronisation before it, which is
// taken to exist.
//
// A bit for each byte, not for each word or buffer: neighbouring bytes may belong to different stages of a pipeline,
// and a false alarm would be worse than none.
type genericWrites struct {
	dirty     []uint64 // a bit for each byte, as far as there were any
	low, high int      // the words that may have bits
}

func (g *genericWrites) mark(at uint64, n int) {
	g.grow(int((at + uint64(n) + 63) / 64))
	g.each(at, n, func(w *uint64, m uint64) { *w |= m })
}

func (g *genericWrites) grow(words int) {
	if words > len(g.dirty) {
		g.dirty = append(g.dirty, make([]uint64, words-len(g.dirty))...)
	}
}

// near says that a range may have marks. Copies ask for all that they read and write, piece by piece.
func (g *genericWrites) near(at uint64, n int) bool {
	return int(at/64) < g.high && int((at+uint64(n)+63)/64) > g.low
}

// unmark looks at what may have marks only, so that it leaves the limits as they are.
func (g *genericWrites) unmark(at uint64, n int) {
	low, high := max(at, uint64(g.low)*64), min(at+uint64(n), uint64(g.high)*64)
	if low < high {
		g.each(low, int(high-low), func(w *uint64, m uint64) { *w &^= m })
	}
}

// find returns the first marked byte of a range, or false.
func (g *genericWrites) find(at uint64, n int) (uint64, bool) {
	end := min(at+uint64(n), uint64(g.high)*64)
	for at = max(at, uint64(g.low)*64); at < end; at = at&^63 + 64 {
		if m := g.dirty[at/64] >> (at & 63); m != 0 {
			first := at + uint64(bits.TrailingZeros64(m))
			return first, first < end
		}
	}
	return 0, false
}

func (g *genericWrites) fence() {
	if g.high > 0 {
		clear(g.dirty[g.low:g.high])
		g.low, g.high = math.MaxInt/64, 0 // above all words, and its first byte is still a number
	}
}

func (g *genericWrites) each(at uint64, n int, f func(w *uint64, m uint64)) {
	g.low, g.high = min(g.low, int(at/64)), max(g.high, int((at+uint64(n)+63)/64))
	for n > 0 {
		k := min(n, 64-int(at&63))
		f(&g.dirty[at/64], num.Mask(k)<<(at&63))
		at += uint64(k)
		n -= k
	}
}

// moveTo empties the set into another one.
func (g *genericWrites) moveTo(all *genericWrites) {
	all.grow(g.high)
	all.low, all.high = min(all.low, g.low), max(all.high, g.high)
	for i := g.low; i < g.high; i++ {
		all.dirty[i] |= g.dirty[i]
	}
	g.fence()
}

// Publish moves the writes of the warp to those of its CTA: from now on other threads may know of them, and fence
// them.
func (w *Warp) Publish() {
	if w.written.high > 0 {
		w.written.moveTo(&w.CTA.written)
	}
	if len(w.stored) > 0 {
		w.stored.moveTo(w.CTA.stored)
	}
}

// FenceProxy lets the asynchronous proxy see the writes before it.
func (w *Warp) FenceProxy() {
	w.written.fence()
	for _, c := range w.CTA.Cluster.CTAs {
		c.written.fence()
	}
}

// throughProxy keeps the record for an access to the shared memory of c. It
// reports whether the access is in order.
//
// Reads through the generic proxy of what the asynchronous one wrote need no fence when an mbarrier or a wait
// completes the write ("Async proxy"), so they are not checked.
func (w *Warp) throughProxy(c *CTA, addr uint64, n, lane int, write bool) bool {
	switch {
	case write && !w.Async && c == w.CTA:
		w.written.mark(addr, n)
		return true
	case write && !w.Async:
		c.written.mark(addr, n)
		return true
	case !w.Async:
		return true
	}
	ok := true
	check := func(g *genericWrites) {
		if write {
			g.unmark(addr, n)
		} else if at, found := g.find(addr, n); found && ok {
			ok = false
			w.Faultf(lane, "shared address %#x is read through the asynchronous proxy, but there was no 'fence.proxy.async' since it was written", at)
		}
	}
	if c.written.near(addr, n) {
		check(&c.written)
	}
	for _, o := range c.Warps {
		if o.written.near(addr, n) {
			check(&o.written)
		}
	}
	return ok
}
