package plancopies

import (
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/analysis/tma"
	"github.com/tilewright/tilewright/passes/machine/budget"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/property/tileasprop"
	"github.com/tilewright/tilewright/passes/remark"
	"github.com/tilewright/tilewright/passes/tileas/analysis/transfers"
	"github.com/tilewright/tilewright/target/sm"
)

var (
	numCopies   = passes.NewStatistic("copies", "loads that go to shared memory and bypass registers")
	numTensor   = passes.NewStatistic("tma-loads", "loads by TMA among them")
	numStores   = passes.NewStatistic("tma-stores", "results of MMAs that are stored by TMA")
	numRejected = passes.NewStatistic("rejected", "loads of MMA operands that are staged through registers")
)

// Options of tileas-plan-copies.
type Options struct {
	Synchronous bool `opt:"synchronous" try:"true,false" help:"use TMA for operands of synchronous MMAs (mma.sync) too"`
	Anything    bool `opt:"anything" try:"true,false" help:"use TMA for tiles that threads compute with wherever it is possible, profitable or not"`
	Short       bool `opt:"short" try:"true,false" help:"use tensor maps that CTAs build even in loops too short to be profitable"`
}

// Pass is tileas-plan-copies. Copies and layouts chosen by cost take matmul_bf16_64x64x64 on sm_80 from 112 registers
// to 86, and from 68 to 58 instructions besides each 64 K multiply-adds (docs/measurements/codegen.md).
var Pass = passes.Register(&passes.Pass{
	Name:     "tileas-plan-copies",
	Summary:  "choose TMA, cp.async or register staging for MMA operands",
	Doc:      "Marks each load of an MMA operand as TMA, cp.async or register staging, and reports why a better choice was rejected. Other loads of views use TMA where that is profitable.",
	Options:  func() any { return &Options{} },
	Requires: []*passes.Property{property.TileAS, tileasprop.LayoutsAssigned},
	Steps:    []passes.Step{{MinOpt: 1}},
	After: []passes.Edge{
		{Pass: "tileas-remove-layout-conversions", Reason: "a redundant conversion hides the MMA that uses a tile"},
	},
	Before: []passes.Edge{
		{Pass: "tileas-materialize-copies", Reason: "it carries out the plan"},
		{Pass: "tileas-materialize-convert-layout", Reason: "a copy through shared memory replaces a conversion"},
	},
	Statistics: []*passes.Statistic{numCopies, numTensor, numStores, numRejected},
	Run:        passes.OnMachine(run),
})

func run(r *passes.Run, arch *sm.Arch, warps int) error {
	used := make(map[ir.Block]int64) // by block: two versions of a loop never run both, so they share memory
	p := planner{fn: r.Op, warps: warps, kernel: budget.Of(r.Op, arch), used: used, hasAlloca: tileas.AllocatesShared(r.Op), opts: passes.OptionsOf[Options](r)}
	if p.tensors = r.Target.Maps() != contract.NoTensorMaps; p.tensors {
		p.arch, p.device = arch, r.Target.Maps() == contract.TensorMapsDevice && !p.opts.Short
		// Ranges prove that coordinates and sizes fit the 32 bits of a tensor map. Without TMA nobody asks for them.
		p.ranges = intrange.Analyze(r.Op)
	}
	accesses := func(op ir.Op) bool {
		return op.Is(tileas.Level.TiledStore) || op.Is(tileas.Level.TiledAtomic) || op.Is(tileas.Level.TiledLoad) || op.Is(tileas.Level.Load)
	}
	for _, op := range r.Op.Collect(accesses) { // all before the first plan, which may move a load (latest)
		if op.Is(tileas.Level.TiledStore) || op.Is(tileas.Level.TiledAtomic) {
			p.store(r, op)
			continue
		}
		c, why := p.plan(op)
		// Neither a copy nor a reason: the load feeds no MMA. Threads compute with the tile, which has another cost
		// model.
		if c == nil && why.none() {
			if c, why.tma = p.planTile(op); c == nil {
				if !why.none() {
					rejectedLoad(r, op, why, true)
				}
				continue
			}
		}
		switch {
		case c != nil:
			used[op.Block()] += c.Buffer.Bytes()
			p.occupy(op, c.Buffer.Bytes())
			transfer := tileas.TransferCpAsync
			if c.Map != nil {
				transfer = tileas.TransferTMA
				r.Add(numTensor, 1)
			}
			op.SetAttr(tileas.AttrTransfer, r.IR().String(transfer))
			r.Add(numCopies, 1)
		case !why.none():
			op.SetAttr(tileas.AttrTransfer, r.IR().String(tileas.TransferRegisters))
			r.Add(numRejected, 1)
			p.occupy(op, tile.Bytes(op.Result(0).Type()))
		}
		if !why.none() {
			// The reason stays in the IR, where a dump shows it. Such a line revealed that the bytes of B in
			// matmul_e4m3 went through registers and spilled there. Fragments interleave columns since then
			// (docs/measurements/codegen.md).
			op.SetAttr(tileas.AttrRejected, r.IR().String(why.String()))
			rejectedLoad(r, op, why, p.tensors)
		} else if p.tensors {
			selected(r, op, remark.LoadSelected, "load", remark.TMALoad, c.Boxes)
		}
	}
	return nil
}

