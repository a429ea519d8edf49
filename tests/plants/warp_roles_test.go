package plants

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// Bugs in how warps of a specialized kernel meet. The kernels are those of the suite of the pass.

const (
	deadlock = "op never ends, because no role can go on"
	race     = "nothing has synchronised the two in between"
)

// nthInRole returns the n-th operation of a row in a role of the kernel.
func nthInRole(fn ir.Op, role int, def *ir.OpDef, n int) ir.Op {
	for op := range First(fn, tileas.WarpSpecialize).Region(role).First().Ops() {
		for _, found := range All(op, def) {
			if n == 0 {
				return found
			}
			n--
		}
	}
	return ir.Op{}
}

// inRole damages the n-th operation of a row in a role.
func inRole(role int, def *ir.OpDef, n int, damage func(op ir.Op) bool) func(ir.Op) bool {
	return func(fn ir.Op) bool {
		op := nthInRole(fn, role, def, n)
		return !op.IsNil() && damage(op)
	}
}

// state inverts the initial value of a state of a loop, which is the last of what the loop carries.
func state(loop ir.Op, which int) bool {
	n := loop.NumOperands() - 1 - which
	old, _ := ir.ConstantValue(loop.Operand(n)).(*ir.IntegerAttr)
	if old == nil {
		return false
	}
	loop.SetOperand(n, arith.NewInt(ir.BuilderBefore(loop), old.Type(), 1-old.Value))
	return true
}

const producers = "../suite/passes/tileas-specialize-warps.mlir@"

