package ddg

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// Copies that an mbarrier counts come in the form that dialects/tileas has for them (tma_load): buffer and mbarrier are made in front of all loops, an iteration announces the bytes, starts the copies and waits for a phase, whose
// parity it carries on. An expansion has mbarriers of its own, so that all of that but the copies is glue, and no phase of the old mbarrier passes: a loop that is expanded leaves its parity as it was.

// findCounters finds what counts the bytes of copies and the phases of mbarriers.
func (g *Graph) findCounters() error {
	g.counters, g.parities = make(map[int]bool), make(map[int]bool)
	seen := make(map[ir.Value]bool)
	for i, n := range g.Nodes {
		if !n.Op.Is(tileas.TMALoad) {
			continue
		}
		if !g.ofBuffer(i) {
			return fmt.Errorf("the buffer that '%s' #%d fills is used otherwise too", n.Op.Name(), i)
		}
		if m := n.Op.OperandNamed("mbarrier"); !seen[m] {
			seen[m] = true
			if err := g.counter(m); err != nil {
				return err
			}
		}
	}
	return nil
}

// ofBuffer reports whether a copy is the one of a buffer.
func (g *Graph) ofBuffer(copied int) bool {
	for _, b := range g.Buffers {
		if b.Copy == copied {
			return true
		}
	}
	return false
}

// counter looks at all that an iteration does with an mbarrier: as many bytes are announced as are copied, and the wait stands between the copies and what reads.
func (g *Graph) counter(mbarrier ir.Value) error {
	bytes, wait, last := int64(0), -1, -1
	for u := range mbarrier.Uses() {
		op := u.Owner()
		if !g.Loop.IsAncestorOf(op) {
			continue
		}
		i, top := g.index[op]
		switch {
		case !top:
			return fmt.Errorf("'%s' in a region uses the mbarrier of a copy", op.Name())
		case op.Is(tileas.MbarrierExpect):
			n, _ := op.IntAttr(tileas.AttrBytes)
			bytes += n
			g.counters[i] = true
		case op.Is(tileas.TMALoad):
			bytes -= op.Operand(0).Type().(*tileas.BufferType).TileBytes()
			last = max(last, i)
		case op.Is(tileas.MbarrierWait) && wait < 0:
			wait = i
			g.counters[i] = true
			if !g.parity(op.Operand(1)) {
				return fmt.Errorf("'%s' #%d waits for a parity that is not known to change in each iteration", op.Name(), i)
			}
		default:
			return fmt.Errorf("'%s' #%d uses the mbarrier of a copy", op.Name(), i)
		}
	}
	switch {
	case bytes != 0:
		return fmt.Errorf("an mbarrier expects %d bytes more than are copied", bytes)
	case wait < last:
		return fmt.Errorf("no wait for an mbarrier stands behind the copies that report to it")
	}
	for _, b := range g.Buffers {
		for _, r := range b.Readers {
			if op := g.Nodes[b.Copy].Op; op.Is(tileas.TMALoad) && op.OperandNamed("mbarrier") == mbarrier && r < wait {
				return fmt.Errorf("'%s' #%d reads what is copied before the wait for that", g.Nodes[r].Op.Name(), r)
			}
		}
	}
	return nil
}

// parity reports whether a value is carried by the loop as 0 and 1 in turn, and nothing but waits take it.
func (g *Graph) parity(v ir.Value) bool {
	if !v.IsBlockArg() || v.Block() != g.Loop.Body() || v.Index() == 0 {
		return false
	}
	k := v.Index() - 1
	next := g.yields[k].DefiningOp()
	if next.IsNil() || !next.Is(arith.XOrI) || next.Operand(0) != v || !arith.IsInt(next.Operand(1), 1) || !next.Result(0).HasOneUse() {
		return false
	}
	for u := range v.Uses() {
		if u.Owner() != next && !(u.Owner().Is(tileas.MbarrierWait) && u.Index() == 1) {
			return false
		}
	}
	i, top := g.index[next]
	g.counters[i], g.parities[k] = true, true
	return top
}

// Parity reports whether a loop-carried value counts phases of an mbarrier that an expansion has its own in the place of.
func (g *Graph) Parity(carried int) bool { return g.parities[carried] }

// Refilled reports whether a buffer is made outside of a loop whose iterations each fill it by a tensor copy before they read it, as do all others that use it: nothing in it lasts, so that the loop may have a buffer of its own.
func Refilled(loop ir.Op, buffer ir.Value) bool {
	alloc := buffer.DefiningOp()
	if alloc.IsNil() || !alloc.Is(tileas.AllocShared) || loop.IsAncestorOf(alloc) || tileas.IsBarriers(buffer.Type()) {
		return false
	}
	return refilled(buffer, buffer)
}

// refilled looks at the uses of a buffer through a view of it.
func refilled(buffer, view ir.Value) bool {
	for u := range view.Uses() {
		op := u.Owner()
		switch {
		case op.Is(tileas.TMALoad) && u.Index() == 0:
			if view != buffer {
				return false
			}
		case tileas.IsView(op) && op.Block() == buffer.Block(): // made once, in front of the loops
			if !refilled(buffer, op.Result(0)) {
				return false
			}
		case !filledBefore(buffer, op):
			return false
		}
	}
	return true
}

// filledBefore reports whether a tensor copy to a buffer stands in front of an operation in the block of that, or in front of what the operation is in.
func filledBefore(buffer ir.Value, op ir.Op) bool {
	for u := range buffer.Uses() {
		if fill := u.Owner(); fill.Is(tileas.TMALoad) && u.Index() == 0 {
			if at := op.AncestorIn(fill.Block().Region()); !at.IsNil() && at.Block() == fill.Block() && fill.IsBeforeInBlock(at) {
				return true
			}
		}
	}
	return false
}
