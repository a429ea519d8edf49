package plants

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/cmd/tile-run/runtool"
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// Bugs in products that two CTAs do together. No case of the corpus has such: testdata/pair.mlir is one.

const pairs = "tileas-pair-products"

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

var pairPlants = []Plant{
	pairPlant("both CTAs load the first half of the factor", pairs, func(fn ir.Op) bool {
		return becomes(First(fn, tileas.Level.CTARank), func(op ir.Op) ir.Value { return arith.NewInt(ir.BuilderBefore(op), op.Result(0).Type(), 0) })
	}),
	pairPlant("the halves change places", pairs, func(fn ir.Op) bool {
		op := First(fn, arith.AndI)
		return !op.IsNil() && becomes(op, func(op ir.Op) ir.Value { return otherParity(ir.BuilderBefore(op.Next()), op.Result(0)) }) && changedBack(op)
	}),
	pairPlant("the even CTA does not wait for the other one", tensors, changed(tileas.TensorDot, tileas.FieldPhase, otherParity)),
	pairPlant("the odd CTA arrives at the mbarrier that tells of products", tensors, func(fn ir.Op) bool {
		op := First(fn, tileas.TensorDot)
		return !op.IsNil() && changed(tileas.TensorDot, tileas.FieldReady, func(*ir.Builder, ir.Value) ir.Value { return op.OperandNamed("mbarrier") })(fn)
	}),
	pairPlant("the odd CTA arrives at its own mbarrier", lowers, func(fn ir.Op) bool {
		op := FirstWhere(fn, nvvm.MbarrierArriveRemote, func(o ir.Op) bool {
			return !o.Operand(1).DefiningOp().IsNil() && o.Operand(1).DefiningOp().Is(arith.XOrI)
		})
		if op.IsNil() {
			return false
		}
		op.SetOperand(1, op.Operand(1).DefiningOp().Operand(0))
		return true
	}),
	pairPlant("one CTA alone hears that the product is done", lowers, changed(nvvm.Tcgen05Commit, "mask", func(b *ir.Builder, v ir.Value) ir.Value { return arith.NewInt(b, v.Type(), 1) })),
	pairPlant("the odd CTA says nothing", lowers, func(fn ir.Op) bool {
		return erased(FirstWhere(fn, nvvm.MbarrierArriveRemote, func(o ir.Op) bool { return !o.Prev().IsNil() && o.Prev().Is(arith.XOrI) }))
	}),
	{Name: "the columns of one CTA are reserved", Pass: "tileas-allocate-tensor", Property: "tensor-allocated", Says: "must both be for two CTAs or for one", Damage: func(fn ir.Op) bool {
		op := First(fn, tileas.ReserveTensor)
		if op.IsNil() || !op.HasUnitAttr(tile.AttrTwoCTAs) {
			return false
		}
		op.SetAttr(tile.AttrTwoCTAs, nil)
		return true
	}},
}

const tensors = "tileas-use-tensor-memory"

// changedBack lets the operation that stands behind one, and takes its other uses, take its result.
func changedBack(op ir.Op) bool {
	for o := op.Next(); !o.IsNil(); o = o.Next() {
		if o.Is(arith.XOrI) {
			o.SetOperand(0, op.Result(0))
			return true
		}
	}
	return false
}

func pairPlant(name, pass string, damage func(ir.Op) bool) Plant {
	return Plant{Name: name, Pass: pass, Property: Exec, Damage: damage}
}

// TestPairPlants sees that executions behind each pass, and properties, find the bugs.
func TestPairPlants(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "pair")
	var out, errs bytes.Buffer
	args := []string{"--entry=k", "--grid=1", "--save-case", dir, "--arg=f16[131072]=random", "--arg=f16[32768]=random", "--arg=f32[16384]=0", "--arg=i32:8", filepath.Join("testdata", "pair.mlir")}
	if status := runtool.Main(context.Background(), args, strings.NewReader(""), &out, &errs); status != 0 {
		t.Fatalf("status %d\n%s", status, &errs)
	}
	for _, p := range pairPlants {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			p.Dir, p.Kernel, p.Flags = dir, "pair.mlir", []string{"--gpu-name=sm_100", "--tensor-maps=params"}
			p.Try(t)
		})
	}
}
