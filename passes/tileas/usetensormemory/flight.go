package usetensormemory

import (
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// A phase of an mbarrier is told from the next one by its parity alone: a wait for product n would take that of product n - 2*slots for it if product n - slots were still under way. So no more products are under way than there
// are mbarriers. How many those are does not follow from the waits: two products in a row are two, though what waits for them leaves none; and products of which nothing is overwritten have no wait in their loop at all.

const (
	fewSlots  = 4  // of a ring for products that no wait holds back
	mostSlots = 64 // bounds what waits can ask for
)

// A flight finds how many products are under way at most.
type flight struct {
	limit int // more are not let be
	peak  int
	held  map[ir.Op]bool // products with as many under way in front of them as may be: one of these must be done first
	exits map[ir.Op]int  // what is under way where an iteration of a loop ends
	ends  map[entered]int
}

// An entered is a loop with so many products under way in front of it.
type entered struct {
	loop ir.Op
	n    int
}

func newFlight(fn ir.Op, limit int) *flight {
	f := &flight{limit: limit, held: make(map[ir.Op]bool), exits: make(map[ir.Op]int), ends: make(map[entered]int)}
	f.block(fn.Body(), 0)
	return f
}

// block returns how many are under way behind a block with n in front.
func (f *flight) block(b ir.Block, n int) int {
	for op := range b.Ops() {
		switch {
		case isProduct(op) && n == f.limit:
			f.held[op] = true
		case isProduct(op):
			n++
			f.peak = max(f.peak, n)
		case op.Is(tileas.DotWait):
			pending, _ := op.IntAttr(tileas.AttrPending)
			n = int(min(int64(n), max(pending, 0)))
		case op.Is(scf.Continue), op.Is(scf.Break):
			loop := ir.ExitTarget(op)
			f.exits[loop] = max(f.exits[loop], n)
		case op.Is(scf.For), op.Is(scf.Loop):
			n = f.loop(op, n)
		default:
			n = f.branches(op, n)
		}
	}
	return n
}

func (f *flight) branches(op ir.Op, n int) int {
	most := n
	if op.Is(scf.If) && !op.Region(1).Empty() {
		most = 0 // one of the two is taken
	}
	for i := range op.NumRegions() {
		for b := range op.Region(i).Blocks() {
			most = max(most, f.block(b, n))
		}
	}
	return most
}

// loop goes on until iterations end with no more than they begin with.
func (f *flight) loop(op ir.Op, n int) int {
	at := entered{op, n}
	if end, ok := f.ends[at]; ok {
		return end
	}
	for {
		f.block(op.Body(), n)
		if f.exits[op] <= n {
			break
		}
		n = f.exits[op]
	}
	f.ends[at] = n
	return n
}
