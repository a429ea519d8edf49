package plants

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/tileas/async/scheduleloops"
)

// Bugs in what fills a loop inside another one ahead. The kernel is a persistent MMA of several tiles, whose
// copies run one iteration ahead.

// oneAhead keeps the stages few, so that as many CTAs fit on an SM with them as without.
var oneAhead = map[string]func() any{
	"tileas-schedule-loops": func() any { return &scheduleloops.Options{Scheduler: "iterative", Prefetch: 1} },
}

// rotated returns the outer loop of a nest whose inner loop is filled ahead: it copies itself, beside the loops in it.
func rotated(fn ir.Op) ir.Op {
	return FirstWhere(fn, scf.For, func(o ir.Op) bool { return !direct(o, tileas.CommitGroup).IsNil() && hasLoop(o) })
}

func hasLoop(op ir.Op) bool { return len(All(op, scf.For)) > 1 }

// direct returns the last operation of a row that stands in the body of a loop itself.
func direct(loop ir.Op, def *ir.OpDef) (last ir.Op) {
	for op := range loop.Body().Ops() {
		if op.Is(def) {
			last = op
		}
	}
	return last
}

// inFill damages the last operation of a row in the fill of the next iteration.
func inFill(def *ir.OpDef, damage func(loop, op ir.Op) bool) func(ir.Op) bool {
	return func(fn ir.Op) bool {
		loop := rotated(fn)
		if loop.IsNil() {
			return false
		}
		op := direct(loop, def)
		return !op.IsNil() && damage(loop, op)
	}
}

var nestedPlants = In(Plant{Kernel: "matmul_persistent", Options: oneAhead, Pass: "tileas-pipeline-loops", By: Exec, Flags: []string{"--gpu-name=sm_80"}},
	Plant{Name: "fill one stage off", Damage: inFill(tileas.CopyAsync, func(_, op ir.Op) bool {
		return bump(tileas.AttrAhead, 1)(op.Operand(0).DefiningOp())
	})},
	Plant{Name: "fill of this iteration instead of the next", Damage: inFill(arith.AddI, func(loop, _ ir.Op) bool {
		next := FirstWhere(loop, arith.AddI, func(o ir.Op) bool {
			return o.Operand(0) == loop.Body().Arg(0) && o.Operand(1).DefiningOp().Is(arith.Select)
		})
		if next.IsNil() {
			return false
		}
		next.Result(0).ReplaceAllUsesWith(loop.Body().Arg(0))
		return true
	})},
	Plant{Name: "fill without its commit", Damage: inFill(tileas.CommitGroup, func(_, op ir.Op) bool { return erase(op) })},
	Plant{Name: "fill before what reads its stages", Damage: inFill(tileas.CopyAsync, func(loop, op ir.Op) bool {
		first := FirstWhere(loop, scf.For, func(o ir.Op) bool { return o != loop })
		for first.Block() != loop.Body() {
			first = first.ParentOp()
		}
		var behind []ir.Op // all that it takes
		for o := first.Next(); o != op; o = o.Next() {
			if o.Is(tileas.WaitGroup) || o.NumRegions() > 0 {
				continue
			}
			behind = append(behind, o)
		}
		for _, o := range append(behind, op) {
			o.MoveBefore(first)
		}
		return true
	})},
	Plant{Name: "wait one group short across the outer iteration", Damage: func(fn ir.Op) bool {
		loop := rotated(fn)
		if loop.IsNil() {
			return false
		}
		inner := FirstWhere(loop, scf.For, func(o ir.Op) bool { return o != loop && !First(o, tileas.WaitGroup).IsNil() })
		return !inner.IsNil() && bump(tileas.AttrPending, 1)(First(inner, tileas.WaitGroup))
	}},
	Plant{Name: "first fill missing", Damage: func(fn ir.Op) bool {
		loop := rotated(fn)
		return !loop.IsNil() && erase(First(loop.ParentOp(), tileas.CopyAsync))
	}},
	// A predicate that is always true would be none: what the last fill copies then, of the last iteration again,
	// nobody reads.
	Plant{Name: "fill that never copies", Damage: inFill(tileas.CopyAsync, func(_, op ir.Op) bool {
		holds := op.OperandNamed(tile.FieldPredicate)
		if holds.IsNil() {
			return false
		}
		b := ir.BuilderBefore(op)
		never := arith.NewInt(b, holds.Type(), 0)
		lo, _ := op.OperandRange(op.Def().OperandField(tile.FieldPredicate))
		op.SetOperand(lo, never)
		return true
	})},
	Plant{Name: "a loop that is filled ahead, though its copies come after stores", Kernel: "matmul_persistent", Options: oneAhead, Flags: []string{"--gpu-name=sm_80"}, Pass: "tileas-schedule-loops", By: "loops-scheduled",
		Says: "the loop inside cannot be filled ahead: its copies depend on the result of 'nv_tileas.tiled_store' in the previous iteration", Damage: func(fn ir.Op) bool {
			outer := FirstWhere(fn, scf.For, func(o ir.Op) bool { return o.HasUnitAttr(tileas.AttrFillAhead) })
			if outer.IsNil() {
				return false
			}
			for i, y := range outer.Body().Last().Operands() {
				if def := y.DefiningOp(); !def.IsNil() && def.Is(tileas.Level.TiledStore) {
					for _, c := range All(outer, tileas.CopyAsync) {
						lo, hi := c.OperandRange(c.Def().OperandField("token"))
						if hi > lo {
							c.SetOperand(lo, outer.Body().Arg(1+i))
						}
					}
					return true
				}
			}
			return false
		}},
)
