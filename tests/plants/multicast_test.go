package plants

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/tileaa/partitioncluster"
	"github.com/tilewright/tilewright/passes/tileas/async/specializewarps"
)

// Bugs in copies that are made once for all CTAs of a cluster. The kernel has two CTAs, which is warp-specialized.

const multicasts = "tileas-multicast-copies"

func unmarked(def *ir.OpDef, attr string) func(ir.Op) bool {
	return func(fn ir.Op) bool {
		op := FirstWhere(fn, def, func(o ir.Op) bool { return o.HasUnitAttr(attr) })
		if op.IsNil() {
			return false
		}
		op.SetAttr(attr, nil)
		return true
	}
}

// anyLoad damages the multicast copies of level nvvm.
func anyLoad(damage func(op ir.Op) bool) func(ir.Op) bool {
	return func(fn ir.Op) bool {
		op := FirstWhere(fn, nvvm.TensorLoad, func(o ir.Op) bool { return o.Attr(nvvm.AttrMulticast) != nil })
		return !op.IsNil() && damage(op)
	}
}

var multicastPlants = In(Plant{Kernel: "matmul_f16_big_tile", By: Exec, Flags: []string{"--gpu-name=sm_90", "--tensor-maps=params"},
	Options: map[string]func() any{
		"tileaa-partition-cluster": func() any { return &partitioncluster.Options{CTAs: 2} },
		// The two iterations of the case use the stages again.
		"tileas-specialize-warps": func() any { return &specializewarps.Options{Roles: specializewarps.Auto, Stages: 2} },
	}},
	Plant{Name: "other CTAs do not hear that a stage is free", Pass: multicasts, Damage: unmarked(tileas.MbarrierArrive, tileas.AttrCluster)},
	Plant{Name: "a tile that differs is brought to all", Pass: multicasts, Damage: func(fn ir.Op) bool {
		op := FirstWhere(fn, tileas.TMALoad, func(o ir.Op) bool { return !o.HasUnitAttr(tileas.AttrMulticast) })
		if op.IsNil() {
			return false
		}
		op.SetAttr(tileas.AttrMulticast, op.Context().Unit())
		return true
	}},
	Plant{Name: "copies go to the first CTA alone", Pass: lowers, Damage: anyLoad(func(op ir.Op) bool {
		op.SetAttr(nvvm.AttrMulticast, i32(op, 1))
		return true
	})},
	Plant{Name: "all bring the part of the first CTA", Pass: lowers, Damage: anyLoad(func(op ir.Op) bool {
		for i := range op.Operands() {
			if sum := op.Operand(i).DefiningOp(); !sum.IsNil() && sum.Is(arith.AddI) && !behind(sum.Operand(1), nvvm.Sreg["cluster_ctarank"]).IsNil() {
				op.SetOperand(i, sum.Operand(0))
				return true
			}
		}
		return false
	})},
	Plant{Name: "arrivals at one CTA", Pass: lowers, Damage: func(fn ir.Op) bool {
		list := All(fn, nvvm.MbarrierArriveRemote)
		for _, op := range list {
			op.SetOperand(1, arith.NewInt(ir.BuilderBefore(op), op.Operand(1).Type(), 0))
		}
		return len(list) > 0
	}},
)

// MMA warps in each CTA release stages in all. The kernel has four tiles of three, two, one and no iterations.
var multicastWarpPlants = In(Plant{Kernel: "../clusters/multicast/nested_loops_2_ctas.mlir", Pass: multicasts,
	Launch: "--arg=f16[196608]=random --arg=f16[11776]=random --arg=f32[65536]=0 --arg=i32:3 --arg=i32:3",
	By:     Exec, Flags: []string{"--gpu-name=sm_100", "--tensor-maps=params"},
	Options: map[string]func() any{
		"tileas-specialize-warps": func() any { return &specializewarps.Options{Roles: specializewarps.Auto, Stages: 2} },
	}},
	Plant{Name: "MMAs tell their own CTA alone that a stage is free", Damage: unmarked(tileas.TMEMDot, tileas.AttrCluster)},
	Plant{Name: "MMAs of one CTA are enough to free a stage", Damage: func(fn ir.Op) bool {
		two := FirstWhere(fn, tileas.MbarrierInit, func(o ir.Op) bool { n, _ := o.IntAttr(tileas.AttrArrivals); return n == 2 })
		return !two.IsNil() && Raise(two, tileas.AttrArrivals, -1)
	}},
	Plant{Name: "the producer does not wait for MMAs", Damage: inRole(1, tileas.MbarrierWait, 0, Drop)},
	Plant{Name: "MMAs signal the first CTA alone", Pass: lowers, Damage: func(fn ir.Op) bool {
		op := FirstWhere(fn, nvvm.Tcgen05Commit, func(o ir.Op) bool { return o.NumOperands() > 1 })
		if op.IsNil() {
			return false
		}
		op.SetOperand(1, arith.NewInt(ir.BuilderBefore(op), op.Operand(1).Type(), 1))
		return true
	}},
)

// meets is the barrier of the cluster at which the warps of a role meet.
func meets(fn ir.Op) ir.Op {
	return FirstWhere(fn, tileas.ClusterBarrier, func(o ir.Op) bool { return o.NumOperands() > 0 })
}

// The warps that store meet those of the other CTA before each tile.
var meetingPlants = In(Plant{Kernel: "../clusters/ordered/stores_2_ctas.mlir", Pass: "tileas-lower-pipes",
	Launch: "--arg=f16[98304]=random --arg=f16[12288]=random --arg=f32[16384]=0 --arg=i32:3",
	By:     Exec, Flags: []string{"--gpu-name=sm_90", "--warp-roles=always", "--races"}},
	Plant{Name: "CTAs do not wait before they store", Damage: func(fn ir.Op) bool { return erased(meets(fn)) }},
	Plant{Name: "each barrier waits for the first one", Damage: func(fn ir.Op) bool {
		op := meets(fn)
		op.SetOperand(1, arith.NewI32(ir.BuilderBefore(op), 0))
		return true
	}},
	Plant{Name: "the warps of one CTA are enough", Damage: func(fn ir.Op) bool {
		all := meets(fn).Operand(0).DefiningOp().Operand(0)
		for _, init := range All(fn, tileas.MbarrierInit) {
			if init.Operand(0).DefiningOp().Operand(0) == all {
				n, _ := init.IntAttr(tileas.AttrArrivals)
				Raise(init, tileas.AttrArrivals, -n/2)
			}
		}
		return true
	}},
	Plant{Name: "warps arrive at their own CTA alone", Pass: lowers, Damage: func(fn ir.Op) bool {
		op := FirstWhere(fn, nvvm.MbarrierArriveRemote, func(o ir.Op) bool { return o.HasUnitAttr(nvvm.AttrCluster) })
		op.SetOperand(1, arith.NewI32(ir.BuilderBefore(op), 0))
		return true
	}},
)
