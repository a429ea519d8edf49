package plants

import (
	"testing"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// Bugs in what makes results of products tensor copies from shared memory. The kernel is a product of large tiles.

func storePlant(name, pass, found, says string, damage func(ir.Op) bool) Plant {
	return Plant{Name: name, Kernel: "matmul_f16_big_tile", Pass: pass, Property: found, Says: says, Damage: damage, Flags: []string{"--gpu-name=sm_90", "--tensor-maps=params"}}
}

// beforeStore returns the last operation of a row in front of the tensor copy of a result.
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

var storePlants = []Plant{
	storePlant("store without fence", makesStores, Exec, "no fence_async has stood between them", dropped(tileas.FenceAsync)),
	storePlant("store without the tile", makesStores, Exec, "unspecified value", dropped(tileas.LocalStore)),
	storePlant("store without wait", makesStores, Exec, "still under way when the kernel ends", func(fn ir.Op) bool {
		op := First(fn, tileas.BulkWait)
		if op.IsNil() {
			return false
		}
		op.Erase()
		return true
	}),
	storePlant("store that leaves its group", makesStores, Exec, "returns while group #0 that it waits for is under way", func(fn ir.Op) bool {
		op := First(fn, tileas.BulkWait)
		if op.IsNil() {
			return false
		}
		op.SetAttr(tileas.AttrPending, i32(op, 1))
		return true
	}),
	storePlant("store at transposed offsets", makesStores, Exec, "", func(fn ir.Op) bool {
		op := First(fn, tileas.TMAStore)
		if op.IsNil() {
			return false
		}
		lo, _ := op.OperandRange(op.Def().OperandField("offsets"))
		x, y := op.Operand(lo), op.Operand(lo+1)
		op.SetOperand(lo, y)
		op.SetOperand(lo+1, x)
		return true
	}),
	storePlant("barrier in front of the store left out", "tileas-insert-barriers", "synchronised", "no barrier stands between them", dropped(tileas.Barrier)),
	storePlant("buffer of the store laid over that of another", "tileas-allocate-shared", "shared-allocated", "", func(fn ir.Op) bool {
		op := beforeStore(fn, tileas.AllocShared)
		if op.IsNil() {
			return false
		}
		n, _ := op.IntAttr(tileas.AttrOffset)
		op.SetAttr(tileas.AttrOffset, i32(op, n+64))
		return true
	}),
}

func TestStorePlants(t *testing.T) {
	t.Parallel()
	for _, p := range storePlants {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			p.Try(t)
		})
	}
}
