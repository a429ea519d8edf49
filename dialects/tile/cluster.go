package tile

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/ir"
)

// Cluster is the resource of what CTAs that share a CTA do together: each comes to all of it, in one order.
var Cluster = &ir.Resource{Name: "cluster"}

// defineCluster adds what CTAs that share a CTA do together.
func (l *Level) defineCluster() {
	l.AllGather = l.op(ir.OpDef{Name: "all_gather", Summary: "Concatenates the tensors of all CTAs of the cluster along a dimension; each CTA gets the result.",
		Doc: "The tensor of CTA i becomes part i. All CTAs must execute it, equally often and in the same order among " +
			"operations of this kind.",
		Operands: []ir.Field{{Name: "part", Type: Tensor}}, Results: []ir.Field{{Name: "result", Type: Tensor}},
		Attrs:  []ir.Field{{Name: AttrDim, Kind: ir.I64Kind}},
		Syntax: "$part `dim` $dim attr-dict `:` type($part) `->` type($result)", Verify: verifyAllGather,
		// Not pure: an equal one may not be made where only some CTAs come to, nor left out there.
		Caps: []ir.CapImpl{ir.MemoryEffects.Is(func(_ ir.Op, add func(ir.Effect)) {
			add(ir.Effect{Kind: ir.Read, Resource: Cluster})
			add(ir.Effect{Kind: ir.Write, Resource: Cluster})
		})}})
	l.ClusterSync = l.op(ir.OpDef{Name: "cluster_sync", Summary: "Orders the accesses of all CTAs of the cluster: those after it happen after those before it.",
		Doc:      "All CTAs must execute it, equally often and in the same order among the operations of the cluster.",
		Operands: []ir.Field{{Name: "token", Type: Token, Arity: ir.Optional}}, Results: []ir.Field{{Name: "after", Type: Token}},
		Syntax: "($token^ `:` type($token))? attr-dict `->` type($after)", Verify: sharedBlock,
		Caps: []ir.CapImpl{ir.MemoryEffects.Is(func(_ ir.Op, add func(ir.Effect)) {
			for _, r := range []*ir.Resource{nil, Cluster} {
				add(ir.Effect{Kind: ir.Read, Resource: r})
				add(ir.Effect{Kind: ir.Write, Resource: r})
			}
		})}})
}

func sharedBlock(op ir.Op) error {
	if contract.CTAsOf(op) <= 1 {
		return op.Errorf("needs a tile block that several CTAs share, but it has one")
	}
	return nil
}

func verifyAllGather(op ir.Op) error {
	part, out := op.Operand(0).Type().(*ir.TensorType), op.Result(0).Type().(*ir.TensorType)
	dim, _ := op.IntAttr(AttrDim)
	if dim < 0 || dim >= int64(len(part.Shape)) {
		return op.Errorf("dim must be from 0 to %d, but got %d", len(part.Shape)-1, dim)
	}
	if err := sharedBlock(op); err != nil {
		return err
	}
	ctas := int64(contract.CTAsOf(op))
	want := slices.Clone(part.Shape)
	want[dim] *= ctas
	if part.Elem != out.Elem || !slices.Equal(want, out.Shape) {
		return op.Errorf("result must be the parts of %d CTAs along dimension %d, but got '%s' of '%s'", ctas, dim, ir.TypeString(out), ir.TypeString(part))
	}
	return nil
}
