package emu

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"strings"
)

// group is a cluster of CTAs; they are in execution together.
type group struct {
	run  *run
	ctas []*cta
	// warps of all CTAs, in order.
	warps   []*warp
	order   []*warp // the same, in the order of their turns
	barrier clusterBarrier
	pending []*asyncOp // asynchronous copies in flight, oldest first
	// events counts what can end a wait; idle is the number of rounds
	// without any.
	events uint64
	idle   int
	rng    *rand.Rand // adversarial mode only
}

// cta is a cooperative thread array in execution.
type cta struct {
	run      *run
	group    *group
	id       [3]uint32
	rank     uint32 // in the cluster
	shared   []byte
	warps    []*warp
	barriers [barrierCount]barrier
	written  genericWrites // and published
	unit     unit          // if the program has one
}

// unit is hardware of a CTA that the machine knows nothing of: the tensor core of tcgen05 with its memory.
type unit interface {
	// reset prepares the unit for another CTA. Memory starts undefined.
	reset(c *cta)
	// exited checks, when all threads of the CTA are gone, that the program has left nothing behind.
	exited(c *cta) error
}

// slice is how many instructions a warp executes before the next one.
const slice = 1 << 10

func newGroup(r *run) *group {
	g := &group{run: r}
	threads := int(volume(r.block))
	for i := range int(volume(r.cluster)) {
		c := &cta{run: r, group: g, rank: uint32(i), shared: alignedBytes(r.shared)}
		consts := r.consts
		if i > 0 {
			consts = r.prog.relocate(func(s *symbol) uint64 {
				if s.space == spShared {
					return c.window()
				}
				return r.vars[s]
			})
		}
		for range (threads + warpSize - 1) / warpSize {
			w := &warp{
				regs: make([]lanes, r.prog.nregs), init: make([]uint32, r.prog.nregs),
				preds: make([]uint32, r.prog.npreds), pinit: make([]uint32, r.prog.npreds),
				consts: consts, prog: r.prog, local: alignedBytes(warpSize * r.prog.localSize),
			}
			c.warps = append(c.warps, w)
			g.warps = append(g.warps, w)
		}
		if r.prog.unit != nil {
			c.unit = r.prog.unit()
		}
		if r.prog.asyncReads {
			c.written.dirty = make([]uint64, (r.shared+63)/64)
			for _, w := range c.warps {
				w.written.dirty = make([]uint64, (r.shared+63)/64)
			}
		}
		for b := range c.barriers {
			c.barriers[b].arrived = make([]uint32, len(c.warps))
		}
		g.ctas = append(g.ctas, c)
		g.barrier.arrived = append(g.barrier.arrived, make([]uint32, len(c.warps)))
	}
	return g
}

// start makes the group execute the cluster of that number in the grid.
func (g *group) start(id uint64) {
	r := g.run
	at := r.first(id)
	threads := int(volume(r.block))
	g.barrier.waiting = g.barrier.waiting[:0]
	g.pending, g.idle, g.rng = g.pending[:0], 0, nil
	g.order = append(g.order[:0], g.warps...)
	if r.l.Adversarial {
		g.rng = rand.New(rand.NewPCG(r.l.Seed, id))
	}
	for _, c := range g.ctas {
		k := c.rank
		for i := range at {
			c.id[i] = at[i] + k%r.cluster[i]
			k /= r.cluster[i]
		}
		g.poison(c.shared)
		c.written.fence()
		if c.unit != nil {
			c.unit.reset(c)
		}
		for b := range c.barriers {
			c.barriers[b].reset()
		}
		clear(g.barrier.arrived[c.rank])
		for i, w := range c.warps {
			w.start(c, i, uint32(mask(min(threads-i*warpSize, warpSize))))
		}
	}
}

