package emu

import "encoding/binary"

var launchControlOps = map[string]decodeFn{"clusterlaunchcontrol": decodeLaunchControl}

// The response of clusterlaunchcontrol.try_cancel, which the ISA leaves
// opaque: x, y and z of the first CTA in 32, 16 and 16 bits, then a word with
// launchMagic and, in its lowest bit, whether a cluster was cancelled.
const launchMagic = 0x434c430000000000

// cancelResident bounds the clusters in execution of a program that cancels
// launches, so that some are left to be cancelled.
const cancelResident = 4

func decodeLaunchControl(d *decoder) {
	switch d.oneOf("try_cancel", "query_cancel") {
	case "try_cancel":
		decodeTryCancel(d)
	case "query_cancel":
		decodeQueryCancel(d)
	default:
		d.failInst("'clusterlaunchcontrol' needs .try_cancel or .query_cancel")
	}
}

func decodeTryCancel(d *decoder) {
	if !d.opt("async") || !d.opt("mbarrier::complete_tx::bytes") {
		d.failInst("'clusterlaunchcontrol.try_cancel' needs .async.mbarrier::complete_tx::bytes")
	}
	d.oneOf("shared", "shared::cta")
	all := d.opt("multicast::cluster::all")
	d.typ(tB128)
	args := d.args(2)
	to, bar := d.addr(args[0]), d.addr(args[1])
	d.p.cancels = true
	d.in.exec = func(w *warp, m uint32) {
		for m != 0 && w.err == nil {
			i := next(&m)
			addr, mb := local(spShared, to.lane(w, w.lanes(to.base), i)), local(spShared, bar.lane(w, w.lanes(bar.base), i))
			if rankOf(addr) != uint64(w.cta.rank) || rankOf(mb) != uint64(w.cta.rank) {
				w.faultf(i, "the response and the mbarrier must be in the shared memory of the executing CTA")
				return
			}
			ranks := []uint64{uint64(w.cta.rank)}
			if all {
				ranks = ranks[:0]
				for r := range w.cta.group.ctas {
					ranks = append(ranks, uint64(r))
				}
			}
			for _, rank := range ranks {
				if w.span(spShared, inCTA(addr, rank), 16, 16, i, true) == nil || w.mbarAt(inCTA(mb, rank), i) == nil {
					return
				}
			}
			w.issue(i, false, func() {
				response := encodeResponse(w.cta.run.cancel())
				for _, rank := range ranks {
					w.async = true
					b := w.span(spShared, inCTA(addr, rank), 16, 16, i, true)
					if w.async = false; b == nil {
						return
					}
					copy(b, response[:])
					w.mbarUpdate(inCTA(mb, rank), i, func(b *mbar) string { return b.expect(-16) })
				}
			})
		}
	}
}

// cancel takes the next cluster that has not started out of the grid, and
// returns its first CTA.
func (r *run) cancel() (first [3]uint32, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.next >= r.groups || r.stop {
		return first, false
	}
	r.next++
	return r.first(r.next - 1), true
}

func encodeResponse(at [3]uint32, canceled bool) (response [16]byte) {
	le := binary.LittleEndian
	le.PutUint64(response[8:], launchMagic)
	if !canceled {
		return response
	}
	le.PutUint32(response[0:], at[0])
	le.PutUint16(response[4:], uint16(at[1]))
	le.PutUint16(response[6:], uint16(at[2]))
	response[8] = 1
	return response
}

// first is the first CTA of the cluster of that number in the grid.
func (r *run) first(id uint64) (at [3]uint32) {
	for i := range at {
		n := uint64(r.grid[i] / r.cluster[i])
		at[i] = uint32(id%n) * r.cluster[i]
		id /= n
	}
	return at
}

func decodeQueryCancel(d *decoder) {
	which := d.oneOf("is_canceled", "get_first_ctaid", "get_first_ctaid::x", "get_first_ctaid::y", "get_first_ctaid::z")
	vector := which == "get_first_ctaid" && d.opt("v4")
	var dsts []int32
	pdst := int32(predSink)
	t := d.typ(tPred, tB32)
	d.typ(tB128)
	args := d.args(2)
	switch {
	case which == "is_canceled" && t == tPred:
		pdst = d.predDst(args[0])
	case vector && t == tB32:
		for _, o := range d.elements(args[0], 4) {
			dsts = append(dsts, d.dst(o, tB32))
		}
		dsts = dsts[:3]
	case len(which) > len("get_first_ctaid") && t == tB32:
		dsts = []int32{slotSink, slotSink, slotSink}
		dsts[which[len(which)-1]-'x'] = d.dst(args[0], tB32)
	default:
		d.failInst("this query of 'clusterlaunchcontrol' does not exist")
	}
	a := d.src(args[1], tB128)
	if a < 0 {
		d.badOperand(args[1], "expected a 128-bit register")
	}
	d.in.exec = func(w *warp, m uint32) {
		var canceled uint32
		for k := m; k != 0; {
			i := next(&k)
			at, state := w.lanes(a)[i], w.lanes(a + 1)[i]
			if state&^1 != launchMagic {
				w.faultf(i, "the operand is no response of 'clusterlaunchcontrol.try_cancel'")
				return
			}
			v := [3]uint64{poison, poison, poison}
			if state&1 != 0 {
				canceled |= 1 << i
				v = [3]uint64{at & mask(32), at >> 32 & mask(16), at >> 48}
			}
			for n, r := range dsts {
				w.reg(r)[i] = v[n]
			}
		}
		w.setPred(pdst, canceled, m)
	}
}
