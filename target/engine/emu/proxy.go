package emu

import "math/bits"

// genericWrites is a set of bytes of a CTA's shared memory that were written
// through the generic proxy and not fenced since ("Proxies"). Tensor cores
// and bulk copies, which read through the asynchronous proxy, may not see
// them yet. Only programs that have such readers keep the record.
//
// A warp has the set of its own writes. When other threads may learn of
// them (a barrier completes, or the warp executes an operation on an
// mbarrier, an atomic, a strong store or a fence of threads), they move to
// the set of its CTA. A proxy fence clears
// the sets of its warp and of its CTA: what it orders depends on the
// synchronisation before it, which is taken to exist.
type genericWrites struct {
	dirty     []uint64 // a bit for each byte
	low, high int      // the words that may have bits
}

func (g *genericWrites) mark(at uint64, n int) { g.each(at, n, func(w *uint64, m uint64) { *w |= m }) }

func (g *genericWrites) unmark(at uint64, n int) {
	if g.high > 0 {
		g.each(at, n, func(w *uint64, m uint64) { *w &^= m })
	}
}

// find returns the first marked byte of a range, or false.
func (g *genericWrites) find(at uint64, n int) (uint64, bool) {
	for end := at + uint64(n); at < end && g.high > 0; at = at&^63 + 64 {
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
		g.low, g.high = len(g.dirty), 0
	}
}

func (g *genericWrites) each(at uint64, n int, f func(w *uint64, m uint64)) {
	g.low, g.high = min(g.low, int(at/64)), max(g.high, int((at+uint64(n)+63)/64))
	for n > 0 {
		k := min(n, 64-int(at&63))
		f(&g.dirty[at/64], mask(k)<<(at&63))
		at += uint64(k)
		n -= k
	}
}

// moveTo empties the set into another one.
func (g *genericWrites) moveTo(all *genericWrites) {
	all.low, all.high = min(all.low, g.low), max(all.high, g.high)
	for i := g.low; i < g.high; i++ {
		all.dirty[i] |= g.dirty[i]
	}
	g.fence()
}

// readsShared notes that the program reads shared memory through the
// asynchronous proxy.
func (d *decoder) readsShared() { d.p.asyncReads = true }

// publishes makes the instruction at hand one by which other threads may
// learn of writes.
func (d *decoder) publishes() {
	d.before = append(d.before, func(w *warp, m uint32) { w.publish() })
}

func (w *warp) publish() {
	if w.written.high > 0 {
		w.written.moveTo(&w.cta.written)
	}
}

// fenceProxy lets the asynchronous proxy see the writes before it.
func (w *warp) fenceProxy() {
	w.written.fence()
	for _, c := range w.cta.group.ctas {
		c.written.fence()
	}
}

// throughProxy keeps the record for an access to the shared memory of c. It
// reports whether the access is in order.
func (w *warp) throughProxy(c *cta, addr uint64, n, lane int, write bool) bool {
	switch {
	case write && !w.async && c == w.cta:
		w.written.mark(addr, n)
		return true
	case write && !w.async:
		c.written.mark(addr, n)
		return true
	case !w.async:
		return true
	}
	ok := true
	check := func(g *genericWrites) {
		if write {
			g.unmark(addr, n)
		} else if at, found := g.find(addr, n); found && ok {
			ok = false
			w.faultf(lane, "shared address %#x is read through the asynchronous proxy, but there was no 'fence.proxy.async' since it was written", at)
		}
	}
	check(&c.written)
	for _, o := range c.warps {
		check(&o.written)
	}
	return ok
}

// decodeFence decodes fence and membar. The emulator's memory is
// sequentially consistent, so that only proxy fences have an effect.
func decodeFence(d *decoder) {
	proxy := d.s.op == "fence" && d.opt("proxy") && d.opt("async") && !d.opt("global")
	for i := range d.mods {
		d.mods[i] = ""
	}
	for _, o := range d.argc(0, 2) {
		if o.kind == opAddr {
			d.addr(o)
		}
	}
	if !proxy {
		d.publishes()
		return
	}
	d.in.exec = func(w *warp, m uint32) {
		w.fenceProxy()
	}
}
