package plants

import (
	"testing"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/tileas/scheduleloops"
)

// Bugs in the passes that schedule loops and carry schedules out. The kernels have loops whose copies run two turns ahead (matmul_f16), or whose iterations compute at once (fmha_full_f16).

// pipelined returns the loop of a kernel that copies ahead.
func pipelined(fn ir.Op) ir.Op {
	return FirstWhere(fn, scf.For, func(o ir.Op) bool { return !First(o, tileas.WaitGroup).IsNil() })
}

// inTurn damages the first operation of a row in the loop of turns.
func inTurn(def *ir.OpDef, damage func(op ir.Op) bool) func(ir.Op) bool {
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

// readSlot returns the slot of a turn that is read, and copiedSlot the one that is filled.
func readSlot(loop ir.Op) ir.Op {
	return FirstWhere(loop, tileas.BufferSlot, func(o ir.Op) bool { return feeds(o, tileas.LocalLoad) })
}

func copiedSlot(loop ir.Op) ir.Op {
	return FirstWhere(loop, tileas.BufferSlot, func(o ir.Op) bool { return feeds(o, tileas.CopyAsync) })
}

func feeds(op ir.Op, def *ir.OpDef) bool {
	for u := range op.Result(0).Uses() {
		if u.Owner().Is(def) {
			return true
		}
	}
	return false
}

// lessSlots takes half of the slots from each ring of a kernel, and counts accordingly. One slot less would be no bug: a copy stands behind the reads of the slot that it fills then, and a barrier
// between the two is found to be necessary.
func lessSlots(fn ir.Op) bool {
	loop := pipelined(fn)
	if loop.IsNil() {
		return false
	}
	slots := int64(0)
	for _, op := range All(fn, tileas.AllocShared) {
		t, ok := op.Result(0).Type().(*tileas.BufferType)
		if ok && t.Slots > 1 {
			slots = t.Slots
			op.Result(0).SetType(t.WithSlots(slots / 2))
		}
	}
	for _, op := range All(fn, tileas.BufferSlot) {
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
		loop := FirstWhere(fn, scf.For, func(o ir.Op) bool { return tileas.ScheduleOf(o) != nil })
		if loop.IsNil() {
			return false
		}
		a := tileas.ScheduleOf(loop)
		at := append([]int(nil), a.At...)
		damage(fn, loop, at, a.II)
		loop.SetAttr(tileas.AttrSchedule, tileas.Schedule(fn.Context(), a.II, a.Unit, at))
		return true
	}
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

// twoAhead lets copies run two turns ahead, so that in a loop of three turns some are made in the loop.
var twoAhead = map[string]func() any{
	"tileas-schedule-loops": func() any { return &scheduleloops.Options{Scheduler: "iterative", Lead: 2} },
}

var schedulePlants = []Plant{
	// tileas-pipeline-loops: waits and commits.
	{Name: "wait one group short", Kernel: "matmul_f16", Options: twoAhead, Pass: "tileas-pipeline-loops", Property: Exec, Damage: inTurn(tileas.WaitGroup, bump(tileas.AttrPending, 1))},
	{Name: "no wait in a turn", Kernel: "matmul_f16", Options: twoAhead, Pass: "tileas-pipeline-loops", Property: Exec, Damage: inTurn(tileas.WaitGroup, erase)},
	{Name: "wait behind what it is for", Kernel: "matmul_f16", Options: twoAhead, Pass: "tileas-pipeline-loops", Property: Exec, Damage: inTurn(tileas.WaitGroup, func(op ir.Op) bool {
		op.MoveBefore(op.Block().Terminator())
		return true
	})},
	{Name: "commit left out", Kernel: "matmul_f16", Options: twoAhead, Pass: "tileas-pipeline-loops", Property: Exec, Damage: inTurn(tileas.CommitGroup, erase)},
	{Name: "commit in front of its copies", Kernel: "matmul_f16", Options: twoAhead, Pass: "tileas-pipeline-loops", Property: Exec, Damage: inTurn(tileas.CommitGroup, func(op ir.Op) bool {
		op.MoveBefore(First(op.ParentOp(), tileas.CopyAsync))
		return true
	})},

	// Slots and distances.
	{Name: "half of the slots", Kernel: "matmul_f16", Options: twoAhead, Pass: "tileas-pipeline-loops", Property: Exec, Damage: lessSlots},
	{Name: "copies one turn too far ahead", Kernel: "matmul_f16", Options: twoAhead, Pass: "tileas-pipeline-loops", Property: Exec, Damage: func(fn ir.Op) bool { return bump(tileas.AttrAhead, -1)(copiedSlot(pipelined(fn))) }},
	{Name: "slot of the next turn read", Kernel: "matmul_f16", Options: twoAhead, Pass: "tileas-pipeline-loops", Property: Exec, Damage: func(fn ir.Op) bool { return bump(tileas.AttrAhead, 1)(readSlot(pipelined(fn))) }},
	{Name: "place of a copy one turn off", Kernel: "matmul_f16", Options: twoAhead, Pass: "tileas-pipeline-loops", Property: Exec, Damage: func(fn ir.Op) bool {
		loop := pipelined(fn)
		op := FirstWhere(loop, arith.AddI, func(o ir.Op) bool { return o.Operand(0) == loop.Body().Arg(0) && arith.IsInt(o.Operand(1), 2) })
		if op.IsNil() {
			return false
		}
		op.SetOperand(1, loop.Operand(2)) // one turn ahead, where it is two
		return true
	}},
	{Name: "ring that does not begin again", Kernel: "matmul_f16", Options: twoAhead, Pass: "tileas-pipeline-loops", Property: Exec, Damage: func(fn ir.Op) bool {
		loop := pipelined(fn)
		last := loop.Body().Terminator()
		last.SetOperand(0, loop.Body().Arg(1))
		return true
	}},

	// Values that cross turns.
	{Name: "sum that is not carried", Kernel: "matmul_f16", Options: twoAhead, Pass: "tileas-pipeline-loops", Property: Exec, Damage: func(fn ir.Op) bool {
		body := pipelined(fn).Body()
		n := body.Terminator().NumOperands() - 1
		body.Terminator().SetOperand(n, body.Arg(1+n))
		return true
	}},
	{Name: "rotated value one turn off", Kernel: "matmul_f16_big_tile", Options: overlapping, Pass: "tileas-pipeline-loops", Property: Exec, Damage: func(fn ir.Op) bool {
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

	// Turns in front of the loop and behind it.
	{Name: "turn in front of the loop missing", Kernel: "matmul_f16", Options: twoAhead, Pass: "tileas-pipeline-loops", Property: Exec, Damage: func(fn ir.Op) bool {
		copied := First(fn, tileas.CopyAsync)
		return erase(copied) && erase(First(fn, tileas.CommitGroup))
	}},
	{Name: "copy in front of the loop missing", Kernel: "matmul_f16", Options: twoAhead, Pass: "tileas-pipeline-loops", Property: Exec, Damage: func(fn ir.Op) bool { return erase(First(fn, tileas.CopyAsync)) }},
	{Name: "last iterations copied, others not", Kernel: "matmul_f16", Options: twoAhead, Pass: "tileas-pipeline-loops", Property: Exec, Damage: inTurn(arith.CmpI, func(op ir.Op) bool {
		op.SetAttr(arith.AttrPredicate, op.Context().String("sge"))
		return true
	})},
	{Name: "one turn too many", Kernel: "fmha_full_f16", Pass: "tileas-pipeline-loops", Property: Exec, Damage: func(fn ir.Op) bool {
		loop := pipelined(fn)
		b := ir.BuilderBefore(loop)
		loop.SetOperand(1, b.Create(arith.AddI, []ir.Value{loop.Operand(1), loop.Operand(2)}, []ir.Type{loop.Operand(1).Type()}).Result(0))
		return true
	}},
	{Name: "turn behind the loop missing", Kernel: "matmul_f16_big_tile", Options: overlapping, Pass: "tileas-pipeline-loops", Property: Exec, Damage: func(fn ir.Op) bool {
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
	{Name: "barrier of a turn dropped", Kernel: "matmul_f16", Pass: "tileas-insert-barriers", Property: "synchronised", Damage: inTurn(tileas.Barrier, erase)},

	// Fences between what threads have written and what products beside them read.
	{Name: "fence of a product dropped", Kernel: "matmul_f16_big_tile", Pass: "tileas-materialize-products", Property: "fenced", Says: "no fence_async stands between them", Damage: func(fn ir.Op) bool {
		op := First(fn, tileas.FenceAsync)
		return !op.IsNil() && erase(op)
	}, Flags: []string{"--gpu-name=sm_90", "--tensor-maps=none"}},
	{Name: "fence of a turn dropped", Kernel: "matmul_f16_big_tile", Pass: "tileas-pipeline-loops", Property: "fenced", Says: "no fence_async stands between them", Damage: inTurn(tileas.FenceAsync, erase), Flags: []string{"--gpu-name=sm_90", "--tensor-maps=none"}},
	{Name: "fence in front of the wait of a turn", Kernel: "matmul_f16_big_tile", Pass: "tileas-pipeline-loops", Property: "fenced", Says: "no fence_async stands between them", Damage: inTurn(tileas.FenceAsync, func(op ir.Op) bool {
		wait := op.Prev()
		if !wait.Is(tileas.WaitGroup) {
			return false
		}
		wait.MoveAfter(op)
		return true
	}), Flags: []string{"--gpu-name=sm_90", "--tensor-maps=none"}},

	// tileas-cut-products.
	{Name: "wrong part", Kernel: "matmul_f16", Pass: "tileas-cut-products", Property: Exec, Damage: func(fn ir.Op) bool {
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
	{Name: "schedule with a broken edge", Kernel: "matmul_f16", Pass: "tileas-schedule-loops", Property: "loops-scheduled", Says: "flow edge from ", Damage: schedule(func(_, loop ir.Op, at []int, ii int) {
		first := true
		eachOp(loop, tileas.Level.Dot, func(i int) {
			if first {
				at[i] -= at[i] % ii // at the head of its turn, where nothing is loaded yet
			}
			first = false
		})
	})},
	{Name: "schedule that reads before its copies can have arrived", Kernel: "matmul_f16", Pass: "tileas-schedule-loops", Property: "loops-scheduled", Says: "async edge from nv_tileas.copy_async", Damage: schedule(func(_, loop ir.Op, at []int, ii int) {
		eachOp(loop, tileas.CopyAsync, func(i int) { at[i] += ii })
	})},
	{Name: "schedule with a unit used twice", Kernel: "fmha_full_f16", Pass: "tileas-schedule-loops", Property: "loops-scheduled", Says: "copies of unit ", Damage: schedule(func(_, loop ir.Op, at []int, ii int) {
		eachOp(loop, tileas.LocalLoad, func(i int) { // loads of different operands at one time
			at[i] = at[i] - at[i]%ii + 1
		})
	})},
	{Name: "schedule with too many slots", Kernel: "matmul_f16", Pass: "tileas-schedule-loops", Property: "loops-scheduled", Says: "bytes of shared memory, of which there are", Damage: schedule(func(_, _ ir.Op, at []int, ii int) {
		for i := range at { // all that stands behind the turn of the copies, 200 turns later
			if at[i] >= ii {
				at[i] += 200 * ii
			}
		}
	})},
	{Name: "schedule of other operations", Kernel: "matmul_f16", Pass: "tileas-schedule-loops", Property: "loops-scheduled", Says: "operations, but the body has", Damage: func(fn ir.Op) bool {
		loop := FirstWhere(fn, scf.For, func(o ir.Op) bool { return tileas.ScheduleOf(o) != nil })
		a := tileas.ScheduleOf(loop)
		loop.SetAttr(tileas.AttrSchedule, tileas.Schedule(fn.Context(), a.II, a.Unit, a.At[1:]))
		return true
	}},
}

// TestSchedulePlants compiles with each plant. Loops have one version: of two, a case runs one, which need not be the damaged one. Products are those that threads wait for: of the others there are plants in
// async_loops_test.go of package tests.
func TestSchedulePlants(t *testing.T) {
	t.Parallel()
	for _, p := range schedulePlants {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			p.Flags = append([]string{"--disable-pass=tileaa-version-loops", "--gpu-name=sm_80"}, p.Flags...)
			p.Try(t)
		})
	}
}
