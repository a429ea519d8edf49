package stripmine

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/dialects/tileaa/strip"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
	"github.com/tilewright/tilewright/ir/rewrite"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/analysis/alias"
	"github.com/tilewright/tilewright/passes/analysis/pressure"
	"github.com/tilewright/tilewright/passes/machine/budget"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/target/sm"
)

// Options are the options of the pass.
type Options struct {
	Begin  int  `opt:"begin" help:"split chains that need more registers of a thread than this"`
	Target int  `opt:"target" help:"registers of a thread that parts may need"`
	Keep   int  `opt:"keep" help:"registers of a thread that a chain may need before anything is loaded more than once: twice as many as begin, which eight warps have"`
	Room   int  `opt:"room" help:"registers of a thread for tensors of chains with MMAs; 0: what the target and the kernel's hints leave"`
	Entire bool `opt:"entire" try:"true,false" help:"count results of element-wise operations beside MMAs as entire tiles, not as the elements that are computed at a time"`
}

var (
	numLoops    = passes.NewStatistic("num-loops", "loops over subtiles")
	numStaged   = passes.NewStatistic("num-staged", "loads kept in memory of the CTA")
	numVersions = passes.NewStatistic("num-versions", "chains with a version for accesses to disjoint memory")
	numUnsplit  = passes.NewStatistic("num-unsplit", "operations that keep tiles that do not fit the registers from being split")
)

// Pass is tileaa-strip-mine.
var Pass = passes.Register(&passes.Pass{
	Name:    "tileaa-strip-mine",
	Summary: "split operations on tiles larger than the registers into loops",
	Doc: `Splits chains of operations whose tensors do not fit the registers into loops over subtiles. Loads are repeated
if that is cheaper than keeping the loaded tile and no write comes in between. Otherwise the tile is kept in memory of
the CTA, or a test at run time chooses between two versions. Chains with MMAs are split along rows and columns if no
number of warps holds them. A remark names an operation that keeps tiles from being split.`,
	Options:  func() any { return &Options{Begin: 96, Target: 32, Keep: 192, Entire: true} },
	Requires: []*passes.Property{property.TileAA},
	Destroys: []*passes.Property{property.Canonical},
	Steps:    []passes.Step{{MinOpt: 1}},
	After: []passes.Edge{
		{Pass: "tileaa-attach-facts", Reason: "accesses of parts get the facts of the tile's"},
		{Pass: "tileaa-attach-objects", Reason: "what cannot overlap may change places"},
		{Pass: "tileaa-eliminate-loads", Reason: "a load that is gone is not repeated"},
		{Pass: "tileaa-eliminate-dead-stores", Reason: "a store that is gone needs no loop"},
		{Pass: "tileaa-prune-tokens", Reason: "an order that no conflict needs prevents splitting"},
		{Pass: "licm#tileaa", Reason: "what is invariant in the loops of the program is not rematerialized in those of the pass"},
		{Pass: "cse", Reason: "equal offsets prove that two accesses are of the same elements"},
	},
	Before: []passes.Edge{
		{Pass: "convert-tileaa-to-tileas", Reason: "warps are chosen by what is live then"},
	},
	Statistics: []*passes.Statistic{numLoops, numStaged, numVersions, numUnsplit},
	Uses:       []*passes.Analysis{alias.Analysis.Analysis},
	Run:        run,
})

// limits are how many words of tensors may be live at once in a chain.
type limits struct{ begin, target, keep int64 }

// threads is how many threads a CTA has without a hint.
const threads = 4 * sm.WarpSize

func run(r *passes.Run) error {
	aliases := alias.Analysis.Get(r)
	arch, err := r.Target.Arch()
	if err != nil {
		return err
	}
	o := passes.OptionsOf[Options](r)
	n := int64(threads)
	if warps := contract.KernelSpecOf(r.Op).NumWarps; warps > 0 {
		n = int64(warps) * sm.WarpSize
	}
	// CTAs that share an SM leave fewer.
	keep := min(o.Keep, budget.Of(r.Op, arch).WithWarps(int(n/sm.WarpSize)).Registers(budget.ForWarps))
	m := &miner{kernel: r.Op, arch: arch, room: int64(o.Room), entire: o.Entire, known: aliases, shared: int64(budget.Of(r.Op, arch).Shared(budget.ForTiles)), limits: limits{n * int64(o.Begin), n * int64(o.Target), n * int64(keep)},
		freeValues: make(map[ir.Value]bool), axesKnown: make(map[ir.Op][]strip.Axis), afterKnown: make(map[ir.Op]map[ir.Op]bool), oneVersion: make(map[ir.Op]bool), carriers: make(map[ir.Op]*carrier)}
	body := r.Op.Region(0)
	if r.Explains() {
		m.need = pressure.Of(r.Op, arch, pressure.View{Entire: o.Entire}).Most()
	}
	// A split along K loads each operand once, one along rows or columns reloads operands. So K comes first if
	// registers are short. If shared memory is short it comes last, when rows and columns have made operands
	// smaller.
	m.splitAllK(body, inRegisters)
	m.region(body)
	m.splitAllK(body, inShared)
	r.Add(numLoops, m.made)
	r.Add(numStaged, m.staged)
	r.Add(numVersions, m.versions)
	said := make(map[ir.Op]bool)
	for _, op := range m.whole {
		if op.Erased() || said[op] { // what was split in the end
			continue
		}
		said[op] = true
		r.Add(numUnsplit, 1)
		unsplit(r, op)
	}
	if m.made+m.staged > 0 {
		m.remark(r)
	}
	return nil
}

