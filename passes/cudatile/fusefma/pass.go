package fusefma

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/rewrite"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
)

var (
	numAdd = passes.NewStatistic("num-add-fused", "additions fused with a multiplication")
	numSub = passes.NewStatistic("num-sub-fused", "subtractions fused with a multiplication")
)

// Pass is the pass. It has no step in the default pipelines: it changes how often results are rounded, and the
// reference too leaves that to a flag of its optimiser, which is off. The expected results of a kernel that was
// checked against the reference hold without it.
var Pass = passes.Register(&passes.Pass{
	Name:    "fuse-fma",
	Summary: "fuse multiplications with additions and subtractions, which changes rounding",
	Doc: `Replaces a * b + c by fma(a, b, c) and a * b - c by fma(a, b, -c). The multiplication must have no other use, and
both operations the same rounding mode and the same treatment of subnormal numbers. Results are rounded once instead of
twice, so they may differ in the last bits. Dead operations are erased, since they would count as uses.`,
	On:         passes.Anything,
	Requires:   []*passes.Property{property.CudaTile},
	Statistics: []*passes.Statistic{numAdd, numSub},
	Prepare:    func(*ir.Context, any) (any, error) { return rewrite.NewSet(fuseAdd, fuseSub), nil },
	Run:        run,
})

func run(r *passes.Run) error {
	// Folding is canonicalize's; here it would hide from a reader of the output what was fused.
	res := r.Rewrite(r.Prepared.(*rewrite.Set), rewrite.Config{NoFold: true, NoConstantHoisting: true})
	r.Add(numAdd, res.Applied[fuseAdd.Name])
	r.Add(numSub, res.Applied[fuseSub.Name])
	return nil
}

var (
	fuseAdd = rewrite.Pattern{Name: "fuse-mul-add", Root: cudatile.AddF, Rewrite: func(op ir.Op, rw *rewrite.Rewriter) bool {
		for i := range 2 {
			if product := fusible(op, op.Operand(i)); !product.IsNil() {
				fuse(rw, op, product, op.Operand(1-i))
				return true
			}
		}
		return false
	}}
	fuseSub = rewrite.Pattern{Name: "fuse-mul-sub", Root: cudatile.SubF, Rewrite: func(op ir.Op, rw *rewrite.Rewriter) bool {
		product := fusible(op, op.Operand(0))
		if product.IsNil() {
			return false
		}
		// The negation is exact, it flips the sign bit, so that only the one rounding is left.
		subtrahend := op.Operand(1)
		fuse(rw, op, product, rw.Create(cudatile.NegF, []ir.Value{subtrahend}, []ir.Type{subtrahend.Type()}).Result(0))
		return true
	}}
)

// fusible returns the multiplication that v is, if it can be fused with its user; else a zero Op. A product with
// other uses is computed anyway, and would then be seen by some users rounded and by one not. An fma has one rounding
// mode and one flag for subnormal numbers, so both operations must agree on them.
func fusible(user ir.Op, v ir.Value) ir.Op {
	product := v.DefiningOp()
	if product.IsNil() || !product.Is(cudatile.MulF) || !v.HasOneUse() || cudatile.RoundingOf(product) != cudatile.RoundingOf(user) ||
		product.HasUnitAttr("flush_to_zero") != user.HasUnitAttr("flush_to_zero") {
		return ir.Op{}
	}
	return product
}

// fuse replaces sum by the fused operation, in its place and with its location and attributes.
func fuse(rw *rewrite.Rewriter, sum, product ir.Op, addend ir.Value) {
	rw.ReplaceWithNew(sum, cudatile.Fma, []ir.Value{product.Operand(0), product.Operand(1), addend}, sum.ResultTypes(),
		append(sum.InherentAttrs(), sum.DiscardableAttrs().Entries...)...)
	rw.Erase(product)
}
