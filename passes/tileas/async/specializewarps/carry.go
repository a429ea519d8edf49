package specializewarps

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/machine/budget"
	"github.com/tilewright/tilewright/passes/machine/cost"
	"github.com/tilewright/tilewright/passes/schedule"
	"github.com/tilewright/tilewright/passes/schedule/ddg"
	"github.com/tilewright/tilewright/passes/tileas/machine/instr"
	"github.com/tilewright/tilewright/target/sm"
)

// A carry is a loop that hands an MMA to its next iteration, as attention does with P V. The next iteration issues it
// after an MMA of its own, Q K^T (late.go). So both follow each other on the tensor cores without a gap. An iteration is
// one stretch of MMAs and one of arithmetic, and two groups of warps can alternate these (FlashAttention 3, section 3.1).
//
// Q K^T may be several MMAs that add to one accumulator, as where heads have a part with positions (MLA).
type carry struct {
	loop          ir.Op
	begins        ir.Op   // the first MMA of those that first completes
	first, second ir.Op   // the MMAs
	at, dropped   ir.Op   // the waits for them
	idle          []ir.Op // waits between those of the first, which read buffers up to there; at serves instead
	index         int     // of the accumulator, among the loop-carried values
	// after are the operations that depend on the accumulator. They move after the wait for it, in the order of the text.
	after map[ir.Op]bool
	own   []*group // the groups that only the second MMA reads, and that it therefore waits for
}

// carryOf returns the carry of a loop body; nil if it has another form.
func (p *plan) carryOf(b ir.Block) *carry {
	loop := b.ParentOp()
	if !loop.Is(scf.For) {
		return nil
	}
	c := &carry{loop: loop}
	for op := range b.Ops() {
		switch {
		case op.Is(tileas.DotAsync):
			// What threads write in the loop would need a barrier before the MMA.
			if !p.readsOnly(op, tileas.ByTMA, tileas.ByCopies) || !c.second.IsNil() {
				return nil
			}
			switch {
			case c.first.IsNil():
				c.begins, c.first = op, op
			case c.at.IsNil() && op.Operand(2) == c.first.Result(0) && c.first.Result(0).HasOneUse():
				c.first = op
			default:
				c.second = op
			}
		case op.Is(tileas.DotWait):
			switch {
			case op.NumOperands() == 0 && waitsForAll(op) && !c.first.IsNil() && c.second.IsNil() && c.at.IsNil():
				c.idle = append(c.idle, op)
			case !waitsForOne(op):
				return nil
			case !c.second.IsNil() && c.dropped.IsNil() && op.Operand(0) == c.second.Result(0):
				c.dropped = op
			case !c.first.IsNil() && c.second.IsNil() && c.at.IsNil() && op.Operand(0) == c.first.Result(0):
				c.at = op
			default:
				return nil
			}
		case op.NumRegions() > 0 && !ir.IsPure(op):
			return nil
		}
	}
	if c.at.IsNil() || c.dropped.IsNil() {
		return nil
	}
	accumulator := c.dropped.Result(0)
	if !accumulator.HasOneUse() || accumulator.FirstUse().Owner() != b.Last() || !c.second.Result(0).HasOneUse() {
		return nil
	}
	c.index = accumulator.FirstUse().Index()
	for u := range b.Arg(1 + c.index).Uses() { // the accumulator is in flight up to the first wait
		top := u.Owner().AncestorIn(b.Region())
		if top.IsNil() || !c.at.IsBeforeInBlock(top) || top == b.Last() {
			return nil
		}
	}
	return c
}

// findCarries finds the loops that hand on MMAs. They hand accumulators on in registers, so these are MMAs of wgmma.
func (p *plan) findCarries() {
	if !p.arch.Has(sm.WgmmaSync) {
		return
	}
	for _, g := range p.groups {
		c := p.carryOf(g.block)
		if c == nil || p.carries[g.block] != nil {
			continue
		}
		c.own = ir.Filter(p.groups, func(g *group) bool { return g.block == c.loop.Body() && g.reads(c.second) })
		shared := slices.ContainsFunc(c.own, func(g *group) bool { return g.readBy(func(op ir.Op) bool { return op != c.second }) })
		live := schedule.Registers(c.first.Result(0), c.second.Result(0), c.second.Operand(0)) // at once
		if shared || live > p.forTensors() || !c.makeLate() {
			continue
		}
		p.carries[g.block] = c
		for _, g := range c.own {
			g.late = true
		}
	}
}

// firstBarrier is the first named barrier of ping-pong. It is the lowest free number, since a kernel reserves all
// barriers up to the highest that it uses.
const firstBarrier = 1

// pingPong begins a stretch of MMAs by a wait, or ends it by a signal. Without ping-pong it creates nothing.
func (w *writer) pingPong(def *ir.OpDef, ends ...string) {
	if w.pingPongGroups < 2 {
		return
	}
	attrs := []ir.NamedAttr{tileas.Number(w.b.Context(), tileas.AttrID, firstBarrier), tileas.Number(w.b.Context(), tileas.AttrGroups, w.pingPongGroups)}
	w.b.Create(def, nil, nil, append(attrs, ir.Map(ends, func(end string) ir.NamedAttr { return ir.NamedAttr{Name: end, Value: w.b.Context().Unit()} })...)...)
}

// choosePingPong decides whether groups of warps alternate. Each group must have rows of its own in both MMAs, so that
// its arithmetic needs no other group. All of them meet where the CTAs of a cluster wait for each other.
func (p *plan) choosePingPong() {
	if p.warps < 2*budget.Warpgroup || p.warps%budget.Warpgroup != 0 {
		return
	}
	for _, c := range p.carries {
		if p.pingPongGroups = 0; !p.rowsApart(c.first) || !p.rowsApart(c.second) || c.first.ParentOp().Contains(tileas.Level.ClusterSync.Is) {
			return
		}
		p.pingPongGroups = int64(p.warps / budget.Warpgroup)
	}
}

