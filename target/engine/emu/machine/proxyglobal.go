package machine

import "github.com/tilewright/tilewright/target/engine/emu/num"

// globalWrites is genericWrites of global memory: the bytes that threads of a CTA have written through the generic
// proxy since the last fence. It has a word of bits for each 64 bytes. Bulk copies that read or write global memory do
// not see those writes yet ("Async proxy").
//
// What threads of other CTAs write is not in it: whether a CTA has learnt of that is in no record of its own, and CTAs
// run in parallel.
type globalWrites map[uint64]uint64

func (g globalWrites) each(at uint64, n int, f func(line, mask uint64) (goOn bool)) {
	for n > 0 {
		k := min(n, 64-int(at&63))
		if !f(at&^63, num.Mask(k)<<(at&63)) {
			return
		}
		at += uint64(k)
		n -= k
	}
}

func (g globalWrites) mark(at uint64, n int) {
	g.each(at, n, func(line, mask uint64) bool { g[line] |= mask; return true })
}

func (g globalWrites) has(at uint64, n int) (found bool) {
	if len(g) > 0 {
		g.each(at, n, func(line, mask uint64) bool { found = g[line]&mask != 0; return !found })
	}
	return found
}

// moveTo empties the set into another one.
func (g globalWrites) moveTo(all globalWrites) {
	for line, mask := range g {
		all[line] |= mask
	}
	clear(g)
}

// FenceGlobalProxy is FenceProxy for global memory.
func (w *Warp) FenceGlobalProxy() {
	clear(w.stored)
	for _, c := range w.CTA.Cluster.CTAs {
		clear(c.stored)
	}
}

// globalThroughProxy keeps the record for an access to global memory, and reports whether the access is in order. A
// copy that writes what a thread has written needs the fence as one that reads it: nothing else has it come later.
func (w *Warp) globalThroughProxy(addr uint64, n, lane int, write bool) bool {
	switch {
	case write && !w.Async:
		w.stored.mark(addr, n)
		return true
	case !w.Async:
		return true
	}
	ok := !w.CTA.stored.has(addr, n)
	for _, o := range w.CTA.Warps {
		ok = ok && !o.stored.has(addr, n)
	}
	if !ok {
		w.Faultf(lane, "global address %#x is accessed through the asynchronous proxy, but there was no 'fence.proxy.async' of global memory since it was written", addr)
	}
	return ok
}
