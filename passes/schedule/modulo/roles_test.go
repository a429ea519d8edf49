package modulo_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/passes/schedule/modulo"
	"github.com/tilewright/tilewright/passes/schedule/modulo/exact"
	"github.com/tilewright/tilewright/target/sm"
)

// A split says which role has which operation.
type split struct {
	loads  uint // that a producer warp starts, a bit for each in the order of the text; threads start the others
	mmas   uint // that an MMA warp issues
	groups int  // of consumer warps, each with rows of its own
	inTurn bool // threads compute one iteration after the other, though they have registers for two
}

func (s split) String() string {
	return fmt.Sprintf("loads %b and MMAs %b with warps of their own, groups %d, in turn %v", s.loads, s.mmas, s.groups, s.inTurn)
}

// The roles. Those of further groups follow the first one.
const (
	producer = iota
	mmaWarp
	consumers
)

// resolution is the number of units of time in the work of the busiest unit, as for the scheduler `exact`.
const resolution = 16

// A rolesProblem is the scheduling problem of a body that is split.
type rolesProblem struct {
	modulo.Problem
	*body
	split
	roles bool
	unit  int     // cycles of a unit of time
	ops   [][]int // of each step: one, or one for each group
	role  []int   // of each operation
}

// problem states the problem of a body that is split. Units are the SM's, whichever role uses them. Roles wait for each
// other at mbarriers. Each role begins an iteration when it has begun all of the one before, but for what is late.
func (b *body) problem(s split) *modulo.Problem {
	p := &rolesProblem{body: b, split: s, roles: s.loads != 0 || s.mmas != 0 || s.groups > 1, unit: b.unit()}
	for u := range sm.NumUnits {
		p.Units = append(p.Units, u.String())
	}
	p.place()
	stages := b.stages()
	for i, o := range b.steps {
		for _, r := range o.reads {
			p.wait(r.op, i, b.steps[r.op].t.Latency, r.distance)
		}
		again := p.again(i)
		if o.part == load {
			again, stages = stages[0], stages[1:]
		}
		for _, r := range b.readers(i) {
			if o.part != mma || r.part != mma { // an accumulator stays where it is
				p.wait(r.step, i, r.done, again+r.distance)
			}
		}
	}
	p.inOrder()
	return &p.Problem
}

// unit returns the cycles of a unit of time.
func (b *body) unit() int {
	busiest := 0
	for u := range sm.NumUnits {
		n := 0
		for _, o := range b.steps {
			n += o.t.Busy[u]
		}
		busiest = max(busiest, n)
	}
	return max(1, (busiest+resolution-1)/resolution)
}

// units rounds cycles to units of time. Rounded up, the many short uses of a unit would fill it.
func (p *rolesProblem) units(cycles int) int { return (cycles + p.unit/2) / p.unit }

// place gives steps their operations and roles.
func (p *rolesProblem) place() {
	loads, mmas := p.loads, p.mmas
	for i, o := range p.steps {
		role, n := consumers, p.groups
		switch o.part {
		case load: // one thread starts it for all groups
			if n = 1; loads&1 == 1 {
				role = producer
			}
			loads >>= 1
		case mma:
			if mmas&1 == 1 {
				role, n = mmaWarp, 1
			}
			mmas >>= 1
		}
		var ops []int
		for g := range n {
			op := modulo.Op{Name: fmt.Sprintf("%s#%d", o.name, i)}
			for u, cycles := range o.t.Busy {
				if t := p.units(cycles / n); t > 0 {
					op.Uses = append(op.Uses, modulo.Use{Unit: u, Cycles: t})
				}
			}
			ops, p.role = append(ops, len(p.Ops)), append(p.role, role+g)
			p.Ops = append(p.Ops, op)
		}
		p.ops = append(p.ops, ops)
	}
}

// again returns how many iterations later a step overwrites what readers have read.
func (p *rolesProblem) again(i int) int {
	switch {
	case p.steps[i].part == store: // pipes that threads fill have two stages
		return 2
	case p.steps[i].part == mma && p.role[p.ops[i][0]] == mmaWarp:
		return p.accumulators
	case p.late(i) > 0:
		return 2
	}
	return 1
}

// late returns how many iterations a step of a role may lag behind the others.
func (p *rolesProblem) late(i int) int {
	switch o := p.steps[i]; {
	case o.part == mma && p.role[p.ops[i][0]] == mmaWarp, !p.inTurn && !p.roles && p.overlap, !p.inTurn && p.roles && o.part == mma && p.afterMMA:
		return 1
	}
	return 0
}

// wait lets a step start so many cycles after another one. Those of one group wait for their own group.
func (p *rolesProblem) wait(from, to, cycles, distance int) {
	for g, f := range p.ops[from] {
		for h, t := range p.ops[to] {
			if len(p.ops[from]) != len(p.ops[to]) || g == h {
				n := cycles + p.handshake(from, to, p.role[f] == p.role[t])
				p.Edges = append(p.Edges, modulo.Edge{From: f, To: t, Latency: p.units(n), Distance: distance})
			}
		}
	}
}

// handshake returns what it costs to see that a step is done: at an mbarrier, or at a barrier of threads.
func (p *rolesProblem) handshake(from, to int, same bool) int {
	switch a, b := p.steps[from].part, p.steps[to].part; {
	case a == mma && b == mma: // the tensor cores add in order
		return 0
	case a == mma && p.arch.Has(sm.WgmmaSync):
		return p.arch.Async().MMATail
	case a == load, a == mma, !same:
		return p.arch.Async().Poll
	case a == store && b == mma, b == load:
		return p.m.Memory.Barrier
	}
	return 0
}