var producerPlants = In(Plant{
	Launch: "--arg=f32[4096]=77 --arg=f16[45056]=random --arg=f16[45056]=random --arg=i32:0 --arg=i32:7 --arg=i32:1",
	Passes: []string{"--tileas-specialize-warps=slots=3 roles=always", "--tileas-lower-pipes", "--tileas-allocate-shared", "--tileas-insert-barriers"},
	Flags:  []string{"--gpu-name=sm_90"}, Pass: "tileas-insert-barriers", By: Late},
	Plant{Name: "nobody frees a stage", Kernel: producers + "product", Damage: inRole(0, tileas.MbarrierArrive, 0, Drop), Says: deadlock},
	Plant{Name: "freed before the MMA is done", Kernel: producers + "taken", Damage: inRole(0, tileas.MbarrierArrive, 0, func(op ir.Op) bool {
		wait := Nth(op.ParentOp(), tileas.DotWait, 0)
		op.Operand(0).DefiningOp().MoveBefore(wait)
		op.MoveBefore(wait)
		return true
	}), Says: race + " | 'nv_tileas.dot_async' is still reading"},
	Plant{Name: "an MMA more in flight", Kernel: producers + "product", Damage: inRole(0, tileas.DotWait, 0, Raised(tileas.AttrPending, 1)), Says: race + " | is still reading"},
	Plant{Name: "an arrival too many", Kernel: producers + "product", Damage: func(m ir.Op) bool {
		n := 0
		m.Walk(func(op ir.Op) ir.WalkResult {
			if count, _ := op.IntAttr(tileas.AttrArrivals); op.Is(tileas.MbarrierInit) && count == 4 {
				Raise(op, tileas.AttrArrivals, -1)
				n++
			}
			return ir.Advance
		})
		return n > 0
	}, Says: "'nv_tileas.mbarrier_arrive' op makes 4 arrivals, but the current phase waits for 3 more only"},
	Plant{Name: "an arrival too few", Kernel: producers + "product", Damage: inRole(0, tileas.MbarrierArrive, 0, Raised(tileas.AttrArrivals, -1)), Says: deadlock + " | " + race + " | more only"},
	Plant{Name: "the producer begins in the other phase", Kernel: producers + "product", Damage: inRole(1, scf.For, 0, func(op ir.Op) bool { return state(op, 0) }), Says: deadlock},
	Plant{Name: "the consumers begin in the other phase", Kernel: producers + "product", Damage: inRole(0, scf.For, 0, func(op ir.Op) bool { return state(op, 0) }), Says: deadlock + " | " + race + " | signals it | holds nothing | unspecified"},
	Plant{Name: "the producer begins at another place", Kernel: producers + "product", Damage: inRole(1, scf.For, 0, func(op ir.Op) bool { return state(op, 1) }), Says: deadlock + " | " + race + " | is still reading"},
	Plant{Name: "bytes of one copy alone", Kernel: producers + "product", Damage: inRole(1, tileas.MbarrierExpect, 0, Raised(tileas.AttrBytes, -4096)), Says: deadlock + " | " + race + " | is still reading"},
	Plant{Name: "copied to another stage", Kernel: producers + "product", Damage: inRole(1, tileas.TMALoad, 0, func(op ir.Op) bool { return Raise(op.Operand(0).DefiningOp(), tileas.AttrAhead, -1) }), Says: race + " | unspecified | reads a buffer | is still"},
	Plant{Name: "the producer does not wait", Kernel: producers + "product", Damage: inRole(1, tileas.MbarrierWait, 0, Drop), Says: race + " | is still reading | more only | writes a buffer that | overflow"},
	Plant{Name: "the consumers do not wait", Kernel: producers + "product", Damage: inRole(0, tileas.MbarrierWait, 0, Drop), Says: race + " | unspecified | is still"},
	Plant{Name: "the next tile begins at the first place again", Kernel: producers + "persistent", Damage: inRole(1, scf.For, 0, func(op ir.Op) bool {
		end := op.Body().Last()
		end.SetOperand(end.NumOperands()-2, op.Operand(op.NumOperands()-2))
		return true
	}), Says: "'nv_tileas.mbarrier_expect' op makes 1 arrivals, but the current phase waits for 0 more only" + " | " + deadlock},
	Plant{Name: "a buffer is written again before its copy has read it", Kernel: producers + "stored", Damage: inRole(0, tileas.BulkWait, 0, Drop), Says: "is still reading" + " | " + race},
	Plant{Name: "the end of the role does not wait for its copies", Kernel: producers + "stored", Damage: func(m ir.Op) bool {
		return Drop(Nth(Nth(m, tileas.WarpSpecialize, 0), tileas.BulkWait, 3))
	}, Says: "is still in flight when role \"compute\" ends"},
	Plant{Name: "the accumulator is taken before the late MMA is done", Kernel: producers + "late", Damage: func(m ir.Op) bool {
		return Raised(tileas.AttrPending, 1)(Nth(Nth(m, scf.For, 0), tileas.DotWait, 1))
	}, Says: "is in flight"},
	Plant{Name: "a stage is freed before the late MMA is done", Kernel: producers + "late", Damage: func(m ir.Op) bool {
		free, wait := Nth(Nth(m, scf.For, 0), tileas.MbarrierArrive, 1), Nth(Nth(m, scf.For, 0), tileas.DotWait, 1)
		free.Operand(0).DefiningOp().MoveBefore(wait)
		free.MoveBefore(wait)
		return true
	}, Says: race + " | 'nv_tileas.dot_async' is still reading"},
	Plant{Name: "of two MMAs that add to each other the second is not done", Kernel: producers + "parts", Damage: func(m ir.Op) bool {
		return Raised(tileas.AttrPending, 1)(Nth(Nth(m, scf.For, 0), tileas.DotWait, 0))
	}, Says: "is in flight"},
	Plant{Name: "the first iteration goes on in the circular buffer of the late MMA", Kernel: producers + "late", Damage: func(m ir.Op) bool { return state(Nth(m, scf.For, 0), 0) }, Says: deadlock + " | " + race + " | signals it"},
)

