package ddg

import (
	"fmt"
	"maps"
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// TMA loads have the form that tileas-materialize-copies creates. The mbarrier is allocated before all loops. An
// iteration announces the bytes, starts the loads, and waits for a phase, whose parity it carries on.
//
// An expansion has mbarriers of its own. So everything but the loads is glue, and no phase of the old mbarrier
// completes: an expanded loop leaves its parity unchanged.

// findCounters finds the operations on the mbarriers of TMA loads.
func (g *Graph) findCounters() error {
	g.counters, g.phases = make(map[int]bool), make(map[ir.Value]int)
	for i, n := range g.Nodes {
		if !n.Op.Is(tileas.TMALoad) {
			continue
		}
		if !slices.ContainsFunc(g.Buffers, func(b Buffer) bool { return b.Copy == i }) {
			return fmt.Errorf("the buffer of '%s' #%d has other uses", n.Op.Name(), i)
		}
		m := n.Op.OperandNamed("mbarrier")
		if _, known := g.phases[m]; !known {
			if err := g.counter(m); err != nil {
				return err
			}
		}
	}
	return nil
}

// counter checks all uses of an mbarrier in an iteration. As many bytes must be announced as are copied, and the wait
// must stand between the loads and the readers.
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
		// One wait per iteration: a second one would be for the next phase.
		case op.Is(tileas.MbarrierWait) && wait < 0:
			wait = i
			g.counters[i] = true
			if !g.parity(op.Operand(1)) {
				return fmt.Errorf("'%s' #%d waits for a parity that is not known to change in each iteration", op.Name(), i)
			}
			g.phases[mbarrier] = op.Operand(1).Index() - 1
		default:
			return fmt.Errorf("'%s' #%d uses the mbarrier of a copy", op.Name(), i)
		}
	}
	switch {
	case bytes != 0:
		return fmt.Errorf("an mbarrier expects %d bytes more than are copied", bytes)
	case wait < last:
		return fmt.Errorf("no wait follows the copies that signal an mbarrier")
	}
	for _, b := range g.Buffers {
		for _, r := range b.Readers {
			if op := g.Nodes[b.Copy].Op; op.Is(tileas.TMALoad) && op.OperandNamed("mbarrier") == mbarrier && r < wait {
				return fmt.Errorf("'%s' #%d reads a copy before the wait for it", g.Nodes[r].Op.Name(), r)
			}
		}
	}
	return nil
}

// parity reports whether the loop carries a value that alternates between 0 and 1, and only waits use it.
func (g *Graph) parity(v ir.Value) bool {
	if !v.IsBlockArg() || v.Block() != g.Loop.Body() || v.Index() == 0 {
		return false
	}
	k := v.Index() - 1
	next := g.yields[k].DefiningOp()
	if next.IsNil() || !next.Is(arith.XOrI) || next.Operand(0) != v || !arith.IsInt(next.Operand(1), 1) || !next.Result(0).HasOneUse() {
		return false
	}
	if ir.Any(v.Uses(), func(u ir.Use) bool {
		return u.Owner() != next && !(u.Owner().Is(tileas.MbarrierWait) && u.Index() == 1)
	}) {
		return false
	}
	i, top := g.index[next]
	g.counters[i] = true
	return top
}

// Parity reports whether a loop-carried value is the parity of an mbarrier that an expansion replaces.
func (g *Graph) Parity(carried int) bool {
	return slices.Contains(slices.Collect(maps.Values(g.phases)), carried)
}

// Phases returns which loop-carried value is the parity of a TMA load's mbarrier.
func (g *Graph) Phases(mbarrier ir.Value) int { return g.phases[mbarrier] }
