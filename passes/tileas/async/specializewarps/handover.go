package specializewarps

import (
	"context"
	"slices"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/machine/cost"
)

// The MMA warp can take operands that threads compute, as well as those that TMA loads. Weights in i8, for example:
//
//	for { tma_load A, W ; wait ; %b = sitofp (local_load W) ; local_store %b, B ; fence_async ; S = dot_async A, B, S }
//
// becomes
//
//	role "compute" { for { %w = pipe_wait W ; ... ; %s = pipe_acquire B ; local_store %b, %s ; fence_async ; pipe_commit B } }
//	role "product" { for { %a = pipe_wait A ; %s = pipe_wait B ; tmem_dot %a, %s ; pipe_release A ; pipe_release B } }
//
// So threads convert the next operand while the tensor cores multiply. The consumers' warps fill the pipe, and MMAs
// release its stages. The fence stands before the commit, since it is for the stores of its own thread (PTX ISA, Async
// proxy).
//
// Threads can also copy operands, such as rows that an index names (cp.async):
//
//	role "compute" { for { %s = pipe_acquire B ; gather_async %s ; commit_group ; pipe_commit B } }
//	role "product" { for { %a = pipe_wait A ; %s = pipe_wait B ; fence_async ; tmem_dot %a, %s ; ... } }
//
// The copies land while their threads start those of later iterations: nobody waits but the MMA warp. So it is the MMA
// warp that executes the fence, between the wait for the copies and the MMAs.

// Threads may fill an operand before the loops that read it, such as the queries of attention. They hand it over once for
// each time that its block executes.

// findHandovers returns the groups of buffers that threads fill and that only asynchronous MMAs read. With `copied`
// that includes copies, and any says whether there is one.
func findHandovers(fn ir.Op, copied bool) (out []*group, any bool) {
	seen := make(map[ir.Op]bool)
	for mma := range fn.All() {
		if !mma.Is(tileas.DotAsync) {
			continue
		}
		for _, v := range tileas.Buffers(mma) {
			root := tileas.RootOf(v)
			if root.IsNil() || seen[root] || !root.Is(tileas.AllocShared) {
				continue
			}
			seen[root] = true
			s := &filled{alloc: root}
			if !s.find() || tileas.IsCopy(s.fill) && !(copied && s.findCommit()) {
				continue
			}
			from := tileas.ByThreads
			if tileas.IsCopy(s.fill) {
				from, any = tileas.ByCopies, true
			}
			if n := len(out); n > 0 && out[n-1].firstReader() == s.firstReader() && out[n-1].buffers[0].lastReader() == s.lastReader() && out[n-1].from == from {
				out[n-1].buffers = append(out[n-1].buffers, s)
				continue
			}
			out = append(out, &group{block: root.Block(), from: from, buffers: []*filled{s}})
		}
	}
	return out, any
}

// find finds the store to a buffer and what reads it. It reports whether these are one store, and MMAs that follow it
// in its block or in loops and ifs there.
func (c *filled) find() bool {
	block := c.alloc.Block()
	for u := range tileas.UsesOf(c.alloc.Result(0)) {
		switch op := u.Owner(); {
		case (op.Is(tileas.LocalStore) || tileas.IsCopy(op)) && c.fill.IsNil() && u.Value() == c.alloc.Result(0) && op.Block() == block:
			c.fill = op
		case op.Is(tileas.DotAsync) && !op.AncestorIn(block.Region()).IsNil():
			c.users = append(c.users, op)
		default:
			return false
		}
	}
	return !c.fill.IsNil() && c.fill.IsBeforeInBlock(c.firstReader())
}

// findCommit finds the commit of a copy's group. It reports whether only the copy is in the group, and only MMAs need
// it: what is ordered after the copy by a token comes after its loop, when these are complete.
func (c *filled) findCommit() bool {
	c.commit = c.fill.Next()
	after, loop := c.fill.Result(0), loopOf(c.fill.Block())
	return c.commit.Is(tileas.CommitGroup) && c.fill.OperandNamed(tile.FieldPredicate).IsNil() && (!after.HasUses() || !loop.IsNil() && comeAfter(after, loop))
}

