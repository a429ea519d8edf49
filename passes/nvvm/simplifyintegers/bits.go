package simplifyintegers

import (
	"math/bits"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
)

// deepest bounds how many operations possible looks through.
const deepest = 6

// possible returns the bits of a value that can be set.
func (s *simplifier) possible(v ir.Value, depth int) uint64 {
	width := ir.BitWidth(v.Type())
	all := ^uint64(0) >> (64 - width)
	if c, ok := constantOf(v); ok {
		return c.Unsigned() & all
	}
	if r := s.in.Of(v); r.IsInt() {
		all &= 1<<bits.Len64(r.UMax) - 1
	}
	def := v.DefiningOp()
	if def.IsNil() || depth == 0 {
		return all
	}
	of := func(i int) uint64 { return s.possible(def.Operand(i), depth-1) }
	switch {
	case def.Is(arith.AndI):
		return all & of(0) & of(1)
	case def.Is(arith.OrI), def.Is(arith.XOrI):
		return all & (of(0) | of(1))
	case def.Is(arith.ExtUI):
		return all & of(0)
	case def.Is(arith.ShLI), def.Is(arith.ShRUI):
		by, ok := constantOf(def.Operand(1))
		if !ok || by.Unsigned() >= uint64(width) {
			return all
		}
		if def.Is(arith.ShLI) {
			return all & (of(0) << by.Unsigned())
		}
		return all & (of(0) >> by.Unsigned())
	}
	return all
}

// mask leaves out a mask that has all bits that can be set.
func (s *simplifier) mask(op ir.Op) ir.Value {
	c, ok := constantOf(op.Operand(1))
	if !ok || s.possible(op.Operand(0), deepest)&^c.Unsigned() != 0 {
		return ir.Value{}
	}
	return op.Operand(0)
}

// allSet is a disjunction with a constant that has all bits that can be set: (x & 15) | 15 is 15.
func (s *simplifier) allSet(op ir.Op) ir.Value {
	c, ok := constantOf(op.Operand(1))
	if !ok || s.possible(op.Operand(0), deepest)&^c.Unsigned() != 0 {
		return ir.Value{}
	}
	return op.Operand(1)
}

// unshifted compares a number with zero where all bits that a shift drops are zero.
func (s *simplifier) unshifted(op ir.Op) ir.Value {
	shift := op.Operand(0).DefiningOp()
	if !comparesWithZero(op) || shift.IsNil() || !shift.Is(arith.ShRUI) {
		return ir.Value{}
	}
	by, ok := constantOf(shift.Operand(1))
	if x := shift.Operand(0); ok && by.Unsigned() < 64 && s.possible(x, deepest)&(1<<by.Unsigned()-1) == 0 {
		b := before(op)
		return b.CmpI(op.StringAttr(arith.AttrPredicate), x, b.Int(x.Type(), 0))
	}
	return ir.Value{}
}

func comparesWithZero(op ir.Op) bool {
	p := op.StringAttr(arith.AttrPredicate)
	return (p == "eq" || p == "ne") && arith.IsInt(op.Operand(1), 0)
}

// untruncated compares a number of which a truncation drops nothing. Only equality does not ask for a sign.
func (s *simplifier) untruncated(op ir.Op) ir.Value {
	trunc, p := op.Operand(0).DefiningOp(), op.StringAttr(arith.AttrPredicate)
	if p != "eq" && p != "ne" || trunc.IsNil() || !trunc.Is(arith.TruncI) || !op.Operand(0).HasOneUse() {
		return ir.Value{}
	}
	c, ok := constantOf(op.Operand(1))
	x, width := trunc.Operand(0), ir.BitWidth(trunc.Result(0).Type())
	if !ok || width < 32 || s.possible(x, deepest)>>width != 0 {
		return ir.Value{}
	}
	b := before(op)
	return b.CmpI(p, x, b.Bits(x.Type(), c.Unsigned()))
}
