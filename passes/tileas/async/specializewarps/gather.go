package specializewarps

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/sm"
)

// Copies by threads (cp.async), as of rows that a table names, can have a role of their own:
//
//	role "gather"  warps(W) { for { load the table ; %s = pipe_acquire A ; gather_async %s ; commit_group ; pipe_commit A } }
//	role "compute" warps(W) { for { %a = pipe_wait A ; fence_async ; S = dot_async %a, B, S ; dot_wait ; pipe_release A } }
//
// It has as many warps as the consumers, so that all layouts stay. The addresses, the table and the barrier of the CTA
// leave the loop of the MMAs. cp.async writes through the generic proxy, and the MMAs read through the async one. So the
// fence stays with the consumers, between their wait and the MMA.

// findGathers returns the groups that threads fill, as findHandovers does, where a role takes copies in loops; nil if it
// takes none. Where an MMA warp issues the MMAs, it takes those of loops in which consumers compute: otherwise these have
// nothing else to do. Without an MMA warp, it takes all, and nothing else is handed over.
func findGathers(fn ir.Op, all bool) []*group {
	found, _ := findHandovers(fn, true)
	for _, g := range found {
		computes := g.block.Has(func(op ir.Op) bool { return op.Is(tileas.DotWait) && op.NumOperands() > 0 })
		g.gathered = g.from == tileas.ByCopies && !g.once() && (all || computes) && !slices.ContainsFunc(g.buffers, func(c *filled) bool { return !c.findWait() })
	}
	gathered := ir.Filter(found, func(g *group) bool { return g.gathered })
	if all || len(gathered) == 0 {
		return gathered
	}
	return found
}

// findWait finds the wait for a copy, and reports whether it is the only one, and stands in the block of the copy.
func (c *filled) findWait() bool {
	group := c.commit.Result(0)
	if !group.HasOneUse() {
		return false
	}
	c.wait = group.FirstUse().Owner()
	return c.wait.Is(tileas.WaitGroup) && c.wait.Block() == c.alloc.Block()
}

// forGatherers returns the groups that a role can take: those whose MMAs read nothing that consumers fill in their loop,
// and whose waits are for such groups only.
func (p *plan) forGatherers(groups []*group) []*group {
	others := ir.Filter(p.groups, func(g *group) bool { return g.from == tileas.ByTMA })
	for {
		left := slices.DeleteFunc(slices.Clone(groups), func(g *group) bool {
			return g.gathered && (g.readBy(func(op ir.Op) bool { return !p.readsOnly(op) }) ||
				slices.ContainsFunc(g.buffers, func(c *filled) bool { return !p.servesGroups(c.wait) }))
		})
		if len(left) == len(groups) {
			return groups
		}
		groups = left
		p.setGroups(slices.Concat(others, groups))
	}
}

// addresses returns how many registers a thread of the role takes for the addresses of the copies of a loop: for each of
// its copies where a row begins, and where in the row it is.
func (p *plan) addresses() (most int64) {
	of := make(map[ir.Block]int64)
	for _, g := range ir.Filter(p.groups, func(g *group) bool { return g.gathered }) {
		for _, c := range g.buffers {
			bytes := c.alloc.Result(0).Type().(*tileas.BufferType).TileBytes()
			copies := max(1, bytes/int64(p.warps*sm.WarpSize*bytesOfCopy))
			of[g.block] += copies * 2 * wordsOfAddress
			most = max(most, of[g.block])
		}
	}
	return most
}

const (
	bytesOfCopy    = 16 // the most that one cp.async copies (PTX ISA, cp.async)
	wordsOfAddress = 2
)

// writeGather creates the code of the gather role.
func (p *plan) writeGather(w *writer) {
	for _, g := range p.groups {
		if g.gathered {
			w.writeFill(g)
		}
	}
	w.write(p.gather)
}
