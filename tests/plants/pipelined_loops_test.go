package plants

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/tileas/async/scheduleloops"
)

// Bugs in the passes that schedule loops and carry schedules out. The kernels have loops whose copies run two
// iterations ahead (matmul_f16), or whose iterations compute at once (fmha_full_f16).

// pipelined returns the loop of a kernel that copies ahead.
func pipelined(fn ir.Op) ir.Op {
	return FirstWhere(fn, scf.For, func(o ir.Op) bool { return !First(o, tileas.WaitGroup).IsNil() })
}

// inPipelined damages the first operation of a row in the loop of iterations.
func inPipelined(def *ir.OpDef, damage func(op ir.Op) bool) func(ir.Op) bool {
	return func(fn ir.Op) bool {
		loop := pipelined(fn)
		if loop.IsNil() {
			return false
		}
		op := First(loop, def)
		return !op.IsNil() && damage(op)
	}
}

func erase(op ir.Op) bool {
	for _, r := range op.Results() {
		if r.HasUses() {
			return false
		}
	}
	op.Erase()
	return true
}

// bump adds to a number of an operation, which is 0 where it is left out.
func bump(attr string, by int64) func(ir.Op) bool {
	return func(op ir.Op) bool {
		n, _ := op.IntAttr(attr)
		op.SetAttr(attr, i32(op, n+by))
		return true
	}
}

// readStage returns the stage of an iteration that is read, and writtenStage the one that is filled.
func readStage(loop ir.Op) ir.Op {
	return FirstWhere(loop, tileas.BufferStage, func(o ir.Op) bool { return feeds(o, tileas.LocalLoad) })
}

func writtenStage(loop ir.Op) ir.Op {
	return FirstWhere(loop, tileas.BufferStage, func(o ir.Op) bool { return feeds(o, tileas.CopyAsync) })
}

func feeds(op ir.Op, def *ir.OpDef) bool {
	for u := range op.Result(0).Uses() {
		if u.Owner().Is(def) {
			return true
		}
	}
	return false
}

// fewerStages takes half of the stages from each circular buffer of a kernel, and counts accordingly. One stage less
// would be no bug: a copy stands after the reads of the stage that it fills then, and a barrier between the two is
// found to be necessary.
func fewerStages(fn ir.Op) bool {
	loop := pipelined(fn)
	if loop.IsNil() {
		return false
	}
	slots := int64(0)
	for _, op := range All(fn, tileas.AllocShared) {
		t, ok := op.Result(0).Type().(*tileas.BufferType)
		if ok && t.Stages > 1 {
			slots = t.Stages
			op.Result(0).SetType(t.WithStages(slots / 2))
		}
	}
	for _, op := range All(fn, tileas.BufferStage) {
		if n, ok := op.IntAttr(tileas.AttrAhead); ok {
			op.SetAttr(tileas.AttrAhead, i32(op, n%(slots/2)))
		}
	}
	for _, op := range All(loop, arith.CmpI) { // where the ring begins again
		if a, ok := ir.ConstantValue(op.Operand(1)).(*ir.IntegerAttr); ok && op.StringAttr(arith.AttrPredicate) == "eq" && a.Value == slots-1 {
			b := ir.BuilderBefore(op)
			op.SetOperand(1, b.Create(arith.Constant, nil, []ir.Type{op.Operand(1).Type()}, ir.NamedAttr{Name: arith.AttrValue, Value: i32(op, slots/2-1)}).Result(0))
		}
	}
	return slots > 1
}

// schedule damages the schedule of the first loop that has one.
func schedule(damage func(fn, loop ir.Op, at []int, ii int)) func(ir.Op) bool {
	return func(fn ir.Op) bool {
		return scheduled(fn, func(loop ir.Op, a *tileas.ScheduleAttr) ir.Attribute {
			at := slices.Clone(a.At)
			damage(fn, loop, at, a.II)
			return tileas.Schedule(fn.Context(), a.II, a.Unit, at)
		})
	}
}

