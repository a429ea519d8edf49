package ddg

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/schedule/modulo"
	"github.com/tilewright/tilewright/target/sm"
)

func (g *Graph) edge(from, to, latency, distance int, kind modulo.Kind, v ir.Value) {
	g.Edges = append(g.Edges, Edge{modulo.Edge{From: from, To: to, Latency: latency, Distance: distance, Kind: kind}, v})
}

// flow adds an edge for each value that an operation uses, in the same iteration or through loop-carried values.
func (g *Graph) flow() {
	for i := range g.Nodes {
		for _, v := range ir.Inputs(g.Nodes[i].Op) {
			distance := 0
			source := v
			// A value may pass through several loop-carried arguments; each adds an iteration of distance. Arguments
			// that only change places would form a cycle, which the bound ends.
			for {
				next, ok := g.Carried(source)
				if !ok || distance > len(g.yields) {
					break
				}
				source = next
				distance++
			}
			j := g.Node(source)
			if j < 0 || j == i && distance == 0 {
				continue
			}
			kind, latency := modulo.Flow, g.Nodes[j].Timing.Latency
			if multiplies(g.Nodes[j].Op) && multiplies(g.Nodes[i].Op) && v == g.Nodes[i].Op.Operand(2) {
				latency = g.Nodes[j].Timing.Work() // its instructions follow one another: each waits only for its own part of the accumulator
			}
			if _, isToken := source.Type().(*tile.TokenType); isToken {
				// A token within one thread needs program order only. Between threads, tileas-insert-barriers adds a
				// barrier.
				kind, latency = modulo.Token, g.Nodes[j].Timing.Work()
				if g.Nodes[j].Async() {
					if !ir.MayWrite(g.Nodes[i].Op) {
						latency = 0 // a read after a read needs no order
					} else {
						kind, latency = modulo.Async, g.Nodes[j].Timing.Latency
					}
				}
			}
			if g.Nodes[i].Role == Glue {
				latency = 0
			}
			g.edge(j, i, latency, distance, kind, source)
		}
	}
}

// multiplies reports whether an operation is an MMA, synchronous or not.
func multiplies(op ir.Op) bool { return tileas.IsMMA(op) || op.Is(tileas.DotAsync) }

// waits adds the edges from copies to the readers of their buffers.
func (g *Graph) waits() {
	for _, b := range g.Buffers {
		copied := &g.Nodes[b.Copy]
		for _, r := range b.Readers {
			g.edge(b.Copy, r, copied.Timing.Latency, 0, modulo.Async, b.Root)
		}
	}
	for i, n := range g.Nodes { // a commit stands after the copies of its group
		if n.Op.Is(tileas.CommitGroup) {
			for j := i - 1; j >= 0 && !g.Nodes[j].Op.Is(tileas.CommitGroup); j-- {
				if tileas.IsCopy(g.Nodes[j].Op) {
					g.edge(j, i, 0, 0, modulo.Async, ir.Value{})
				}
			}
		}
	}
}

// effects keeps operations with effects in the order of the text, within and between iterations, if no value orders
// them.
func (g *Graph) effects() {
	var chain []int
	for i, n := range g.Nodes {
		// Values express the order of a wait for accumulators and stages only, so nothing else has to follow it.
		if n.Role == Compute && !g.reads[i] && !orderedByValues(n.Op) && !(n.Op.Is(tileas.DotWait) && g.forCopies(i)) {
			chain = append(chain, i)
		}
	}
	takes := func(i int) int {
		if g.Nodes[i].Op.Is(tileas.DotAsync) { // only its issue: the wait for it is in the chain too
			return g.Nodes[i].Timing.Busy[sm.UnitIssue]
		}
		return g.Nodes[i].Timing.Work()
	}
	for k := 1; k < len(chain); k++ {
		g.edge(chain[k-1], chain[k], takes(chain[k-1]), 0, modulo.Output, ir.Value{})
	}
	if len(chain) > 0 {
		last := chain[len(chain)-1]
		g.edge(last, chain[0], takes(last), 1, modulo.Output, ir.Value{})
	}
}

// orderedByValues reports whether the operands of an operation express all its ordering: it is pure, or a weak load,
// which tokens order.
func orderedByValues(op ir.Op) bool {
	return ir.IsPure(op) || !tile.IsOrdered(op) && (op.Is(tileas.Level.TiledLoad) || op.Is(tileas.Level.Load))
}