// What a wrong use of pipes does: the pipes become mbarriers as they stand.
var pipePlants = slices.Concat(
	In(Plant{
		Launch: producerPlants[0].Launch, Passes: producerPlants[0].Passes, Flags: producerPlants[0].Flags,
		Pass: "tileas-specialize-warps", By: Late},
		Plant{Name: "a release does not lag", Kernel: producers + "product", Damage: inRole(computes, tileas.PipeRelease, 0, func(op ir.Op) bool {
			op.SetAttr(tileas.AttrLag, nil)
			return true
		}), Says: race + " | is still reading"},
		Plant{Name: "a stage is released before it is read", Kernel: producers + "taken", Damage: func(fn ir.Op) bool {
			nthInRole(fn, computes, tileas.PipeRelease, 0).MoveAfter(nthInRole(fn, computes, tileas.PipeWait, 0))
			return true
		}, Says: race + " | is still reading | unspecified"},
		Plant{Name: "loads signal another pipe", Kernel: producers + "late", Damage: func(fn ir.Op) bool {
			return signals(nthInRole(fn, 1, tileas.TMALoad, 2), nthInRole(fn, 1, tileas.PipeAcquire, 0))
		}, Says: deadlock + " | overflow | more only"},
	),
	In(Plant{
		Kernel: mmaWarpPlants[0].Kernel, Launch: mmaWarpPlants[0].Launch, Passes: mmaWarpPlants[0].Passes, Flags: mmaWarpPlants[0].Flags,
		Pass: "tileas-specialize-warps", By: Late},
		Plant{Name: "an accumulator is released before it is loaded", Damage: func(fn ir.Op) bool {
			nthInRole(fn, computes, tileas.PipeRelease, 0).MoveBefore(nthInRole(fn, computes, tileas.TMEMLoad, 0))
			return true
		}, Says: race + " | is still writing | unspecified"},
		Plant{Name: "an MMA signals the stage of its accumulator", Damage: func(fn ir.Op) bool {
			return signals(nthInRole(fn, startsMMAs, tileas.TMEMDot, 0), nthInRole(fn, startsMMAs, tileas.PipeAcquire, 0))
		}, Says: deadlock + " | more only | is still | " + race},
	),
	// The interpreter knows pipes themselves.
	In(Plant{Kernel: "matmul_f16_big_tile", Flags: []string{"--gpu-name=sm_90", "--tensor-maps=params"}, Pass: "tileas-specialize-warps", By: Exec},
		Plant{Name: "a stage of a pipe is released before it is read", Damage: func(fn ir.Op) bool {
			release := nthInRole(fn, computes, tileas.PipeRelease, 0)
			release.SetAttr(tileas.AttrLag, nil)
			release.MoveAfter(nthInRole(fn, computes, tileas.PipeWait, 0))
			return true
		}},
	),
)

// signals makes an asynchronous operation signal the stage that another one yields.
func signals(op, stage ir.Op) bool {
	for i := range op.NumOperands() {
		if b, ok := op.Operand(i).Type().(*tileas.BufferType); ok && tileas.IsBarriers(b) {
			op.SetOperand(i, stage.Result(stage.NumResults()-1))
			return true
		}
	}
	return false
}

// copyPlants are bugs with operands that threads copy and hand to the MMA warp in flight.
var copyPlants = In(Plant{
	Kernel: "../suite/passes/tileas-specialize-warps-copies.mlir@copied",
	Launch: "--arg=f32[8192]=77 --arg=f16[65536]=random --arg=f16[32768]=random --arg=i32:1 --arg=i32:7",
	Passes: mmaWarpPlants[0].Passes, Flags: mmaWarpPlants[0].Flags, Pass: "tileas-insert-barriers", By: Late},
	Plant{Name: "threads arrive before their copies have landed", Damage: inRole(computes, tileas.MbarrierArrive, 0, func(op ir.Op) bool {
		op.SetAttr(tileas.AttrCopies, nil)
		return true
	}), Says: "is still | unspecified | holds nothing | reads a buffer"},
	Plant{Name: "the MMA warp does not wait for copies", Damage: inRole(startsMMAs, tileas.MbarrierWait, 1, Drop), Says: race + " | is still | holds nothing | reads a buffer | unspecified | signals it"},
	Plant{Name: "threads copy to a stage that the MMA reads", Damage: inRole(computes, tileas.MbarrierWait, 0, Drop), Says: race + " | is still | more only | signals it"},
	Plant{Name: "the MMA warp does not fence copies", Damage: inRole(startsMMAs, tileas.FenceAsync, 0, Drop), Says: "fence"},
	Plant{Name: "copies are handed on before they start", Damage: inRole(computes, tileas.MbarrierArrive, 0, func(op ir.Op) bool {
		copy := nthInRole(op.ParentOp().ParentOp().ParentOp(), computes, tileas.CopyAsync, 0)
		op.Operand(0).DefiningOp().MoveBefore(copy)
		op.MoveBefore(copy)
		return true
	}), Says: "is still | unspecified | holds nothing | " + race},
)

