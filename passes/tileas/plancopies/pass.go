package plancopies

import (
	"fmt"
	"strings"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/tileas/copies"
	"github.com/tilewright/tilewright/target/sm"
)

var (
	numCopies  = passes.NewStatistic("copies", "loads that go to shared memory without passing registers")
	numTensor  = passes.NewStatistic("tensor-copies", "of them those by bulk tensor copies")
	numStores  = passes.NewStatistic("tensor-stores", "results of matrix products that are stored by bulk tensor copies")
	numRefused = passes.NewStatistic("refused", "loads for matrix products that pass registers")
)

// Options of tileas-plan-copies.
type Options struct {
	Synchronous bool `opt:"synchronous" help:"bulk tensor copies for products that threads wait for, too"`
	Anything    bool `opt:"anything" help:"bulk tensor copies of tiles that threads compute with wherever they can be, whether they pay or not"`
	Short       bool `opt:"short" help:"bulk tensor copies by maps that tile blocks make in loops that are too short to pay for them, too"`
}

// Pass is tileas-plan-copies.
// Copies and layouts by cost together take matmul_bf16_64x64x64 on sm_80 from 112 registers to 86, and from 68 to 58 instructions beside each 64 K
// multiply-adds (docs/measurements/codegen.md).
var Pass = passes.Register(&passes.Pass{
	Name:     "tileas-plan-copies",
	Title:    "TileASPlanCopies",
	Summary:  "decide how tiles travel to matrix products",
	Doc:      "Writes on each load for matrix products whether it goes to shared memory by a bulk tensor copy, by cp.async, or through registers, and why no better way is taken; and on other loads of views that they travel by a bulk tensor copy, where that pays.",
	On:       "nv_tileas.func",
	Options:  func() any { return &Options{} },
	Requires: []*passes.Property{property.TileAS, property.LayoutsAssigned},
	Steps:    []passes.Step{{MinOpt: 1}},
	After: []passes.Edge{
		{Pass: "tileas-remove-layout-conversions", Reason: "conversions that move nothing hide what takes a tile"},
	},
	Before: []passes.Edge{
		{Pass: "tileas-materialize-copies", Reason: "it carries the plan out"},
		{Pass: "tileas-materialize-convert-layout", Reason: "a copy takes the place of a conversion"},
	},
	Statistics: []*passes.Statistic{numCopies, numTensor, numStores, numRefused},
	Run:        run,
})

// extents spells the extents of a box.
func extents(box []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(box), " ", " x "), "[]")
}

// share is which part of a block's shared memory copies may take.
//
// Half: some 50 KiB on sm_120, 114 KiB on sm_90 (target/sm).
const share = 2

// ofThreads is what is left, as a part of a block's shared memory, by copies for products that threads compute alone, which read both operands step by step: an operand without a buffer would be more code
// the deeper the product is. 75 KiB on sm_120 are enough for 128x64 and 64x128 in f32.
const ofThreads = 4

func run(r *passes.Run) error {
	warps, err := contract.NumWarpsOf(r.Op)
	if err != nil {
		return err
	}
	arch, err := r.Target.Arch()
	if err != nil {
		return err
	}
	// The rest is for conversions, reductions and the program's own allocas. Those must have room, whereas a copy only saves registers, so it is the one
	// that yields.
	used := make(map[ir.Block]int64) // what stands in different blocks, as two versions of a loop do, shares its memory
	p := planner{fn: r.Op, warps: warps, all: int64(arch.Shared.PerCTA), used: used, local: tileas.AllocatesShared(r.Op), synchronous: passes.OptionsOf[Options](r).Synchronous, anything: passes.OptionsOf[Options](r).Anything}
	if p.tensors = r.Target.Maps() != contract.NoTensorMaps; p.tensors {
		p.arch, p.device = arch, r.Target.Maps() == contract.TensorMapsDevice && !passes.OptionsOf[Options](r).Short
		p.ranges = intrange.Analyze(r.Op)
	}
	changed := false
	r.Op.Walk(func(op ir.Op) ir.WalkResult {
		if op.Is(tileas.Level.TiledStore) || op.Is(tileas.Level.TiledAtomic) {
			changed = p.store(r, op) || changed
			return ir.Advance
		}
		if !op.Is(tileas.Level.TiledLoad) && !op.Is(tileas.Level.Load) {
			return ir.Advance
		}
		c, why := p.plan(op)
		if c == nil && why == "" {
			if c, why = p.planTile(op); c == nil {
				if why != "" {
					refusedLoad(r, op, why, true)
				}
				return ir.Advance
			}
		}
		switch {
		case c != nil:
			used[op.Block()] += c.Buffer.Bytes()
			travel := tileas.TravelCopy
			if c.Map != nil {
				travel = tileas.TravelTMA
				r.Add(numTensor, 1)
			}
			op.SetAttr(tileas.AttrTravel, r.IR().String(travel))
			r.Add(numCopies, 1)
		case why != "":
			op.SetAttr(tileas.AttrTravel, r.IR().String(tileas.TravelRegisters))
			r.Add(numRefused, 1)
		}
		if why != "" {
			// The reason stays in the IR, where a dump shows it. That the bytes of B had to pass registers in matmul_e4m3, and spilled there, was read off such a line; it
			// is why fragments interleave columns now (docs/measurements/codegen.md).
			op.SetAttr(tileas.AttrRefused, r.IR().String(why))
			refusedLoad(r, op, why, p.tensors)
		} else if p.tensors {
			loaded(r, c)
		}
		changed = true
		return ir.Advance
	})
	if !changed {
		r.MarkUnchanged()
	}
	return nil
}

