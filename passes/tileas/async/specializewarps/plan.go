package specializewarps

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes/analysis/pressure"
	"github.com/tilewright/tilewright/passes/machine/budget"
	"github.com/tilewright/tilewright/passes/machine/mma"
	"github.com/tilewright/tilewright/passes/schedule"
	"github.com/tilewright/tilewright/passes/tileas/analysis/buffers"
	"github.com/tilewright/tilewright/passes/tileas/machine/instr"
	"github.com/tilewright/tilewright/passes/tileas/machine/price"
	"github.com/tilewright/tilewright/target/sm"
)

// A plan is how a kernel is split into roles.
type plan struct {
	fn             ir.Op
	arch           *sm.Arch
	kernel         budget.Kernel // with the consumer warps
	model          *price.Model
	warps          int          // consumer warps
	once           bool         // they load by TMA what they need once, before their loops
	loads          bool         // there is a producer warp
	regs           budget.Roles // of threads; zeros: as launched
	groups         []*group
	pipes          []*pipe
	rebuilt        map[ir.Op]bool
	groupOf        map[ir.Op]*group // by the allocations of its buffers
	compute        *slice
	load           *slice
	gather         *slice
	gatherers      int                 // warps that copy operands for the consumers; 0: no role does
	deferrals      map[ir.Block]int    // how many MMAs are in flight at the end of loop bodies
	carries        map[ir.Block]*carry // loops that hand an MMA to the next iteration
	pingPongGroups int64               // groups of consumer warps that ping-pong; 0: none
	builds         []ir.Op             // the tensor maps that the producer builds
	chains         []*chain            // accumulators that the MMA warp computes; empty: there is no MMA warp
	paired         bool                // they are of two-CTA MMAs
	accumulators   []*pipe             // the pipes of the chains
	handbacks      []*handback         // accumulators that threads change between MMAs
	stored         map[ir.Op]*group    // operands A in TMEM of other MMAs, which threads store
	backs          []*pipe             // the pipes of both
	mma            *slice
	ofMMAs         map[ir.Op]bool // what only the MMA warp executes
}

// planOf returns the plan for a kernel, or why there is none; with neither, warp specialization is not profitable for
// a reason that nobody has to know.
func planOf(ctx context.Context, fn ir.Op, arch *sm.Arch, warps int, opts *Options) (*plan, error) {
	var copies []*filled // in the order of the text
	var why error
	loads := fn.Collect(tileas.TMALoad.Is)
	stay := staying(loads)
	for _, load := range loads {
		c, err := copyOf(load)
		switch {
		case stay(load.Block()):
			why = cmp.Or(why, err)
		case err != nil:
			return nil, err
		default:
			copies = append(copies, c)
		}
	}
	once := false
	try := func(handed []*group) (*plan, error) {
		handed = slices.DeleteFunc(handed, func(g *group) bool { return stay(g.block) })
		if len(copies)+len(handed) == 0 {
			return nil, why
		}
		return planWith(ctx, fn, arch, warps, opts, copies, handed, once)
	}
	plain, why := try(nil)
	if fewer := slices.DeleteFunc(slices.Clone(copies), (*filled).threadsOnce); errors.Is(why, errRoom) && len(fewer) > 0 && len(fewer) < len(copies) {
		copies, once = fewer, true
		plain, why = try(nil)
	}
	// With an MMA warp already, handing over would serve other loops, as a rule versions for parameters that TMA does not
	// take. Their pipes would take the shared memory of this one's.
	wgmma := arch.Has(sm.WgmmaSync) // there is no MMA warp
	if plain != nil && (plain.chains != nil || wgmma) || opts.NoMMAWarp {
		return plain, why
	}
	if gathers := findGathers(fn, wgmma); len(gathers) > 0 {
		p, reason := try(gathers)
		if p != nil {
			return p, nil
		}
		if wgmma {
			why = cmp.Or(reason, why)
		}
	}
	if wgmma {
		return plain, why
	}
	for _, copied := range []bool{true, false} {
		handovers, any := findHandovers(fn, copied)
		if any == copied && len(handovers) > 0 && (copied || len(copies) > 0) {
			if p, _ := try(handovers); p != nil {
				return p, nil
			}
		}
	}
	return plain, why
}

// staying reports whether a block is in a loop that consumers execute as they would without roles: one whose TMA loads
// gather rows by indices in registers. As with forProducer, another loop is as a rule its faster version.
func staying(loads []ir.Op) func(b ir.Block) bool {
	rows := make(map[ir.Op]bool)
	for _, load := range loads {
		if loop := loopOf(load.Block()); !tileas.RowsOf(load).IsNil() && !loop.IsNil() {
			rows[loop] = true
		}
	}
	return func(b ir.Block) bool { return rows[loopOf(b)] }
}

