package tcgen05

import (
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// Tensor memory of a CTA: lanes of columns of 32 bits ("Tensor Memory"). An
// address has the lane above bit 16 and the column below.
const (
	memoryLanes   = 128
	memoryColumns = 512
	columnUnit    = 32 // columns that are allocated together
)

// memory is the tensor memory of a CTA and what uses it asynchronously. The operations of the tensor core, tcgen05.mma
// and tcgen05.cp, take effect in order when a tcgen05.commit after them completes, or earlier by the will of the
// adversary. Commits complete in order too.
//
// MMAs and copies share one queue, although the ISA promises the order of some pairs only ("tcgen05 memory consistency
// model", pipelined instructions). A missing wait between others does not show; the package comment of emu says so too.
type memory struct {
	data   [memoryLanes][memoryColumns]uint32
	owner  [memoryColumns / columnUnit]uint16 // 1 + first column of the allocation; 0: free
	closed bool                               // by relinquish_alloc_permit
	queue  []operation                        // not performed
	done   uint64                             // operations that were
	tile   *tile

	collectors [5]collectorBuffer
	waiting    *allocWait // of a warp for one of the other CTA of its pair
	columns    int        // of the last allocation
}

// operation is an operation of the tensor core that has been issued.
type operation struct {
	w       *machine.Warp
	lane    int
	stmt    *syntax.Stmt
	perform func()
	commit  bool
}

// memoryOf is the tensor memory of a CTA whose program uses it.
func memoryOf(c *machine.CTA) *memory { return c.Unit.(*memory) }

// A quarter of a megabyte is cleared for each CTA; only programs with tcgen05 have it.
func (t *memory) Reset(c *machine.CTA) {
	fill := uint32(0)
	if c.Cluster.Rng != nil {
		fill = 0xffffffff // a NaN
	}
	for i := range t.data {
		for j := range t.data[i] {
			t.data[i][j] = fill
		}
	}
	clear(t.owner[:])
	t.closed, t.queue, t.done = false, t.queue[:0], 0
	t.collectors, t.waiting, t.columns = [5]collectorBuffer{}, nil, memoryColumns
}

// Exited checks the tensor memory when all threads are gone.
//
// A kernel has to give back all that it allocated ("tcgen05.alloc, dealloc"); what it leaves allocated, the next one on
// the SM may wait for.
func (t *memory) Exited(c *machine.CTA) error {
	w := c.Warps[0]
	for _, op := range t.queue {
		if op.commit {
			continue // nobody waits for the arrival, or the end would be a deadlock
		}
		op.w.Faultf(op.lane, "the threads have exited while this operation, for which nobody waited, uses their TMEM")
		op.w.Settle(op.lane, op.stmt)
		return op.w.Err
	}
	for _, first := range t.owner {
		if first != 0 {
			w.Faultf(0, "the threads have exited without freeing the TMEM at column %d", first-1)
			return w.Err
		}
	}
	return nil
}

// enqueue queues an operation of the tensor core.
func enqueue(w *machine.Warp, lane int, perform func()) {
	t := memoryOf(w.CTA)
	t.queue = append(t.queue, operation{w: w, lane: lane, stmt: w.Stmt(), perform: perform})
	if w.CTA.Cluster.Chance(2) {
		t.run(w, t.done+uint64(len(t.queue)))
	}
}

// run performs the operations up to a number, for a warp that takes their
// fault.
func (t *memory) run(w *machine.Warp, end uint64) {
	for t.done < end && w.Err == nil {
		op := t.queue[0]
		t.queue = t.queue[1:]
		t.done++
		op.w.Unseen(op.perform)
		op.w.Settle(op.lane, op.stmt)
		if op.w.Err != nil {
			w.Err = op.w.Err
		}
	}
}

// cells checks that a rectangle of tensor memory is there and allocated.
func cells(w *machine.Warp, lane int, addr uint64, rows, columns int) (row, column int, ok bool) {
	return cellsOf(w, w.CTA, lane, addr, rows, columns)
}

// cellsOf is cells for the tensor memory of a CTA of the pair.
//
// Allocation is checked column by column at each use, so that an access to columns of somebody else, or freed ones,
// is found where it happens.
func cellsOf(w *machine.Warp, c *machine.CTA, lane int, addr uint64, rows, columns int) (row, column int, ok bool) {
	row, column = int(addr>>16&0xffff), int(addr&0xffff)
	if row+rows > memoryLanes || column+columns > memoryColumns {
		w.Faultf(lane, "TMEM of %d lanes from %d and %d columns from %d does not exist", rows, row, columns, column)
		return 0, 0, false
	}
	for x := column; x < column+columns; x++ {
		if memoryOf(c).owner[x/columnUnit] == 0 {
			where := ""
			if c != w.CTA {
				where = " in the other CTA of the pair"
			}
			w.Faultf(lane, "column %d of TMEM is not allocated%s", x, where)
			return 0, 0, false
		}
	}
	return row, column, true
}

// pairOf returns the CTA of a warp, or for .cta_group::2 the even and
// the odd one of its pair ("CTA Pair"), which must not have exited ("Issue
// Granularity").
//
// The pair is the two CTAs whose ranks differ in the last bit; the even one usually issues for both.
func pairOf(w *machine.Warp, lane int, pair bool) []*machine.CTA {
	if !pair {
		return []*machine.CTA{w.CTA}
	}
	ctas, even := w.CTA.Cluster.CTAs, int(w.CTA.Rank&^1)
	if even+1 >= len(ctas) {
		w.Faultf(lane, "the CTA has no other one in its cluster to form a pair")
		return nil
	}
	peersLive(w, lane, ctas[even:even+2])
	return ctas[even : even+2]
}

// peersLive reports whether threads of each CTA are live.
func peersLive(w *machine.Warp, lane int, ctas []*machine.CTA) bool {
	for _, c := range ctas {
		live := uint32(0)
		for _, x := range c.Warps {
			live |= x.Live
		}
		if live == 0 && c != w.CTA {
			w.Faultf(lane, "the other CTA of the pair has exited")
			return false
		}
	}
	return true
}