// A planner decides for one load after another.
type planner struct {
	fn      ir.Op
	warps   int
	all     int64 // shared memory of a tile block
	used    map[ir.Block]int64
	local   bool // copies read global memory alone
	tensors bool
	ranges  *intrange.Ranges
	arch    *sm.Arch
	device  bool // tile blocks make their maps, for which the turns of loops must pay
	// synchronous says that bulk tensor copies serve any product.
	synchronous bool
	anything    bool
}

// plan returns the copy of a load, or none, and why a better way was refused; with neither, it is no load for products.
func (p *planner) plan(load ir.Op) (c *copies.Copy, why string) {
	if p.tensors && !p.gathers(load) {
		why = "tma: " + copies.Pointing
	} else if p.tensors {
		if c, why = p.roomFor(p.paysForMap(p.worth(copies.PlanTensor(load, p.warps, p.ranges)))); c != nil || why == "" {
			return c, ""
		}
		why = "tma: " + why
	}
	c, other := p.roomFor(copies.Plan(load, p.warps))
	if other != "" {
		if other = "cp.async: " + other; why != "" {
			other = why + "; " + other
		}
		why = other
	}
	return c, why
}

// gathers reports whether the target can load so at all: through pointers where it gathers rows.
func (p *planner) gathers(load ir.Op) bool {
	return !load.Is(tileas.Level.Load) || p.arch.Has(sm.TMAGather4)
}

// worth gives up a bulk tensor copy for products that threads wait for, unless a warp of its own can make it. These load fragments from a buffer themselves, and what one thread does for a copy is then more than what each does
// for its share by cp.async: on sm_90 that takes matmul_e4m3_128x256x128 from 27 instructions beside each 64 K multiply-adds to 43.
func (p *planner) worth(c *copies.Copy, why string) (*copies.Copy, string) {
	if c != nil && !p.synchronous && !c.ForAsync() && (c.Rows != nil || !p.byRole(c)) {
		return nil, "threads wait for the products that take it, and copy at less cost themselves"
	}
	return c, why
}

// paysForMap gives up a bulk tensor copy that runs too seldom to pay for a map that the tile block makes itself.
func (p *planner) paysForMap(c *copies.Copy, why string) (*copies.Copy, string) {
	if c != nil && (p.device || c.Built != nil) {
		if why = copies.PaysForMap(c.Load, c.Built, p.arch, p.warps, int(c.Buffer.TileBytes()), len(c.Boxes.Places), p.ranges); why != "" {
			return nil, why
		}
	}
	return c, why
}

// roomFor gives up a copy that the memory does not hold, or that cannot be of what the load reads.
func (p *planner) roomFor(c *copies.Copy, why string) (*copies.Copy, string) {
	if c == nil {
		return nil, why
	}
	budget := p.all / share
	if c.InThreads() {
		budget = p.all - p.all/ofThreads
	}
	switch {
	case p.local:
		return nil, "the kernel has an alloca, so that its source may be in shared memory"
	case p.used[c.Load.Block()]+c.Buffer.Bytes() > budget:
		return nil, fmt.Sprintf("its buffer of %d bytes does not fit beside the others", c.Buffer.Bytes())
	}
	return c, ""
}