// alignment is that of tiles in memory of the CTA: that of the widest access.
const alignment = tile.MaxVectorBytes

// A miner splits the chains of a kernel.
type miner struct {
	kernel  ir.Op
	arch    *sm.Arch
	room    int64          // of a thread for chains with MMAs; 0: what there is
	known   *alias.Aliases // of the kernel as it is now; nil: not known
	limits  limits
	entire  bool  // the option
	shared  int64 // bytes that are left
	objects int64

	freeValues map[ir.Value]bool
	axesKnown  map[ir.Op][]strip.Axis
	afterKnown map[ir.Op]map[ir.Op]bool
	carriers   map[ir.Op]*carrier

	oneVersion map[ir.Op]bool // operations of the version for overlapping memory, which get no version of their own

	warps                  int   // that the kernel was given; 0: it has those that it would have
	need                   int64 // words that tiles took when the pass began; 0 unless somebody asks
	made, staged, versions int
	whole                  []ir.Op
}

// region splits the chains of the blocks of a region.
func (m *miner) region(r ir.Region) {
	for b := range r.Blocks() {
		if slices.ContainsFunc(slices.Collect(b.Ops()), tile.HasMMA) {
			// After the MMAs' chains, which have a budget of their own. What remains are chains without any.
			m.cutMMAs(b)
		}
		m.cut(b, m.limits, true)
		for op := range b.Ops() {
			if _, ok := ir.RegionBranch.Of(op); ok {
				for i := range op.NumRegions() {
					m.region(op.Region(i))
				}
			}
		}
	}
}

// maxRounds bounds how often the chains of a block are found again.
const maxRounds = 64

// cut splits the chains of a block. Versions are made only outside of the pass's own loops: inside one, each
// iteration would run the test.
func (m *miner) cut(b ir.Block, l limits, versions bool) {
	for range maxRounds {
		// A cheap upper bound first: most blocks fit, and need no chains, classes and lifetimes.
		if made(b) <= l.begin {
			return
		}
		changed := false
		whole := len(m.whole)
		for _, c := range m.chains(b) {
			if c.renew(); c.live() <= l.begin || c.multiplies() {
				continue
			}
			pick, culprit := c.choose(l)
			if !culprit.IsNil() && pick == nil {
				m.whole = append(m.whole, culprit)
			}
			if pick == nil {
				continue
			}
			changed = true
			if len(pick.plan.stage) > 0 { // which creates other chains
				m.whole = m.whole[:whole]
				m.apart(pick.plan, versions)
				break
			}
			// The other chains stay valid: a plan touches only its own operations. Their positions change, hence
			// renew.
			m.emit(pick)
		}
		if !changed {
			return
		}
		m.whole = m.whole[:whole]
	}
}

// apart makes the loads that block a plan happen once, or makes a version in which they do not block it.
func (m *miner) apart(p *plan, versions bool) {
	defer m.forget()
	if versions && p.version() {
		m.versions++
		return
	}
	for _, load := range p.stage {
		m.stage(load)
		m.staged++
	}
}

// emit applies a plan. The bodies of its loops are split further, to the target.
func (m *miner) emit(pick *choice) {
	repeats := slices.ContainsFunc(pick.plan.ops, func(op ir.Op) bool { return m.carriers[op] != nil })
	loops := pick.plan.emit(pick.parts)
	m.made += len(loops)
	m.forget()
	if repeats {
		// A loop of the program is in each phase that reads one of its results. What it carries for the others is dead
		// there, and would count as live.
		for _, loop := range loops {
			rewrite.Apply(loop, rewrite.Canonical(loop.Context()), rewrite.Config{Workers: 1})
		}
	}
	for _, loop := range loops {
		m.cut(loop.Body(), m.limits.further(), false)
	}
}

// made returns how many words all tensors of a block have together, which is at least what is live at once.
func made(b ir.Block) (n int64) {
	for op := range b.Ops() {
		for _, v := range op.Results() {
			if ir.IsTensor(v) {
				n += words(v)
			}
		}
	}
	for _, v := range b.Args() {
		if ir.IsTensor(v) {
			n += words(v)
		}
	}
	return n
}

// further are the limits of what is split already.
func (l limits) further() limits { return limits{l.target, l.target, l.keep} }

// forget drops what was known of operations, some of which are gone.
func (m *miner) forget() {
	m.known = nil
	clear(m.freeValues)
	clear(m.axesKnown)
	clear(m.afterKnown)
	clear(m.carriers)
}

// aliases returns what accesses may touch. Most kernels need it for none of their chains, and splitting one makes it
// stale.
func (m *miner) aliases() *alias.Aliases {
	if m.known == nil {
		m.known = alias.New(m.kernel, intrange.Analyze(m.kernel))
	}
	return m.known
}

// nextObject returns a number that no alloca of the kernel has.
func (m *miner) nextObject() int64 {
	if m.objects == 0 {
		m.kernel.Walk(func(op ir.Op) ir.WalkResult {
			if n, ok := op.IntAttr(tile.AttrObject); ok && op.Is(tileaa.Level.Alloca) {
				m.objects = max(m.objects, n+1)
			}
			return ir.Advance
		})
	}
	m.objects++
	return m.objects - 1
}

// integer makes an i64 constant.
func integer(b *ir.Builder, n int64) ir.Value {
	return arith.NewInt(b, b.Context().Int(64), n)
}