// inOrder keeps the iterations of a role in order. Without roles, loads are prefetched as far as there are stages.
func (p *rolesProblem) inOrder() {
	for k, o := range p.steps {
		for j, other := range p.steps {
			if !p.roles && (o.part == load || other.part == load) {
				continue
			}
			for _, f := range p.ops[k] {
				for _, t := range p.ops[j] {
					if f != t && p.role[f] == p.role[t] {
						p.Edges = append(p.Edges, modulo.Edge{From: f, To: t, Latency: 1, Distance: 1 + p.late(k)})
					}
				}
			}
		}
	}
}

// A reader is a step that reads a result, and how many cycles after its start it is done with it.
type reader struct {
	step, distance, done int
	part                 part
}

func (b *body) readers(of int) (out []reader) {
	for i, o := range b.steps {
		for _, r := range o.reads {
			if r.op == of {
				done := o.t.Work()
				if o.part == mma {
					done = o.t.Latency
				}
				out = append(out, reader{i, r.distance, done, o.part})
			}
		}
	}
	return out
}

// mostStages bounds the stages of a buffer: with more of them, the solver has more to choose from and nothing to gain.
const mostStages = 4

// stages gives the buffers of loads one stage each in turn, as far as there is room.
func (b *body) stages() (n []int) {
	var bytes []int
	room := b.room
	for _, o := range b.steps {
		if o.part == load {
			bytes, n = append(bytes, o.bytes), append(n, 1)
			room -= o.bytes
		}
	}
	for again := true; again; {
		again = false
		for i, size := range bytes {
			if n[i] < mostStages && room >= size {
				n[i]++
				room, again = room-size, true
			}
		}
	}
	return n
}

// all returns a bit for each step of a part.
func (b *body) all(p part) (bits uint) {
	for _, o := range b.steps {
		if o.part == p {
			bits = bits<<1 | 1
		}
	}
	return bits
}

// made are the splits that tileas-specialize-warps makes: none, a producer of all loads, with it an MMA warp of all MMAs
// in TMEM, or groups that ping-pong. The loop without roles also has a schedule that overlaps iterations, and MMAs that
// threads issue may be late.
func (b *body) made() (out []split) {
	loads := b.all(load)
	for _, inTurn := range []bool{true, false} {
		switch {
		case !b.arch.Has(sm.WgmmaSync):
			out = append(out, split{loads, b.all(mma), 1, inTurn})
		case b.apart:
			out = append(out, split{loads, 0, 2, inTurn})
		}
		out = append(out, split{loads, 0, 1, inTurn}, split{0, 0, 1, inTurn})
	}
	return out
}

// possible are all splits: each load and each MMA has its own choice. Those in turn are schedules of the others too.
func (b *body) possible() (out []split) {
	mmas, groups := b.all(mma), 1
	if b.arch.Has(sm.WgmmaSync) { // threads have the accumulators in registers
		if mmas = 0; b.apart {
			groups = 2
		}
	}
	for loads := range b.all(load) + 1 {
		for m := range mmas + 1 {
			for g := range groups {
				out = append(out, split{loads, m, 1 + g, false})
			}
		}
	}
	return out
}

// reached returns the least II that the heuristic finds for the splits that the compiler makes.
func (b *body) reached() (ii int, s split, err error) {
	for _, made := range b.made() {
		res, err := iterative(b.problem(made))
		if err != nil {
			return 0, s, err
		}
		if ii == 0 || res.II < ii {
			ii, s = res.II, made
		}
	}
	return ii, s, nil
}

// least returns the least II below a limit that any split has, or the limit.
func (b *body) least(limit int) (ii int, s split, err error) {
	var problems []*modulo.Problem
	var bounds []int
	for _, s := range b.possible() {
		p := b.problem(s)
		bound, err := modulo.LowerBound(p)
		if err != nil {
			return 0, s, err
		}
		problems, bounds = append(problems, p), append(bounds, bound.MII())
	}
	for ii := slices.Min(bounds); ii < limit; ii++ {
		for i, p := range problems {
			if bounds[i] > ii {
				continue
			}
			s, err := exact.At(p, ii)
			if err == nil && s != nil {
				return ii, b.possible()[i], modulo.Verify(p, s)
			}
			if err != nil {
				return 0, split{}, err
			}
		}
	}
	return limit, s, nil
}

// TestRoles compares the II that the compiler's splits into roles reach with the least one that any split has.
func TestRoles(t *testing.T) {
	t.Parallel()
	bodies := 25
	if tier.All() {
		bodies = 50
	}
	if tier.Exhaustive() {
		bodies = 500
	}
	const mostOps = 16 // of a body in one group; the solver takes seconds for many larger ones
	var sum, worst float64
	var text string
	compared, roles := 0, 0
	start := time.Now()
	for seed := uint64(0); compared < bodies; seed++ {
		b := bodyOf(rand.New(rand.NewPCG(seed, 4)))
		if len(b.steps) > mostOps {
			continue
		}
		ii, by, err := b.reached()
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		least, best, err := b.least(ii)
		if errors.Is(err, exact.ErrTooLarge) {
			continue
		}
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if by.loads != 0 {
			roles++
		}
		gap := float64(ii)/float64(least) - 1
		sum += gap
		if compared++; gap > worst {
			worst = gap
			text = fmt.Sprintf("seed %d: %v; II %d with %v; %d with %v", seed, b, ii, by, least, best)
		}
	}
	mean := 100 * sum / float64(compared)
	t.Logf("%d bodies, %d with roles: II is %.2f%% above the least on the mean, %.0f%% at worst (%v)\n%s", compared, roles, mean, 100*worst, time.Since(start), text)
	if mean > 2 {
		t.Errorf("the mean of %d is %.2f%% above the least II; the worst is %.0f%% above it: %s", compared, mean, 100*worst, text)
	}
}
