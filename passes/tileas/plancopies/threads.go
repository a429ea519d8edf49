package plancopies

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/tileas/copies"
	"github.com/tilewright/tilewright/passes/tileas/matrix"
	"github.com/tilewright/tilewright/target/sm"
)

// byRole reports whether a bulk tensor copy serves a product that threads wait for, on targets without others (sm_120, 121): where a warp of its own can make it.
//
// With roles the loop loses its copies, their addresses and its barrier: f16 128x128x64 has 6.9 for 11.4 instructions beside each 64 K multiply-adds, and by the model 148,000 for 161,000 cycles at a depth of 4,096. Without them it
// is 9.6 instructions, but 169,000 cycles: the wait for the mbarrier comes on top of the barrier, and the copies later (docs/measurements/codegen.md). So this asks for what tileas-specialize-warps does: one product in
// the loop, both of whose factors come so, by maps that all warps know, and two slots. Factors that threads convert stay with cp.async, too: they have a second buffer and its barrier anyway.
func (p *planner) byRole(c *copies.Copy) bool {
	if p.device || p.arch.Has(sm.WgmmaSync) || p.arch.Has(sm.Tcgen05Commit) {
		return false
	}
	in := loop(c.Load)
	product := productOf(c)
	if in.IsNil() || product.IsNil() || c.Load.Block() != in.Body() || !alone(product, in.Body()) || matrix.InThreads(product) {
		return false
	}
	var slot int64
	for i := range 2 {
		load := loadOf(product.Operand(i))
		if load.IsNil() || load.Block() != product.Block() {
			return false
		}
		f, _ := copies.PlanTensor(load, p.warps, p.ranges)
		if f == nil || f.Built != nil || productOf(f) != product {
			return false
		}
		slot += f.Buffer.Bytes()
	}
	// As that pass counts: up to a quarter of the memory is for conversions behind the loop.
	return 2*slot+p.byThreads(c.Load.Block()) <= p.all-p.all/4
}

// byThreads returns the bytes of the tiles for products that threads bring to shared memory in other blocks, by whatever way, as in the version of a loop for addresses that no map can have. Rings of roles live as long as the kernel, beside all of them.
func (p *planner) byThreads(but ir.Block) (n int64) {
	p.fn.Walk(func(op ir.Op) ir.WalkResult {
		if op.Block() == but || !op.Is(tileas.Level.TiledLoad) && !op.Is(tileas.Level.Load) {
			return ir.Advance
		}
		if c, _ := copies.PlanTensor(op, p.warps, p.ranges); c != nil {
			return ir.Advance
		}
		if c, why := copies.Plan(op, p.warps); c != nil || why != "" {
			n += tileBytes(op.Result(0))
		}
		return ir.Advance
	})
	return n
}

// productOf returns the one product in the load's block that takes what a copy brings, as one of its factors and as it is; a zero Op if there is none, or more.
func productOf(c *copies.Copy) (product ir.Op) {
	if len(c.Ends) != 1 || c.Ends[0].Converted() || !c.Ends[0].Value.HasOneUse() {
		return ir.Op{}
	}
	u := c.Ends[0].Value.FirstUse()
	if !tileas.IsFactor(u) || u.Index() > 1 || u.Owner().Block() != c.Load.Block() {
		return ir.Op{}
	}
	return u.Owner()
}

// loadOf returns the load of a view that a factor comes from by conversions, permutations and reshapes alone.
func loadOf(factor ir.Value) ir.Op {
	def := factor.DefiningOp()
	for !def.IsNil() && (def.Is(tileas.ConvertLayout) || def.Is(tileas.Level.Permute) || def.Is(tileas.Level.Reshape)) {
		def = def.Operand(0).DefiningOp()
	}
	if def.IsNil() || !def.Is(tileas.Level.TiledLoad) {
		return ir.Op{}
	}
	return def
}

// alone reports whether a product is the only one in a block, and in what is inside of it.
func alone(product ir.Op, b ir.Block) bool {
	one := true
	for op := range b.Ops() {
		op.Walk(func(op ir.Op) ir.WalkResult {
			if tileas.IsProduct(op) && op != product {
				one = false
				return ir.Interrupt
			}
			return ir.Advance
		})
	}
	return one
}

// tileBytes returns the bytes of a tile's elements.
func tileBytes(v ir.Value) int64 {
	n := int64(tile.ElementBytes(ir.ElementType(v.Type())))
	for _, d := range tile.Shape(v.Type()) {
		n *= d
	}
	return n
}