// gatherPlants are bugs with a role that copies operands and reads a table ahead.
var gatherPlants = In(Plant{
	Kernel: "../suite/passes/tileas-specialize-warps-gather.mlir@pages",
	Launch: "--arg=f32[4096]=77 --arg=f16[45056]=random --arg=f16[45056]=random --arg=i32:testdata/pages.npy --arg=i32:7",
	Passes: []string{"--tileas-specialize-warps=stages=3", "--tileas-lower-pipes", "--tileas-allocate-shared", "--tileas-insert-barriers"},
	Flags:  []string{"--gpu-name=sm_90"}, Pass: "tileas-insert-barriers", By: Late},
	Plant{Name: "the role that copies does not wait for a free stage", Damage: inRole(copies, tileas.MbarrierWait, 0, Drop), Says: race + " | is still | more only"},
	Plant{Name: "consumers do not wait for what the role copies", Damage: inRole(computes, tileas.MbarrierWait, 0, Drop), Says: race + " | is still | holds nothing | reads a buffer | unspecified"},
	Plant{Name: "consumers do not fence what the role copies", Damage: inRole(computes, tileas.FenceAsync, 0, Drop), Says: "fence"},
	Plant{Name: "the role arrives before its copies have landed", Damage: inRole(copies, tileas.MbarrierArrive, 0, func(op ir.Op) bool {
		op.SetAttr(tileas.AttrCopies, nil)
		return true
	}), Says: "is still | unspecified | holds nothing | reads a buffer"},
	Plant{Name: "the role copies the page after the next one", Damage: inRole(copies, scf.Continue, 0, func(op ir.Op) bool {
		first := op.Operand(0)
		op.SetOperand(0, op.Operand(1))
		op.SetOperand(1, first)
		return true
	}), Says: "differ"},
)

// mapPlants are bugs with tensor maps that a producer builds for its loads.
var mapPlants = In(Plant{
	Kernel: "../warpspec/maps/ragged.mlir",
	Launch: "--grid=1 --array=f16[192x208]=random --array=i32[16]=random --array=f16[208x64]=random --array=f32[1024x64] --arg=i32:3",
	Passes: []string{"--lower-to=synchronised"}, Flags: []string{"--gpu-name=sm_100"}, By: Late, Says: "makes a map in the place of one that 'nv_tileas.tma_load' is still using"},
	Plant{Name: "a map is built in the place of one that loads use", Pass: "tileas-specialize-warps", Damage: inRole(1, tileas.PipeDrain, 0, Drop)},
	Plant{Name: "the loads of one stage are not awaited", Pass: "tileas-lower-pipes", Damage: inRole(1, tileas.MbarrierWait, 0, Drop)},
)

// sharedPipePlants are bugs with loads that share a pipe.
var sharedPipePlants = In(Plant{
	Kernel: "../warpspec/handback/in_turn.mlir",
	Launch: "--grid=1 --arg=f16[8192]=random --arg=f16[199680]=random --arg=f16[205824]=random --arg=f32[8192] --arg=i32:3",
	Passes: []string{"--lower-to=synchronised"}, Flags: []string{"--gpu-name=sm_100"}, Pass: "tileas-lower-pipes", By: Late},
	Plant{Name: "V takes the stage before K has been read", Damage: inRole(1, tileas.MbarrierWait, 1, Drop), Says: race + " | is still | more only | signals it"},
	Plant{Name: "V takes the stage before the threads' MMA has read K", Flags: []string{"--gpu-name=sm_90"}, Damage: inRole(1, tileas.MbarrierWait, 1, Drop), Says: race + " | is still | more only | signals it"},
	Plant{Name: "threads do not wait for V", Flags: []string{"--gpu-name=sm_90"}, Damage: inRole(computes, tileas.MbarrierWait, 2, Drop), Says: race + " | is still | holds nothing | unspecified | signals it | more only"},
	Plant{Name: "the MMA warp does not wait for V", Damage: inRole(startsMMAs, tileas.MbarrierWait, 3, Drop), Says: race + " | is still | holds nothing | unspecified | signals it | more only"},
	Plant{Name: "the last K, after the loop, takes the stage before V has been read", Kernel: "../warpspec/handback/last.mlir",
		Launch: "--grid=1 --arg=f16[8192]=random --arg=f16[199680]=random --arg=f16[205824]=random --arg=f32[8192] --arg=i32:2",
		Damage: inRole(1, tileas.MbarrierWait, 2, Drop), Says: race + " | is still | more only | signals it"},
)