// advance gives the warps turns for about budget warp instructions. It
// reports whether all of them have exited. After each round of turns some
// of the asynchronous copies complete.
func (g *group) advance(budget uint64) (done bool, err error) {
	var used uint64
	for used < budget {
		ran, alive, stalled := false, false, true
		events := g.events
		queued := len(g.pending)
		g.shuffle()
		for _, w := range g.order {
			if w.live == 0 {
				continue
			}
			alive = true
			if w.cur == nil {
				continue
			}
			ran = true
			before := w.steps
			w.run(g.turn())
			used += w.steps - before + 1
			if w.err != nil {
				return false, w.err
			}
			stalled = stalled && w.stalled
		}
		if !alive {
			return true, g.exited()
		}
		if err := g.completeSome(queued, stalled); err != nil {
			return false, err
		}
		switch {
		case g.events != events || ran && !stalled:
			g.idle = 0
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

// idleRounds is the number of rounds in which all warps only fail to wait
// after which they are taken to wait for ever.
const idleRounds = 4096

// exited checks, when all threads are gone, that nothing uses their shared
// memory any more: it belongs to another CTA soon.
func (g *group) exited() error {
	if err := g.finish(func(op *asyncOp) bool { return op.detached }); err != nil {
		return err
	}
	for _, op := range g.pending {
		if op.commit {
			continue // the operations themselves count, see the exited of its unit
		}
		op.w.faultf(op.lane, "the threads have exited while this operation, for which nobody waited, accesses their shared memory")
		return op.blame()
	}
	for _, c := range g.ctas {
		if c.unit != nil {
			if err := c.unit.exited(c); err != nil {
				return err
			}
		}
	}
	return nil
}

// completeSome completes asynchronous operations at the end of a round: in
// order those that were queued before it and are not lazy, or, in
// adversarial mode, a random choice, but one at least when nothing else can
// happen.
func (g *group) completeSome(queued int, stalled bool) error {
	if g.rng == nil {
		return g.finish(func(op *asyncOp) bool { queued--; return queued >= 0 && !op.lazy })
	}
	if n := len(g.pending); n > 0 && stalled {
		lucky := g.pending[g.rng.IntN(n)]
		return g.finish(func(op *asyncOp) bool { return op == lucky })
	}
	return g.finish(func(op *asyncOp) bool { return !op.lazy && g.chance(8) })
}

// The functions below are the moves of the adversary.

// chance is true once in n times, and never outside of adversarial mode.
func (g *group) chance(n int) bool { return g.rng != nil && g.rng.IntN(n) == 0 }

func (g *group) shuffle() {
	if g.rng != nil {
		g.rng.Shuffle(len(g.order), func(i, j int) { g.order[i], g.order[j] = g.order[j], g.order[i] })
	}
}

// turn is the length of a warp's next turn.
func (g *group) turn() int {
	if g.rng != nil {
		return 1 + g.rng.IntN(1<<g.rng.IntN(9))
	}
	return slice
}

// poison fills memory that starts undefined: with zeros, or with a pattern
// that is NaN in every floating-point format and no valid address.
func (g *group) poison(b []byte) {
	if g.rng == nil {
		clear(b)
		return
	}
	for i := range b {
		b[i] = 0xff
	}
}

// count returns and clears the instruction counters.
func (g *group) count() (steps, work uint64) {
	for _, w := range g.warps {
		steps += w.steps
		work += w.work
		w.before += w.steps
		w.steps, w.work = 0, 0
	}
	return steps, work
}

// Deadlock is the error of a launch in which every live warp of a cluster
// waits.
type Deadlock struct {
	Module string
	CTA    [3]uint32
	// Waiting describes, for each waiting group of lanes, the warp, its
	// lanes and the instruction.
	Waiting []string
}

func (d *Deadlock) Error() string {
	return fmt.Sprintf("%s: deadlock in cta %d,%d,%d: %s", d.Module, d.CTA[0], d.CTA[1], d.CTA[2], strings.Join(d.Waiting, "; "))
}

func (g *group) deadlock() error {
	d := &Deadlock{Module: g.run.prog.m.Name, CTA: g.ctas[0].id}
	for _, c := range g.ctas {
		for _, w := range c.warps {
			for _, s := range w.leaves {
				pc := s.pc
				if s.state == splitBarrier {
					pc-- // stands behind the barrier
				}
				st := g.run.prog.code[pc].stmt
				who := fmt.Sprintf("warp %d", w.id)
				if len(g.ctas) > 1 {
					who = fmt.Sprintf("cta %d,%d,%d warp %d", c.id[0], c.id[1], c.id[2], w.id)
				}
				if s.mask != w.live || len(w.leaves) > 1 {
					who += fmt.Sprintf(" lanes %#x", s.mask)
				}
				d.Waiting = append(d.Waiting, fmt.Sprintf("%s waits at line %d '%s'", who, st.pos.line, st.text))
			}
		}
	}
	if n := len(d.Waiting); n > 32 {
		d.Waiting = append(d.Waiting[:32], fmt.Sprintf("and %d more", n-32))
	}
	return d
}

// where names what the first running warp is doing.
func (g *group) where() string {
	for _, w := range g.warps {
		if w.cur != nil {
			st := g.run.prog.code[w.cur.pc].stmt
			return fmt.Sprintf("line %d '%s' in cta %d,%d,%d warp %d", st.pos.line, st.text, w.cta.id[0], w.cta.id[1], w.cta.id[2], w.id)
		}
	}
	return "the end of a quantum"
}

func laneOf(m uint32) int { return bits.TrailingZeros32(m) & 31 }
