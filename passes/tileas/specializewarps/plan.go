package specializewarps

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/schedule"
	"github.com/tilewright/tilewright/passes/schedule/cost"
	"github.com/tilewright/tilewright/target/sm"
)

// A plan is how a kernel is parted.
type plan struct {
	fn      ir.Op
	arch    *sm.Arch
	warps   int     // that compute
	idle    int     // that do nothing
	regs    []int64 // of a thread that computes, and of one that does not; nil: all have those of the launch
	groups  []*group
	rings   []*ring
	anew    map[ir.Op]bool
	mine    map[ir.Op]bool // the allocations of what copies fill
	compute *slice
	load    *slice
	// deferrals are the loop bodies in which products stay under way.
	deferrals map[ir.Block]*deferral
	carries   map[ir.Block]*carry // loops that hand on products under way; nil for others
	turns     int64               // groups of warps that take turns with their products; 0: none do
	chains    []*chain            // the sums that a role makes which starts all products; none: those that compute do
	sums      []*ring             // of each
	product   *slice
}

// errNothing is that a kernel has no copies that a role could make.
var errNothing = errors.New("no bulk tensor copy is in a loop")

// planOf returns how a kernel is parted, or why it is not; neither where nothing speaks for it.
func planOf(ctx context.Context, fn ir.Op, arch *sm.Arch, warps int, opts *Options) (*plan, error) {
	copies, err := findCopies(fn)
	if err != nil || len(copies) == 0 {
		return nil, err
	}
	p := &plan{fn: fn, arch: arch, warps: warps, groups: groupCopies(copies), deferrals: make(map[ir.Block]*deferral), carries: make(map[ir.Block]*carry),
		mine: make(map[ir.Op]bool)}
	if p.anew, err = remade(copies); err != nil {
		return nil, err
	}
	if err := p.whole(); err != nil {
		return nil, err
	}
	if err := p.described(copies); err != nil {
		return nil, err
	}
	for _, c := range copies {
		p.mine[c.alloc] = true
	}
	if !opts.Together {
		p.findChains()
	}
	if err := p.sliceRoles(copies); err != nil {
		return nil, err
	}
	if err := p.giveWarps(); err != nil {
		return nil, err
	}
	p.findCarries(opts.Late)
	if err := p.findRings(); err != nil {
		return nil, err
	}
	if err := p.giveRoom(opts.Slots); err != nil {
		return nil, err
	}
	if opts.Roles != Always {
		p.giveTurns()
	}
	if opts.Roles == Auto {
		return p.pays(ctx)
	}
	return p, nil
}

// whole reports a kernel that the roles could not have all of.
func (p *plan) whole() (err error) {
	body := p.fn.Body()
	p.fn.Walk(func(op ir.Op) ir.WalkResult {
		switch {
		case op.Is(tileas.Level.Return) && op != body.Last():
			err = errors.New("the kernel ends in several places")
		case op.Is(tileas.WarpSpecialize):
			err = errors.New("they have some already")
		case op.Is(tileas.Level.AllGather), op.Is(tileas.Level.ClusterSync):
			err = fmt.Errorf("'%s' in a role", op.Name()) // where all warps of all CTAs meet
		case op.Is(tileas.Level.Alloca):
			err = fmt.Errorf("'%s' in a role", op.Name()) // no order of two roles that allocate
		default:
			return ir.Advance
		}
		return ir.Interrupt
	})
	return err
}

// described reports a tensor map that cannot be made in front of the roles, by all warps: one of what the program computes or loads (build_tensor_map), for which warps of several roles would have to meet.
func (p *plan) described(copies []*tensorCopy) error {
	for op := range p.front() {
		if op.Block() != p.fn.Body() || !ir.HasNoEffects(op) {
			return fmt.Errorf("a tensor map rests on '%s'", op.Name())
		}
	}
	for _, c := range copies {
		switch m := c.load.OperandNamed(tileas.FieldMap).DefiningOp(); {
		case m.IsNil():
			return fmt.Errorf("'%s' takes a tensor map that is handed on", c.load.Name())
		case !m.Is(tileas.MakeTensorMap):
			return fmt.Errorf("a tensor map is made by '%s'", m.Name())
		}
	}
	return nil
}