// errRoom says that pipes lack shared memory.
var errRoom = errors.New("more shared memory than is available")

// threadsOnce reports whether a load is in no loop, and for threads alone, as that of a matrix that a product is added to.
// Its pipe would keep the memory that a store takes after the loop. So the consumers load it where room is short.
func (c *filled) threadsOnce() bool {
	return loopOf(c.fill.Block()).IsNil() && !slices.ContainsFunc(c.users, tileas.DotAsync.Is)
}

// planWith is planOf, with the groups that threads hand to the MMA warp.
func planWith(ctx context.Context, fn ir.Op, arch *sm.Arch, warps int, opts *Options, copies []*filled, handovers []*group, once bool) (_ *plan, err error) {
	p := &plan{fn: fn, arch: arch, once: once, kernel: budget.Of(fn, arch).WithWarps(warps), model: price.NewModel(arch, warps), warps: warps, loads: len(copies) > 0, deferrals: make(map[ir.Block]int), carries: make(map[ir.Block]*carry)}
	p.setGroups(append(groupCopies(copies), handovers...))
	if copies = p.forProducer(copies); slices.ContainsFunc(handovers, func(g *group) bool { return g.gathered }) {
		handovers = p.forGatherers(handovers)
	}
	p.setGroups(append(groupCopies(copies), handovers...))
	if p.rebuilt, err = rebuiltLoops(fn, p.groups); err != nil {
		return nil, err
	}
	if err := cmp.Or(p.splittable(), p.mapsFirst(copies)); err != nil {
		return nil, err
	}
	if !opts.NoMMAWarp {
		p.findChains()
	}
	if slices.ContainsFunc(p.groups, func(g *group) bool { return g.handed() && !g.mmas }) {
		return nil, errors.New("there is no MMA warp to hand operands to")
	}
	// The producer waits for loads that use the last map by the position in their pipe, which must not lag.
	if slices.ContainsFunc(p.builds, ir.InLoop) && (p.chains == nil || contract.CTAsOf(fn) > 1) {
		return nil, fmt.Errorf("a tensor map is made by '%s'", p.builds[0].Name())
	}
	if err := p.sliceRoles(); err != nil {
		return nil, err
	}
	// One warp loads. With more, a warp that starts no loads could miss a phase of an mbarrier, which has only one bit to
	// tell phases apart.
	if p.allWarps() > contract.MaxWarps {
		return nil, fmt.Errorf("the kernel has %d warps already", p.warps)
	}
	p.regs = p.kernel.Roles(p.single(), p.gatherers, p.addresses(), p.tensors())
	for op := range fn.All() {
		if tileas.DotAsync.Is(op) && !instr.InTMEM(op) {
			m := tileas.MMAOf(op)
			if launched, takes := p.atLaunch(), mma.Registers(m.M*m.N*ir.BitWidth(ir.ElementType(op.Result(0).Type()))); launched < takes {
				return nil, fmt.Errorf("threads of roles begin with %d registers, and an MMA takes %d", launched, takes)
			}
		}
	}
	if p.gatherers > 0 && p.tensors() > p.forTensors() {
		return nil, fmt.Errorf("beside warps that copy, a thread has %d registers for tensors that take %d", p.forTensors(), p.tensors())
	}
	p.readAhead()
	// Only now: whether a thread has registers for a late MMA depends on the number of warps.
	if opts.Late {
		p.findCarries()
	}
	if err := p.findPipes(); err != nil {
		return nil, err
	}
	if err := p.chooseStages(opts.Stages); err != nil {
		return nil, err
	}
	// `always` is the form without ping-pong.
	if opts.Roles != Always {
		p.choosePingPong()
	}
	if opts.Roles == Auto {
		return p.profitable(ctx)
	}
	return p, nil
}

// splittable reports why a kernel cannot be split into roles.
func (p *plan) splittable() error {
	for op := range p.fn.All() {
		switch {
		case op.Is(tileas.Level.Return) && op != p.fn.Body().Last():
			return errors.New("the kernel ends in several places")
		case op.Is(tileas.WarpSpecialize):
			return errors.New("the kernel is warp-specialized already")
		// All warps of all CTAs exchange tiles. The stack of allocas has no order between roles.
		case op.Is(tileas.Level.AllGather), op.Is(tileas.Level.Alloca):
			return fmt.Errorf("'%s' must be executed by all warps", op.Name())
		case op.Is(tileas.Level.ClusterSync) && p.fn.Contains(tileas.StoresLater):
			return fmt.Errorf("'%s' orders stores that are in flight", op.Name())
		}
	}
	return nil
}

