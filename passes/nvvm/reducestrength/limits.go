package reducestrength

import (
	"math"
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/nvvm/scalar"
	"github.com/tilewright/tilewright/target/sm"
)

// foldConditions lets limits say what conditions from outside of the loop say:
//
//	loop:  %in = andi (cmpi ult %i, %n), %row       %m = select %row, %n, 0     loop:  %in = cmpi ult %i, %m
//
// A thread has seven predicates, and what is live over a loop is not there for its arithmetic. An exponential with
// denormals takes one, and ptxas overlaps as many as there are: with three of seven taken, attention of 64x64 on sm_100
// issues in 1,170 cycles, with one in 967. Other loops have predicates left, and a limit takes a register. More
// conditions than there are predicates are no predicates in the loop, so that folding frees none.
func (c *carrier) foldConditions(room int) int {
	scaled := ir.Sum(c.loop.Own, func(b ir.Block) int { return len(ir.Filter(slices.Collect(b.Ops()), takesPredicate)) })
	if scaled < sm.Predicates {
		return 0
	}
	type limited struct{ of, when ir.Value }
	limits := make(map[limited]ir.Value)
	var folded []ir.Op
	for _, b := range c.loop.Own {
		for op := range b.Ops() {
			if less, when := c.conditional(op); !less.IsNil() {
				limits[limited{less.Operand(1), when}] = ir.Value{}
				folded = append(folded, op)
			}
		}
	}
	if len(limits) > sm.Predicates || len(limits) > 0 && c.pressure()+len(limits) > room {
		return 0
	}
	for _, op := range folded {
		less, when := c.conditional(op)
		of := less.Operand(1)
		limit := limits[limited{of, when}]
		if limit.IsNil() {
			b := scalar.Before(c.entry)
			limit = b.Select(when, of, b.Int(of.Type(), nothingBelow(less)))
			limits[limited{of, when}] = limit
		}
		op.Result(0).ReplaceAllUsesWith(scalar.Before(op).CmpI(less.StringAttr(arith.AttrPredicate), less.Operand(0), limit))
	}
	return len(folded)
}

// takesPredicate reports whether ptxas tests an operand or a result for denormals: it scales those.
func takesPredicate(op ir.Op) bool {
	return slices.Contains(scaling, op.Def()) && !op.HasUnitAttr("ftz")
}

var scaling = []*ir.OpDef{nvvm.Ex2Approx, nvvm.Lg2Approx, nvvm.SqrtApprox, nvvm.RsqrtApprox, nvvm.RcpApprox}

// conditional returns the comparison with a limit in a conjunction, and the condition; both come from outside.
func (c *carrier) conditional(op ir.Op) (less ir.Op, when ir.Value) {
	if !op.Is(arith.AndI) || ir.BitWidth(op.Result(0).Type()) != 1 {
		return ir.Op{}, when
	}
	for i := range 2 {
		less, when = op.Operand(i).DefiningOp(), op.Operand(1-i)
		if less.IsNil() || !less.Is(arith.CmpI) || !less.Result(0).HasOneUse() || c.inside(when) || isConstant(when) || elected(when) {
			continue
		}
		p := less.StringAttr(arith.AttrPredicate)
		if c.inside(less.Operand(0)) && !c.inside(less.Operand(1)) && (p == "ult" || p == "slt") {
			return less, when
		}
	}
	return ir.Op{}, when
}

// elected reports whether a condition holds in one thread of a warp. ptxas must see that in the loop: then what that thread
// starts has operands in uniform registers, otherwise each is a loop over threads.
func elected(v ir.Value) bool {
	work := ir.NewWorklist(v)
	return ir.Any(work.All(), func(v ir.Value) bool {
		def := v.DefiningOp()
		if !def.IsNil() && def.Is(arith.AndI) {
			work.Add(def.Operands()...)
		}
		return !def.IsNil() && def.Is(nvvm.ElectSync)
	})
}

// nothingBelow returns the least number in the order of a comparison.
func nothingBelow(less ir.Op) int64 {
	if less.StringAttr(arith.AttrPredicate) == "ult" {
		return 0
	}
	return math.MinInt64 >> (64 - ir.BitWidth(less.Operand(0).Type()))
}
