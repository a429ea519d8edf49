package plants

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/tileas/async/specializewarps"
)

// Bugs in MMAs that two CTAs do together. No case of the corpus has such: testdata/pair.mlir is one.

const pairs = "tileas-form-two-cta-mma"

// changed gives an operand of the first operation of a row another value.
func changed(def *ir.OpDef, operand string, to func(b *ir.Builder, v ir.Value) ir.Value) func(ir.Op) bool {
	return func(fn ir.Op) bool {
		op := FirstWhere(fn, def, func(o ir.Op) bool { return !o.OperandNamed(operand).IsNil() })
		if op.IsNil() {
			return false
		}
		at, _ := op.OperandRange(op.Def().OperandField(operand))
		op.SetOperand(at, to(ir.BuilderBefore(op), op.Operand(at)))
		return true
	}
}

func otherParity(b *ir.Builder, v ir.Value) ir.Value {
	return b.Create(arith.XOrI, []ir.Value{v, arith.NewInt(b, v.Type(), 1)}, []ir.Type{v.Type()}).Result(0)
}

var twoCTAPlants = In(Plant{Kernel: "testdata/pair.mlir", Launch: "--arg=f16[131072]=random --arg=f16[32768]=random --arg=f32[16384]=0 --arg=i32:8",
	By: Exec, Flags: []string{"--gpu-name=sm_100", "--tensor-maps=params"},
	// The consumer warps issue the MMAs themselves; pairWarpPlants has a warp for that.
	Options: map[string]func() any{
		"tileas-specialize-warps": func() any { return &specializewarps.Options{Roles: specializewarps.Auto, NoMMAWarp: true} },
	}},
	Plant{Name: "both CTAs load the first half of operand B", Pass: pairs, Damage: func(fn ir.Op) bool {
		return becomes(First(fn, tileas.Level.CTARank), func(op ir.Op) ir.Value { return arith.NewInt(ir.BuilderBefore(op), op.Result(0).Type(), 0) })
	}},
	Plant{Name: "the halves change places", Pass: pairs, Damage: func(fn ir.Op) bool {
		op := First(fn, arith.AndI)
		return !op.IsNil() && becomes(op, func(op ir.Op) ir.Value { return otherParity(ir.BuilderBefore(op.Next()), op.Result(0)) }) && changedBack(op)
	}},
	Plant{Name: "the even CTA does not wait for the other one", Pass: tensors, Damage: changed(tileas.TMEMDot, tileas.FieldPhase, otherParity)},
	Plant{Name: "the odd CTA arrives at the mbarrier that signals MMAs", Pass: tensors, Damage: func(fn ir.Op) bool {
		op := First(fn, tileas.TMEMDot)
		return !op.IsNil() && changed(tileas.TMEMDot, tileas.FieldReady, func(*ir.Builder, ir.Value) ir.Value { return op.OperandNamed("mbarrier") })(fn)
	}},
	Plant{Name: "the odd CTA arrives at its own mbarrier", Pass: lowers, Damage: func(fn ir.Op) bool {
		op := FirstWhere(fn, nvvm.MbarrierArriveRemote, func(o ir.Op) bool {
			return !o.Operand(1).DefiningOp().IsNil() && o.Operand(1).DefiningOp().Is(arith.XOrI)
		})
		if op.IsNil() {
			return false
		}
		op.SetOperand(1, op.Operand(1).DefiningOp().Operand(0))
		return true
	}},
	Plant{Name: "one CTA alone hears that the MMA is done", Pass: lowers, Damage: changed(nvvm.Tcgen05Commit, "mask", func(b *ir.Builder, v ir.Value) ir.Value { return arith.NewInt(b, v.Type(), 1) })},
	Plant{Name: "the odd CTA says nothing", Pass: lowers, Damage: func(fn ir.Op) bool {
		return erased(FirstWhere(fn, nvvm.MbarrierArriveRemote, func(o ir.Op) bool { return !o.Prev().IsNil() && o.Prev().Is(arith.XOrI) }))
	}},
	Plant{Name: "the columns of one CTA are reserved", Pass: "tileas-allocate-tmem", By: "tmem-allocated", Says: "must both be for two CTAs or for one", Damage: func(fn ir.Op) bool {
		op := First(fn, tileas.ReserveTMEM)
		if op.IsNil() || !op.HasUnitAttr(tile.AttrTwoCTAs) {
			return false
		}
		op.SetAttr(tile.AttrTwoCTAs, nil)
		return true
	}},
)

// notPaired makes the first such operation of two CTAs one of its own CTA.
func notPaired(def *ir.OpDef) func(ir.Op) bool { return unmarked(def, tile.AttrTwoCTAs) }

// signalsOne makes the n-th commit signal the even CTA alone.
func signalsOne(n int) func(ir.Op) bool {
	return func(fn ir.Op) bool {
		op := Nth(fn, nvvm.Tcgen05Commit, n)
		if op.IsNil() {
			return false
		}
		op.SetOperand(1, arith.NewInt(ir.BuilderBefore(op), op.Operand(1).Type(), 1))
		return true
	}
}

