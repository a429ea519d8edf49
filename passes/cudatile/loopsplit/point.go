package loopsplit

import (
	"math/big"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
)

// arithmetic creates integer operations before a loop, of the type of its counter.
type arithmetic struct {
	*ir.Builder
	t        *cudatile.TileType
	unsigned bool
}

func newArithmetic(loop ir.Op) *arithmetic {
	return &arithmetic{ir.BuilderBefore(loop), loop.Operand(0).Type().(*cudatile.TileType), loop.HasUnitAttr("unsignedCmp")}
}

func (a *arithmetic) binary(def *ir.OpDef, x, y ir.Value, attrs ...ir.NamedAttr) ir.Value {
	return a.Create(def, []ir.Value{x, y}, []ir.Type{a.t}, attrs...).Result(0)
}

// ordered creates an operation that has a signedness.
func (a *arithmetic) ordered(def *ir.OpDef, unsigned bool, x, y ir.Value, attrs ...ir.NamedAttr) ir.Value {
	s := cudatile.Signed
	if unsigned {
		s = cudatile.Unsigned
	}
	return a.binary(def, x, y, append([]ir.NamedAttr{{Name: "signedness", Value: s.Attr(a.Context())}}, attrs...)...)
}

func (a *arithmetic) min(x, y ir.Value) ir.Value { return a.ordered(cudatile.MinI, a.unsigned, x, y) }
func (a *arithmetic) max(x, y ir.Value) ir.Value { return a.ordered(cudatile.MaxI, a.unsigned, x, y) }

// points creates the upper bound of the first half and the lower bound of the second.
func (s *split) points() (upper, lower ir.Value) {
	a := newArithmetic(s.loop)
	lo, hi, step := s.loop.Operand(0), s.loop.Operand(1), s.loop.Operand(2)
	at := s.at
	if s.above {
		one := cudatile.NewSplat(a.Builder, a.t, 1)
		if _, known := s.number(at); !known {
			// at + 1 may wrap around; min(at, hi - 1) + 1 does only where hi - 1 does, in a loop that is empty
			// whatever comes out.
			at = a.min(at, a.binary(cudatile.SubI, hi, one))
		}
		at = a.binary(cudatile.AddI, at, one)
	}
	if n, ok := s.number(step); !ok || n.Cmp(big.NewInt(1)) != 0 {
		if s.roundsSafely() {
			// lo + ceil((at - lo) / step) * step
			up := ir.NamedAttr{Name: "rounding", Value: cudatile.PositiveInf.Attr(a.Context())}
			steps := a.ordered(cudatile.DivI, a.unsigned, a.binary(cudatile.SubI, at, lo), step, up)
			at = a.binary(cudatile.AddI, lo, a.binary(cudatile.MulI, steps, step))
		} else {
			at = a.roundUp(at, lo, hi, step)
		}
	}
	return a.min(at, hi), a.max(at, lo)
}

// roundUp creates the first number lo + k * step that is not below at, or hi if that is less; lo if at is below
// lo. Differences of numbers between lo and hi are exact as unsigned numbers, whatever the signedness of the
// loop. It uses remainders: a rounded quotient times the step may wrap around, and here nothing is multiplied.
func (a *arithmetic) roundUp(at, lo, hi, step ir.Value) ir.Value {
	at = a.max(a.min(at, hi), lo)
	beyond := a.ordered(cudatile.RemI, true, a.binary(cudatile.SubI, at, lo), step)
	missing := a.ordered(cudatile.RemI, true, a.binary(cudatile.SubI, step, beyond), step)
	return a.binary(cudatile.AddI, at, a.ordered(cudatile.MinI, true, missing, a.binary(cudatile.SubI, hi, at)))
}

// number returns a constant of the counter's type in the signedness of the loop.
func (s *split) number(v ir.Value) (*big.Int, bool) {
	bits, ok := cudatile.SplatBits(v)
	if !ok {
		return nil, false
	}
	n := new(big.Int).SetUint64(bits)
	if _, greatest := s.span(); n.Cmp(greatest) > 0 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), s.width()))
	}
	return n, true
}

func (s *split) width() uint { return uint(ir.BitWidth(cudatile.ElemOf(s.loop.Operand(0).Type()))) }

// span returns the least and the greatest number of the counter's type.
func (s *split) span() (least, greatest *big.Int) {
	one := big.NewInt(1)
	if s.loop.HasUnitAttr("unsignedCmp") {
		return new(big.Int), one.Sub(new(big.Int).Lsh(one, s.width()), one)
	}
	half := new(big.Int).Lsh(one, s.width()-1)
	return new(big.Int).Neg(half), one.Sub(half, one)
}

// isGreatest reports whether the counter is compared with the greatest number there is.
func (s *split) isGreatest() bool {
	n, ok := s.number(s.at)
	_, greatest := s.span()
	return ok && n.Cmp(greatest) == 0
}

// roundsSafely reports whether constants say that no number wraps around when the point is rounded up from the lower
// bound.
func (s *split) roundsSafely() bool {
	at, okAt := s.number(s.at)
	lo, okLo := s.number(s.loop.Operand(0))
	step, okStep := s.number(s.loop.Operand(2))
	if !okAt || !okLo || !okStep || step.Sign() <= 0 {
		return false
	}
	least, greatest := s.span()
	fits := func(n *big.Int) bool { return least.Cmp(n) <= 0 && n.Cmp(greatest) <= 0 }
	distance := new(big.Int).Sub(at, lo)
	if s.above {
		distance.Add(distance, big.NewInt(1))
	}
	steps, beyond := new(big.Int).DivMod(distance, step, new(big.Int))
	if beyond.Sign() > 0 {
		steps.Add(steps, big.NewInt(1))
	}
	rounded := steps.Mul(steps, step)
	return fits(distance) && fits(rounded) && fits(new(big.Int).Add(lo, rounded))
}
