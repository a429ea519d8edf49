package simplifyintegers

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
)

// at is the range of an operand of op. Constants of this pass are newer than the analysis.
func (s *simplifier) at(op ir.Op, v ir.Value) intrange.Range {
	if c := ir.ConstantValue(v); c != nil {
		return intrange.OfConstant(v.Type(), c)
	}
	return s.in.At(op, v)
}

// constant is a number of which ranges leave just one: (x & 7) / 32 is 0, and so is a comparison that they decide.
func (s *simplifier) constant(op ir.Op) ir.Value {
	if op.NumResults() != 1 || ir.ConstantOf(op) != nil || !s.in.Executed(op) {
		return ir.Value{}
	}
	t, ok := op.Result(0).Type().(*ir.IntegerType)
	if c, known := s.in.Of(op.Result(0)).IsConst(); ok && known {
		return before(op).Bits(t, c)
	}
	return ir.Value{}
}

// chosen is what a select chooses by a condition that ranges decide.
func (s *simplifier) chosen(op ir.Op) ir.Value {
	c, known := s.at(op, op.Operand(0)).IsConst()
	switch {
	case !known || !s.in.Executed(op):
		return ir.Value{}
	case c != 0:
		return op.Operand(1)
	}
	return op.Operand(2)
}

// extreme is the operand of a minimum or maximum that is never beyond the other one.
func (s *simplifier) extreme(op ir.Op) ir.Value {
	if !s.in.Executed(op) {
		return ir.Value{}
	}
	x, y := op.Operand(0), op.Operand(1)
	if op.Is(arith.MaxSI) || op.Is(arith.MaxUI) { // the other one is the minimum
		x, y = y, x
	}
	a, b := s.at(op, op.Operand(0)), s.at(op, op.Operand(1))
	below, above := a.UMax <= b.UMin, b.UMax <= a.UMin
	if op.Is(arith.MinSI) || op.Is(arith.MaxSI) {
		below, above = a.SMax <= b.SMin, b.SMax <= a.SMin
	}
	switch {
	case below:
		return x
	case above:
		return y
	}
	return ir.Value{}
}

// whole is a number that is less than what it is divided by: it is the remainder.
func (s *simplifier) whole(op ir.Op) ir.Value {
	x, n := s.at(op, op.Operand(0)), s.at(op, op.Operand(1))
	if s.in.Executed(op) && x.UMax < n.UMin && (op.Is(arith.RemUI) || x.NonNegative() && n.NonNegative()) {
		return op.Operand(0)
	}
	return ir.Value{}
}
