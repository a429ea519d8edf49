package ddg

import (
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/schedule/modulo"
)

// An MMA is an asynchronous MMA of the body. It reads its operands until it is complete, which the program knows after
// a wait.
type MMA struct {
	Node int
	Done int // the node of the wait that leaves it complete
	// Fragments are the nodes that write registers from which it reads an operand.
	Fragments []int
}

// findMMAs finds the wait for each asynchronous MMA. MMAs complete in the order in which they start, so the text
// tells.
func (g *Graph) findMMAs() error {
	var open []int
	for i, n := range g.Nodes {
		switch {
		case n.Op.Is(tileas.DotAsync):
			open = append(open, i)
		case n.Op.Is(tileas.DotWait):
			pending, _ := n.Op.IntAttr(tileas.AttrPending)
			// The wait leaves the latest ones in flight, so the oldest are complete.
			for ; len(open) > int(pending); open = open[1:] {
				g.MMAs = append(g.MMAs, MMA{Node: open[0], Done: i})
			}
			for _, v := range n.Op.Operands() {
				j := g.Node(v)
				if _, done := g.Done(j); !done && j >= 0 && g.Nodes[j].Op.Is(tileas.DotAsync) {
					return fmt.Errorf("'%s' #%d leaves an MMA in flight that it should wait for", n.Op.Name(), i)
				}
			}
		}
	}
	if len(open) > 0 {
		return fmt.Errorf("nothing in an iteration waits for '%s' #%d", g.Nodes[open[0]].Op.Name(), open[0])
	}
	return nil
}

// findDrain merges the waits that only wait for stages into one. Their places in the text mean nothing, since stages
// are filled at the head of an iteration. The schedule then decides in which iteration the MMAs are known to be
// complete.
func (g *Graph) findDrain() {
	g.Drain = -1
	glue := func(i int) bool { return g.Nodes[i].Role == Glue && g.Nodes[i].Op.Is(tileas.DotWait) }
	for _, p := range g.MMAs {
		if glue(p.Done) {
			// The last wait in the text covers the MMAs of all earlier ones.
			g.Drain = max(g.Drain, p.Done)
		}
	}
	for k := range g.MMAs {
		if p := &g.MMAs[k]; glue(p.Done) {
			p.Done = g.Drain
		}
	}
}

// Done returns the node of the wait that leaves an asynchronous MMA complete; ok is false for other operations.
func (g *Graph) Done(mma int) (wait int, ok bool) {
	if i := slices.IndexFunc(g.MMAs, func(p MMA) bool { return p.Node == mma }); i >= 0 {
		return g.MMAs[i].Done, true
	}
	return 0, false
}

// forCopies reports whether the MMAs that a wait leaves complete read no buffers but those that copies of the loop fill.
func (g *Graph) forCopies(wait int) bool {
	return !slices.ContainsFunc(g.MMAs, func(p MMA) bool { return p.Done == wait && !g.reads[p.Node] })
}

// mmas adds the edges from asynchronous MMAs to the waits for them, and those that keep an operand's registers from being
// overwritten while an MMA reads them.
func (g *Graph) mmas() {
	for _, p := range g.MMAs {
		g.edge(p.Node, p.Done, g.Nodes[p.Node].Timing.Latency, 0, modulo.Async, ir.Value{})
	}
	for _, p := range g.MMAs {
		for _, i := range p.Fragments {
			g.edge(p.Done, i, 0, 1, modulo.Output, ir.Value{})
		}
	}
}

// readOnly reports whether a buffer is allocated outside of the loop and only read in it, by loads or MMAs, directly or
// through views. So its readers need no order.
func (g *Graph) readOnly(buffer ir.Value) bool {
	root := tileas.RootOf(buffer)
	return !root.IsNil() && !g.Loop.IsAncestorOf(root) && !ir.Any(tileas.UsesOf(root.Result(0)), func(u ir.Use) bool {
		return g.Loop.IsAncestorOf(u.Owner()) && !u.Owner().Is(tileas.LocalLoad) && !u.Owner().Is(tileas.DotAsync)
	})
}