// mapsFirst reports a tensor map that cannot be created before the roles, by all warps, nor by the producer for its
// loads alone. Warps of several roles would have to synchronize.
func (p *plan) mapsFirst(copies []*filled) error {
	front := p.front()
	for op := range p.fn.All() {
		if front[op] && (op.Block() != p.fn.Body() || !ir.HasNoEffects(op)) {
			return fmt.Errorf("a tensor map depends on '%s'", op.Name())
		}
	}
	for _, c := range copies {
		switch m := c.fill.OperandNamed(tileas.FieldMap).DefiningOp(); {
		case m.IsNil():
			return fmt.Errorf("'%s' uses a tensor map that is passed through control flow", c.fill.Name())
		case m.Is(tileas.BuildTensorMap) && !m.Result(0).UsedBy(func(op ir.Op) bool { // only loads of the producer use it
			return !slices.ContainsFunc(copies, func(c *filled) bool { return c.fill == op })
		}):
			p.builds = append(p.builds, m)
		case !m.Is(tileas.MakeTensorMap):
			return fmt.Errorf("a tensor map is made by '%s'", m.Name())
		}
	}
	return nil
}

// sliceRoles finds which operations each role needs.
func (p *plan) sliceRoles() error {
	parts := make(map[ir.Op]bool)        // the operations of loads and copies of other roles
	announced := make(map[ir.Value]bool) // mbarriers of TMA loads, which those of the pipes replace
	p.load = newSlice(p.rebuilt, "the coordinates of a copy depend", true)
	p.gather = newSlice(p.rebuilt, "the addresses of a copy depend", false)
	for _, g := range ir.Filter(p.groups, func(g *group) bool { return !g.handed() }) {
		for _, c := range g.buffers {
			for _, op := range c.ops() {
				parts[op] = true
			}
			if g.gathered {
				p.gatherers = p.warps
				p.gather.around(c.fill)
				p.gather.live[c.fill], p.gather.live[c.commit] = true, true
				p.gather.values(c.fill.Operands()[1:])
				continue
			}
			announced[c.fill.OperandNamed("mbarrier")] = true
			p.load.around(c.fill)
			p.load.values(c.fill.OperandsNamed(tileas.FieldMap))
			p.load.values(c.fill.OperandsNamed("offsets"))
			// The producer must not load earlier than the program's tokens allow.
			p.load.values(c.fill.OperandsNamed("token"))
		}
	}
	if p.gatherers > 0 && p.pairs() {
		p.gather.err = errors.New("threads copy operands of two-CTA MMAs")
	}
	if err := cmp.Or(p.load.err, p.gather.err); err != nil {
		return err
	}
	for _, g := range p.groups {
		p.findTables(p.load, g)
		p.findTables(p.gather, g)
	}
	p.compute = newSlice(p.rebuilt, "", false)
	p.compute.others = parts
	if err := p.sliceMMAs(); err != nil {
		return err
	}
	// The consumer gets every operation with an effect, and what these depend on.
	p.fn.Walk(func(op ir.Op) ir.WalkResult {
		switch {
		case op == p.fn || p.rebuilt[op]:
			return ir.Advance
		case p.forOthers(op) || slices.Contains(p.builds, op):
		case parts[op]:
			p.compute.around(op)
		case op.HasTrait(ir.Terminator), op.Is(tileas.AllocShared), (op.Is(tileas.MbarrierInit) || op.Is(tileas.MbarrierInval)) && announced[op.Operand(0)]:
		case !ir.IsPure(op):
			p.compute.op(op)
		}
		return ir.SkipBelow
	})
	return nil
}

// findPipes finds which groups share a pipe: groups with stages of the same types in loops that follow each other.
func (p *plan) findPipes() error {
	for _, g := range p.groups {
		if n := p.deferrable(g.block); n > 0 && p.chains == nil {
			p.deferrals[g.block] = n
		}
		g.pipe = &pipe{from: g.from, to: tileas.ByThreads, once: g.once()}
		if g.mmas {
			g.pipe.to = tileas.ByMMAs
		}
		g.pipe.types = ir.Map(g.buffers, func(c *filled) *tileas.BufferType { return c.alloc.Result(0).Type().(*tileas.BufferType) })
		if err := g.findRelease(p.deferrals[g.block] > 0, p.carries[g.block]); err != nil {
			return err
		}
		p.pipes = g.join(p.pipes, func(r *pipe) bool { return r.takes(g) })
	}
	if !slices.ContainsFunc(p.pipes, func(r *pipe) bool { return !r.once }) {
		return errors.New("no TMA copy is in a loop")
	}
	return nil
}

