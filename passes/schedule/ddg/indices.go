package ddg

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// The address of a copy may come from memory, as in paged attention: the page number is loaded in the same iteration,
// and perhaps the address of that number too. Such loads are prefetched further than the copy, each level before the
// next:
//
//	number = load table[i]           depth 1
//	copy pages[number]               depth 0, as any copy
//
// A copy of several pages has a tile of numbers, and tiles of addresses are computed from it. Those are computed where
// the copy is.

// findIndices lets copies be prefetched whose addresses depend on loads that can be prefetched. It changes nothing if
// some copy cannot be prefetched even so.
func (g *Graph) findIndices() {
	found := make(map[int]int)
	for _, b := range g.Buffers {
		if copied := &g.Nodes[b.Copy]; copied.Role != Ahead && !g.trace(copied.Op, 0, found) {
			return
		}
	}
	for i := range found {
		n := &g.Nodes[i]
		if n.Role = Floating; candidate(n.Op) {
			n.Role = Ahead
		}
	}
	for _, b := range g.Buffers {
		g.Nodes[b.Copy].Role = Ahead
	}
	g.indices = found
}

// trace follows the operands of an operation to loads, and reports whether all of them can be prefetched.
func (g *Graph) trace(op ir.Op, depth int, found map[int]int) bool {
	return !slices.ContainsFunc(ir.Inputs(op), func(v ir.Value) bool {
		ok, j := true, g.Node(v)
		switch {
		case j < 0:
			// A value of the previous iteration does not exist yet when the load runs iterations earlier.
			_, changes := g.Carried(v)
			ok = !changes
		case g.early[j], g.Nodes[j].Op.Is(tileas.AllocShared):
		case candidate(g.Nodes[j].Op):
			ok = g.deepen(j, depth+1, found)
		default:
			ok = floats(g.Nodes[j].Op) && g.deepen(j, depth, found)
		}
		return !ok
	})
}

// deepen notes the depth of a node, and traces its operands.
func (g *Graph) deepen(i, depth int, found map[int]int) bool {
	// Only a larger depth changes anything, so the recursion ends.
	if had, seen := found[i]; seen && had >= depth {
		return true
	}
	found[i] = depth
	return g.trace(g.Nodes[i].Op, depth, found)
}

// candidate reports whether an operation is a load to registers that may be prefetched if its operands allow it.
func candidate(op ir.Op) bool {
	return (op.Is(tileas.Level.TiledLoad) || op.Is(tileas.Level.Load)) && !tile.IsOrdered(op) && fillsRegisters(op)
}

// IndexDepth returns how many loads there are from a node to the copies whose addresses depend on it, including the
// node. ok is false for other nodes.
func (g *Graph) IndexDepth(i int) (depth int, ok bool) {
	depth, ok = g.indices[i]
	return depth, ok
}

// HasIndices reports whether addresses of copies depend on loads of the loop.
func (g *Graph) HasIndices() bool { return len(g.indices) > 0 }
