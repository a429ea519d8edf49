package plants

import (
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// Bugs in what makes results of MMAs TMA loads from shared memory. The kernel is an MMA of large tiles.

// beforeStore returns the last operation of a row before the TMA load of a result.
func beforeStore(fn ir.Op, def *ir.OpDef) (last ir.Op) {
	store := First(fn, tileas.TMAStore)
	if store.IsNil() {
		return last
	}
	for op := range store.Block().Ops() {
		if op == store {
			return last
		}
		if op.Is(def) {
			last = op
		}
	}
	return last
}

func dropped(def *ir.OpDef) func(ir.Op) bool {
	return func(fn ir.Op) bool {
		op := beforeStore(fn, def)
		if op.IsNil() {
			return false
		}
		op.Erase()
		return true
	}
}

const makesStores = "tileas-materialize-copies"

var tmaStorePlants = In(Plant{Kernel: "matmul_f16_big_tile", Flags: []string{"--gpu-name=sm_90", "--tensor-maps=params"}},
	Plant{Name: "store without fence", Pass: makesStores, By: Exec, Says: "no fence_async in between", Damage: dropped(tileas.FenceAsync)},
	Plant{Name: "store without the tile", Pass: makesStores, By: Exec, Says: "unspecified value", Damage: dropped(tileas.LocalStore)},
	Plant{Name: "store without wait", Pass: makesStores, By: Exec, Says: "still in flight when the kernel ends", Damage: func(fn ir.Op) bool {
		op := First(fn, tileas.BulkWait)
		if op.IsNil() {
			return false
		}
		op.Erase()
		return true
	}},
	Plant{Name: "store that leaves its group", Pass: makesStores, By: Exec, Says: "returns while group #0 that it waits for is in flight", Damage: func(fn ir.Op) bool {
		op := First(fn, tileas.BulkWait)
		if op.IsNil() {
			return false
		}
		op.SetAttr(tileas.AttrPending, i32(op, 1))
		return true
	}},
	Plant{Name: "store at transposed offsets", Pass: makesStores, By: Exec, Damage: func(fn ir.Op) bool {
		op := First(fn, tileas.TMAStore)
		if op.IsNil() {
			return false
		}
		lo, _ := op.OperandRange(op.Def().OperandField("offsets"))
		x, y := op.Operand(lo), op.Operand(lo+1)
		op.SetOperand(lo, y)
		op.SetOperand(lo+1, x)
		return true
	}},
	Plant{Name: "barrier before the store left out", Pass: "tileas-insert-barriers", By: "synchronised", Says: "no barrier stands between them", Damage: dropped(tileas.Barrier)},
	Plant{Name: "buffer of the store laid over that of another", Pass: "tileas-allocate-shared", By: "shared-allocated", Damage: func(fn ir.Op) bool {
		op := beforeStore(fn, tileas.AllocShared)
		if op.IsNil() {
			return false
		}
		n, _ := op.IntAttr(tileas.AttrOffset)
		op.SetAttr(tileas.AttrOffset, i32(op, n+64))
		return true
	}},
)