// A planner decides for one load after another, in the order of the text: earlier loads get shared memory first.
type planner struct {
	fn        ir.Op
	warps     int
	kernel    budget.Kernel
	used      map[ir.Block]int64
	occupants []occupant // operands in shared memory, however they come there
	hasAlloca bool       // a pointer may point to shared memory, which no copy reads
	tensors   bool
	ranges    *intrange.Ranges
	arch      *sm.Arch
	device    bool // CTAs build their tensor maps, and only a loop with many iterations makes that profitable
	opts      *Options
}

// plan returns the copy of an MMA operand, or nil, and why a better transfer was rejected. With neither, the load
// feeds no MMA.
func (p *planner) plan(load ir.Op) (c *transfers.Copy, why rejection) {
	if p.tensors && !p.gathers(load) {
		// A load through pointers can only be a gather of rows, and not every target with TMA has tile::gather4 (PTX
		// ISA, cp.async.bulk.tensor).
		why.tma = transfers.Pointing
	} else if p.tensors {
		if c, why.tma = p.roomFor(p.worthMap(p.worthTMA(transfers.PlanTMA(load, p.warps, p.ranges)))); c != nil || why.none() {
			return c, why
		}
	}
	// cp.async is the second choice, and both reasons are reported: what rejects TMA is often easier to fix than what
	// rejects cp.async.
	c, why.cpAsync = p.roomFor(transfers.Plan(load, p.warps))
	return c, why
}

// gathers reports whether TMA on this target can do such a load: loads through pointers need gather4.
func (p *planner) gathers(load ir.Op) bool {
	return !load.Is(tileas.Level.Load) || p.arch.Has(sm.TMAGather4)
}

// worthTMA gives up a TMA load for a synchronous MMA unless a producer warp can start it.
//
// Threads of a synchronous MMA load fragments from the buffer themselves. The one thread that starts the TMA load then
// executes more instructions than each thread does for its share of a cp.async. On sm_90, matmul_e4m3_128x256x128 goes
// from 27 to 43 instructions besides each 64 K multiply-adds with TMA.
func (p *planner) worthTMA(c *transfers.Copy, why string) (*transfers.Copy, string) {
	if c != nil && !p.opts.Synchronous && !c.ForAsync() && (c.Rows != nil || !p.byProducerWarp(c)) {
		return nil, "synchronous MMA: cp.async is cheaper than TMA here"
	}
	return c, why
}

// worthMap gives up a TMA load that executes too rarely to amortize a tensor map that the CTA builds itself.
func (p *planner) worthMap(c *transfers.Copy, why string) (*transfers.Copy, string) {
	if c != nil && (p.device || c.Built != nil) {
		if why = tma.PaysForMap(c.Load, c.Built, p.arch, p.warps, int(c.Buffer.TileBytes()), len(c.Boxes.Places), p.ranges); why != "" {
			return nil, why
		}
	}
	return c, why
}
