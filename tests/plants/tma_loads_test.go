package plants

import (
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/tileas/async/plancopies"
)

// Bugs in what has tiles that threads compute with come by bulk TMA loads.

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

var tmaLoadPlants = In(Plant{Pass: "tileas-materialize-copies", By: Exec, Flags: []string{"--gpu-name=sm_90", "--tensor-maps=params"},
	Options: map[string]func() any{"tileas-plan-copies": func() any { return &plancopies.Options{Anything: true} }}},
	Plant{Name: "tile read before its copy", Kernel: "transpose_f16", Damage: leftOut(tileas.MbarrierWait)},
	Plant{Name: "tile whose bytes nobody expects", Kernel: "transpose_f16", Damage: leftOut(tileas.MbarrierExpect)},
	Plant{Name: "tile of fewer bytes", Kernel: "reduce_f32", Damage: func(fn ir.Op) bool {
		op := First(fn, tileas.MbarrierExpect)
		if op.IsNil() {
			return false
		}
		n, _ := op.IntAttr(tileas.AttrBytes)
		op.SetAttr(tileas.AttrBytes, i32(op, n/2))
		return true
	}},
	Plant{Name: "tile read as it is where it is wanted turned", Kernel: "transpose_f16", Damage: func(fn ir.Op) bool {
		op := First(fn, tileas.BufferPermute)
		if op.IsNil() {
			return false
		}
		op.Result(0).ReplaceAllUsesWith(op.Operand(0))
		op.Erase()
		return true
	}},
	Plant{Name: "phase of a loop that stands still", Kernel: "layer_norm_bwd_dwdb", Damage: func(fn ir.Op) bool {
		op := First(fn, tileas.MbarrierWait)
		if op.IsNil() || !ir.InLoop(op) {
			return false
		}
		// The parity that the loop began with.
		loop := op.ParentOp()
		op.SetOperand(1, loop.Operand(loop.NumOperands()-2))
		return true
	}},
	Plant{Name: "tile at another's place", Kernel: "layer_norm_bwd_dwdb", Damage: func(fn ir.Op) bool {
		op := First(fn, tileas.TMALoad)
		if op.IsNil() {
			return false
		}
		lo, _ := op.OperandRange(op.Def().OperandField("offsets"))
		x, y := op.Operand(lo), op.Operand(lo+1)
		op.SetOperand(lo, y)
		op.SetOperand(lo+1, x)
		return true
	}},
)