// statePlants are bugs with accumulators that threads read and hand back.
var statePlants = In(Plant{
	Kernel: "../warpspec/handback/read_changed.mlir",
	Launch: "--grid=1 --arg=f16[20480]=random --arg=f16[20480]=random --arg=f16[20480]=random --arg=f32[4096]=random --arg=f32[20480] --arg=f32[8192] --arg=i32:5",
	Passes: []string{"--lower-to=synchronised"}, Flags: []string{"--gpu-name=sm_100"}, By: Late},
	Plant{Name: "threads hand the state back before they have changed it", Pass: "tileas-specialize-warps", Damage: func(fn ir.Op) bool {
		loop := nthInRole(fn, computes, scf.For, 0)
		commits, stores := All(loop, tileas.PipeCommit), All(loop, tileas.TMEMStore)
		commits[len(commits)-1].MoveBefore(stores[len(stores)-1])
		return true
	}, Says: race + " | is still | unspecified"},
	Plant{Name: "threads hand an operand over before they have stored it in TMEM", Pass: "tileas-insert-barriers", Says: race,
		Damage: on(operandStore, func(op ir.Op) bool { op.MoveAfter(op.Next()); return true })},
	Plant{Name: "threads hand an operand over before they have stored it in shared memory", Pass: "tileas-insert-barriers", Says: race,
		Damage: func(fn ir.Op) bool {
			fence := nthInRole(fn, computes, tileas.FenceAsync, 0)
			arrive := fence
			for !arrive.Is(tileas.MbarrierArrive) {
				arrive = arrive.Next()
			}
			fence.Prev().MoveAfter(arrive)
			fence.MoveAfter(arrive.Next())
			return true
		}},
)

// settledPlants are bugs with operands that threads copy before the loops, which only read them.
var settledPlants = In(Plant{
	Kernel: "../warpspec/maps/early.mlir",
	Launch: "--grid=2 --array=f16[512x64]=random --array=i32[16]=random --array=f16[512x64]=random --array=f16[512x64]=random --array=f32[512x64]",
	Passes: []string{"--lower-to=synchronised"}, Pass: "tileas-insert-barriers", By: Late},
	Plant{Name: "the MMA warp does not wait for what is copied once", Flags: []string{"--gpu-name=sm_100"}, Damage: inRole(startsMMAs, tileas.MbarrierWait, 0, Drop),
		Says: race + " | is still | holds nothing | unspecified"},
	Plant{Name: "what is copied once is not fenced", Flags: []string{"--gpu-name=sm_90"}, Damage: inRole(computes, tileas.FenceAsync, 0, Drop), Says: "fence"},
	Plant{Name: "a group does not wait for rows that others copy once", Flags: []string{"--gpu-name=sm_90"}, Damage: inRole(computes, tileas.Barrier, 0, Drop), Says: "no barrier in between"},
)

// Roles by their place: threads that compute, those that copy, and the warp that starts MMAs.
const computes, copies, startsMMAs = 0, 1, 2

var mmaWarpPlants = In(Plant{
	Kernel: "../suite/passes/tileas-specialize-warps-products.mlir@sums",
	Launch: "--arg=f32[8192]=77 --arg=f16[65536]=random --arg=f16[32768]=random --arg=i32:6 --arg=i32:0",
	Passes: []string{"--tileas-specialize-warps=slots=3", "--tileas-lower-pipes", "--tileas-promote-to-tmem", "--tileas-allocate-tmem", "--tileas-allocate-shared", "--tileas-insert-barriers"},
	Flags:  []string{"--gpu-name=sm_100"}, Pass: "tileas-insert-barriers", By: Late},
	Plant{Name: "threads do not wait for an accumulator", Damage: inRole(computes, tileas.MbarrierWait, 0, Drop), Says: race + " | unspecified | is still writing"},
	Plant{Name: "threads do not release an accumulator", Damage: inRole(computes, tileas.MbarrierArrive, 0, Drop), Says: deadlock},
	Plant{Name: "threads release an accumulator before they have loaded it", Damage: inRole(computes, tileas.MbarrierArrive, 0, func(op ir.Op) bool {
		load := nthInRole(op.ParentOp().ParentOp().ParentOp(), computes, tileas.TMEMLoad, 0)
		op.Operand(0).DefiningOp().MoveBefore(load)
		op.MoveBefore(load)
		return true
	}), Says: race + " | is still writing | unspecified"},
	Plant{Name: "a stage that threads have not taken is written", Damage: inRole(startsMMAs, tileas.MbarrierWait, 0, Drop), Says: race + " | more only | is still | signals it"},
	Plant{Name: "operands that have not come are multiplied", Damage: inRole(startsMMAs, tileas.MbarrierWait, 1, Drop), Says: race + " | is still | holds nothing | reads a buffer | unspecified | signals it"},
	Plant{Name: "nobody signals that an accumulator is there", Damage: inRole(startsMMAs, tileas.MMACommit, 0, Drop), Says: deadlock + " | never ends"},
	Plant{Name: "the first MMA adds to what another tile has left", Damage: inRole(startsMMAs, tileas.TMEMDot, 0, func(op ir.Op) bool {
		flag := op.Operand(3).DefiningOp()
		flag.SetAttr("predicate", flag.Context().String("sge"))
		return true
	}), Says: "unspecified | differs"},
	Plant{Name: "an MMA signals another stage", Damage: inRole(startsMMAs, tileas.TMEMDot, 0, func(op ir.Op) bool { return Raise(op.Operand(4).DefiningOp(), tileas.AttrAhead, 1) }), Says: race + " | more only | is still" + " | " + deadlock},
	Plant{Name: "the place of an accumulator does not advance", Damage: inRole(startsMMAs, scf.For, 0, func(op ir.Op) bool {
		end := op.Body().Last()
		end.SetOperand(end.NumOperands()-2, op.Operand(op.NumOperands()-2))
		return true
	}), Says: race + " | " + deadlock + " | is still | unspecified | signals it | more only"},
)

