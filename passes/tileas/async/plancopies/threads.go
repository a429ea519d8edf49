package plancopies

import (
	"maps"
	"slices"

	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/machine/budget"
	"github.com/tilewright/tilewright/passes/tileas/analysis/transfers"
	"github.com/tilewright/tilewright/passes/tileas/machine/instr"
)

// byProducerWarp reports whether TMA serves a synchronous MMA of a kernel that has no other, as on sm_120 or with a tile
// of 32 rows on sm_90: where a producer warp can start the loads.
//
// With warp specialization the loop loses its copies, their addresses and its barrier. f16 128x128x64 has 6.9 instead
// of 11.4 instructions besides each 64 K multiply-adds. By the cost model it takes 148,000 instead of 161,000 cycles
// at a K extent of 4,096.
//
// Without warp specialization it is 9.6 instructions, but 169,000 cycles: the wait for the mbarrier comes on top of
// the barrier, and the copies start later (docs/measurements/codegen.md).
//
// So the conditions are those of tileas-specialize-warps: one MMA in the loop or several that add to what it carries,
// all operands by TMA, maps made before the kernel's first instruction, and room for two stages. Operands that threads
// convert stay with cp.async, since they have a second buffer and its barrier anyway.
func (p *planner) byProducerWarp(c *transfers.Copy) bool {
	if p.fn.Contains(instr.Async) {
		return false
	}
	in := c.Load.ParentOf(scf.For)
	if in.IsNil() || c.Load.Block() != in.Body() {
		return false
	}
	buffers := make(map[ir.Op]int64)
	mmas := in.Collect(tileas.IsMMA)
	for _, dot := range mmas {
		if dot.Block() != in.Body() || instr.InThreads(dot) || len(mmas) > 1 && !instr.Accumulates(dot) {
			return false
		}
		for i := range 2 {
			load := loadOf(dot.Operand(i))
			if load.IsNil() || load.Block() != dot.Block() {
				return false
			}
			f, _ := transfers.PlanTMA(load, p.warps, p.ranges)
			if f == nil || f.Built != nil || !feedsMMAs(f) {
				return false
			}
			buffers[load] = f.Buffer.Bytes()
		}
	}
	if buffers[c.Load] == 0 {
		return false
	}
	stage := ir.Sum(slices.Collect(maps.Values(buffers)), func(n int64) int64 { return n })
	// tileas-specialize-warps counts in the same way: up to a quarter of shared memory is for conversions after the
	// loop.
	return 2*stage+p.stagedByThreads(c.Load.Block()) <= p.room(budget.ForOperands)
}

// stagedByThreads returns the bytes of operand tiles that threads bring to shared memory in other blocks, such as the
// version of a loop for addresses that no map describes. The circular buffers of specialized warps live as long as the
// kernel, so all of them are live together.
func (p *planner) stagedByThreads(but ir.Block) (n int64) {
	for op := range p.fn.All() {
		if op.Block() == but || !op.Is(tileas.Level.TiledLoad) && !op.Is(tileas.Level.Load) {
			continue
		}
		if c, _ := transfers.PlanTMA(op, p.warps, p.ranges); c != nil {
			continue
		}
		if c, why := transfers.Plan(op, p.warps); c != nil || why != "" {
			n += tile.Bytes(op.Result(0).Type())
		}
	}
	return n
}

// feedsMMAs reports whether MMAs in the load's block read the copied tile directly as operands, and nothing else does.
func feedsMMAs(c *transfers.Copy) bool {
	return !slices.ContainsFunc(c.Ends, func(e transfers.End) bool {
		return e.Converted() || e.Value.UsedBy(func(op ir.Op) bool {
			return !tileas.IsMMA(op) || op.Block() != c.Load.Block() || op.Operand(2) == e.Value
		})
	})
}

// loadOf returns the tiled_load that an operand comes from through conversions, permutations and reshapes only.
func loadOf(operand ir.Value) ir.Op {
	def := operand.Through(func(op ir.Op) bool {
		return op.Is(tileas.ConvertLayout) || op.Is(tileas.Level.Permute) || op.Is(tileas.Level.Reshape)
	}).DefiningOp()
	if def.IsNil() || !def.Is(tileas.Level.TiledLoad) {
		return ir.Op{}
	}
	return def
}