// scheduled gives the first loop that has a schedule another one.
func scheduled(fn ir.Op, damage func(loop ir.Op, a *tileas.ScheduleAttr) ir.Attribute) bool {
	loop := FirstWhere(fn, scf.For, func(o ir.Op) bool { return tileas.ScheduleOf(o) != nil })
	if loop.IsNil() {
		return false
	}
	loop.SetAttr(tileas.AttrSchedule, damage(loop, tileas.ScheduleOf(loop)))
	return true
}

// eachOp calls f with the number of each operation of a row in the body of a loop.
func eachOp(loop ir.Op, def *ir.OpDef, f func(i int)) {
	i := 0
	for op := range loop.Body().Ops() {
		if op.Is(def) {
			f(i)
		}
		i++
	}
}

// overlapping asks for iterations that compute at once.
var overlapping = map[string]func() any{
	"tileas-schedule-loops": func() any { return &scheduleloops.Options{Scheduler: "iterative", AtOnce: 2} },
}

// twoAhead lets copies run two iterations ahead, so that in a loop of three iterations some are made in the loop.
var twoAhead = map[string]func() any{
	"tileas-schedule-loops": func() any { return &scheduleloops.Options{Scheduler: "iterative", Prefetch: 2} },
}

var pipelinedPlants = In(Plant{Flags: []string{"--disable-pass=tileaa-version-loops", "--gpu-name=sm_80"}},
	// tileas-pipeline-loops: waits and commits.
	Plant{Name: "wait one group short", Kernel: "matmul_f16", Options: twoAhead, Pass: "tileas-pipeline-loops", By: Exec, Damage: inPipelined(tileas.WaitGroup, bump(tileas.AttrPending, 1))},
	Plant{Name: "no wait in an iteration", Kernel: "matmul_f16", Options: twoAhead, Pass: "tileas-pipeline-loops", By: Exec, Damage: inPipelined(tileas.WaitGroup, erase)},
	Plant{Name: "wait after what it is for", Kernel: "matmul_f16", Options: twoAhead, Pass: "tileas-pipeline-loops", By: Exec, Damage: inPipelined(tileas.WaitGroup, func(op ir.Op) bool {
		op.MoveBefore(op.Block().Terminator())
		return true
	})},
	Plant{Name: "commit left out", Kernel: "matmul_f16", Options: twoAhead, Pass: "tileas-pipeline-loops", By: Exec, Damage: inPipelined(tileas.CommitGroup, erase)},
	Plant{Name: "commit before its copies", Kernel: "matmul_f16", Options: twoAhead, Pass: "tileas-pipeline-loops", By: Exec, Damage: inPipelined(tileas.CommitGroup, func(op ir.Op) bool {
		op.MoveBefore(First(op.ParentOp(), tileas.CopyAsync))
		return true
	})},

	// Slots and distances.
	Plant{Name: "half of the stages", Kernel: "matmul_f16", Options: twoAhead, Pass: "tileas-pipeline-loops", By: Exec, Damage: fewerStages},
	Plant{Name: "copies one iteration too far ahead", Kernel: "matmul_f16", Options: twoAhead, Pass: "tileas-pipeline-loops", By: Exec, Damage: func(fn ir.Op) bool { return bump(tileas.AttrAhead, -1)(writtenStage(pipelined(fn))) }},
	Plant{Name: "stage of the next iteration read", Kernel: "matmul_f16", Options: twoAhead, Pass: "tileas-pipeline-loops", By: Exec, Damage: func(fn ir.Op) bool { return bump(tileas.AttrAhead, 1)(readStage(pipelined(fn))) }},
	Plant{Name: "place of a copy one iteration off", Kernel: "matmul_f16", Options: twoAhead, Pass: "tileas-pipeline-loops", By: Exec, Damage: func(fn ir.Op) bool {
		loop := pipelined(fn)
		op := FirstWhere(loop, arith.AddI, func(o ir.Op) bool { return o.Operand(0) == loop.Body().Arg(0) && arith.IsInt(o.Operand(1), 2) })
		if op.IsNil() {
			return false
		}
		op.SetOperand(1, loop.Operand(2)) // one turn ahead, where it is two
		return true
	}},
	Plant{Name: "circular buffer that does not begin again", Kernel: "matmul_f16", Options: twoAhead, Pass: "tileas-pipeline-loops", By: Exec, Damage: func(fn ir.Op) bool {
		loop := pipelined(fn)
		last := loop.Body().Terminator()
		last.SetOperand(0, loop.Body().Arg(1))
		return true
	}},

	// Values that cross iterations.
	Plant{Name: "accumulator that is not carried", Kernel: "matmul_f16", Options: twoAhead, Pass: "tileas-pipeline-loops", By: Exec, Damage: func(fn ir.Op) bool {
		body := pipelined(fn).Body()
		n := body.Terminator().NumOperands() - 1
		body.Terminator().SetOperand(n, body.Arg(1+n))
		return true
	}},
	Plant{Name: "rotated value one iteration off", Kernel: "matmul_f16_big_tile", Options: overlapping, Pass: "tileas-pipeline-loops", By: Exec, Damage: func(fn ir.Op) bool {
		body := pipelined(fn).Body()
		last := body.Terminator()
		for i := range last.NumOperands() { // a tensor of a product, which the next turn takes: give it what this turn took
			if def := last.Operand(i).DefiningOp(); !def.IsNil() && def.Is(tileas.Level.Dot) && last.Operand(i) != body.Arg(1+i) {
				last.SetOperand(i, body.Arg(1+i))
				return true
			}
		}
		return false
	}},

	// Turns before the loop and after it.
	Plant{Name: "iteration before the loop missing", Kernel: "matmul_f16", Options: twoAhead, Pass: "tileas-pipeline-loops", By: Exec, Damage: func(fn ir.Op) bool {
		copied := First(fn, tileas.CopyAsync)
		return erase(copied) && erase(First(fn, tileas.CommitGroup))
	}},
	Plant{Name: "copy before the loop missing", Kernel: "matmul_f16", Options: twoAhead, Pass: "tileas-pipeline-loops", By: Exec, Damage: func(fn ir.Op) bool { return erase(First(fn, tileas.CopyAsync)) }},
	Plant{Name: "last iterations copied, others not", Kernel: "matmul_f16", Options: twoAhead, Pass: "tileas-pipeline-loops", By: Exec, Damage: inPipelined(arith.CmpI, func(op ir.Op) bool {
		op.SetAttr(arith.AttrPredicate, op.Context().String("sge"))
		return true
	})},
	Plant{Name: "one iteration too many", Kernel: "fmha_full_f16", Pass: "tileas-pipeline-loops", By: Exec, Damage: func(fn ir.Op) bool {
		loop := pipelined(fn)
		b := ir.BuilderBefore(loop)
		loop.SetOperand(1, b.Create(arith.AddI, []ir.Value{loop.Operand(1), loop.Operand(2)}, []ir.Type{loop.Operand(1).Type()}).Result(0))
		return true
	}},
	Plant{Name: "iteration after the loop missing", Kernel: "matmul_f16_big_tile", Options: overlapping, Pass: "tileas-pipeline-loops", By: Exec, Damage: func(fn ir.Op) bool {
		loop := pipelined(fn)
		for op := loop.Next(); !op.IsNil(); op = op.Next() {
			if op.Is(tileas.Level.Dot) {
				op.ReplaceWith(op.Operand(2))
				return true
			}
		}
		return false
	}},

	// Barriers that a pipelined loop needs.
	Plant{Name: "barrier of an iteration dropped", Kernel: "matmul_f16", Pass: "tileas-insert-barriers", By: "synchronised", Damage: inPipelined(tileas.Barrier, erase)},

	// Fences between what threads have written and what MMAs beside them read.
	Plant{Name: "fence of an MMA dropped", Kernel: "matmul_f16_big_tile", Pass: "tileas-make-async-mma", By: "fenced", Says: "no fence_async stands between them", Damage: func(fn ir.Op) bool {
		op := First(fn, tileas.FenceAsync)
		return !op.IsNil() && erase(op)
	}, Flags: []string{"--gpu-name=sm_90", "--tensor-maps=none"}},
	Plant{Name: "fence of an iteration dropped", Kernel: "matmul_f16_big_tile", Pass: "tileas-pipeline-loops", By: "fenced", Says: "no fence_async stands between them", Damage: inPipelined(tileas.FenceAsync, erase), Flags: []string{"--gpu-name=sm_90", "--tensor-maps=none", "--warp-roles=none"}},
	Plant{Name: "fence before the wait of an iteration", Kernel: "matmul_f16_big_tile", Pass: "tileas-pipeline-loops", By: "fenced", Says: "no fence_async stands between them", Damage: inPipelined(tileas.FenceAsync, func(op ir.Op) bool {
		wait := op.Prev()
		if !wait.Is(tileas.WaitGroup) {
			return false
		}
		wait.MoveAfter(op)
		return true
	}), Flags: []string{"--gpu-name=sm_90", "--tensor-maps=none", "--warp-roles=none"}},

	// tileas-tile-mma-k.
	Plant{Name: "wrong subtile", Kernel: "matmul_f16", Pass: "tileas-tile-mma-k", By: Exec, Damage: func(fn ir.Op) bool {
		op := FirstWhere(fn, tileas.LocalLoad, func(o ir.Op) bool {
			a, ok := o.Attr(tileas.AttrFrom).(*ir.DenseArrayAttr)
			return ok && a.Values[1] != 0
		})
		if op.IsNil() {
			return false
		}
		op.SetAttr(tileas.AttrFrom, op.Context().DenseArray(op.Attr(tileas.AttrFrom).(*ir.DenseArrayAttr).Elem, 0, 0))
		return true
	}},

	// tileas-schedule-loops: what a scheduler may get wrong.
	Plant{Name: "schedule with a broken edge", Kernel: "matmul_f16", Pass: "tileas-schedule-loops", By: "loops-scheduled", Says: "flow edge from ", Damage: schedule(func(_, loop ir.Op, at []int, ii int) {
		first := true
		eachOp(loop, tileas.Level.Dot, func(i int) {
			if first {
				at[i] -= at[i] % ii // at the head of its turn, where nothing is loaded yet
			}
			first = false
		})
	})},
	Plant{Name: "schedule that reads before its copies can have arrived", Kernel: "matmul_f16", Pass: "tileas-schedule-loops", By: "loops-scheduled", Says: "async edge from nv_tileas.copy_async", Damage: schedule(func(_, loop ir.Op, at []int, ii int) {
		eachOp(loop, tileas.CopyAsync, func(i int) { at[i] += ii })
	})},
	Plant{Name: "schedule with a unit used twice", Kernel: "fmha_full_f16", Pass: "tileas-schedule-loops", By: "loops-scheduled", Says: "operations are in unit ", Damage: schedule(func(_, loop ir.Op, at []int, _ int) {
		ops, first := slices.Collect(loop.Body().Ops()), make(map[ir.Value]int)
		eachOp(loop, tileas.LocalLoad, func(i int) { // all loads from a buffer when the earliest is
			if j, ok := first[ops[i].Operand(0)]; !ok || at[i] < at[j] {
				first[ops[i].Operand(0)] = i
			}
		})
		eachOp(loop, tileas.LocalLoad, func(i int) { at[i] = at[first[ops[i].Operand(0)]] })
	})},
	Plant{Name: "schedule with too many stages", Kernel: "matmul_f16", Pass: "tileas-schedule-loops", By: "loops-scheduled", Says: "bytes of shared memory, of which there are", Damage: schedule(func(_, _ ir.Op, at []int, ii int) {
		for i := range at { // all that stands behind the turn of the copies, 200 turns later
			if at[i] >= ii {
				at[i] += 200 * ii
			}
		}
	})},
	Plant{Name: "schedule of other operations", Kernel: "matmul_f16", Pass: "tileas-schedule-loops", By: "loops-scheduled", Says: "operations, but the body has", Damage: func(fn ir.Op) bool {
		loop := FirstWhere(fn, scf.For, func(o ir.Op) bool { return tileas.ScheduleOf(o) != nil })
		a := tileas.ScheduleOf(loop)
		loop.SetAttr(tileas.AttrSchedule, tileas.Schedule(fn.Context(), a.II, a.Unit, a.At[1:]))
		return true
	}},
)
