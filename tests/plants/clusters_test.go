package plants

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/tileaa/partitioncluster"
)

// Bugs in how CTAs are dealt out to the CTAs of a cluster. Kernels get two CTAs by the option of the pass.

// ranked returns the operation that makes the offset of a part along a dimension: a sum whose second term is the rank
// times the size of a part.
func ranked(op ir.Op) (sum ir.Op) {
	for _, v := range op.OperandsNamed("offsets") {
		def := v.DefiningOp()
		if !def.IsNil() && def.Is(arith.AddI) && !behind(def.Operand(1), tileaa.Level.CTARank).IsNil() {
			return def
		}
	}
	return ir.Op{}
}

// offsetOf damages the offset of the first access of a row that is cut.
func offsetOf(def *ir.OpDef, damage func(sum ir.Op) bool) func(ir.Op) bool {
	return func(fn ir.Op) bool {
		op := FirstWhere(fn, def, func(o ir.Op) bool { return !ranked(o).IsNil() })
		return !op.IsNil() && damage(ranked(op))
	}
}

func unmoved(sum ir.Op) bool {
	sum.Result(0).ReplaceAllUsesWith(sum.Operand(0))
	return true
}

// replaced puts one special register in the place of another.
func replaced(from, to string) func(ir.Op) bool {
	return func(op ir.Op) bool {
		list := All(op, nvvm.Sreg[from])
		for _, old := range list {
			b := ir.BuilderBefore(old)
			old.Result(0).ReplaceAllUsesWith(b.Create(nvvm.Sreg[to], nil, old.ResultTypes()).Result(0))
		}
		return len(list) > 0
	}
}

const partitions, lowers = "tileaa-partition-cluster", "convert-tileas-to-nvvm"

var clusterPlants = In(Plant{By: Exec, Flags: []string{"--gpu-name=sm_90"},
	Options: map[string]func() any{"tileaa-partition-cluster": func() any { return &partitioncluster.Options{CTAs: 2} }}},
	Plant{Name: "all CTAs have one rank", Kernel: "matmul_f16", Pass: partitions, Damage: func(fn ir.Op) bool {
		op := First(fn, tileaa.Level.CTARank)
		if op.IsNil() {
			return false
		}
		op.Result(0).ReplaceAllUsesWith(arith.NewInt(ir.BuilderAtStart(fn.Body()), op.Result(0).Type(), 0))
		return true
	}},
	Plant{Name: "one CTA is launched for the parts of two", Kernel: "matmul_f16", Pass: partitions, Damage: func(fn ir.Op) bool {
		spec := contract.KernelSpecOf(fn)
		if spec.NumCTAs != 2 {
			return false
		}
		spec.NumCTAs = 0
		fn.SetAttr(contract.AttrKernelSpec, contract.NewKernelSpec(fn.Context(), tileaa.Dialect, spec))
		return true
	}},
	Plant{Name: "all CTAs load the first part", Kernel: "matmul_f16", Pass: partitions, Damage: offsetOf(tileaa.Level.TiledLoad, unmoved)},
	Plant{Name: "all CTAs store to the place of the first part", Kernel: "transpose_f32", Pass: partitions, Damage: offsetOf(tileaa.Level.TiledStore, unmoved)},
	Plant{Name: "subtiles overlap", Kernel: "vadd2d_f16", Pass: partitions, Damage: offsetOf(tileaa.Level.TiledStore, func(sum ir.Op) bool {
		return constantOf(sum.Operand(1).DefiningOp(), 1, func(old int64) int64 { return old / 2 })
	})},
	Plant{Name: "all CTAs add what the first one is to add", Kernel: "atomic_view_f32", Pass: partitions, Damage: func(fn ir.Op) bool {
		op := FirstWhere(fn, tileaa.Level.TiledAtomic, func(o ir.Op) bool { return !ranked(o).IsNil() })
		return !op.IsNil() && unmoved(ranked(op))
	}},
	Plant{Name: "blocks are numbered by CTAs", Kernel: "matmul_f16", Pass: lowers, Damage: replaced("clusterid.x", "ctaid.x")},
	Plant{Name: "the grid counts CTAs", Kernel: "matmul_f16", Pass: lowers, Damage: func(op ir.Op) bool {
		fn := First(op, nvvm.Func)
		if fn.IsNil() || !fn.HasUnitAttr(nvvm.AttrBlocks) {
			return false
		}
		fn.SetAttr(nvvm.AttrBlocks, nil)
		return true
	}},
)
