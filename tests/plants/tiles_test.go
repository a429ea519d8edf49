package plants

import (
	"testing"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/tileas/plancopies"
)

// Bugs in what has tiles that threads compute with come by bulk tensor copies.

func tilePlant(name, kernel, found, says string, damage func(ir.Op) bool) Plant {
	return Plant{Name: name, Kernel: kernel, Pass: "tileas-materialize-copies", Property: found, Says: says, Damage: damage, Flags: []string{"--gpu-name=sm_90", "--tensor-maps=params"},
		Options: map[string]func() any{"tileas-plan-copies": func() any { return &plancopies.Options{Anything: true} }}}
}

// leftOut drops the first operation of a row.
func leftOut(def *ir.OpDef) func(ir.Op) bool {
	return func(fn ir.Op) bool {
		op := First(fn, def)
		if op.IsNil() {
			return false
		}
		op.Erase()
		return true
	}
}

var tilePlants = []Plant{
	tilePlant("tile read in front of its copy", "transpose_f16", Exec, "", leftOut(tileas.MbarrierWait)),
	tilePlant("tile whose bytes nobody expects", "transpose_f16", Exec, "", leftOut(tileas.MbarrierExpect)),
	tilePlant("tile of fewer bytes", "reduce_f32", Exec, "", func(fn ir.Op) bool {
		op := First(fn, tileas.MbarrierExpect)
		if op.IsNil() {
			return false
		}
		n, _ := op.IntAttr(tileas.AttrBytes)
		op.SetAttr(tileas.AttrBytes, i32(op, n/2))
		return true
	}),
	tilePlant("tile read as it is where it is wanted turned", "transpose_f16", Exec, "", func(fn ir.Op) bool {
		op := First(fn, tileas.BufferPermute)
		if op.IsNil() {
			return false
		}
		op.Result(0).ReplaceAllUsesWith(op.Operand(0))
		op.Erase()
		return true
	}),
	tilePlant("phase of a loop that stands still", "layer_norm_bwd_dwdb", Exec, "", func(fn ir.Op) bool {
		op := First(fn, tileas.MbarrierWait)
		if op.IsNil() || !ir.InLoop(op) {
			return false
		}
		// The parity that the loop began with.
		loop := op.ParentOp()
		op.SetOperand(1, loop.Operand(loop.NumOperands()-2))
		return true
	}),
	tilePlant("tile at another's place", "layer_norm_bwd_dwdb", Exec, "", func(fn ir.Op) bool {
		op := First(fn, tileas.TMALoad)
		if op.IsNil() {
			return false
		}
		lo, _ := op.OperandRange(op.Def().OperandField("offsets"))
		x, y := op.Operand(lo), op.Operand(lo+1)
		op.SetOperand(lo, y)
		op.SetOperand(lo+1, x)
		return true
	}),
}

func TestTileCopies(t *testing.T) {
	t.Parallel()
	for _, p := range tilePlants {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			p.Try(t)
		})
	}
}
