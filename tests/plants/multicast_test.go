package plants

import (
	"testing"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/tileas/specializewarps"
)

// Bugs in copies that are made once for all CTAs of a cluster. The kernel has two CTAs, whose warps have roles.

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

var multicastPlants = []Plant{
	multicastPlant("other CTAs do not hear that a slot is free", multicasts, unmarked(tileas.MbarrierArrive, tileas.AttrCluster)),
	multicastPlant("a tile that differs is brought to all", multicasts, func(fn ir.Op) bool {
		op := FirstWhere(fn, tileas.TMALoad, func(o ir.Op) bool { return !o.HasUnitAttr(tileas.AttrMulticast) })
		if op.IsNil() {
			return false
		}
		op.SetAttr(tileas.AttrMulticast, op.Context().Unit())
		return true
	}),
	multicastPlant("copies go to the first CTA alone", lowers, anyLoad(func(op ir.Op) bool {
		op.SetAttr(nvvm.AttrMulticast, i32(op, 1))
		return true
	})),
	multicastPlant("all bring the part of the first CTA", lowers, anyLoad(func(op ir.Op) bool {
		for i := range op.Operands() {
			if sum := op.Operand(i).DefiningOp(); !sum.IsNil() && sum.Is(arith.AddI) && !behind(sum.Operand(1), nvvm.Sreg["cluster_ctarank"]).IsNil() {
				op.SetOperand(i, sum.Operand(0))
				return true
			}
		}
		return false
	})),
	multicastPlant("arrivals at one CTA", lowers, func(fn ir.Op) bool {
		list := All(fn, nvvm.MbarrierArriveRemote)
		for _, op := range list {
			op.SetOperand(1, arith.NewInt(ir.BuilderBefore(op), op.Operand(1).Type(), 0))
		}
		return len(list) > 0
	}),
}

// TestMulticastPlants sees that executions behind each pass find the bugs.
func TestMulticastPlants(t *testing.T) {
	t.Parallel()
	for _, p := range multicastPlants {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			p.Try(t)
		})
	}
}

func multicastPlant(name, pass string, damage func(ir.Op) bool) Plant {
	p := clusterPlant(name, "matmul_f16_big_tile", pass, damage)
	p.Flags = append(p.Flags, "--tensor-maps=params")
	p.Options["tileas-specialize-warps"] = func() any { return &specializewarps.Options{Roles: specializewarps.Auto, Slots: 2} } // which the two iterations of the case use again
	return p
}
