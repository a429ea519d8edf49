package plants

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
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
	By: Exec, Flags: []string{"--gpu-name=sm_100", "--tensor-maps=params"}},
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
