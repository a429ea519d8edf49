package simplifyintegers

import (
	"math"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
	"github.com/tilewright/tilewright/ir/numeric"
)

// A compared number stands beside several sums of another one with constants, as a row beside the columns of a causal
// mask:
//
//	%row < %column    %row < %column + 1    %row < %column + 2
type compared struct{ x, base ir.Value }

// fewCompared is how many such comparisons keep their sums: one difference takes the place of all, but may take a maximum
// too.
const fewCompared = 3

// countCompared counts the comparisons of each pair.
func (s *simplifier) countCompared(fn ir.Op) {
	s.pairs = make(map[compared]int)
	fn.Walk(func(op ir.Op) ir.WalkResult {
		if c, ok := s.comparedBy(op); ok {
			s.pairs[c.compared]++
		}
		return ir.Advance
	})
}

// A sumCompared is "x how base + k".
type sumCompared struct {
	compared
	how string
	k   int64
	sum ir.Op
}

// comparedBy takes apart a comparison in order, of a number of 32 bits with a sum.
func (s *simplifier) comparedBy(op ir.Op) (c sumCompared, ok bool) {
	if !op.Is(arith.CmpI) || unsignedOf[op.StringAttr(arith.AttrPredicate)] == "" || ir.BitWidth(op.Operand(0).Type()) != 32 {
		return c, false
	}
	for i := range 2 {
		sum := op.Operand(i).DefiningOp()
		if sum.IsNil() || !sum.Is(arith.AddI) || !sum.Result(0).HasOneUse() {
			continue
		}
		if k, which := constantTerm(sum); which >= 0 {
			c = sumCompared{compared{op.Operand(1 - i), sum.Operand(1 - which)}, op.StringAttr(arith.AttrPredicate), k, sum}
			if i == 0 {
				c.how = mirrored[c.how]
			}
			return c, true
		}
	}
	return c, false
}

// difference compares x - base with k instead of x with base + k, where neither wraps. A negative x is less than each sum
// that is not negative, and so is -1, from which a base that is not negative can be taken.
func (s *simplifier) difference(op ir.Op) ir.Value {
	c, ok := s.comparedBy(op)
	if !ok || s.pairs[c.compared] <= fewCompared || !doesNotWrap(c.sum).Signed && !s.proven(c.sum).Signed {
		return ir.Value{}
	}
	x, from, by := c.x, s.at(op, c.x), s.at(op, c.base)
	b := before(op)
	if by.SMin >= 0 && from.SMin < -1 && (c.k >= 0 || s.in.Of(c.sum.Result(0)).NonNegative()) {
		x, from = b.Op(arith.MaxSI, x, b.Int(x.Type(), -1)), intrange.Signed(32, -1, max(from.SMax, -1))
	}
	if from.SMin-by.SMax < math.MinInt32 || from.SMax-by.SMin > math.MaxInt32 {
		return ir.Value{}
	}
	d := b.Op(arith.SubI, x, c.base)
	d.DefiningOp().SetAttr(arith.AttrOverflow, arith.Promise(op.Context(), numeric.Wraps{Signed: true, Unsigned: from.UMin >= by.UMax})[0].Value)
	return b.CmpI(c.how, d, b.Int(x.Type(), c.k))
}