// fenced reports whether a fence stands between what fills a buffer and its first reader.
func (c *filled) fenced() bool {
	reader := c.firstReader()
	at := c.fill.FindNext(func(op ir.Op) bool { return op == reader || op.Is(tileas.FenceAsync) })
	return !at.IsNil() && at != reader
}

// firstReader returns the first MMA that reads what threads store, or the loop or if around it.
func (c *filled) firstReader() ir.Op {
	return ir.Earliest(ir.Map(c.users, func(op ir.Op) ir.Op { return op.AncestorIn(c.alloc.Block().Region()) })...)
}

// firstReader is that of all buffers of the group, which share it.
func (g *group) firstReader() ir.Op { return g.buffers[0].firstReader() }

// handOn returns the operation before which threads commit a stage: the first reader, or what follows the commit of
// the last copy.
func (g *group) handOn() ir.Op {
	if g.from == tileas.ByThreads {
		return g.firstReader()
	}
	return ir.Latest(ir.Map(g.buffers, func(c *filled) ir.Op { return c.commit })...).Next()
}

// servesGroups reports whether a wait is only for copies to the stages of groups.
func (p *plan) servesGroups(wait ir.Op) bool {
	groups := wait.Operands()
	return len(groups) > 0 && !slices.ContainsFunc(groups, func(v ir.Value) bool {
		commit := v.DefiningOp()
		if commit.IsNil() || commit.Prev().IsNil() {
			return true
		}
		copy := commit.Prev() // the only one of its group, where it is handed over
		return !tileas.IsCopy(copy) || p.groupOf[tileas.RootOf(copy.Operand(0))] == nil
	})
}

// filledInTime reports that roles would lengthen an iteration in which threads fill operands, compared with a modulo
// schedule of the entire loop. Either way the busiest unit bounds an iteration. With roles, a stage takes the latency
// of its copies and of the MMAs, and as many iterations as there are stages share that time. What threads load to
// registers they wait for, in each iteration, before they go on. It comes while they wait for an MMA, if there is one.
func (p *plan) filledInTime(ctx context.Context, g *group) error {
	var all cost.Timing
	loads, copies, mmas, tables := 0, 0, 0, p.compute.tables[g.block.ParentOp()]
	for op := range g.block.Ops() {
		t := p.model.Of(op)
		all.Add(t, 1)
		switch {
		case tileas.IsCopy(op):
			copies = max(copies, t.Latency)
		case tables != nil && slices.Contains(tables.reads, op): // read ahead
		case op.Is(tileas.Level.TiledLoad), op.Is(tileas.Level.Load):
			loads = max(loads, t.Latency)
		case op.Is(tileas.DotAsync):
			mmas += t.Latency
		}
	}
	if loads+copies == 0 { // what comes by TMA is there when threads convert it
		return nil
	}
	if g.afterMMA() {
		loads = 0
	}
	if scheduled, ok := p.scheduled(ctx, g.block.ParentOp()); ok {
		busy, blocks := all.Work(), p.ctas()
		return nearlyAsShort(max(busy, scheduled/blocks), max(busy, (busy+loads)/blocks, (copies+mmas)/int(g.pipe.stages)/blocks), nearly)
	}
	return nil
}

// afterMMA reports whether threads compute what they store from the accumulator of an MMA in the same iteration.
func (g *group) afterMMA() bool {
	work := ir.NewWorklist(ir.Map(g.buffers, func(s *filled) ir.Op { return s.fill })...)
	return ir.Any(work.All(), func(op ir.Op) bool {
		makers := ir.Map(ir.Inputs(op), ir.Value.DefiningOp)
		work.Add(ir.Filter(makers, func(def ir.Op) bool { return !def.IsNil() && def.Block() == g.block })...)
		return op.Is(tileas.DotWait)
	})
}