// The MMA warp of the even CTA issues for both. The kernel has four tiles of three, two, one and no iterations.
var pairWarpPlants = In(Plant{Kernel: "../clusters/two_cta/nested_loops_2_ctas_aligned.mlir",
	Launch: "--arg=f16[196608]=random --arg=f16[11776]=random --arg=f32[65536]=0 --arg=i32:3 --arg=i32:3",
	By:     Exec, Pass: "tileas-lower-pipes", Flags: []string{"--gpu-name=sm_100", "--tensor-maps=params"},
	Options: map[string]func() any{
		"tileas-specialize-warps": func() any { return &specializewarps.Options{Roles: specializewarps.Auto, Stages: 2} },
	}},
	Plant{Name: "the even CTA expects its own bytes alone", Damage: func(fn ir.Op) bool {
		op := First(fn, tileas.MbarrierExpect)
		n, _ := op.IntAttr(tileas.AttrBytes)
		return Raise(op, tileas.AttrBytes, -n/2)
	}},
	Plant{Name: "the even CTA expects more bytes than come", Damage: func(fn ir.Op) bool { return Raise(First(fn, tileas.MbarrierExpect), tileas.AttrBytes, 16) }},
	Plant{Name: "each CTA expects the bytes of both", Damage: notPaired(tileas.MbarrierExpect)},
	Plant{Name: "the loads of the odd CTA signal its own mbarrier", Damage: notPaired(tileas.TMALoad)},
	Plant{Name: "the threads of the odd CTA release an accumulator to their own CTA", Damage: notPaired(tileas.MbarrierArrive)},
	Plant{Name: "the threads of the even CTA alone release an accumulator", Damage: func(fn ir.Op) bool {
		eight := FirstWhere(fn, tileas.MbarrierInit, func(o ir.Op) bool { n, _ := o.IntAttr(tileas.AttrArrivals); return n == 8 })
		return !eight.IsNil() && Raise(eight, tileas.AttrArrivals, -4)
	}},
	Plant{Name: "the MMA warp does not wait for operands", Damage: inRole(startsMMAs, tileas.MbarrierWait, 1, Drop)},
	Plant{Name: "the MMA warp does not wait for a free accumulator", Damage: inRole(startsMMAs, tileas.MbarrierWait, 0, Drop)},
	Plant{Name: "both CTAs issue", Damage: inRole(startsMMAs, scf.If, 0, func(op ir.Op) bool {
		op.SetOperand(0, arith.NewInt(ir.BuilderBefore(op), op.Operand(0).Type(), -1))
		return true
	})},
	Plant{Name: "the odd CTA issues", Damage: inRole(startsMMAs, arith.CmpI, 0, func(op ir.Op) bool {
		op.SetAttr(arith.AttrPredicate, op.Context().String("ne"))
		return true
	})},
	Plant{Name: "one CTA alone hears that a stage is free", Pass: lowers, Damage: signalsOne(0)},
	Plant{Name: "one CTA alone hears that an accumulator is there", Pass: lowers, Damage: signalsOne(1)},
	Plant{Name: "a commit is of one CTA", By: "tmem-allocated", Pass: "tileas-allocate-tmem", Says: "must both be for two CTAs or for one", Damage: notPaired(tileas.MMACommit)},
	Plant{Name: "the CTAs do not meet before the roles", By: Late, Damage: func(fn ir.Op) bool { return erased(First(fn, tileas.ClusterBarrier)) }, Says: "has not been initialised"},
	Plant{Name: "a CTA does not wait for the other one at its end", By: Late, Damage: func(fn ir.Op) bool { return erased(Nth(fn, tileas.ClusterBarrier, 1)) }, Says: "which has ended"},
	Plant{Name: "each CTA releases to itself", Pass: lowers, Damage: func(fn ir.Op) bool {
		op := First(fn, nvvm.MbarrierArriveRemote)
		if op.IsNil() {
			return false
		}
		op.SetOperand(1, op.Operand(1).DefiningOp().Operand(0))
		return true
	}},
	Plant{Name: "loads signal an mbarrier of their own CTA", Pass: lowers, Damage: func(fn ir.Op) bool {
		op := First(fn, nvvm.MapShared)
		if op.IsNil() {
			return false
		}
		op.SetOperand(1, op.Operand(1).DefiningOp().Operand(0))
		return true
	}},
)

const tensors = "tileas-promote-to-tmem"

// changedBack lets the operation that stands after one, and takes its other uses, take its result.
func changedBack(op ir.Op) bool {
	for o := op.Next(); !o.IsNil(); o = o.Next() {
		if o.Is(arith.XOrI) {
			o.SetOperand(0, op.Result(0))
			return true
		}
	}
	return false
}
