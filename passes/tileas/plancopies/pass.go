package plancopies

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/tileas/copies"
)

var (
	numCopies  = passes.NewStatistic("copies", "loads that go to shared memory by cp.async")
	numRefused = passes.NewStatistic("refused", "loads for matrix products that pass registers")
)

// Pass is tileas-plan-copies.
// Copies and layouts by cost together take matmul_bf16_64x64x64 on sm_80 from 112 registers to 86, and from 68 to 58 instructions beside each 64 K
// multiply-adds (docs/measurements/codegen.md).
var Pass = passes.Register(&passes.Pass{
	Name:     "tileas-plan-copies",
	Title:    "TileASPlanCopies",
	Summary:  "decide how tiles travel to matrix products",
	Doc:      "Writes on each load for matrix products whether it goes to shared memory by cp.async, or through registers and why.",
	On:       "nv_tileas.func",
	Requires: []*passes.Property{property.TileAS, property.LayoutsAssigned},
	Steps:    []passes.Step{{MinOpt: 1}},
	After: []passes.Edge{
		{Pass: "tileas-remove-layout-conversions", Reason: "conversions that move nothing hide what takes a tile"},
	},
	Before: []passes.Edge{
		{Pass: "tileas-materialize-copies", Reason: "it carries the plan out"},
		{Pass: "tileas-materialize-convert-layout", Reason: "a copy takes the place of a conversion"},
	},
	Statistics: []*passes.Statistic{numCopies, numRefused},
	Run:        run,
})

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
	all := int64(arch.Shared.PerCTA)
	used := make(map[ir.Block]int64)      // what stands in different blocks, as two versions of a loop do, shares its memory
	local := tileas.AllocatesShared(r.Op) // cp.async copies from global memory alone
	changed := false
	r.Op.Walk(func(op ir.Op) ir.WalkResult {
		if !op.Is(tileas.Level.TiledLoad) && !op.Is(tileas.Level.Load) {
			return ir.Advance
		}
		c, why := copies.Plan(op, warps)
		if c != nil && local {
			c, why = nil, "the kernel has an alloca, so that its source may be in shared memory"
		}
		budget := all / share
		if c != nil && c.InThreads() {
			budget = all - all/ofThreads
		}
		if c != nil && used[op.Block()]+c.Buffer.Bytes() > budget {
			c, why = nil, fmt.Sprintf("its buffer of %d bytes does not fit beside the others", c.Buffer.Bytes())
		}
		switch {
		case c != nil:
			used[op.Block()] += c.Buffer.Bytes()
			op.SetAttr(tileas.AttrTravel, r.IR().String(tileas.TravelCopy))
			r.Add(numCopies, 1)
		case why != "":
			op.SetAttr(tileas.AttrTravel, r.IR().String(tileas.TravelRegisters))
			// The reason stays in the IR, where a dump shows it. That the bytes of B had to pass registers in matmul_e4m3, and spilled there, was read off such a line; it
			// is why fragments interleave columns now (docs/measurements/codegen.md).
			op.SetAttr(tileas.AttrRefused, r.IR().String("cp.async: "+why))
			r.Add(numRefused, 1)
		default:
			return ir.Advance
		}
		changed = true
		return ir.Advance
	})
	if !changed {
		r.MarkUnchanged()
	}
	return nil
}
