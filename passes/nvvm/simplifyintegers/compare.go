package simplifyintegers

import (
	"math"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
	"github.com/tilewright/tilewright/ir/numeric"
)

// unsignedOf gives the comparison of unsigned numbers for that of signed ones which are not negative.
var unsignedOf = map[string]string{"slt": "ult", "sle": "ule", "sgt": "ugt", "sge": "uge"}

// narrower compares in 32 bits what was extended from 32. Both extensions keep both orders, if they are the same for both
// sides. An extension of a number that is not negative is either.
func (s *simplifier) narrower(op ir.Op) ir.Value {
	x, y, p := op.Operand(0), op.Operand(1), op.StringAttr(arith.AttrPredicate)
	if ir.BitWidth(x.Type()) != 64 {
		return ir.Value{}
	}
	for _, signed := range []bool{true, false} {
		if !s.extends(x, signed) || !s.extends(y, signed) {
			continue
		}
		if u := unsignedOf[p]; !signed && u != "" {
			p = u
		}
		return before(op).CmpI(p, s.narrow(op, x), s.narrow(op, y))
	}
	return ir.Value{}
}

// extends reports whether a value is a number of 32 bits, extended with its sign or with zeros.
func (s *simplifier) extends(v ir.Value, signed bool) bool {
	if c, ok := constantOf(v); ok {
		if signed {
			return c.Value >= math.MinInt32 && c.Value <= math.MaxInt32
		}
		return c.Unsigned() <= math.MaxUint32
	}
	def := v.DefiningOp()
	if def.IsNil() || !def.Is(arith.ExtSI) && !def.Is(arith.ExtUI) || ir.BitWidth(def.Operand(0).Type()) != 32 {
		return false
	}
	return def.Is(arith.ExtSI) == signed || s.in.Of(def.Operand(0)).NonNegative()
}

// narrow returns the 32 bits of which a value is an extension.
func (s *simplifier) narrow(op ir.Op, v ir.Value) ir.Value {
	if c, ok := constantOf(v); ok {
		b := before(op)
		return b.Bits(b.Context().Int(32), c.Unsigned()&math.MaxUint32)
	}
	return v.DefiningOp().Operand(0)
}

// mirrored gives each comparison that of exchanged operands.
var mirrored = map[string]string{"slt": "sgt", "sle": "sge", "sgt": "slt", "sge": "sle", "eq": "eq", "ne": "ne"}

// moved takes a constant out of a sum or difference that is compared with a constant, where neither wraps:
//
//	1 < 33 - i    is    i < 32            i + 1 < 8    is    i < 7
func (s *simplifier) moved(op ir.Op) ir.Value {
	p := op.StringAttr(arith.AttrPredicate)
	for i := range 2 {
		sum, other := op.Operand(i).DefiningOp(), op.Operand(1-i)
		c, ok := constantOf(other)
		if sum.IsNil() || !ok || mirrored[p] == "" || !sum.Result(0).HasOneUse() || !doesNotWrap(sum).Signed && !s.proven(sum).Signed {
			continue
		}
		how := p // x how k, for the sum on the left
		if i == 1 {
			how = mirrored[how]
		}
		width := ir.BitWidth(other.Type())
		switch k, which := constantTerm(sum); {
		case which < 0 || width > 32:
		case sum.Is(arith.AddI):
			return s.compareWith(op, how, sum.Operand(1-which), c.Value-k, width)
		case which == 1: // x - k
			return s.compareWith(op, how, sum.Operand(0), c.Value+k, width)
		default: // k - x
			return s.compareWith(op, mirrored[how], sum.Operand(1), k-c.Value, width)
		}
	}
	return ir.Value{}
}

// constantTerm returns the constant of a sum or difference, and which operand it is; -1: none.
func constantTerm(sum ir.Op) (k int64, which int) {
	if !sum.Is(arith.AddI) && !sum.Is(arith.SubI) {
		return 0, -1
	}
	for i := range 2 {
		if c, ok := constantOf(sum.Operand(1 - i)); ok {
			return c.Value, 1 - i
		}
	}
	return 0, -1
}

func (s *simplifier) compareWith(op ir.Op, how string, x ir.Value, k int64, width int) ir.Value {
	if least, most := int64(-1)<<(width-1), int64(1)<<(width-1)-1; k < least || k > most {
		return ir.Value{}
	}
	b := before(op)
	return b.CmpI(how, x, b.Int(x.Type(), k))
}

// floorRemainder chooses between a remainder and its sum with a positive divisor by a minimum of unsigned numbers: a
// negative remainder is the largest.
func (s *simplifier) floorRemainder(op ir.Op) ir.Value {
	less, sum, r := op.Operand(0).DefiningOp(), op.Operand(1), op.Operand(2)
	rem, add := r.DefiningOp(), sum.DefiningOp()
	if less.IsNil() || rem.IsNil() || add.IsNil() || !rem.Is(arith.RemSI) || !add.Is(arith.AddI) || ir.BitWidth(r.Type()) < 32 {
		return ir.Value{}
	}
	if !less.Is(arith.CmpI) || less.StringAttr(arith.AttrPredicate) != "slt" || less.Operand(0) != r || !arith.IsInt(less.Operand(1), 0) {
		return ir.Value{}
	}
	n := rem.Operand(1)
	if add.Operand(0) != r || add.Operand(1) != n || s.in.Of(n).SMin <= 0 {
		return ir.Value{}
	}
	return before(op).Op(arith.MinUI, r, sum)
}

// promise says of a sum or product what ranges prove: that it does not wrap.
func (s *simplifier) promise(op ir.Op) {
	have, proven := doesNotWrap(op), s.proven(op)
	more := numeric.Wraps{Signed: have.Signed || proven.Signed, Unsigned: have.Unsigned || proven.Unsigned}
	if more == have || !s.may("promise", op) {
		return
	}
	op.SetAttr(arith.AttrOverflow, arith.Promise(op.Context(), more)[0].Value)
	s.promised++
}

func doesNotWrap(op ir.Op) numeric.Wraps { return arith.Promises(op) }

// proven returns in which senses a sum, difference or product of at most 32 bits provably does not wrap.
func (s *simplifier) proven(op ir.Op) (w numeric.Wraps) {
	if !op.Is(arith.AddI) && !op.Is(arith.SubI) && !op.Is(arith.MulI) || ir.BitWidth(op.Result(0).Type()) > 32 || !s.in.Executed(op) {
		return w
	}
	a, b := s.at(op, op.Operand(0)), s.at(op, op.Operand(1))
	full := intrange.Full(a.W)
	within := func(a0, a1, b0, b1, least, most int64) bool {
		var ends [4]int64
		for i, x := range []int64{a0, a1} {
			for j, y := range []int64{b0, b1} {
				switch {
				case op.Is(arith.AddI):
					ends[2*i+j] = x + y
				case op.Is(arith.SubI):
					ends[2*i+j] = x - y
				default:
					ends[2*i+j] = x * y
				}
			}
		}
		return min(ends[0], ends[1], ends[2], ends[3]) >= least && max(ends[0], ends[1], ends[2], ends[3]) <= most
	}
	w.Signed = within(a.SMin, a.SMax, b.SMin, b.SMax, full.SMin, full.SMax)
	// Products of unsigned numbers of 32 bits may leave 63 bits.
	if hi := int64(math.MaxInt32); !op.Is(arith.MulI) || int64(a.UMax) <= hi || int64(b.UMax) <= hi {
		w.Unsigned = within(int64(a.UMin), int64(a.UMax), int64(b.UMin), int64(b.UMax), 0, int64(full.UMax))
	}
	return w
}
