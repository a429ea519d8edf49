package specializewarps

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/tileas/machine/instr"
)

// A filled is a buffer that TMA fills, in the form that tileas-materialize-copies creates, or that threads fill with one
// store, or one copy, for MMAs of its block.
type filled struct {
	alloc  ir.Op
	fill   ir.Op   // the load, the store or the copy
	users  []ir.Op // what reads it, directly or through views
	wait   ir.Op   // for a load or copy of another role
	expect ir.Op   // of a TMA load
	commit ir.Op   // of the group of a copy
}

// ops returns the operations of a load or copy of another role.
func (c *filled) ops() []ir.Op {
	return slices.DeleteFunc([]ir.Op{c.alloc, c.expect, c.fill, c.commit, c.wait}, ir.Op.IsNil)
}

// A group is TMA loads that are waited for together: loads of a block between whose waits nothing reads. Or it is
// buffers that threads fill for the MMA warp (handover.go).
type group struct {
	block ir.Block
	from  tileas.End // who fills the buffers
	// gathered says that copies of another role do (gather.go).
	gathered bool
	buffers  []*filled
	pipe     *pipe
	// release is the operation of the block after which the stage is released. A zero Op means the end of the block,
	// if MMAs stay in flight there.
	release   ir.Op
	awaitMMAs bool // a wait for MMAs must precede the release
	late      bool // only a late MMA reads it, with its own wait and release (late.go)
	// mmas says that the MMA warp reads it, the last time in lastReader: an MMA, or an operation around it.
	mmas       bool
	lastReader ir.Op
	// first and last are the loops between which an accumulator that comes back is in its stage.
	first, last ir.Op
}

// A pipe is a circular buffer: the stages that groups of one kind fill one after the other.
type pipe struct {
	groups   []*group
	from, to tileas.End
	types    []*tileas.BufferType // of the buffers of a stage
	back     bool                 // threads and the MMA warp hand the stage to each other (handback.go)
	stages   int64
	// lag is how many iterations later a stage is released: 1 if the MMA that reads it is in flight when its iteration
	// ends.
	lag   int64
	once  bool     // it is filled at most once, and never again
	value ir.Value // the pipe_create's
}

// copyOf returns the buffer that a TMA load fills, or why a producer cannot execute the load.
func copyOf(load ir.Op) (*filled, error) {
	c := &filled{fill: load, alloc: load.OperandNamed(tileas.FieldBuffer).DefiningOp()}
	bar := load.OperandNamed("mbarrier").DefiningOp()
	if !tileas.RowsOf(load).IsNil() {
		return nil, errors.New("a copy gathers rows by indices in registers")
	}
	if c.alloc.IsNil() || !c.alloc.Is(tileas.AllocShared) || bar.IsNil() || !bar.Is(tileas.AllocShared) || !load.OperandNamed("predicate").IsNil() {
		return nil, fmt.Errorf("'%s' does not have the form that tileas-materialize-copies creates", load.Name())
	}
	for u := range bar.Result(0).Uses() {
		switch op := u.Owner(); {
		case op.Is(tileas.MbarrierExpect) && c.expect.IsNil():
			c.expect = op
		case op.Is(tileas.MbarrierWait) && c.wait.IsNil():
			c.wait = op
		case op == load || op.Is(tileas.MbarrierInit) || op.Is(tileas.MbarrierInval):
		default:
			return nil, fmt.Errorf("the mbarrier of '%s' has other uses", load.Name())
		}
	}
	block := load.Block()
	if c.expect.IsNil() || c.wait.IsNil() || c.expect.Block() != block || c.wait.Block() != block || c.alloc.Block() != block || !load.IsBeforeInBlock(c.wait) {
		return nil, fmt.Errorf("'%s' is not waited for in its block", load.Name())
	}
	for u := range tileas.UsesOf(c.alloc.Result(0)) {
		switch op := u.Owner(); {
		case op == load:
		case op.Is(tileas.DotAsync), op.Is(tileas.LocalLoad):
			c.users = append(c.users, op)
		default:
			return nil, fmt.Errorf("'%s' uses a buffer that a copy writes", op.Name())
		}
	}
	// In another role, what follows the load by a token but precedes the wait would not be ordered after the load.
	for u := range load.Result(0).Uses() {
		top := u.Owner().AncestorIn(block.Region())
		if top.IsNil() || top.Block() != block || !c.wait.IsBeforeInBlock(top) {
			return nil, fmt.Errorf("'%s' comes after '%s' by a token, and before the wait for it", u.Owner().Name(), load.Name())
		}
	}
	return c, nil
}

