package tests

import (
	"context"
	"slices"
	"testing"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp"
	"github.com/tilewright/tilewright/target/engine/launch"
	"github.com/tilewright/tilewright/tests/plants"
)

// An asyncPlant is a mistake in the expansion of a loop.
type asyncPlant struct {
	name, loop string
	// damage makes it in the loop of turns, or behind it, and reports whether there was anything to damage.
	damage func(m, loop ir.Op) bool
}

// nth returns the n-th operation of a row inside op, a zero Op if there are fewer.
func nth(op ir.Op, def *ir.OpDef, n int) ir.Op {
	return plants.FirstWhere(op, def, func(ir.Op) bool { n--; return n < 0 })
}

// raise adds to a number that an operation has.
func raise(op ir.Op, attr string, by int64) bool {
	if op.IsNil() {
		return false
	}
	n, _ := op.IntAttr(attr)
	op.SetAttr(attr, op.Context().IntAttr(op.Context().Int(32), n+by))
	return true
}

// drop erases an operation; what takes its results takes its operands.
func drop(op ir.Op) bool {
	if op.IsNil() {
		return false
	}
	for i, r := range op.Results() {
		r.ReplaceAllUsesWith(op.Operand(i))
	}
	op.Erase()
	return true
}

// inTurns damages the n-th operation of a row in the loop of turns.
func inTurns(def *ir.OpDef, n int, damage func(op ir.Op) bool) func(m, loop ir.Op) bool {
	return func(_, loop ir.Op) bool { return damage(nth(loop, def, n)) }
}

func raised(attr string, by int64) func(ir.Op) bool {
	return func(op ir.Op) bool { return raise(op, attr, by) }
}

// behindLoop returns the first operation of a row behind the loop of turns.
func behindLoop(loop ir.Op, def *ir.OpDef) ir.Op {
	for op := loop.Next(); !op.IsNil(); op = op.Next() {
		if op.Is(def) {
			return op
		}
	}
	return ir.Op{}
}

// slotFor returns the slot that an operation in the loop takes as an operand.
func slotFor(loop ir.Op, def *ir.OpDef, operand int) ir.Op {
	op := nth(loop, def, 0)
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
	wait := nth(loop, tileas.MbarrierWait, 0)
	if wait.IsNil() || !wait.Operand(1).IsBlockArg() {
		return -1
	}
	return wait.Operand(1).Index() - 1
}

// runInside returns the loop of turns in a loop.
func runInside(loop ir.Op) ir.Op {
	return plants.FirstWhere(loop, scf.For, func(op ir.Op) bool { return op != loop })
}

// ofFirstSlot lets an operation take the number of the first slot.
func ofFirstSlot(op ir.Op) bool {
	if op.IsNil() {
		return false
	}
	op.SetOperand(1, arith.NewInt(ir.BuilderBefore(op), op.Operand(1).Type(), 0))
	return true
}

const (
	aChain, anAttention, tensorChain = "a chain", "attention", "a chain of what tensor copies bring"
	filledAhead                      = "a chain of what tensor copies bring, filled ahead"
	mixedChain                       = "one operand by a tensor copy, one by copies of threads"
)

