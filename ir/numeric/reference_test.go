package numeric

import (
	"math/big"
	"math/rand/v2"
	"sync"
)

// The reference rounds by searching the ladder of a format's values, which it makes from the description with
// math/big, without any of the code under test.

const exactPrec = 4500 // holds a*b + c*d for any f64

var rounding = []Rounding{NearestEven, Zero, NegInf, PosInf, NearestAway}

// rung returns the value of the finite magnitude pattern m.
func (s *Spec) rung(m uint64) *big.Float {
	e, man := int(m>>s.Man), m&(1<<s.Man-1)
	if e == 0 && s.Subnormal {
		e = 1
	} else {
		man |= 1 << s.Man
	}
	x := new(big.Float).SetPrec(exactPrec).SetUint64(man)
	return x.SetMantExp(x, e-s.Bias-s.Man)
}

var ladders sync.Map // Format to []*big.Float, for small formats

func (f Format) ladder() func(uint64) *big.Float {
	s := specs[f]
	if s.Exp+s.Man > 16 {
		return s.rung
	}
	l, ok := ladders.Load(f)
	if !ok {
		list := make([]*big.Float, s.MaxFinite+2)
		for m := range list {
			list[m] = s.rung(uint64(m))
		}
		l, _ = ladders.LoadOrStore(f, list)
	}
	return func(m uint64) *big.Float { return l.([]*big.Float)[m] }
}

// reference rounds a positive magnitude, known by its comparison with others, of the given sign.
func (f Format) reference(negative bool, cmp func(*big.Float) int, env Env) uint64 {
	s := specs[f]
	if !s.Signed {
		negative = false
	}
	rung := f.ladder()
	lo, hi := uint64(0), s.MaxFinite+1 // rung(MaxFinite+1) is the value that would follow
	if cmp(rung(0)) < 0 {
		return s.join(0, negative) // only f8E8M0FNU, which has no zero
	}
	overflow := false
	if cmp(rung(hi)) >= 0 {
		lo, overflow = hi, true
	}
	for !overflow && hi-lo > 1 {
		mid := lo + (hi-lo)/2
		if cmp(rung(mid)) >= 0 {
			lo = mid
		} else {
			hi = mid
		}
	}
	if !overflow && cmp(rung(lo)) != 0 {
		half := new(big.Float).SetPrec(exactPrec).Add(rung(lo), rung(hi))
		half.SetMantExp(half, -1)
		c := cmp(half)
		up := false
		switch env.Rounding {
		case NearestEven:
			up = c > 0 || c == 0 && (lo%2 == 1 || s.Man == 0)
		case NearestAway:
			up = c >= 0
		case NegInf:
			up = negative
		case PosInf:
			up = !negative
		}
		if up {
			lo = hi
		}
	}
	if lo > s.MaxFinite {
		toward := env.Rounding == Zero || env.Rounding == NegInf && !negative || env.Rounding == PosInf && negative
		lo = s.Inf
		if toward || s.Saturate || env.Saturate {
			lo = s.MaxFinite
		}
	}
	if env.FlushToZero && s.Subnormal && lo < 1<<s.Man {
		lo = 0
	}
	return s.join(lo, negative)
}

// referenceOf rounds an exact, nonzero value.
func (f Format) referenceOf(x *big.Float, env Env) uint64 {
	a := new(big.Float).SetPrec(exactPrec).Abs(x)
	return f.reference(x.Signbit(), a.Cmp, env)
}

func exact(x float64) *big.Float { return new(big.Float).SetPrec(exactPrec).SetFloat64(x) }

func newExact() *big.Float { return new(big.Float).SetPrec(exactPrec) }

// randomPattern favours what goes wrong: exponents close to each other and to the limits, long runs of equal bits.
func randomPattern(r *rand.Rand, f Format) uint64 {
	s := specs[f]
	man := r.Uint64() & (1<<s.Man - 1)
	switch r.IntN(4) {
	case 0:
		man = 1<<s.Man - 1 ^ man&(1<<r.IntN(s.Man+1)-1)
	case 1:
		man &= 1<<r.IntN(s.Man+1) - 1
	}
	top := int(s.MaxFinite >> s.Man)
	var e int
	switch r.IntN(5) {
	case 0:
		e = r.IntN(min(3, top+1))
	case 1:
		e = top - r.IntN(min(3, top+1))
	case 2:
		e = r.IntN(top + 1)
	default:
		e = min(top, max(0, s.Bias+r.IntN(2*s.Man+9)-s.Man-4))
	}
	m := min(uint64(e)<<s.Man|man, s.MaxFinite)
	return s.join(m, r.IntN(2) == 0)
}