const (
	mostStages = 8
	// latencyHalves stretches the latency of memory by half, since other CTAs use it too.
	latencyHalves = 3
)

// chooseStages decides how many stages pipes have: as many as hide the latency of memory during the MMAs of as many
// iterations, if shared memory has room.
func (p *plan) chooseStages(asked int) error {
	limits := schedule.LimitsOf(p.fn, p.arch)
	shared := int64(limits.Shared) - p.otherShared()
	room, loops := p.leastStages(shared)
	if room < 0 {
		p.reuseStages()
		room, loops = p.leastStages(shared)
	}
	if room < 0 {
		return fmt.Errorf("the pipes need %d bytes %w", -room, errRoom)
	}
	half := int64(p.arch.SharedPerCTA(2)) - (int64(limits.Shared) - room) // what is left if two CTAs share the SM
	// If registers or TMEM of an SM have no room for two CTAs, stages that would keep a second one out cost nothing.
	columns := ir.Sum(slices.Concat(p.accumulators, p.backs), func(r *pipe) int64 { return r.stages * r.columns() })
	shares := asked == 0 && 2*columns <= linear.ColumnsOfTMEM && limits.Blocks(p.tensors(), 0) > 1
	// One stage each in turn, so that the pipes of two loops grow evenly.
	for again := true; again; {
		again = false
		for _, r := range loops {
			want := cmp.Or(int64(asked), r.wants(p.model))
			second := shares && half >= 0 && half < r.bytes() && r.stages > 1+r.lag // one more stage would keep a second CTA from the SM
			if r.stages < want && room >= r.bytes() && !second {
				r.stages++
				room, half, again = room-r.bytes(), half-r.bytes(), true
			}
		}
	}
	return nil
}

// forTensors returns how many registers a consumer thread has for tensors.
func (p *plan) forTensors() int {
	if p.regs.Move() {
		return int(p.regs.Consumer) - budget.ForLoops.Others()
	}
	return p.kernel.WithWarps(p.allWarps()).Registers(budget.ForLoops)
}

// tensors returns how many registers of a consumer thread its tensors take: those that it computes.
func (p *plan) tensors() int {
	cut := func(v ir.Value) int64 {
		if def := v.DefiningOp(); def.IsNil() || p.compute.has(def) {
			return 1
		}
		return math.MaxInt64
	}
	return int(pressure.Of(p.fn, p.arch, pressure.View{Staged: true, Cut: cut}).Most()) / (p.warps * sm.WarpSize)
}

// atLaunch returns how many registers each thread of the kernel with roles begins with.
func (p *plan) atLaunch() int64 { return p.kernel.WithWarps(p.allWarps()).AtLaunch() }

// pairs reports whether MMAs are those of two CTAs, both of which would have to hand over what threads fill.
func (p *plan) pairs() bool {
	return p.fn.Contains(func(op ir.Op) bool { return op.HasUnitAttr(tile.AttrTwoCTAs) })
}

// leastStages gives pipes as few stages as they must have. It returns the room that is left, and the pipes that may
// have more.
func (p *plan) leastStages(room int64) (left int64, loops []*pipe) {
	for _, r := range p.pipes {
		r.stages = 1 + r.lag
		room -= r.stages * r.bytes()
	}
	return room, ir.Filter(p.pipes, func(r *pipe) bool { return !r.once })
}

// wants returns how many stages hide the latency of the loads of a pipe: the latency over the cycles of the tensor
// cores in an iteration.
func (r *pipe) wants(model *price.Model) int64 {
	want := 2 + r.lag
	if r.from == tileas.ByThreads { // one stage is filled while the MMA reads another
		return want
	}
	for _, g := range ir.Filter(r.groups, func(g *group) bool { return !g.once() }) {
		cycles, latency := 1, 0
		for op := range g.block.Ops() {
			t := model.Of(op)
			if op.Is(tileas.TMALoad) || tileas.IsCopy(op) {
				latency = max(latency, t.Latency)
			} else {
				cycles += t.Busy[sm.UnitTensor]
			}
		}
		want = max(want, 1+r.lag+int64(math.Ceil(float64(latencyHalves*latency)/float64(2*cycles))))
	}
	return min(want, mostStages)
}

