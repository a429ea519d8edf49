package reducedivisions

import (
	"math"
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/cf"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/nvvm/scalar"
)

// mostTests bounds the divisions of 64 bits that also have code for 32 bits.
const mostTests = 8

// testLong makes divisions of 64 bits test whether 32 bits are enough, and returns how many. The short divisions
// are left for the steps that follow. One test serves all divisions of a block whose operands are there already, as
// those of a thread's elements are: their code is then one block, in which ptxas overlaps them.
//
//	%short = (x | y | x' | y') >> 32 == 0   each of 32 bits, and no negative number
//	cond_br %short, ^32, ^64                q = divsi x, y : i64    or    q = extui (divui (trunci x), (trunci y) : i32)
func (d *divider) testLong(region ir.Region) int {
	var long, rest []pending
	for _, p := range d.left {
		if ir.BitWidth(p.op.Result(0).Type()) == 64 && mayBeShort(p.op) && d.may("test-long", p.op) {
			long = append(long, p)
		} else {
			rest = append(rest, p)
		}
	}
	// All or none: with more, both sides of each division would be too much code.
	if len(long) > mostTests {
		return 0
	}
	for _, group := range together(region, long) {
		rest = append(rest, d.test(group)...)
	}
	d.left = rest
	return len(long)
}

// together groups divisions of one block whose operands are all there before the first of them.
func together(region ir.Region, divisions []pending) (groups [][]pending) {
	dom := ir.NewDominance()
	for _, b := range dom.Order(region) {
		var group []pending
		for op := range b.Ops() {
			i := slices.IndexFunc(divisions, func(p pending) bool { return p.op == op })
			if i < 0 {
				continue
			}
			if len(group) > 0 && !(dom.Dominates(op.Operand(0), group[0].op) && dom.Dominates(op.Operand(1), group[0].op)) {
				groups, group = append(groups, group), nil
			}
			group = append(group, divisions[i])
		}
		if len(group) > 0 {
			groups = append(groups, group)
		}
	}
	return groups
}

// mayBeShort reports whether a division is worth a test. It is not if it is the long side of a test, or if the
// dividend is shifted up, as the powers for multipliers are.
func mayBeShort(op ir.Op) bool {
	x := op.Operand(0).DefiningOp()
	if !x.IsNil() && x.Is(arith.SubI) {
		x = x.Operand(0).DefiningOp()
	}
	return (x.IsNil() || !x.Is(arith.ShLI)) && !tested(op)
}

// tested reports whether a division is the long side of a test.
func tested(op ir.Op) bool {
	for branch, way := range op.Block().Preds() {
		if !branch.Is(cf.CondBr) || way != 1 {
			return false
		}
		v := branch.Operand(0)
		for _, def := range []*ir.OpDef{arith.CmpI, arith.TruncI, arith.ShRUI} {
			if at := v.DefiningOp(); at.IsNil() || !at.Is(def) {
				return false
			}
			v = v.DefiningOp().Operand(0)
		}
		return joins(v, op.Operand(0)) || joins(v, op.Operand(1))
	}
	return false
}

// joins reports whether v is a disjunction with x.
func joins(v, x ir.Value) bool {
	for ; v != x; v = v.DefiningOp().Operand(0) {
		or := v.DefiningOp()
		if or.IsNil() || !or.Is(arith.OrI) {
			return false
		}
		if or.Operand(1) == x {
			return true
		}
	}
	return true
}

// test replaces divisions of 64 bits by a test and both ways to divide, and returns the divisions of 32 bits.
func (d *divider) test(group []pending) (short []pending) {
	b := scalar.Before(group[0].op)
	i32 := b.Context().Int(32)
	either := group[0].op.Operand(0)
	divisors := make(map[ir.Value]ir.Value)
	for _, p := range group {
		x, y := p.op.Operand(0), p.op.Operand(1)
		if divisors[y].IsNil() {
			// Before the test, so that all short divisions by the number have one invariant divisor (truncated).
			divisors[y] = truncated(y, group[0].op, i32)
		}
		for _, v := range []ir.Value{x, y} {
			if d.ranges.Of(v).UMax > math.MaxUint32 && !joins(either, v) {
				either = b.Op(arith.OrI, either, v)
			}
		}
	}
	high := b.Cast(arith.TruncI, b.Op(arith.ShRUI, either, b.Int(either.Type(), 32)), i32)
	results := b.Choose(b.CmpI("eq", high, b.Int(i32, 0)),
		func() (out []ir.Value) {
			for _, p := range group {
				q := b.Op(unsigned[p.op.Def()], b.Cast(arith.TruncI, p.op.Operand(0), i32), divisors[p.op.Operand(1)])
				short = append(short, pending{q.DefiningOp(), min(p.most, math.MaxUint32)})
				out = append(out, b.Cast(arith.ExtUI, q, p.op.Result(0).Type()))
			}
			return out
		},
		func() (out []ir.Value) {
			for _, p := range group {
				out = append(out, b.Op(p.op.Def(), p.op.Operand(0), p.op.Operand(1)))
			}
			return out
		})
	for i, p := range group {
		p.op.Result(0).ReplaceAllUsesWith(results[i])
	}
	for _, p := range group {
		p.op.Erase()
	}
	return short
}

// truncated truncates the divisor where it is defined, so that all divisions by it in loops have one invariant
// 32-bit divisor.
func truncated(y ir.Value, at ir.Op, t ir.Type) ir.Value {
	def := y.DefiningOp()
	switch {
	case !def.IsNil():
		next := def.Next()
		if next.Is(arith.TruncI) && next.Operand(0) == y && next.Result(0).Type() == t {
			return next.Result(0)
		}
		at = next
	case y.Block() != at.Block():
		at = y.Block().First()
	}
	return scalar.Before(at).Cast(arith.TruncI, y, t)
}
