package plants

import (
	"fmt"
	"testing"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/tileas/scheduleloops"
)

// Bugs in loops whose copies start apart, each with a wait of its own: the pipeline of FlashAttention 2.

var startApart = map[string]func() any{
	"tileas-schedule-loops": func() any { return &scheduleloops.Options{Scheduler: "iterative", Apart: true} },
}

// nth damages the n-th operation of a row in the loop of turns.
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

// toHead moves an operation to the head of its block, behind what it takes from there.
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

func apartPlants() (plants []Plant) {
	for n, copied := range []string{"K", "V"} {
		plants = append(plants,
			Plant{Name: fmt.Sprintf("wait for %s one group short", copied), Damage: nth(tileas.WaitGroup, n, bump(tileas.AttrPending, 1))},
			Plant{Name: fmt.Sprintf("wait for %s left out", copied), Damage: nth(tileas.WaitGroup, n, erase)},
			Plant{Name: fmt.Sprintf("wait for %s behind what it is for", copied), Damage: nth(tileas.WaitGroup, n, func(op ir.Op) bool {
				op.MoveBefore(op.Block().Terminator())
				return true
			})},
		)
	}
	plants = append(plants,
		Plant{Name: "K of the next iteration copied over what is still read", Damage: nth(tileas.CopyAsync, 1, toHead)},
		Plant{Name: "commit of V left out", Damage: nth(tileas.CommitGroup, 0, erase)},
		Plant{Name: "commit of K in front of its copy", Damage: nth(tileas.CommitGroup, 1, func(op ir.Op) bool {
			op.MoveBefore(All(op.ParentOp(), tileas.CopyAsync)[1])
			return true
		})},
		Plant{Name: "K copied for this iteration", Damage: nth(arith.AddI, 0, func(op ir.Op) bool {
			op.ReplaceWith(op.Operand(0))
			return true
		})},
		Plant{Name: "first K not copied", Damage: func(fn ir.Op) bool { return erase(First(pipelined(fn).Block().ParentOp(), tileas.CopyAsync)) }},
	)
	for i := range plants {
		plants[i].Pass, plants[i].Property = "tileas-pipeline-loops", Exec
	}
	// toRow moves K's copy within its turn, and what stood where it was: the place that it fills, and where that is.
	toRow := func(row func(ii int) int) func(ir.Op) bool {
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
	wrong := []Plant{
		{Name: "K copied before its slot has been read", Says: "async edge from nv_tileas.local_load", Damage: toRow(func(int) int { return 1 })},
		{Name: "K copied too late to arrive", Says: "async edge from nv_tileas.copy_async", Damage: toRow(func(ii int) int { return ii - 1 })},
		{Name: "turn that begins with no copy", Says: "a turn of copies that start apart begins with", Damage: damaged(func(_ ir.Op, at []int, _ int) {
			for i := range at {
				at[i]++
			}
		})},
	}
	for _, p := range wrong {
		p.Pass, p.Property = "tileas-schedule-loops", "loops-scheduled"
		plants = append(plants, p)
	}
	return plants
}

func damaged(damage func(loop ir.Op, at []int, ii int)) func(ir.Op) bool {
	return schedule(func(_, loop ir.Op, at []int, ii int) { damage(loop, at, ii) })
}

// TestApartPlants compiles attention with each plant, where the kernel has no second slots.
func TestApartPlants(t *testing.T) {
	t.Parallel()
	for _, p := range apartPlants() {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			p.Kernel, p.Options, p.Flags = "fmha_full_f16", startApart, []string{"--disable-pass=tileaa-version-loops", "--gpu-name=sm_80"}
			p.Try(t)
		})
	}
}
