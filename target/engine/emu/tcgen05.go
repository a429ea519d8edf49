package emu

import "slices"

var tcgen05Ops = map[string]decodeFn{"tcgen05": decodeTcgen05}

// Tensor memory of a CTA: lanes of columns of 32 bits ("Tensor Memory"). An
// address has the lane above bit 16 and the column below.
const (
	tensorLanes   = 128
	tensorColumns = 512
	tensorUnit    = 32 // columns that are allocated together
)

// tensorMemory is the tensor memory of a CTA and what uses it
// asynchronously. The operations of the tensor core, tcgen05.mma and
// tcgen05.cp, take effect in order when a tcgen05.commit behind them
// completes, or earlier by the will of the adversary; commits complete in
// order too.
type tensorMemory struct {
	data   [tensorLanes][tensorColumns]uint32
	owner  [tensorColumns / tensorUnit]uint16 // 1 + first column of the allocation; 0: free
	closed bool                               // by relinquish_alloc_permit
	queue  []tensorOp                         // not performed
	done   uint64                             // operations that were
	tile   *tensorTile

	collectors [5]collectorBuffer
	waiting    *allocWait // of a warp for one of the other CTA of its pair
	columns    int        // of the last allocation
}

// tensorOp is an operation of the tensor core that has been issued.
type tensorOp struct {
	w       *warp
	lane    int
	stmt    *stmt
	perform func()
	commit  bool
}

// memoryOf is the tensor memory of a CTA whose program uses it.
func memoryOf(c *cta) *tensorMemory { return c.unit.(*tensorMemory) }

func (t *tensorMemory) reset(c *cta) {
	fill := uint32(0)
	if c.group.rng != nil {
		fill = 0xffffffff // a NaN
	}
	for i := range t.data {
		for j := range t.data[i] {
			t.data[i][j] = fill
		}
	}
	clear(t.owner[:])
	t.closed, t.queue, t.done = false, t.queue[:0], 0
	t.collectors, t.waiting, t.columns = [5]collectorBuffer{}, nil, tensorColumns
}

// exited checks the tensor memory when all threads are gone.
func (t *tensorMemory) exited(c *cta) error {
	w := c.warps[0]
	for _, op := range t.queue {
		if op.commit {
			continue // nobody waits for the arrival, or the end would be a deadlock
		}
		op.w.faultf(op.lane, "the threads have exited while this operation, for which nobody waited, uses their tensor memory")
		op.w.settle(op.lane, op.stmt)
		return op.w.err
	}
	for _, first := range t.owner {
		if first != 0 {
			w.faultf(0, "the threads have exited without freeing the tensor memory at column %d", first-1)
			return w.err
		}
	}
	return nil
}

// issueTensor queues an operation of the tensor core.
func (w *warp) issueTensor(lane int, perform func()) {
	t := memoryOf(w.cta)
	t.queue = append(t.queue, tensorOp{w: w, lane: lane, stmt: w.stmt(), perform: perform})
	if w.cta.group.chance(2) {
		t.run(w, t.done+uint64(len(t.queue)))
	}
}

// run performs the operations up to a number, for a warp that takes their
// fault.
func (t *tensorMemory) run(w *warp, end uint64) {
	for t.done < end && w.err == nil {
		op := t.queue[0]
		t.queue = t.queue[1:]
		t.done++
		op.perform()
		op.w.settle(op.lane, op.stmt)
		if op.w.err != nil {
			w.err = op.w.err
		}
	}
}

// cells checks that a rectangle of tensor memory is there and allocated.
func (w *warp) cells(lane int, addr uint64, rows, columns int) (row, column int, ok bool) {
	return w.cellsOf(w.cta, lane, addr, rows, columns)
}

// cellsOf is cells for the tensor memory of a CTA of the pair.
func (w *warp) cellsOf(c *cta, lane int, addr uint64, rows, columns int) (row, column int, ok bool) {
	row, column = int(addr>>16&0xffff), int(addr&0xffff)
	if row+rows > tensorLanes || column+columns > tensorColumns {
		w.faultf(lane, "tensor memory of %d lanes from %d and %d columns from %d does not exist", rows, row, columns, column)
		return 0, 0, false
	}
	for x := column; x < column+columns; x++ {
		if memoryOf(c).owner[x/tensorUnit] == 0 {
			where := ""
			if c != w.cta {
				where = " in the other CTA of the pair"
			}
			w.faultf(lane, "column %d of tensor memory is not allocated%s", x, where)
			return 0, 0, false
		}
	}
	return row, column, true
}