// sliceRoles finds what each role needs.
func (p *plan) sliceRoles(copies []*tensorCopy) error {
	parts := make(map[ir.Op]bool) // of copies
	p.load = newSlice(p.anew, loads)
	announced := make(map[ir.Value]bool) // the mbarriers of copies, in whose place rings have theirs; others are the program's
	for _, c := range copies {
		announced[c.load.OperandNamed("mbarrier")] = true
		parts[c.alloc], parts[c.expect], parts[c.load], parts[c.wait] = true, true, true, true
		p.load.around(c.load)
		for _, v := range c.load.OperandsNamed("offsets") {
			p.load.value(v)
		}
		if token := c.load.OperandNamed("token"); !token.IsNil() {
			p.load.value(token)
		}
	}
	if p.load.err != nil {
		return p.load.err
	}
	p.compute = newSlice(p.anew, nil)
	if err := p.sliceProducts(); err != nil {
		return err
	}
	var roots func(b ir.Block)
	roots = func(b ir.Block) {
		for op := range b.Ops() {
			switch {
			case p.anew[op]:
				for i := range op.NumRegions() {
					if !op.Region(i).Empty() {
						roots(op.Region(i).First())
					}
				}
			case p.ofProducts(op):
			case parts[op]:
				p.compute.around(op)
			case op.HasTrait(ir.Terminator), op.Is(tileas.AllocShared), op.Is(tileas.MbarrierInit) && announced[op.Operand(0)]:
			case !ir.IsPure(op):
				p.compute.op(op)
			}
		}
	}
	roots(p.fn.Body())
	return nil
}

// findRings finds which groups share the slots of a ring: those whose slots have the same types, whose loops follow each other.
func (p *plan) findRings() error {
	looped := false
	for _, g := range p.groups {
		d, tried := p.deferrals[g.block]
		if !tried && p.chains == nil {
			d = deferralOf(g.block, p.mine)
			p.deferrals[g.block] = d
		}
		fresh := &ring{once: loopOf(g.block).IsNil()}
		looped = looped || !fresh.once
		for _, c := range g.copies {
			fresh.bytes += c.alloc.Result(0).Type().(*tileas.BufferType).TileBytes()
		}
		g.ring = fresh
		if err := g.findRelease(d != nil, p.carries[g.block]); err != nil {
			return err
		}
		for _, r := range p.rings {
			if r.fits(g) {
				g.ring = r
			}
		}
		if g.ring.groups = append(g.ring.groups, g); g.ring == fresh {
			p.rings = append(p.rings, fresh)
		}
	}
	if !looped {
		return errNothing
	}
	return nil
}

// fits reports whether a group can have its slots in a ring of others.
func (r *ring) fits(g *group) bool {
	o := r.groups[0]
	if r.once || g.ring.once || r.behind != g.ring.behind || o.products != g.products || len(o.copies) != len(g.copies) {
		return false
	}
	for i, c := range o.copies {
		if c.alloc.Result(0).Type() != g.copies[i].alloc.Result(0).Type() {
			return false
		}
	}
	for _, o := range r.groups { // a slot that is kept through a loop which fills others would keep these from going round
		a, b := loopOf(o.block), loopOf(g.block)
		if a == b || a.IsAncestorOf(b) || b.IsAncestorOf(a) {
			return false
		}
	}
	return true
}

const (
	mostSlots = 8
	// ahead is how much longer than its latency alone a copy takes, in halves, since other tile blocks use the memory too.
	ahead = 3
)

// giveRoom decides how many slots rings have: as many as hide the latency of memory behind the products of as many iterations, if there is room.
func (p *plan) giveRoom(asked int) error {
	limits := schedule.LimitsOf(p.fn, p.arch)
	model := cost.NewModel(p.arch, p.warps)
	takeBack := p.keepUnderWay(model)
	room, loops := p.leastRoom(int64(limits.Shared) - p.others())
	if room < 0 {
		takeBack()
		room, loops = p.leastRoom(int64(limits.Shared) - p.others())
	}
	if room < 0 {
		return fmt.Errorf("their rings need %d bytes of shared memory more than there are", -room)
	}
	half := int64(p.arch.Shared.PerSM/2-p.arch.Shared.Reserved) - (int64(limits.Shared) - room) // what is left of the half of an SM's
	for again := true; again; {
		again = false
		for _, r := range loops {
			want := r.wants(model)
			if asked > 0 {
				want = int64(asked)
			}
			second := asked == 0 && half >= 0 && half < r.bytes && r.slots > 1+r.behind // a tile block, which one more would keep from the SM
			if r.slots < want && room >= r.bytes && !second {
				r.slots++
				room, half, again = room-r.bytes, half-r.bytes, true
			}
		}
	}
	return nil
}

