package emu

import "slices"

// rankOf is the rank of the CTA to which a shared address belongs.
func rankOf(addr uint64) uint64 { return addr >> clusterShift }

// inCTA is the shared address in the CTA of that rank.
func inCTA(addr, rank uint64) uint64 { return addr&(1<<clusterShift-1) | rank<<clusterShift }

// decodeRemote decodes st.async, and red.async of an operation: accesses to
// the shared memory of a CTA of the cluster that complete transactions of an
// mbarrier there ("st.async", "red.async").
func decodeRemote(d *decoder, op string) {
	if slices.Contains(d.mods, "release") {
		decodeRemoteGlobal(d, op)
		return
	}
	d.oneOf("weak", "relaxed")
	d.opt("cluster")
	if d.oneOf("shared::cluster", "shared") == "" || !d.opt("mbarrier::complete_tx::bytes") {
		d.failInst("'%s.async' is only supported with .shared::cluster.mbarrier::complete_tx::bytes", d.s.op)
	}
	count := map[string]int{"v2": 2, "v4": 4, "": 1}[d.oneOf("v2", "v4")]
	t := d.typ(tB32, tU32, tS32, tF32, tB64, tU64, tS64, tF64, tB128)
	n := t.bytes()
	var f func(old, b, c uint64) uint64
	if op != "" {
		if f = atomicFn(op, t); f == nil || count > 1 || t.float() {
			d.failInst("reduction '.%s' does not exist for type .%s", op, t)
		}
	}
	if n*count > 16 {
		d.failInst("'%s.async' of %d bytes", d.s.op, n*count)
	}
	args := d.args(3)
	to, bar := d.addr(args[0]), d.addr(args[2])
	var values []src
	for _, o := range d.elements(args[1], count) {
		values = append(values, d.src(o, t))
	}
	if t == tB128 { // two registers of a half each
		if count > 1 || values[0] < 0 {
			d.failInst("a 128-bit '%s.async' needs one register", d.s.op)
		}
		values, n, count = append(values, values[0]+1), 8, 2
	}
	d.in.exec = func(w *warp, m uint32) {
		for m != 0 && w.err == nil {
			i := next(&m)
			addr, mb := local(spShared, to.lane(w, w.lanes(to.base), i)), local(spShared, bar.lane(w, w.lanes(bar.base), i))
			if rankOf(addr) != rankOf(mb) {
				w.faultf(i, "shared address %#x and mbarrier %#x are not in the same CTA", addr, mb)
				return
			}
			var v [4]uint64
			for k, s := range values {
				v[k] = w.lanes(s)[i]
			}
			w.issue(i, false, func() {
				b := w.span(spShared, addr, n*count, n*count, i, true)
				if b == nil {
					return
				}
				for k := range count {
					if f == nil {
						put(b[k*n:][:n], v[k])
					} else {
						update(b[k*n:][:n], func(old uint64) uint64 { return f(old, v[k], 0) })
					}
				}
				w.mbarUpdate(mb, i, func(b *mbar) string { return b.expect(-int64(n * count)) })
			})
		}
	}
}

// decodeRemoteGlobal decodes the release forms of st.async and red.async,
// which store to global memory some time later and tell nobody.
func decodeRemoteGlobal(d *decoder, op string) {
	mmio := d.opt("mmio")
	d.opt("release")
	scope := d.oneOf("cluster", "gpu", "sys")
	sp := d.spaceOf()
	t := d.typ(tB8, tB16, tB32, tB64, tU8, tU16, tU32, tU64, tS8, tS16, tS32, tS64, tF32, tF64)
	if sp != spGlobal && sp != spGeneric || scope == "" || mmio && scope != "sys" || scope == "cluster" && op == "" {
		d.failInst("'%s.async' with this scope or state space does not exist", d.s.op)
	}
	f := func(_, b, _ uint64) uint64 { return b }
	if op != "" {
		if f = atomicFn(op, t); f == nil || t.float() {
			d.failInst("reduction '.%s' does not exist for type .%s", op, t)
		}
	}
	args := d.args(2)
	to, value := d.addr(args[0]), d.src(args[1], t)
	n := t.bytes()
	d.publishes()
	d.in.exec = func(w *warp, m uint32) {
		for m != 0 && w.err == nil {
			i := next(&m)
			addr, v := to.lane(w, w.lanes(to.base), i), w.lanes(value)[i]
			if in, _ := classify(addr); in != spGlobal {
				w.faultf(i, "address %#x is not in global memory", addr)
				return
			}
			if w.at(spGlobal, addr, n, i, true) == nil {
				return
			}
			op := w.issue(i, false, func() {
				if b := w.at(spGlobal, addr, n, i, true); b != nil {
					update(b, func(old uint64) uint64 { return f(old, v, 0) })
				}
			})
			op.detached = true
		}
	}
}