// tensorCTAs returns the CTA of a warp, or for .cta_group::2 the even and
// the odd one of its pair ("CTA Pair"), which must not have exited ("Issue
// Granularity").
func (w *warp) tensorCTAs(lane int, pair bool) []*cta {
	if !pair {
		return []*cta{w.cta}
	}
	ctas, even := w.cta.group.ctas, int(w.cta.rank&^1)
	if even+1 >= len(ctas) {
		w.faultf(lane, "the CTA has no other one in its cluster to form a pair")
		return nil
	}
	w.peersLive(lane, ctas[even:even+2])
	return ctas[even : even+2]
}

// peersLive reports whether threads of each CTA are live.
func (w *warp) peersLive(lane int, ctas []*cta) bool {
	for _, c := range ctas {
		live := uint32(0)
		for _, x := range c.warps {
			live |= x.live
		}
		if live == 0 && c != w.cta {
			w.faultf(lane, "the other CTA of the pair has exited")
			return false
		}
	}
	return true
}

// ungrouped are the operations without .cta_group.
var ungrouped = []string{"ld", "st", "wait::ld", "wait::st", "fence::before_thread_sync", "fence::after_thread_sync"}

func decodeTcgen05(d *decoder) {
	d.p.unit = func() unit { return new(tensorMemory) }
	op := d.oneOf("alloc", "dealloc", "relinquish_alloc_permit", "ld", "st", "wait::ld", "wait::st", "mma", "cp", "commit", "shift",
		"fence::before_thread_sync", "fence::after_thread_sync")
	group := d.oneOf("cta_group::1", "cta_group::2")
	switch {
	case op == "":
		d.failInst("this operation of 'tcgen05' is not supported")
	case (group == "") != slices.Contains(ungrouped, op):
		d.failInst("all operations of 'tcgen05' but loads, stores, waits and fences need .cta_group")
	case group == "":
	case d.p.tensorGroup != "" && d.p.tensorGroup != group:
		d.failInst("all 'tcgen05' of a kernel must have the same .cta_group, here it has .%s and .%s", d.p.tensorGroup, group)
	default:
		d.p.tensorGroup = group
	}
	pair := group == "cta_group::2"
	switch op {
	case "fence::before_thread_sync", "fence::after_thread_sync":
		d.args(0)
		return
	case "mma":
		decodeTensorMma(d, pair)
		return
	case "cp":
		decodeTensorCopy(d, pair)
		return
	case "shift":
		decodeTensorShift(d, pair)
		return
	case "commit":
		decodeTensorCommit(d, pair)
		return
	}
	if !d.opt("sync") || !d.opt("aligned") {
		d.failInst("'tcgen05.%s' needs .sync.aligned", op)
	}
	switch op {
	case "alloc":
		decodeTensorAlloc(d, pair)
	case "dealloc":
		decodeTensorFree(d, pair)
	case "relinquish_alloc_permit":
		decodeTensorRelinquish(d, pair)
	case "ld", "st":
		decodeTensorMove(d, op == "ld")
	case "wait::ld":
		d.args(0)
		d.wholeWarp(func(w *warp, m uint32) {
			w.loads.finish(w, ^uint64(0))
		})
	case "wait::st":
		d.args(0)
		d.wholeWarp(func(w *warp, m uint32) {
			for _, f := range w.stores {
				f()
			}
			w.stores = w.stores[:0]
		})
	}
}

// decodeTensorCommit decodes tcgen05.commit: an arrival at an mbarrier when
// the operations issued before have taken effect.
func decodeTensorCommit(d *decoder, pair bool) {
	if !d.opt("mbarrier::arrive::one") {
		d.failInst("'tcgen05.commit' needs .mbarrier::arrive::one")
	}
	d.oneOf("shared::cluster")
	multicast := d.opt("multicast::cluster")
	d.typ(tB64)
	n := 1
	if multicast {
		n = 2
	}
	args := d.args(n)
	at := d.addr(args[0])
	ctas := d.konst(0)
	if multicast {
		ctas = d.src(args[1], tU16)
	}
	d.in.exec = func(w *warp, m uint32) {
		for m != 0 && w.err == nil {
			i := next(&m)
			if w.tensorCTAs(i, pair); w.err != nil {
				return
			}
			addr := local(spShared, at.lane(w, w.lanes(at.base), i))
			bars := []uint64{addr}
			if multicast {
				bars = bars[:0]
				for k := uint32(w.lanes(ctas)[i]); k != 0; {
					bars = append(bars, inCTA(addr, uint64(next(&k))))
				}
			}
			for _, b := range bars {
				if w.mbarAt(b, i) == nil {
					return
				}
			}
			t := memoryOf(w.cta)
			t.queue = append(t.queue, tensorOp{w: w, lane: i, stmt: w.stmt(), commit: true, perform: func() {
				for ; len(bars) > 0 && w.err == nil; bars = bars[1:] {
					w.mbarUpdate(bars[0], i, func(b *mbar) string { return b.arrive(1) })
				}
			}})
			end := t.done + uint64(len(t.queue))
			w.issue(i, false, func() { t.run(w, end) }).commit = true
		}
	}
}