// reads reports whether an operation reads the stages of a group, and readBy whether one of some operations does.
func (g *group) reads(op ir.Op) bool { return g.readBy(func(u ir.Op) bool { return u == op }) }
func (g *group) readBy(some func(ir.Op) bool) bool {
	return slices.ContainsFunc(g.buffers, func(c *filled) bool { return slices.ContainsFunc(c.users, some) })
}

// once reports whether a group is in no loop.
func (g *group) once() bool { return loopOf(g.block).IsNil() }

// handed reports whether consumers hand the stages of a group to the MMA warp.
func (g *group) handed() bool { return g.from != tileas.ByTMA && !g.gathered }

// setGroups makes these the groups of the plan.
func (p *plan) setGroups(groups []*group) {
	p.groups, p.groupOf = groups, make(map[ir.Op]*group)
	for _, g := range groups {
		for _, c := range g.buffers {
			p.groupOf[c.alloc] = g
		}
	}
}

// readsStages reports whether an MMA reads only buffers that some of the ends fill; without ends, any that groups have.
func (p *plan) readsStages(mma ir.Op, ends ...tileas.End) bool { return p.reads(mma, ends, false) }

// readsOnly is readsStages, but the MMA may also read buffers that nothing in its loop writes.
func (p *plan) readsOnly(mma ir.Op, ends ...tileas.End) bool { return p.reads(mma, ends, true) }

func (p *plan) reads(mma ir.Op, ends []tileas.End, others bool) bool {
	return !slices.ContainsFunc(tileas.Buffers(mma), func(v ir.Value) bool {
		root := tileas.RootOf(v)
		if g := p.groupOf[root]; g != nil && (len(ends) == 0 || slices.Contains(ends, g.from)) {
			return false
		}
		return !others || !settled(root, loopOf(mma.Block()))
	})
}

// settled reports whether the contents of a buffer are there before a loop, which only reads them.
func settled(alloc, loop ir.Op) bool {
	return !alloc.IsNil() && !loop.IsNil() && !loop.IsAncestorOf(alloc) && !ir.Any(tileas.UsesOf(alloc.Result(0)), func(u ir.Use) bool {
		return !u.Owner().Is(tileas.DotAsync) && loop.IsAncestorOf(u.Owner())
	})
}

// takes reports whether a group can use the stages of a pipe instead of its own one's.
func (r *pipe) takes(g *group) bool {
	if r.once || g.pipe.once || r.lag != g.pipe.lag || r.from != g.pipe.from || r.to != g.pipe.to || !slices.Equal(r.types, g.pipe.types) {
		return false
	}
	// A stage that stays full during a loop which fills other stages would block that loop: the pipe could not go
	// round.
	return !slices.ContainsFunc(r.groups, g.loopsWith)
}

// loopsWith reports whether two groups are in one loop, or one of them in a loop around that of the other.
func (g *group) loopsWith(o *group) bool {
	a, b := loopOf(o.block), loopOf(g.block)
	return a == b || a.IsAncestorOf(b) || b.IsAncestorOf(a)
}

// join puts a group into the last of some pipes that fits, or adds its own pipe to them.
func (g *group) join(pipes []*pipe, fits func(*pipe) bool) []*pipe {
	if fitting := ir.Filter(pipes, fits); fitting != nil {
		g.pipe = fitting[len(fitting)-1]
	} else {
		pipes = append(pipes, g.pipe)
	}
	g.pipe.groups = append(g.pipe.groups, g)
	return pipes
}

// bytes returns the bytes of a stage in shared memory.
func (r *pipe) bytes() int64 { return ir.Sum(r.types, (*tileas.BufferType).TileBytes) }

// columns returns the columns of a stage in TMEM.
func (r *pipe) columns() int64 {
	return ir.Sum(r.types, func(t *tileas.BufferType) int64 { return t.Bytes() / tileas.TMEMColumnBytes })
}

// typ returns the type of a pipe that is created.
func (r *pipe) typ() *tileas.PipeType { return r.value.Type().(*tileas.PipeType) }

// forProducer returns the loads that the producer takes: not those of a loop whose MMAs also read what threads store
// and do not hand over, if another loop has none of these. That loop is the one that runs, as a rule: the others are its
// versions for parameters that TMA does not take (tileaa-version-loops). The consumers execute them as they would
// without roles.
func (p *plan) forProducer(copies []*filled) []*filled {
	// home is the loop of a load, or outside loops the load itself.
	home := func(c *filled) ir.Op {
		if loop := loopOf(c.fill.Block()); !loop.IsNil() {
			return loop
		}
		return c.fill
	}
	mixed := make(map[ir.Op]bool) // homes of loads for such MMAs
	for _, c := range copies {
		if slices.ContainsFunc(c.users, func(op ir.Op) bool { return op.Is(tileas.DotAsync) && !p.readsOnly(op) }) {
			mixed[home(c)] = true
		}
	}
	pure := ir.Filter(copies, func(c *filled) bool { return !mixed[home(c)] })
	if slices.ContainsFunc(pure, func(c *filled) bool { return home(c) != c.fill }) {
		return pure
	}
	return copies
}

