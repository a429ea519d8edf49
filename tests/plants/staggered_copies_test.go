package plants

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/tileas/async/scheduleloops"
)

// Bugs in loops whose copies are staggered, each with a wait of its own: the pipeline of FlashAttention 2.

var startApart = map[string]func() any{
	"tileas-schedule-loops": func() any { return &scheduleloops.Options{Scheduler: "iterative", Staggered: true} },
}

// nth damages the n-th operation of a row in the loop of iterations.
func nth(def *ir.OpDef, n int, damage func(op ir.Op) bool) func(ir.Op) bool {
	return func(fn ir.Op) bool {
		loop := pipelined(fn)
		if loop.IsNil() {
			return false
		}
		all := All(loop, def)
		return n < len(all) && damage(all[n])
	}
}

// toHead moves an operation to the head of its block, after what it takes from there.
func toHead(op ir.Op) bool {
	head := op.Block().First()
	var move func(op ir.Op)
	move = func(op ir.Op) {
		for _, v := range op.Operands() {
			if def := v.DefiningOp(); !def.IsNil() && def.Block() == op.Block() && head.IsBeforeInBlock(def) {
				move(def)
			}
		}
		op.MoveBefore(head)
	}
	move(op)
	return true
}

// toRow moves K's copy within its iteration, and what stood where it was: the place that it fills, and where that is.
func toRow(row func(ii int) int) func(ir.Op) bool {
	return damaged(func(loop ir.Op, at []int, ii int) {
		was := -1
		eachOp(loop, tileas.CopyAsync, func(i int) {
			if was < 0 {
				was = at[i]
				at[i] += row(ii) - was%ii
			}
		})
		for i := range at {
			if at[i] == was {
				at[i] += min(0, row(ii)-was%ii)
			}
		}
	})
}

func damaged(damage func(loop ir.Op, at []int, ii int)) func(ir.Op) bool {
	return schedule(func(_, loop ir.Op, at []int, ii int) { damage(loop, at, ii) })
}

func toEnd(op ir.Op) bool {
	op.MoveBefore(op.Block().Terminator())
	return true
}

// Attention, where the kernel has no second stages.
var staggered = Plant{Kernel: "fmha_full_f16", Options: startApart, Flags: []string{"--disable-pass=tileaa-version-loops", "--gpu-name=sm_80"}}

// The first copies of an iteration are those of K, the second those of V.
var staggeredPlants = append(
	In(staggered.with("tileas-pipeline-loops", Exec),
		Plant{Name: "wait for K one group short", Damage: nth(tileas.WaitGroup, 0, bump(tileas.AttrPending, 1))},
		Plant{Name: "wait for V one group short", Damage: nth(tileas.WaitGroup, 1, bump(tileas.AttrPending, 1))},
		Plant{Name: "wait for K left out", Damage: nth(tileas.WaitGroup, 0, erase)},
		Plant{Name: "wait for V left out", Damage: nth(tileas.WaitGroup, 1, erase)},
		Plant{Name: "wait for K after its reads", Damage: nth(tileas.WaitGroup, 0, toEnd)},
		Plant{Name: "wait for V after its reads", Damage: nth(tileas.WaitGroup, 1, toEnd)},
		Plant{Name: "K of the next iteration copied over what is still read", Damage: nth(tileas.CopyAsync, 1, toHead)},
		Plant{Name: "commit of V left out", Damage: nth(tileas.CommitGroup, 0, erase)},
		Plant{Name: "commit of K before its copy", Damage: nth(tileas.CommitGroup, 1, func(op ir.Op) bool {
			op.MoveBefore(All(op.ParentOp(), tileas.CopyAsync)[1])
			return true
		})},
		Plant{Name: "K copied for this iteration", Damage: nth(arith.AddI, 0, func(op ir.Op) bool {
			op.ReplaceWith(op.Operand(0))
			return true
		})},
		Plant{Name: "first K not copied", Damage: func(fn ir.Op) bool { return erase(First(pipelined(fn).Block().ParentOp(), tileas.CopyAsync)) }},
	),
	In(staggered.with("tileas-schedule-loops", "loops-scheduled"),
		Plant{Name: "K copied before its stage has been read", Says: "async edge from nv_tileas.local_load", Damage: toRow(func(int) int { return 1 })},
		Plant{Name: "K copied too late to arrive", Says: "async edge from nv_tileas.copy_async", Damage: toRow(func(ii int) int { return ii - 1 })},
		Plant{Name: "iteration that begins with no copy", Says: "an iteration with staggered copies begins with", Damage: damaged(func(_ ir.Op, at []int, _ int) {
			for i := range at {
				at[i]++
			}
		})},
	)...)
