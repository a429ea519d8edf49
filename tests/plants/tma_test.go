package plants

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/tileas/async/plancopies"
)

// Bugs in copies of tiles by TMA that read what was stored before, store over each other, reduce, or gather.

// byTMA is a plant in a kernel of cuda_tile whose copies use TMA, whether that pays or not.
func byTMA(kernel, launch, gpu string, options plancopies.Options) Plant {
	return Plant{Kernel: "testdata/" + kernel + ".mlir", Launch: launch, Flags: []string{"--gpu-name=" + gpu, "--tensor-maps=params"}, Pass: "tileas-materialize-copies", By: Late,
		Options: map[string]func() any{"tileas-plan-copies": func() any { return &options }}}
}

func halfOfBytes(op ir.Op) bool {
	n, _ := op.IntAttr(tileas.AttrBytes)
	op.SetAttr(tileas.AttrBytes, i32(op, n/2))
	return true
}

var (
	short    = plancopies.Options{Short: true}
	anything = plancopies.Options{Anything: true}
	both     = plancopies.Options{Anything: true, Short: true}
)

var overlappingPlants = In(byTMA("tma_stores_overlap", "--arg=f16[8192]=random --arg=f16[4096]=random --arg=f16[16384]=random --arg=i32:4 --arg=i32:0", "sm_90", short),
	Plant{Name: "a store does not wait for that of the tile before", Damage: first(tileas.BulkWait, erase)},
	Plant{Name: "a store waits for all but the one before", Damage: first(tileas.BulkWait, func(op ir.Op) bool {
		op.SetAttr(tileas.AttrPending, i32(op, 1))
		return true
	})},
	Plant{Name: "a store without a fence", Pass: "tileas-make-async-mma", By: "fenced", Damage: dropped(tileas.FenceAsync)},
)

var loadedPlants = In(byTMA("tma_tile_sums", "--arg=f32[4096]=random --arg=f32[18000]=random --arg=i32:5 --arg=i32:300 --arg=i32:60 --arg=i32:0", "sm_90", short),
	Plant{Name: "a tile is read before its load", Damage: first(tileas.MbarrierWait, erase)},
	Plant{Name: "a tile of half the bytes", Damage: first(tileas.MbarrierExpect, halfOfBytes)},
)

var reducedPlants = In(byTMA("tma_reduce", "--grid=3 --arg=f32[2880]=random --arg=f32[6144]=random --arg=i32:40 --arg=i32:72 --arg=i32:0", "sm_90", anything),
	Plant{Name: "a reduction of other elements", Damage: first(tileas.TMAReduce, func(op ir.Op) bool {
		op.SetOperand(2, op.Operand(3))
		return true
	})},
	Plant{Name: "a reduction that nobody waits for", Damage: first(tileas.BulkWait, erase)},
	Plant{Name: "a reduction before a fence", Pass: "tileas-make-async-mma", By: "fenced", Damage: first(tileas.FenceAsync, func(op ir.Op) bool {
		op.MoveAfter(op.Next())
		return true
	})},
	Plant{Name: "a reduction of what is not stored yet", Damage: first(tileas.LocalStore, erase)},
)

// fenceBefore moves the fence of a store before the store.
func fenceBefore(op ir.Op) bool {
	store := op.Operand(0).DefiningOp()
	token := store.OperandNamed("token")
	op.Result(0).ReplaceAllUsesWith(store.Result(0))
	op.SetOperand(0, token)
	op.MoveBefore(store)
	return true
}

const (
	storedMMA = "--arg=f32[4096]=random --arg=f16[4096]=random --arg=f16[4096]=random --arg=f16[4096]=random --arg=i32:4 --arg=i32:0"
	thereBack = "--arg=f32[1024]=random --arg=f32[1024]=random --arg=f32[3072]=random --arg=i32:3 --arg=i32:0"
	onTop     = "--arg=f32[2048]=random --arg=f32[2048]=random --arg=i32:0"

	fenceProxy = "'fence.proxy.async' of global memory"
)

// The interpreter finds a missing fence of global memory, and the emulator the missing instruction.
var fencedPlants = slices.Concat(
	In(byTMA("tma_mma_of_stored", storedMMA, "sm_90", short),
		Plant{Name: "a loop without the fence", Damage: first(tileas.FenceGlobal, Drop)},
		Plant{Name: "the fence before the store", Damage: first(tileas.FenceGlobal, fenceBefore)},
		Plant{Name: "code of a loop without the fence", By: Code, Says: fenceProxy, Damage: first(tileas.FenceGlobal, Drop)},
		Plant{Name: "code with the fence before the store", By: Code, Says: fenceProxy, Damage: first(tileas.FenceGlobal, fenceBefore)},
	),
	In(byTMA("tma_store_then_load", thereBack, "sm_90", both),
		Plant{Name: "an iteration without the fence", Damage: first(tileas.FenceGlobal, Drop)},
		Plant{Name: "code of an iteration without the fence", By: Code, Says: fenceProxy, Damage: first(tileas.FenceGlobal, Drop)},
	),
	In(byTMA("tma_reduce_stored", onTop, "sm_90", anything),
		Plant{Name: "a reduction without the fence", Damage: first(tileas.FenceGlobal, Drop)},
		Plant{Name: "code of a reduction without the fence", By: Code, Says: fenceProxy, Damage: first(tileas.FenceGlobal, Drop)},
	),
)

// gather damages the first load of rows that a list names.
func gather(damage func(op ir.Op) bool) func(ir.Op) bool {
	return on(func(fn ir.Op) ir.Op {
		return FirstWhere(fn, tileas.TMALoad, func(op ir.Op) bool { return !tileas.RowsOf(op).IsNil() })
	}, damage)
}

var gatheredPlants = slices.Concat(
	In(byTMA("gathered_row_sums", "--arg=f32[512]=random --arg=f32[384]=random --arg=i32[32]=random --arg=i32:6 --arg=i32:64 --arg=i32:5 --arg=i32:0", "sm_100", both),
		Plant{Name: "rows in the layout that they are loaded in", By: Rejected, Says: "needs the numbers of rows in the layout", Damage: gather(func(op ir.Op) bool {
			convert := tileas.RowsOf(op).DefiningOp()
			convert.Result(0).ReplaceAllUsesWith(convert.Operand(0))
			return true
		})},
		Plant{Name: "rows from the first column on", Damage: gather(func(op ir.Op) bool {
			lo, _ := op.OperandRange(op.Def().OperandField("offsets"))
			op.SetOperand(lo+1, op.Operand(lo))
			return true
		})},
	),
	In(byTMA("gathered_columns", "--arg=i32[512]=random --arg=i32[192]=random --arg=i32[16]=random --arg=i32:6 --arg=i32:0", "sm_100", anything),
		Plant{Name: "a matrix of one row more", Damage: first(tileas.MakeTensorMap, func(op ir.Op) bool {
			sizes, _ := op.OperandRange(op.Def().OperandField("sizes"))
			op.SetOperand(sizes+1, op.Operand(sizes))
			return true
		})},
		Plant{Name: "rows announced as half", Damage: first(tileas.MbarrierExpect, halfOfBytes)},
	),
	In(byTMA("gathered_mma", "--arg=f32[8192]=random --arg=f16[960]=random --arg=i32[128]=random --arg=f16[10240]=random --arg=i32:5 --arg=i32:6 --arg=i32:0", "sm_100", short),
		Plant{Name: "rows that nobody waits for", Damage: first(tileas.MbarrierWait, erase)},
	),
)