// An accumulator that threads and the MMA warp hand to each other: P V of attention.
var handbackPlants = slices.Concat(
	In(attention("auto", "tileas-insert-barriers"),
		Plant{Name: "threads do not wait for the MMA before", Damage: inRole(computes, tileas.MbarrierWait, 2, Drop), Says: race + " | is still | " + deadlock},
		Plant{Name: "threads do not wait for the last MMA", Damage: inRole(computes, tileas.MbarrierWait, 3, Drop), Says: race + " | is still | unspecified"},
		Plant{Name: "threads do not hand over", Damage: inRole(computes, tileas.MbarrierArrive, 1, Drop), Says: deadlock},
		Plant{Name: "threads hand over before they wait for the MMA before", Damage: func(fn ir.Op) bool {
			nthInRole(fn, computes, tileas.MbarrierArrive, 1).MoveBefore(nthInRole(fn, computes, tileas.MbarrierWait, 2))
			return true
		}, Says: race + " | is still | nothing has stored | differs | " + deadlock},
		Plant{Name: "the accumulator is not scaled", Damage: on(rescale, erase), Says: "differs"},
		Plant{Name: "the accumulator does not begin with zeros", Damage: inRole(computes, tileas.TMEMStore, 0, Drop), Says: "unspecified | nothing has stored | differs"},
		Plant{Name: "the MMA warp does not wait for threads", Damage: on(operandMMA, dropWaitBefore), Says: race + " | is still | nothing has stored | unspecified"},
		Plant{Name: "an MMA does not add to the accumulator", Damage: on(operandMMA, func(op ir.Op) bool {
			op.SetOperand(3, arith.NewInt(ir.BuilderBefore(op), op.Context().Int(1), 0))
			return true
		}), Says: "differs"},
		Plant{Name: "nobody signals that the accumulator is back", Damage: on(operandMMA, func(op ir.Op) bool {
			for ; !op.Is(tileas.MMACommit); op = op.Next() {
			}
			return Drop(op)
		}), Says: deadlock},
	),
	// An accumulator that threads hand over before a loop.
	In(onTMEM("tmem_loops", "--arg=f16[81920]=random --arg=f16[20480]=random --arg=f32[16384]=random --arg=f32[16384] --arg=i32:3 --arg=i32:5"),
		Plant{Name: "threads do not hand over what an accumulator begins with", Damage: inRole(computes, tileas.MbarrierArrive, 0, Drop), Says: deadlock},
		Plant{Name: "threads do not store what an accumulator begins with", Damage: inRole(computes, tileas.TMEMStore, 0, Drop), Says: "unspecified | nothing has stored | differs"},
		Plant{Name: "threads take an accumulator before the loop is done", Damage: inRole(computes, tileas.MbarrierWait, 1, Drop), Says: race + " | is still | unspecified"},
	),
	In(attention("auto", "tileas-specialize-warps"),
		Plant{Name: "the stage is not acquired again", Damage: inRole(computes, tileas.PipeAcquire, 2, func(op ir.Op) bool {
			before := nthInRole(op.ParentOp().ParentOp(), computes, tileas.PipeAcquire, 0)
			for i, v := range op.Results() {
				v.ReplaceAllUsesWith(before.Result(i))
			}
			return erase(op)
		}), Says: race + " | is still"},
		Plant{Name: "the MMA warp ends before its last MMA", Damage: inRole(startsMMAs, tileas.PipeDrain, 0, func(op ir.Op) bool {
			op.SetOperands(op.Operands()[:1])
			return true
		}), Says: "in flight"},
	),
)

// dropWaitBefore drops the wait before an MMA.
func dropWaitBefore(op ir.Op) bool {
	for ; !op.Is(tileas.MbarrierWait); op = op.Prev() {
	}
	return Drop(op)
}
