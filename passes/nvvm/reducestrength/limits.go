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
// issues in 1,170 cycles, with one in 963. Other loops have predicates left, and a limit takes a register. More
// conditions than there are predicates are no predicates in the loop, so that folding frees none.
func (c *carrier) foldConditions(room int) (n int) {
	scaled := ir.Sum(c.loop.Own, func(b ir.Block) int { return len(ir.Filter(slices.Collect(b.Ops()), takesPredicate)) })
	if scaled < sm.Predicates {
		return 0
	}
	limits := make(map[limited]ir.Value)
	var found []conditional
	for _, b := range c.loop.Own {
		for op := range b.Ops() {
			if f, ok := c.conditional(op); ok {
				limits[f.limited] = ir.Value{}
				found = append(found, f)
			}
		}
	}
	if len(found) == 0 || len(limits) > sm.Predicates || c.pressure()+len(limits) > room {
		return 0
	}
	for _, f := range found {
		if !c.may("fold", f.both) {
			continue
		}
		if limits[f.limited].IsNil() {
			b := scalar.Before(c.entry)
			limits[f.limited] = b.Select(f.when, f.of, b.Int(f.of.Type(), f.nothingBelow()))
		}
		f.both.Result(0).ReplaceAllUsesWith(scalar.Before(f.both).CmpI(f.order, f.what, limits[f.limited]))
		n++
	}
	return n
}

// A conditional is a conjunction of a comparison with a limit and a condition, which both come from outside of the loop.
type conditional struct {
	both ir.Op
	what ir.Value // is compared
	limited
}

// A limited is what a new limit is made of, and for which order.
type limited struct {
	of, when ir.Value
	order    string
}

// takesPredicate reports whether ptxas tests an operand or a result for denormals: it scales those.
func takesPredicate(op ir.Op) bool {
	return slices.Contains(scaling, op.Def()) && !op.HasUnitAttr(arith.AttrFtz)
}

var scaling = []*ir.OpDef{nvvm.Ex2Approx, nvvm.Lg2Approx, nvvm.SqrtApprox, nvvm.RsqrtApprox, nvvm.RcpApprox}

func (c *carrier) conditional(op ir.Op) (f conditional, ok bool) {
	if !op.Is(arith.AndI) || ir.BitWidth(op.Result(0).Type()) != 1 {
		return f, false
	}
	for i := range 2 {
		less, when := op.Operand(i).DefiningOp(), op.Operand(1-i)
		if less.IsNil() || !less.Is(arith.CmpI) || !less.Result(0).HasOneUse() || c.inside(when) || isConstant(when) || elected(when) {
			continue
		}
		f = conditional{op, less.Operand(0), limited{less.Operand(1), when, less.StringAttr(arith.AttrPredicate)}}
		if c.inside(f.what) && !c.inside(f.of) && (f.order == "ult" || f.order == "slt") {
			return f, true
		}
	}
	return f, false
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

// nothingBelow returns the least number in the order of the comparison.
func (l limited) nothingBelow() int64 {
	if l.order == "ult" {
		return 0
	}
	return math.MinInt64 >> (64 - ir.BitWidth(l.of.Type()))
}