var asyncPlants = []asyncPlant{
	// Products: waits, slots and fences.
	{"wait for slots one product short", aChain, inTurns(tileas.DotWait, 0, raised(tileas.AttrPending, 1))},
	{"no wait for slots", aChain, inTurns(tileas.DotWait, 0, drop)},
	{"copies one slot too early", aChain, func(_, loop ir.Op) bool { return raise(slotFor(loop, tileas.CopyAsync, 0), tileas.AttrAhead, -2) }},
	{"slot of the next turn multiplied", aChain, func(_, loop ir.Op) bool { return raise(slotFor(loop, tileas.DotAsync, 1), tileas.AttrAhead, 1) }},
	{"no fence", aChain, inTurns(tileas.FenceAsync, 0, drop)},
	{"fence in front of the wait for copies", aChain, inTurns(tileas.FenceAsync, 0, func(op ir.Op) bool {
		op.MoveBefore(nth(op.ParentOp(), tileas.WaitGroup, 0))
		return true
	})},
	{"wait for copies one group short", aChain, inTurns(tileas.WaitGroup, 0, raised(tileas.AttrPending, 1))},
	{"no barrier", aChain, inTurns(tileas.Barrier, 0, drop)},
	{"sum taken under way behind the loop", aChain, func(_, loop ir.Op) bool { return drop(behindLoop(loop, tileas.DotWait)) }},
	{"wait behind the loop one product short", aChain, func(_, loop ir.Op) bool { return raise(behindLoop(loop, tileas.DotWait), tileas.AttrPending, 1) }},
	{"sum that is not carried", aChain, func(_, loop ir.Op) bool {
		last := loop.Body().Last()
		n := last.NumOperands() - 1
		last.SetOperand(n, loop.Body().Arg(1+n))
		return true
	}},
	{"wait of two products one short", "a chain of two products", inTurns(tileas.DotWait, 0, raised(tileas.AttrPending, 1))},
	{"sum taken before the wait", anAttention, inTurns(tileas.DotWait, 0, drop)},
	{"wait for a sum one product short", anAttention, inTurns(tileas.DotWait, 0, raised(tileas.AttrPending, 1))},
	{"sum of the second product taken before the wait", anAttention, inTurns(tileas.DotWait, 1, drop)},
	{"no fence behind a store of threads", "an operand that threads store", func(_, loop ir.Op) bool {
		ok := false
		for op := nth(loop, tileas.FenceAsync, 0); !op.IsNil(); op = nth(loop, tileas.FenceAsync, 0) {
			ok = drop(op)
		}
		return ok
	}},

	// Tensor copies: bytes, parities and mbarriers.
	{"too few bytes expected", tensorChain, inTurns(tileas.MbarrierExpect, 0, raised(tileas.AttrBytes, -16))},
	{"too many bytes expected", tensorChain, inTurns(tileas.MbarrierExpect, 0, raised(tileas.AttrBytes, 16))},
	{"bytes not expected", tensorChain, inTurns(tileas.MbarrierExpect, 0, drop)},
	{"no wait for tensor copies", tensorChain, inTurns(tileas.MbarrierWait, 0, drop)},
	{"parities begin with 1", tensorChain, func(_, loop ir.Op) bool {
		k := parityOf(loop)
		if k < 0 {
			return false
		}
		b := ir.BuilderBefore(loop)
		loop.SetOperand(scf.NumBounds+k, arith.NewInt(b, loop.Operand(scf.NumBounds+k).Type(), 1))
		return true
	}},
	{"parities do not change", tensorChain, func(_, loop ir.Op) bool {
		k := parityOf(loop)
		if k < 0 {
			return false
		}
		loop.Body().Last().SetOperand(k, loop.Body().Arg(1+k))
		return true
	}},
	{"mbarrier of the next turn waited for", tensorChain, func(_, loop ir.Op) bool { return raise(slotFor(loop, tileas.MbarrierWait, 0), tileas.AttrAhead, 1) }},
	{"mbarrier of another turn told", tensorChain, func(_, loop ir.Op) bool { return raise(slotFor(loop, tileas.TMALoad, -1), tileas.AttrAhead, -1) }},
	{"mbarriers take two arrivals", tensorChain, func(m, _ ir.Op) bool { return raise(nth(m, tileas.MbarrierInit, 0), tileas.AttrArrivals, 1) }},
	{"copies of threads not waited for beside tensor copies", mixedChain, inTurns(tileas.WaitGroup, 0, drop)},
	{"tensor copies not waited for beside copies of threads", mixedChain, inTurns(tileas.MbarrierWait, 0, drop)},
	{"no fence between copies of threads in front of the loop and its products", "one operand by a tensor copy, one by copies of threads in front", func(m, loop ir.Op) bool {
		for op := loop.Prev(); !op.IsNil(); op = op.Prev() {
			if op.Is(tileas.FenceAsync) {
				return drop(op)
			}
		}
		return false
	}},

	// Phases that go on from run to run, and copies for the next one.
	{"phases begin anew with each run", filledAhead, func(_, loop ir.Op) bool {
		inner := runInside(loop)
		inner.SetOperand(scf.NumBounds+1, arith.NewInt(ir.BuilderBefore(inner), inner.Operand(scf.NumBounds+1).Type(), 0))
		return true
	}},
	{"phases of a run forgotten", filledAhead, func(_, loop ir.Op) bool {
		last := loop.Body().Last()
		last.SetOperand(1, loop.Body().Arg(2))
		return true
	}},
	{"phase of another slot counted", filledAhead, inTurns(arith.ShLI, 0, ofFirstSlot)},
	{"phase of another slot waited for", filledAhead, inTurns(arith.ShRUI, 0, ofFirstSlot)},
	{"slots filled for the next run before products have read them", filledAhead, func(_, loop ir.Op) bool { return drop(behindLoop(runInside(loop), tileas.DotWait)) }},
	{"slots filled for a run that does not exist", filledAhead, func(_, loop ir.Op) bool {
		for op := runInside(loop).Next(); !op.IsNil(); op = op.Next() {
			if op.Is(arith.Select) && op.Operand(0).DefiningOp().StringAttr(arith.AttrPredicate) == "ugt" {
				op.Result(0).ReplaceAllUsesWith(op.Operand(1))
				return true
			}
		}
		return false
	}},
	{"slots waited for one product short beside tensor copies", tensorChain, inTurns(tileas.DotWait, 0, raised(tileas.AttrPending, 1))},
}

// TestAsyncPlants: an execution in which everything asynchronous comes as late as may be, and each thread by itself, finds each mistake.
func TestAsyncPlants(t *testing.T) {
	t.Parallel()
	for _, p := range asyncPlants {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			k := asyncLoops[slices.IndexFunc(asyncLoops, func(k asyncLoop) bool { return k.name == p.loop })]
			plain, _ := k.lowered(t)
			m, _ := k.lowered(t, "--tileas-defer-waits", "--tileas-schedule-loops=lead=2", "--tileas-pipeline-loops", "--canonicalize")
			const trips = 9 // some rounds of the ring
			run := func(m ir.Op) (*launch.Buffer, error) {
				e := interp.New(m)
				e.Threads, e.Adversarial = true, true
				req := k.request(t, 0, 1, trips)
				err := e.Run(context.Background(), req)
				return req.Args[0].Buffer, err
			}
			want, err := run(plain)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := run(m); err != nil {
				t.Fatalf("without the mistake: %v", err)
			} else if d, _ := launch.Compare(got, want, launch.Tolerance{}); !d.OK() {
				t.Fatalf("without the mistake: %d elements differ", d.Mismatches)
			}
			loop := plants.FirstWhere(m, scf.For, func(op ir.Op) bool { return !nth(op, tileas.DotAsync, 0).IsNil() })
			if !p.damage(m, loop) {
				t.Fatal("the mistake changes nothing")
			}
			got, err := run(m)
			if err != nil {
				return
			}
			if d, err := launch.Compare(got, want, launch.Tolerance{}); err == nil && d.OK() {
				t.Error("nobody noticed")
			}
		})
	}
}
