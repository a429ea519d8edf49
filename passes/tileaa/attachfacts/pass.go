package attachfacts

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/analysis/gathers"
	"github.com/tilewright/tilewright/passes/analysis/integers"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/property/tileaaprop"
	"github.com/tilewright/tilewright/target/sm"
)

var numVectors = passes.NewStatistic("vectorisable", "accesses that may use vectors")

// Pass is tileaa-attach-facts.
var Pass = passes.Register(&passes.Pass{
	Name:        "tileaa-attach-facts",
	Summary:     "attach divisibility facts to accesses",
	Doc:         "Writes base_div, offset_div, size_div and stride_div onto tiled_load and tiled_store, and runs onto load and store. Those that access rows of a matrix by number get base_div and stride_div too. Atomic additions of floats get runs where the target adds vectors.",
	Requires:    []*passes.Property{property.TileAA},
	Establishes: []*passes.Property{tileaaprop.FactsAttached},
	Steps:       []passes.Step{{}},
	Before: []passes.Edge{
		{Pass: "convert-tileaa-to-tileas", Reason: "it drops the assumptions that facts come from"},
	},
	Statistics: []*passes.Statistic{numVectors},
	Uses:       []*passes.Analysis{integers.Divisibility.Analysis},
	Preserves:  []*passes.Analysis{integers.Ranges.Analysis, integers.Divisibility.Analysis},
	Run:        run,
})

func run(r *passes.Run) error {
	facts := integers.Divisibility.Get(r)
	arch, err := r.Target.Arch()
	if err != nil {
		return err
	}
	vectors := arch.Has(sm.AtomV4F32)
	c := r.IR()
	r.Op.Walk(func(op ir.Op) ir.WalkResult {
		switch {
		case op.Is(tileaa.Level.TiledLoad), op.Is(tileaa.Level.TiledStore), op.Is(tileaa.Level.TiledAtomic):
		case op.Is(tileaa.Level.AtomicRMW):
			if vectors && addsSideBySide(op) {
				if runs := tile.FindRuns(op, facts); runs != nil {
					op.SetAttr(tile.AttrRuns, runs)
					r.Add(numVectors, 1)
				}
			}
			return ir.Advance
		case op.Is(tileaa.Level.Load), op.Is(tileaa.Level.Store):
			if runs := tile.FindRuns(op, facts); runs != nil {
				op.SetAttr(tile.AttrRuns, runs)
				r.Add(numVectors, 1)
			}
			if rows, _ := gathers.Of(op); rows != nil && op.Is(tileaa.Level.Load) {
				divisors := []int64{1, 1}
				divisors[rows.Dim] = facts.Of(rows.Stride).Divisor()
				op.SetAttr(tile.AttrBaseDiv, c.IntAttr(c.Int(64), facts.Of(rows.Base).Divisor()))
				op.SetAttr(tile.AttrStrideDiv, c.DenseI64(divisors...))
			}
			return ir.Advance
		default:
			return ir.Advance
		}
		a := tile.AccessOf(op)
		// Atomic accesses of views may become TMA reductions.
		op.SetAttr(tile.AttrBaseDiv, c.IntAttr(c.Int(64), facts.Of(a.Base).Divisor()))
		for name, vs := range map[string][]ir.Value{tile.AttrOffsetDiv: a.Offsets, tile.AttrSizeDiv: a.Sizes, tile.AttrStrideDiv: a.Strides} {
			list := make([]int64, len(vs))
			for i, v := range vs {
				list[i] = facts.Of(v).Divisor()
			}
			op.SetAttr(name, c.DenseI64(list...))
		}
		if a.VectorElements() > 1 {
			r.Add(numVectors, 1)
		}
		return ir.Advance
	})
	return nil
}

// addsSideBySide reports whether an atomic operation has a vector form: an addition of floats whose result nobody
// reads, and which acquires nothing (PTX ISA, "red").
func addsSideBySide(op ir.Op) bool {
	t, ok := ir.ElementType(op.OperandNamed("value").Type()).(*ir.FloatType)
	if !ok || t.Format != numeric.F32 && t.Format != numeric.F16 && t.Format != numeric.BF16 {
		return false
	}
	ordering := op.StringAttr(tile.AttrOrdering)
	return op.StringAttr(tile.AttrMode) == "addf" && !op.Result(0).HasUses() && (ordering == "relaxed" || ordering == "release")
}
