package machine

import (
	"math/rand/v2"

	"github.com/tilewright/tilewright/target/engine/emu/hb"
	"github.com/tilewright/tilewright/target/engine/emu/num"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// Cluster is a cluster of CTAs; they are in execution together.
type Cluster struct {
	run  *run
	CTAs []*CTA
	// warps of all CTAs, in order.
	warps   []*Warp
	order   []*Warp // the same, in the order of their turns
	barrier clusterBarrier
	pending []*AsyncOp // asynchronous copies in flight, oldest first
	// Events counts what can end a wait; idle is the number of rounds
	// without any.
	Events uint64
	idle   int
	Rng    *rand.Rand // adversarial mode only
	// performing is the event that issued the asynchronous operation that is being performed, nil for none.
	performing *int32
	watch      *hb.Cluster   // nil: not checked
	issued     *hb.Operation // that is being performed, for the check
}

// slice is how many instructions a warp executes before the next one.
//
// Long enough that the cost of changing the warp does not show, short enough that a warp which polls memory does not
// keep the writer from its turn for long.
const slice = 1 << 10

func newCluster(r *run) *Cluster {
	g := &Cluster{run: r}
	threads := int(volume(r.block))
	for i := range int(volume(r.cluster)) {
		c := &CTA{Run: r, Cluster: g, Rank: uint32(i), shared: alignedBytes(r.shared)}
		consts := r.consts
		if i > 0 {
			consts = r.prog.relocate(func(s *syntax.Symbol) uint64 {
				if s.Space == syntax.Shared {
					return c.Window()
				}
				return r.vars[s]
			})
		}
		for range (threads + WarpSize - 1) / WarpSize {
			w := &Warp{
				Regs: r.prog.takeRegisters(), Init: make([]uint32, r.prog.Regs),
				Preds: make([]uint32, r.prog.Preds), PredInit: make([]uint32, r.prog.Preds),
				consts: consts, Program: r.prog, Local: alignedBytes(WarpSize * r.prog.LocalSize),
			}
			c.Warps = append(c.Warps, w)
			g.warps = append(g.warps, w)
		}
		if r.prog.Unit != nil {
			c.Unit = r.prog.Unit()
		}
		if r.prog.AsyncGlobal {
			c.stored = make(globalWrites)
			for _, w := range c.Warps {
				w.stored = make(globalWrites)
			}
		}
		for b := range c.barriers {
			c.barriers[b].number, c.barriers[b].arrived = b, make([]uint32, len(c.Warps))
		}
		g.CTAs = append(g.CTAs, c)
		g.barrier.arrived = append(g.barrier.arrived, make([]uint32, len(c.Warps)))
	}
	return g
}

// free hands back what a later launch can use.
func (g *Cluster) free() {
	for _, w := range g.warps {
		g.run.prog.giveRegisters(w.Regs)
		w.Regs = nil
	}
}

// start makes the group execute the cluster of that number in the grid.
func (g *Cluster) start(id uint64) {
	r := g.run
	at := r.first(id)
	threads := int(volume(r.block))
	g.barrier.waiting = g.barrier.waiting[:0]
	g.pending, g.idle, g.Rng = g.pending[:0], 0, nil
	g.order = append(g.order[:0], g.warps...)
	if r.Launch.Adversarial {
		g.Rng = rand.New(rand.NewPCG(r.Launch.Seed, id))
	}
	g.watchStart(id)
	for _, c := range g.CTAs {
		k := c.Rank
		for i := range at {
			c.ID[i] = at[i] + k%r.cluster[i]
			k /= r.cluster[i]
		}
		g.Poison(c.shared)
		c.written.fence()
		clear(c.stored)
		c.counts = Counters{}
		if c.Unit != nil {
			c.Unit.Reset(c)
		}
		for b := range c.barriers {
			c.barriers[b].reset()
		}
		clear(g.barrier.arrived[c.Rank])
		for i, w := range c.Warps {
			w.start(c, i, uint32(num.Mask(min(threads-i*WarpSize, WarpSize))))
		}
	}
}

// advance gives the warps turns for about budget warp instructions. It
// reports whether all of them have exited. After each round of turns some
// of the asynchronous copies complete.
func (g *Cluster) advance(budget uint64) (done bool, err error) {
	var used uint64
	for used < budget {
		ran, alive, stalled := false, false, true
		events := g.Events
		queued := len(g.pending)
		g.shuffle()
		for _, w := range g.order {
			if w.Live == 0 {
				continue
			}
			alive = true
			if w.Cur == nil {
				continue
			}
			ran = true
			before := w.steps
			w.run(g.turn())
			used += w.steps - before + 1
			if w.Err != nil {
				return false, w.Err
			}
			stalled = stalled && w.Stalled
		}
		if !alive {
			return true, g.exited()
		}
		if err := g.completeSome(queued, stalled); err != nil {
			return false, err
		}
		switch {
		// Something has happened, or a warp did more than fail to wait.
		case g.Events != events || ran && !stalled:
			g.idle = 0
		// All warps block, and nothing is in flight that could wake one.
		case !ran && len(g.pending) == 0:
			return false, g.deadlock()
		default:
			if g.idle++; g.idle > idleRounds {
				return false, g.deadlock()
			}
		}
	}
	return false, nil
}

// idleRounds is the number of rounds in which all warps only fail to wait after which they are taken to wait forever.
//
// Waits that fail are not deadlocks yet, as a copy may complete in the next round. But when nothing is in flight and
// nothing has happened for so many rounds, nothing will. A warp that polls ordinary memory counts as running, and only
// Launch.MaxSteps ends it: that its loop changes nothing cannot be seen from here.
const idleRounds = 4096

// exited checks, when all threads are gone, that nothing uses their shared
// memory any more: it belongs to another CTA soon.
//
// On hardware this is a write into the shared memory of another CTA, some time later and somewhere else; kernels with
// bulk stores therefore wait once more before they exit.
func (g *Cluster) exited() error {
	defer g.watchExit()
	if err := g.finish(func(op *AsyncOp) bool { return op.Detached }); err != nil {
		return err
	}
	for _, op := range g.pending {
		if op.Commit {
			continue // the operations themselves count, see the exited of its unit
		}
		op.w.Faultf(op.lane, "the threads have exited while this operation, for which nobody waited, accesses their shared memory")
		return op.blame()
	}
	for _, c := range g.CTAs {
		if c.Unit != nil {
			if err := c.Unit.Exited(c); err != nil {
				return err
			}
		}
	}
	return nil
}

// completeSome completes asynchronous operations at the end of a round: in order, those that were queued before it and
// are not lazy. In adversarial mode it makes a random choice, of at least one when nothing else can happen.
//
// PTX ISA, "Completion Mechanisms for Asynchronous Copy Operations": operations complete in any order and at any time.
// Without the adversary each takes at least one round, so that a reader without a wait is caught. Their order is that
// of issue, so that runs are repeatable. That an order is wrong only the adversary shows.
func (g *Cluster) completeSome(queued int, stalled bool) error {
	if g.Rng == nil {
		return g.finish(func(op *AsyncOp) bool { queued--; return queued >= 0 && !op.lazy })
	}
	if n := len(g.pending); n > 0 && stalled {
		lucky := g.pending[g.Rng.IntN(n)]
		return g.finish(func(op *AsyncOp) bool { return op == lucky })
	}
	return g.finish(func(op *AsyncOp) bool { return !op.lazy && g.Chance(8) })
}

// count returns and clears the instruction counters.
func (g *Cluster) count() (steps, work uint64) {
	for _, w := range g.warps {
		steps += w.steps
		work += w.work
		w.before += w.steps
		w.steps, w.work = 0, 0
	}
	return steps, work
}
