package plants

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// Bugs in the expansion of loops with asynchronous MMAs. Copies run two iterations ahead, and nine iterations go
// through the stages more than once.

// inLoop damages a kernel by what it does to its loop.
func inLoop(damage func(fn, loop ir.Op) bool) func(ir.Op) bool {
	return func(fn ir.Op) bool {
		loop := FirstWhere(fn, scf.For, func(op ir.Op) bool { return !First(op, tileas.DotAsync).IsNil() })
		return !loop.IsNil() && damage(fn, loop)
	}
}

// inIteration damages the n-th operation of a row in the loop of iterations.
func inIteration(def *ir.OpDef, n int, damage func(op ir.Op) bool) func(ir.Op) bool {
	return inLoop(func(_, loop ir.Op) bool { return damage(Nth(loop, def, n)) })
}

// afterLoop returns the first operation of a row after the loop of iterations.
func afterLoop(loop ir.Op, def *ir.OpDef) ir.Op {
	for op := loop.Next(); !op.IsNil(); op = op.Next() {
		if op.Is(def) {
			return op
		}
	}
	return ir.Op{}
}

// stageFor returns the stage that an operation in the loop takes as an operand.
func stageFor(loop ir.Op, def *ir.OpDef, operand int) ir.Op {
	op := Nth(loop, def, 0)
	if op.IsNil() {
		return op
	}
	if operand < 0 {
		return op.OperandNamed("mbarrier").DefiningOp()
	}
	return op.Operand(operand).DefiningOp()
}

// parityOf returns which of the loop's values is the parity that it waits for.
func parityOf(loop ir.Op) int {
	wait := Nth(loop, tileas.MbarrierWait, 0)
	if wait.IsNil() || !wait.Operand(1).IsBlockArg() {
		return -1
	}
	return wait.Operand(1).Index() - 1
}

// innerLoop returns the loop of iterations in a loop.
func innerLoop(loop ir.Op) ir.Op {
	return FirstWhere(loop, scf.For, func(op ir.Op) bool { return op != loop })
}

// ofFirstStage lets an operation take the number of the first stage.
func ofFirstStage(op ir.Op) bool {
	if op.IsNil() {
		return false
	}
	op.SetOperand(1, arith.NewInt(ir.BuilderBefore(op), op.Operand(1).Type(), 0))
	return true
}

const loops = "../pipelining/testdata/"

var asyncMMA = Plant{
	Launch: "--arg=f32[4096]=77 --arg=f16[45056]=random --arg=f16[45056]=random --arg=i32:0 --arg=i32:9 --arg=i32:1",
	Passes: []string{"--tileas-keep-mma-in-flight", "--tileas-schedule-loops=prefetch=2", "--tileas-pipeline-loops", "--canonicalize", "--tileas-allocate-shared", "--tileas-insert-barriers"},
	Flags:  []string{"--gpu-name=sm_90"}, Pass: "tileas-insert-barriers", By: Late,
}