// rowsApart reports whether each warp has rows of its own of an MMA. Then no group needs data of another, neither for
// reductions along rows nor to form an operand from the result. An MMA in TMEM is issued by one thread for the rows of
// all groups, which would have to synchronize for it.
func (p *plan) rowsApart(dot ir.Op) bool {
	m := tileas.MMAOf(dot)
	return m != nil && m.WarpsM == p.warps && m.WarpsN == 1 && !m.Transposed && !instr.InTMEM(dot)
}

// alternates reports why roles do not shorten an iteration, compared with a modulo schedule of the entire loop. Of
// several CTAs on an SM, one runs its MMAs during the arithmetic of another. Each then has the units to itself for its
// share of the time, and their sum per unit bounds all.
func (p *plan) alternates(ctx context.Context, loop ir.Op, c *carry) error {
	blocks := p.ctas()
	pingPong := c != nil && p.pingPongGroups > 0
	if blocks > 1 && pingPong {
		return errors.New("another CTA on the SM already overlaps its MMAs with the arithmetic of this one")
	}
	whole, ok := p.scheduled(ctx, loop)
	if !ok {
		return nil // without a schedule nothing else overlaps arithmetic and MMAs
	}
	busy, alone := p.cyclesOf(loop, c)
	specialized, scheduled := max(busy, alone/blocks), max(busy, whole/blocks)
	// On a tie, ping-pong loses against the scheduler. A late MMA alone wins if it is nearly as good: its consumers have no
	// copies to start, and no barrier of the CTA in the loop.
	switch {
	case pingPong && scheduled <= specialized:
		return shorter(scheduled, specialized)
	case loop.Contains(tileas.IsCopy): // which nothing prefetches with roles
		return nearlyAsShort(scheduled, specialized, nearly)
	}
	return nearlyAsShort(scheduled, specialized, overlapping)
}

// ctas returns how many CTAs an SM runs at once: as many as the kernel asks for, or have room.
func (p *plan) ctas() int {
	shared := int(p.otherShared() + ir.Sum(p.pipes, func(r *pipe) int64 { return r.stages * r.bytes() }))
	return max(1, int(contract.KernelSpecOf(p.fn).Occupancy), schedule.LimitsOf(p.fn, p.arch).Blocks(p.tensors(), shared))
}

// scheduled returns the cycles of an iteration in a modulo schedule of an entire loop; ok is false if there is none. One
// that takes too many registers is better than none for the loop, but not better than roles.
func (p *plan) scheduled(ctx context.Context, loop ir.Op) (cycles int, ok bool) {
	g, err := ddg.Build(loop, p.model)
	if err != nil {
		return 0, false
	}
	limits := schedule.LimitsOf(p.fn, p.arch)
	limits.Strict = true
	whole, err := limits.Fit(ctx, schedule.Iterative, g, loop)
	if err != nil {
		return 0, false
	}
	return whole.II * whole.Unit, true
}

// nearlyAsShort reports that a modulo schedule is shorter by more than the model's error.
func nearlyAsShort(scheduled, specialized, percent int) error {
	if scheduled*(100+percent) < specialized*100 {
		return shorter(scheduled, specialized)
	}
	return nil
}

func shorter(scheduled, specialized int) error {
	return fmt.Errorf("the modulo schedule takes %d cycles per iteration, warp specialization would take %d (estimate)", scheduled, specialized)
}

// These differences in percent the model cannot tell. A step of the scheduler's search for II is 2, and the resolution of time
// another 2. What overlapping iterations cost in copies of registers and spills is up to 18 (docs/measurements/codegen.md).
const nearly, overlapping = 5, 19

// cyclesOf estimates an iteration of the consumers' loop: the work of its busiest unit, a bound however many share the
// SM, and the time of an iteration alone.
//
// Alone, a group of warps does one thing after the other. It waits for its share of the MMAs, except for late ones and
// those that an MMA warp issues ahead, and does its share of the arithmetic while another group's MMAs run.
func (p *plan) cyclesOf(loop ir.Op, c *carry) (busiest, alone int) {
	var all cost.Timing
	serial, wait, groups := 0, 0, 1
	if c != nil {
		groups = max(1, int(p.pingPongGroups))
	}
	for op := range loop.Body().Ops() {
		if op.Is(tileas.TMALoad) || op.Is(tileas.MbarrierWait) || op.Is(tileas.MbarrierExpect) { // the producer's work, or complete when the consumer arrives
			continue
		}
		t := p.model.Of(op)
		all.Add(t, 1)
		if c != nil && op == c.second || p.gather.live[op] && !p.compute.live[op] || p.ahead(op) {
			continue
		}
		serial += t.Work()
		if op.Is(tileas.DotAsync) || tileas.IsCopy(op) { // nothing prefetches in a loop that waits for roles
			wait += max(0, t.Latency-t.Work())
		}
	}
	busiest = all.Work()
	return busiest, max(busiest, wait+serial/groups)
}

// ahead reports whether the MMA warp issues an MMA while threads work on what it computed before. It has another stage
// for the accumulator then, or it adds to one in all iterations of a loop.
func (p *plan) ahead(mma ir.Op) bool {
	return slices.ContainsFunc(p.chains, func(c *chain) bool {
		return slices.Contains(c.mmas, mma) && (c.pipe.stages > 1 || c.block != mma.Block())
	})
}