// leastRoom gives rings as many slots as they must have; it returns the room that is left, and the rings that may have more.
func (p *plan) leastRoom(room int64) (left int64, loops []*ring) {
	for _, r := range p.rings {
		if r.slots = 1; r.once {
			room -= r.bytes
			continue
		}
		r.slots = 1 + r.behind
		room -= r.slots * r.bytes
		loops = append(loops, r)
	}
	return room, loops
}

// wants returns how many slots hide the latency of the copies of a ring.
func (r *ring) wants(model *cost.Model) int64 {
	want := 2 + r.behind
	for _, g := range r.groups {
		cycles, latency := 1, 0
		for op := range g.block.Ops() {
			t := model.Of(op)
			if op.Is(tileas.TMALoad) {
				latency = max(latency, t.Latency)
			} else {
				cycles += t.Busy[sm.UnitTensor]
			}
		}
		want = max(want, 1+r.behind+int64(math.Ceil(float64(ahead*latency)/float64(2*cycles))))
	}
	return min(want, mostSlots)
}

// others returns the bytes of shared memory that the compute role needs beside the rings: what a conversion behind its loops goes through, though no more than a quarter of all, since larger ones go in pieces.
func (p *plan) others() (n int64) {
	scratch := 0
	p.fn.Walk(func(op ir.Op) ir.WalkResult {
		scratch = max(scratch, schedule.Scratch(op))
		if op.Is(tileas.AllocShared) && p.compute.live[op] && !p.mine[op] {
			n += op.Result(0).Type().(*tileas.BufferType).Bytes()
		}
		return ir.Advance
	})
	return n + min(int64(scratch), int64(p.arch.Shared.PerCTA/4)) + int64(len(p.rings)+len(p.sums))*2*mostSlots*8
}

const (
	warpgroup = 4
	// Registers of a loading thread, which has some coordinates; and the most of one that computes, of which ptxas uses 255.
	loadRegs, mostRegs = 32, 240
	regsStep           = 8
	mostWarps          = 32
)

// giveWarps decides how many warps there are. One loads: with more, those that start nothing could fall behind and miss a phase of an mbarrier, which has one bit for it. Where the others are a group of four it costs
// nobody registers: an SM has them in four parts, of which each then runs up to two warps. Else a warp of a part that others share takes registers from all; then it is one of a group, which gives back what it does
// not need.
func (p *plan) giveWarps() error {
	blocks, alone := max(1, contract.KernelSpecOf(p.fn).Occupancy), p.single()
	if fewer := p.arch.RegistersPerThread(p.warps+alone, blocks) < p.arch.RegistersPerThread(p.warps, blocks); fewer && p.arch.Has(sm.SetMaxNReg) && p.warps%warpgroup == 0 && p.warps+warpgroup <= mostWarps {
		p.idle = warpgroup - alone
		launched := int64(p.arch.RegistersPerThread(p.warps+warpgroup, blocks)) / regsStep * regsStep
		compute := (launched*int64(p.warps+warpgroup) - loadRegs*warpgroup) / int64(p.warps) / regsStep * regsStep
		p.regs = []int64{min(compute, mostRegs), loadRegs}
	}
	if p.warps+alone > mostWarps {
		return fmt.Errorf("there are %d of them already", p.warps)
	}
	return nil
}

// single returns how many roles of one warp there are: that which loads, and that which starts products.
func (p *plan) single() int {
	if p.chains != nil {
		return 2
	}
	return 1
}

// pays is the estimate: nil, with a reason where there is one to tell, where roles bring nothing. They take from a loop what it does for copies, a barrier, and what comes of that: 4.2 instead of 7.0 instructions beside each
// 65,536 operations of a product of 128x128x64. A loop whose iterations take their sums has its arithmetic scheduled beside its products instead, as it is without roles, unless a late product, turns or other tile blocks on
// the SM put as much of it there: attention of 64x64 with d = 128, two tile blocks on an SM, issues in 74 cycles per 65,536 operations without roles, and in 69 with them.
func (p *plan) pays(ctx context.Context) (*plan, error) {
	if !p.arch.Has(sm.WgmmaSync) && !p.arch.Has(sm.Tcgen05Commit) {
		return p.paysThreads()
	}
	for _, g := range p.groups {
		c := p.carries[g.block]
		switch {
		case g.ring.once || g.products || c == nil && g.ring.behind > 0:
		case c == nil || p.turns == 0 && c.late == nil:
			return nil, errors.New("an iteration takes what its products make, and is better scheduled as a whole")
		default:
			if err := p.alternates(ctx, c); err != nil {
				return nil, err
			}
		}
	}
	return p, nil
}