var asyncMMAPlants = In(asyncMMA,
	// Products: waits, stages and fences.
	Plant{Name: "wait for stages one MMA short", Kernel: loops + "mma_chain.mlir", Damage: inIteration(tileas.DotWait, 0, Raised(tileas.AttrPending, 1))},
	Plant{Name: "no wait for stages", Kernel: loops + "mma_chain.mlir", Damage: inIteration(tileas.DotWait, 0, Drop)},
	Plant{Name: "copies one stage too early", Kernel: loops + "mma_chain.mlir", Damage: inLoop(func(_, loop ir.Op) bool {
		return Raise(stageFor(loop, tileas.CopyAsync, 0), tileas.AttrAhead, -2)
	})},
	Plant{Name: "stage of the next iteration multiplied", Kernel: loops + "mma_chain.mlir", Damage: inLoop(func(_, loop ir.Op) bool { return Raise(stageFor(loop, tileas.DotAsync, 1), tileas.AttrAhead, 1) })},
	Plant{Name: "no fence", Kernel: loops + "mma_chain.mlir", Damage: inIteration(tileas.FenceAsync, 0, Drop)},
	Plant{Name: "fence before the wait for copies", Kernel: loops + "mma_chain.mlir", Damage: inIteration(tileas.FenceAsync, 0, func(op ir.Op) bool {
		op.MoveBefore(Nth(op.ParentOp(), tileas.WaitGroup, 0))
		return true
	})},
	Plant{Name: "wait for copies one group short", Kernel: loops + "mma_chain.mlir", Damage: inIteration(tileas.WaitGroup, 0, Raised(tileas.AttrPending, 1))},
	Plant{Name: "no barrier", Kernel: loops + "mma_chain.mlir", Damage: inIteration(tileas.Barrier, 0, Drop)},
	Plant{Name: "accumulator taken in flight after the loop", Kernel: loops + "mma_chain.mlir", Damage: inLoop(func(_, loop ir.Op) bool { return Drop(afterLoop(loop, tileas.DotWait)) })},
	Plant{Name: "wait after the loop one MMA short", Kernel: loops + "mma_chain.mlir", Damage: inLoop(func(_, loop ir.Op) bool { return Raise(afterLoop(loop, tileas.DotWait), tileas.AttrPending, 1) })},
	Plant{Name: "accumulator that is not carried", Kernel: loops + "mma_chain.mlir", Damage: inLoop(func(_, loop ir.Op) bool {
		last := loop.Body().Last()
		n := last.NumOperands() - 1
		last.SetOperand(n, loop.Body().Arg(1+n))
		return true
	})},
	Plant{Name: "wait of two MMAs one short", Kernel: loops + "mma_chain_of_two.mlir", Damage: inIteration(tileas.DotWait, 0, Raised(tileas.AttrPending, 1))},
	Plant{Name: "accumulator taken before the wait", Kernel: loops + "attention.mlir", Damage: inIteration(tileas.DotWait, 0, Drop)},
	Plant{Name: "wait for an accumulator one MMA short", Kernel: loops + "attention.mlir", Damage: inIteration(tileas.DotWait, 0, Raised(tileas.AttrPending, 1))},
	Plant{Name: "accumulator of the second MMA taken before the wait", Kernel: loops + "attention.mlir", Damage: inIteration(tileas.DotWait, 1, Drop)},
	Plant{Name: "no fence after a store of threads", Kernel: loops + "stored_operand.mlir", Damage: inLoop(func(_, loop ir.Op) bool {
		ok := false
		for op := Nth(loop, tileas.FenceAsync, 0); !op.IsNil(); op = Nth(loop, tileas.FenceAsync, 0) {
			ok = Drop(op)
		}
		return ok
	})},

	// Tensor copies: bytes, parities and mbarriers.
	Plant{Name: "too few bytes expected", Kernel: loops + "tma_mma_chain.mlir", Damage: inIteration(tileas.MbarrierExpect, 0, Raised(tileas.AttrBytes, -16))},
	Plant{Name: "too many bytes expected", Kernel: loops + "tma_mma_chain.mlir", Damage: inIteration(tileas.MbarrierExpect, 0, Raised(tileas.AttrBytes, 16))},
	Plant{Name: "bytes not expected", Kernel: loops + "tma_mma_chain.mlir", Damage: inIteration(tileas.MbarrierExpect, 0, Drop)},
	Plant{Name: "no wait for TMA loads", Kernel: loops + "tma_mma_chain.mlir", Damage: inIteration(tileas.MbarrierWait, 0, Drop)},
	Plant{Name: "parities begin with 1", Kernel: loops + "tma_mma_chain.mlir", Damage: inLoop(func(_, loop ir.Op) bool {
		k := parityOf(loop)
		if k < 0 {
			return false
		}
		b := ir.BuilderBefore(loop)
		loop.SetOperand(scf.NumBounds+k, arith.NewInt(b, loop.Operand(scf.NumBounds+k).Type(), 1))
		return true
	})},
	Plant{Name: "parities do not change", Kernel: loops + "tma_mma_chain.mlir", Damage: inLoop(func(_, loop ir.Op) bool {
		k := parityOf(loop)
		if k < 0 {
			return false
		}
		loop.Body().Last().SetOperand(k, loop.Body().Arg(1+k))
		return true
	})},
	Plant{Name: "mbarrier of the next iteration waited for", Kernel: loops + "tma_mma_chain.mlir", Damage: inLoop(func(_, loop ir.Op) bool {
		return Raise(stageFor(loop, tileas.MbarrierWait, 0), tileas.AttrAhead, 1)
	})},
	Plant{Name: "mbarrier of another iteration signaled", Kernel: loops + "tma_mma_chain.mlir", Damage: inLoop(func(_, loop ir.Op) bool { return Raise(stageFor(loop, tileas.TMALoad, -1), tileas.AttrAhead, -1) })},
	Plant{Name: "mbarriers take two arrivals", Kernel: loops + "tma_mma_chain.mlir", Damage: inLoop(func(m, _ ir.Op) bool {
		return Raise(Nth(m, tileas.MbarrierInit, 0), tileas.AttrArrivals, 1)
	})},
	Plant{Name: "copies of threads not waited for beside TMA loads", Kernel: loops + "tma_and_cp_async.mlir", Damage: inIteration(tileas.WaitGroup, 0, Drop)},
	Plant{Name: "TMA loads not waited for beside copies of threads", Kernel: loops + "tma_and_cp_async.mlir", Damage: inIteration(tileas.MbarrierWait, 0, Drop)},
	Plant{Name: "no fence between copies of threads before the loop and its MMAs", Kernel: loops + "tma_and_cp_async_before.mlir", Damage: inLoop(func(m, loop ir.Op) bool {
		for op := loop.Prev(); !op.IsNil(); op = op.Prev() {
			if op.Is(tileas.FenceAsync) {
				return Drop(op)
			}
		}
		return false
	})},

	// Phases that go on from run to run, and copies for the next one.
	Plant{Name: "phases begin again with each run", Kernel: loops + "refilled_tma_mma_chain.mlir", Damage: inLoop(func(_, loop ir.Op) bool {
		inner := innerLoop(loop)
		inner.SetOperand(scf.NumBounds+1, arith.NewInt(ir.BuilderBefore(inner), inner.Operand(scf.NumBounds+1).Type(), 0))
		return true
	})},
	Plant{Name: "phases of a run forgotten", Kernel: loops + "refilled_tma_mma_chain.mlir", Damage: inLoop(func(_, loop ir.Op) bool {
		last := loop.Body().Last()
		last.SetOperand(1, loop.Body().Arg(2))
		return true
	})},
	Plant{Name: "phase of another stage counted", Kernel: loops + "refilled_tma_mma_chain.mlir", Damage: inIteration(arith.ShLI, 0, ofFirstStage)},
	Plant{Name: "phase of another stage waited for", Kernel: loops + "refilled_tma_mma_chain.mlir", Damage: inIteration(arith.ShRUI, 0, ofFirstStage)},
	Plant{Name: "stages filled for the next run before MMAs have read them", Kernel: loops + "refilled_tma_mma_chain.mlir", Damage: inLoop(func(_, loop ir.Op) bool { return Drop(afterLoop(innerLoop(loop), tileas.DotWait)) })},
	Plant{Name: "stages filled for a run that does not exist", Kernel: loops + "refilled_tma_mma_chain.mlir", Damage: inLoop(func(_, loop ir.Op) bool {
		for op := innerLoop(loop).Next(); !op.IsNil(); op = op.Next() {
			if op.Is(arith.Select) && op.Operand(0).DefiningOp().StringAttr(arith.AttrPredicate) == "ugt" {
				op.Result(0).ReplaceAllUsesWith(op.Operand(1))
				return true
			}
		}
		return false
	})},
	Plant{Name: "stages waited for one MMA short beside TMA loads", Kernel: loops + "tma_mma_chain.mlir", Damage: inIteration(tileas.DotWait, 0, Raised(tileas.AttrPending, 1))},
)
