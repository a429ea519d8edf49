package emu

import "math/bits"

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
}

// tensorOp is an operation of the tensor core that has been issued.
type tensorOp struct {
	w       *warp
	lane    int
	stmt    *stmt
	perform func()
	commit  bool
}

func (t *tensorMemory) reset(g *group) {
	fill := uint32(0)
	if g.rng != nil {
		fill = 0xffffffff // a NaN
	}
	for i := range t.data {
		for j := range t.data[i] {
			t.data[i][j] = fill
		}
	}
	clear(t.owner[:])
	t.closed, t.queue, t.done = false, t.queue[:0], 0
}

// exited checks the tensor memory when all threads are gone.
func (t *tensorMemory) exited(c *cta) error {
	w := c.warps[0]
	for _, op := range t.queue {
		if op.commit {
			continue // nobody waits for the arrival, or the end would be a deadlock
		}
		op.w.faultf(op.lane, "the threads have exited while this operation, for which nobody waited, uses their tensor memory")
		op.settle()
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

// settle makes the warp's fault one of the operation.
func (o *tensorOp) settle() {
	if f := o.w.err; f != nil && !f.settled {
		f.Line, f.Instruction, f.Thread, f.settled = int(o.stmt.pos.line), o.stmt.text, o.w.thread(o.lane), true
	}
}

// issueTensor queues an operation of the tensor core.
func (w *warp) issueTensor(lane int, perform func()) {
	t := w.cta.tensor
	t.queue = append(t.queue, tensorOp{w: w, lane: lane, stmt: w.prog.code[w.cur.pc].stmt, perform: perform})
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
		op.settle()
		if op.w.err != nil {
			w.err = op.w.err
		}
	}
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

// cells checks that a rectangle of tensor memory is there and allocated.
func (w *warp) cells(lane int, addr uint64, rows, columns int) (row, column int, ok bool) {
	row, column = int(addr>>16&0xffff), int(addr&0xffff)
	if row+rows > tensorLanes || column+columns > tensorColumns {
		w.faultf(lane, "tensor memory of %d lanes from %d and %d columns from %d does not exist", rows, row, columns, column)
		return 0, 0, false
	}
	for c := column; c < column+columns; c++ {
		if w.cta.tensor.owner[c/tensorUnit] == 0 {
			w.faultf(lane, "column %d of tensor memory is not allocated", c)
			return 0, 0, false
		}
	}
	return row, column, true
}

func decodeTcgen05(d *decoder) {
	d.p.tensor = true
	op := d.oneOf("alloc", "dealloc", "relinquish_alloc_permit", "ld", "st", "wait::ld", "wait::st", "mma", "cp", "commit",
		"fence::before_thread_sync", "fence::after_thread_sync")
	if d.opt("cta_group::2") {
		d.failInst("'tcgen05' of a pair of CTAs is not supported")
	}
	d.opt("cta_group::1")
	switch op {
	case "fence::before_thread_sync", "fence::after_thread_sync":
		d.args(0)
		return
	case "mma":
		decodeTensorMma(d)
		return
	case "cp":
		decodeTensorCopy(d)
		return
	case "commit":
		decodeTensorCommit(d)
		return
	case "":
		d.failInst("this operation of 'tcgen05' is not supported")
	}
	if !d.opt("sync") || !d.opt("aligned") {
		d.failInst("'tcgen05.%s' needs .sync.aligned", op)
	}
	switch op {
	case "alloc":
		decodeTensorAlloc(d)
	case "dealloc":
		decodeTensorFree(d)
	case "relinquish_alloc_permit":
		d.args(0)
		d.wholeWarp(func(w *warp, m uint32) { w.cta.tensor.closed = true })
	case "ld", "st":
		decodeTensorMove(d, op == "ld")
	case "wait::ld":
		d.args(0)
		d.wholeWarp(func(w *warp, m uint32) {
			for _, p := range w.tensorLoads {
				p.perform()
				for _, r := range p.defs {
					w.init[r] = full
				}
			}
			w.tensorLoads = w.tensorLoads[:0]
		})
	case "wait::st":
		d.args(0)
		d.wholeWarp(func(w *warp, m uint32) {
			for _, f := range w.tensorStores {
				f()
			}
			w.tensorStores = w.tensorStores[:0]
		})
	}
}

// columnCount checks the number of columns of an allocation.
func columnCount(w *warp, n uint64) bool {
	if n < tensorUnit || n > tensorColumns || bits.OnesCount64(n) != 1 {
		w.faultf(0, "%d columns of tensor memory are not a power of two from %d to %d", n, tensorUnit, tensorColumns)
		return false
	}
	return true
}

// decodeTensorAlloc decodes tcgen05.alloc. A CTA has all of the memory
// here; the adversary chooses the place.
func decodeTensorAlloc(d *decoder) {
	sp := d.spaceOf()
	d.typ(tB32)
	args := d.args(2)
	to, n := d.addr(args[0]), d.src(args[1], tU32)
	d.wholeWarp(func(w *warp, m uint32) {
		t, count := w.cta.tensor, w.lanes(n)[0]
		if !columnCount(w, count) {
			return
		}
		if t.closed {
			w.faultf(0, "tensor memory is allocated after 'relinquish_alloc_permit'")
			return
		}
		var places []int
		for first := 0; first < tensorColumns; first += int(count) {
			if t.free(first, int(count)) {
				places = append(places, first)
			}
		}
		if len(places) == 0 {
			w.faultf(0, "%d columns of tensor memory are not free", count)
			return
		}
		first := places[0]
		if g := w.cta.group; g.rng != nil {
			first = places[g.rng.IntN(len(places))]
		}
		b := w.at(sp, to.lane(w, w.lanes(to.base), 0), 4, 0, true)
		if b == nil {
			return
		}
		for i := first; i < first+int(count); i += tensorUnit {
			t.owner[i/tensorUnit] = uint16(first + 1)
		}
		put(b, uint64(first))
	})
}

func decodeTensorFree(d *decoder) {
	d.typ(tB32)
	args := d.args(2)
	at, n := d.src(args[0], tB32), d.src(args[1], tU32)
	d.wholeWarp(func(w *warp, m uint32) {
		t, first, count := w.cta.tensor, w.lanes(at)[0], w.lanes(n)[0]
		if !columnCount(w, count) {
			return
		}
		owned := 0
		for _, o := range t.owner {
			if uint64(o) == first+1 {
				owned += tensorUnit
			}
		}
		if owned != int(count) {
			w.faultf(0, "%d columns of tensor memory are freed at %#x, where %d are allocated", count, first, owned)
			return
		}
		for i, o := range t.owner {
			if uint64(o) == first+1 {
				t.owner[i] = 0
			}
		}
	})
}

// decodeTensorCommit decodes tcgen05.commit: an arrival at an mbarrier when
// the operations issued before have taken effect.
func decodeTensorCommit(d *decoder) {
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
			addr := local(spShared, at.lane(w, w.lanes(at.base), i))
			bars := []uint64{addr}
			if multicast {
				bars = bars[:0]
				for k := uint32(w.lanes(ctas)[i]); k != 0; {
					bars = append(bars, addr&(1<<clusterShift-1)|uint64(next(&k)+1)<<clusterShift)
				}
			}
			for _, b := range bars {
				if w.mbarAt(b, i) == nil {
					return
				}
			}
			t := w.cta.tensor
			t.queue = append(t.queue, tensorOp{w: w, lane: i, stmt: w.prog.code[w.cur.pc].stmt, commit: true, perform: func() {
				for ; len(bars) > 0 && w.err == nil; bars = bars[1:] {
					w.mbarUpdate(bars[0], i, func(b *mbar) string { return b.arrive(1) })
				}
			}})
			end := t.done + uint64(len(t.queue))
			w.issue(i, false, func() { t.run(w, end) }).commit = true
		}
	}
}