// otherShared returns the bytes of shared memory that the consumers need besides the pipes. Scratch memory of
// conversions after the loops counts up to a quarter of a CTA's, since larger conversions are split into subtiles, as
// far as their layouts allow.
func (p *plan) otherShared() (n int64) {
	scratch, deferred := 0, false
	for op := range p.fn.All() {
		scratch = max(scratch, min(schedule.Scratch(op), p.kernel.Shared(budget.ForScratch)), schedule.LeastScratch(op))
		if op.Is(tileas.AllocShared) && p.compute.live[op] && p.groupOf[op] == nil {
			n += op.Result(0).Type().(*tileas.BufferType).Bytes()
		}
		deferred = deferred || !releasedBy(op).IsNil() && !op.ParentOf(scf.For).IsNil()
	}
	lives := buffers.Analyze(p.fn).Lives()
	taken := func(is func(op ir.Op) bool) int64 {
		_, n := buffers.Assign(ir.Filter(lives, func(l *buffers.Life) bool { return p.groupOf[l.Op] == nil && is(l.Op) }), math.MaxInt64)
		return n
	}
	// What they load once and what they store share memory. Counted so, other kernels get roles that are no shorter, and
	// spill: a chunk of a gated delta rule 36 registers on sm_90.
	if p.once {
		n = taken(func(op ir.Op) bool { return p.compute.live[op] })
	}
	// The buffers of loops taken as they are, as of the last iterations, are live before those that are counted so far.
	whole := taken(func(op ir.Op) bool { return !p.compute.live[op] && p.compute.has(op) })
	if n += int64(scratch); deferred { // the buffers of stores then last while the next tile is computed
		n += whole
	}
	return max(n, whole) + int64(len(p.pipes)+len(p.accumulators)+len(p.backs))*2*mostStages*8
}

// allWarps returns the number of warps of all roles.
func (p *plan) allWarps() int { return p.warps + p.gatherers + p.single() + p.regs.Idle }

// single returns the number of roles with one warp: the producer and the MMA warp, as far as there are these.
func (p *plan) single() (n int) {
	if p.loads {
		n++
	}
	if p.chains != nil {
		n++
	}
	return n
}

// profitable returns the plan, or a nil plan where an estimate says that roles gain nothing, with a reason if it is
// worth telling.
//
// Roles relieve a loop of its copies, a barrier, and what these delay: 4.2 instead of 7.0 instructions besides each
// 65,536 multiply-adds of an MMA of 128x128x64.
//
// A loop whose iterations use their accumulators is different. Without roles the scheduler overlaps its arithmetic
// with its MMAs. With roles a late MMA, ping-pong or other CTAs on the SM must overlap as much. Attention of 64x64
// with d = 128 and two CTAs on an SM issues in 74 cycles per 65,536 multiply-adds without roles, and in 69 with them.
func (p *plan) profitable(ctx context.Context) (*plan, error) {
	if !p.fn.Contains(instr.Async) {
		return p.profitableSync()
	}
	for _, g := range p.groups {
		if err := p.waitsForTable(g); err != nil {
			return nil, err
		}
		if !g.once() && slices.ContainsFunc(g.pipe.groups, func(o *group) bool { return o != g && o.block == g.block }) {
			if _, ok := p.scheduled(ctx, g.block.ParentOp()); ok {
				return nil, errors.New("loads would share a pipe, and one modulo schedule of the loop overlaps them")
			}
		}
		switch c := p.carries[g.block]; {
		case g.handed():
			if err := p.filledInTime(ctx, g); err != nil {
				return nil, err
			}
		case slices.ContainsFunc(p.groups, func(o *group) bool { return o.block == g.block && o.handed() }):
		case !g.once() && !g.mmas && (c != nil || g.pipe.lag == 0):
			if !loopOf(g.block).Contains(func(op ir.Op) bool { return op.Is(tileas.DotAsync) }) {
				return nil, errors.New("a loop with copies has no MMA")
			}
			if err := p.alternates(ctx, loopOf(g.block), c); err != nil {
				return nil, err
			}
		}
	}
	return p, nil
}

// waitsForTable reports that a role would read memory in each iteration before it can start the loads or copies of a
// group, that it cannot read ahead (tables.go), and that this takes longer than the iteration. Without roles, the
// scheduler reads ahead.
func (p *plan) waitsForTable(g *group) error {
	if g.once() {
		return nil
	}
	for _, s := range []*slice{p.load, p.gather} {
		t := s.tables[g.block.ParentOp()]
		for op := range g.block.Ops() {
			if latency := p.model.Of(op).Latency; s.live[op] && (t == nil || !slices.Contains(t.reads, op)) && repeatable(op) && latency > p.cyclesIn(g.block) {
				return fmt.Errorf("a role would wait for '%s' in each iteration, %d cycles; the iteration takes %d", op.Name(), latency, p.cyclesIn(g.block))
			}
		}
	}
	return nil
}