// groupCopies groups the loads that are waited for together.
func groupCopies(copies []*filled) (out []*group) {
	for _, c := range copies {
		if n := len(out); n > 0 && out[n-1].block == c.fill.Block() && out[n-1].takes(c) {
			out[n-1].buffers = append(out[n-1].buffers, c)
			continue
		}
		out = append(out, &group{block: c.fill.Block(), from: tileas.ByTMA, buffers: []*filled{c}})
	}
	return out
}

// takes reports whether there is nothing that uses a product between the wait for the last load of a group and that for
// another load. Threads may load what was waited for, and add products: all operands of two MMAs that add to accumulators
// of the loop come in one stage. MMAs that begin with zeros do not: what they compute may be used before the next load is
// there, and pipes of single operands can share stages.
func (g *group) takes(c *filled) bool {
	op, end := g.buffers[len(g.buffers)-1].wait, c.wait
	if end.IsBeforeInBlock(op) {
		op, end = end, op
	}
	for ; op != end; op = op.Next() {
		switch {
		case tileas.IsMMA(op) || op.Is(tileas.DotAsync):
			if !instr.Accumulates(op) {
				return false
			}
		case op.Is(tileas.DotWait) && op.NumOperands() == 0: // for the buffers of MMAs
		case ir.IsPure(op), op.Is(tileas.LocalLoad), op.Is(tileas.MbarrierWait), op.Is(tileas.FenceAsync), op.Is(tileas.AllocShared), op.Is(tileas.MbarrierExpect), op.Is(tileas.TMALoad):
		default:
			return false
		}
	}
	return true
}

// issue returns where the producer starts the loads of a group: where the coordinates of the last one are known. Loads are
// in the order of the text.
func (g *group) issue() ir.Op { return g.buffers[len(g.buffers)-1].fill }

// wait returns where the consumers wait for the loads of a group: before the first reader.
func (g *group) wait() ir.Op {
	return ir.Earliest(ir.Map(g.buffers, func(c *filled) ir.Op { return c.wait })...)
}

// loopOf returns the innermost loop around a block; a zero Op where there is none.
func loopOf(b ir.Block) ir.Op { return ir.LoopAround(b.ParentOp(), true) }

// findRelease finds when the stage of a group is released.
func (g *group) findRelease(deferred bool, c *carry) error {
	if deferred {
		g.pipe.lag = 1
		return nil
	}
	if g.late || g.mmas {
		return nil
	}
	var at ir.Op
	async := false
	for _, c := range g.buffers {
		top, reader := c.lastReaderIn()
		if top.IsNil() && !reader.IsNil() {
			return fmt.Errorf("'%s' reads a copied stage outside the block of the copy", reader.Name())
		}
		at, async = ir.Latest(at, c.wait, top), async || slices.ContainsFunc(c.users, tileas.DotAsync.Is)
	}
	g.release = at
	if !async {
		return nil
	}
	// The next wait for all MMAs proves that the reads are over.
	wait := at.FindNext(func(op ir.Op) bool {
		return op.Is(tileas.DotWait) && waitsForAll(op) && (c == nil || !slices.Contains(c.idle, op))
	})
	if g.awaitMMAs = wait.IsNil(); !g.awaitMMAs {
		g.release = wait
	}
	return nil
}

// deferrable returns how many MMAs of a loop body may stay in flight at its end; 0 if something in it uses an accumulator,
// or must not overlap MMAs.
func (p *plan) deferrable(b ir.Block) (mmas int) {
	if !b.ParentOp().Is(scf.For) {
		return 0
	}
	for op := range b.Ops() {
		switch {
		case op.Is(tileas.DotAsync):
			// An operand in registers must stay there until the MMA is done.
			if mmas++; len(tileas.Buffers(op)) < 2 || !p.readsOnly(op, tileas.ByTMA, tileas.ByCopies) {
				return 0
			}
		case op.Is(tileas.DotWait):
			if op.NumOperands() > 0 {
				return 0
			}
		case op.Is(tileas.LocalStore), op.Is(tileas.LocalLoad), tileas.IsCopy(op) && p.groupOf[tileas.RootOf(op.Operand(0))] == nil, op.NumRegions() > 0 && !ir.IsPure(op):
			return 0
		}
	}
	if mmas > tileas.MostMMAsPending {
		return 0
	}
	return mmas
}
