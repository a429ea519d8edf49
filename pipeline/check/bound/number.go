package bound

import (
	"errors"
	"math"
	"math/bits"

	"github.com/tilewright/tilewright/ir/numeric"
)

// A number is what is known of the elements of a tile of floats.
type number struct {
	lo, hi   float64 // of the finite elements, without rounding
	infinite bool    // some may be infinite, with and without rounding
	grain    int     // elements are multiples of 2^grain
	least    float64 // the smallest magnitude besides zero; 0: not known
	abs, rel float64 // rounding has moved an element x by at most abs + rel |x|
}

// fine is the grain of numbers that are multiples of nothing.
const fine = math.MinInt32

// slack is how many units of the last place a function may be off that is not rounded correctly. CUDA's functions of f32
// are within 2 (CUDA C++ Programming Guide, mathematical functions), and this compiler's within 4.
const slack = 4

var errLarge = errors.New("errors of rounding may be as large as the numbers")

// constant is one number.
func constant(x float64) number {
	switch {
	case math.IsInf(x, 0) || math.IsNaN(x):
		return number{infinite: true, grain: math.MaxInt16, least: math.Inf(1)}
	case x == 0:
		return number{grain: math.MaxInt16, least: math.Inf(1)}
	}
	m, e := math.Frexp(math.Abs(x))
	whole := uint64(math.Ldexp(m, 53))
	return number{lo: x, hi: x, grain: e - 53 + bits.TrailingZeros64(whole), least: math.Abs(x)}
}

func (n number) most() float64 { return max(math.Abs(n.lo), math.Abs(n.hi)) }

// off is the largest error.
func (n number) off() float64 {
	if n.rel == 0 {
		return n.abs
	}
	return n.abs + n.rel*n.most()
}

func (n number) isExact() bool { return n.abs == 0 && n.rel == 0 }

// join holds for elements of either.
func join(a, b number) number {
	return number{min(a.lo, b.lo), max(a.hi, b.hi), a.infinite || b.infinite, min(a.grain, b.grain), min(a.least, b.least), max(a.abs, b.abs), max(a.rel, b.rel)}
}

// either is join, where rounding may have decided which of them it is.
func either(a, b number) number {
	n := join(a, b)
	n.abs = n.off() + n.hi - n.lo
	n.rel = 0
	return n
}

func (n number) negated() number {
	n.lo, n.hi = -n.hi, -n.lo
	return n
}

func unit(f numeric.Format) float64 { return math.Ldexp(1, -f.Precision()) }

// fits reports whether a format has all multiples of the grain up to a magnitude.
func (n number) fits(f numeric.Format, most float64) bool {
	s := f.Spec()
	return n.isExact() && n.grain != fine && n.grain >= 1-s.Bias-s.Man && most <= math.Ldexp(1, min(f.Precision()+n.grain, math.MaxInt16)) && s.Man > 0
}

// rounded is the number after a rounding to a format, by so many half units of the last place.
func (n number) rounded(f numeric.Format, halves float64, flushes bool) (number, error) {
	if n.fits(f, n.most()) {
		return n, nil
	}
	return n.spread(f, halves*unit(f), flushes)
}

// spread adds an error of u relative to what is there.
func (n number) spread(f numeric.Format, u float64, flushes bool) (number, error) {
	s := f.Spec()
	n.rel += u * (1 + n.rel)
	n.abs *= 1 + u
	normal := math.Ldexp(1, 1-s.Bias)
	switch {
	case n.least*(1-n.rel)-n.abs > normal: // no element is subnormal
	case flushes:
		n.abs += normal
	default:
		n.abs += math.Ldexp(normal, -s.Man)
	}
	if top := f.Decode(s.MaxFinite << s.Pad); n.most()+n.off() > top {
		return n, errors.New("numbers may be too large for their type")
	}
	return n, nil
}

// product is that of two numbers, not rounded.
func product(a, b number) number {
	n := number{infinite: a.infinite || b.infinite, grain: fine}
	if a.least > 0 && b.least > 0 { // else zero times infinity would be a NaN
		n.least = a.least * b.least
	}
	c := [4]float64{a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi}
	n.lo, n.hi = min(c[0], c[1], c[2], c[3]), max(c[0], c[1], c[2], c[3])
	if a.grain != fine && b.grain != fine {
		n.grain = a.grain + b.grain
	}
	n.rel = a.rel + b.rel + a.rel*b.rel
	n.abs = a.abs*(1+b.rel)*b.most() + b.abs*(1+a.rel)*a.most() + a.abs*b.abs
	return n
}

// sum is that of count terms and of another number in a format, in any order. Each addition is off by so many half units
// of the last place.
func sum(terms number, count float64, more number, f numeric.Format, halves float64, flushes bool) (number, error) {
	n := number{lo: count*terms.lo + more.lo, hi: count*terms.hi + more.hi, infinite: terms.infinite || more.infinite, grain: min(terms.grain, more.grain)}
	all := count*terms.most() + more.most() // of magnitudes
	same := terms.lo >= 0 && more.lo >= 0 || terms.hi <= 0 && more.hi <= 0
	if same {
		n.least = min(terms.least, more.least)
		n.abs, n.rel = count*terms.abs+more.abs, max(terms.rel, more.rel)
	} else {
		n.abs = count*terms.off() + more.off()
	}
	if n.fits(f, all) {
		return n, nil
	}
	nu := count * halves * unit(f)
	if nu >= 1 {
		return n, errLarge
	}
	gamma := nu / (1 - nu)
	if same {
		return n.spread(f, gamma, flushes)
	}
	n.abs += gamma * (all + n.abs)
	return n.spread(f, 0, flushes)
}

// relative bounds the error of a number by a part of it; an error if it could be most of it.
func (n number) relative() (float64, error) {
	r := n.rel
	if n.abs > 0 {
		r += n.abs / n.least
	}
	if !(r < 0.5) {
		return 0, errLarge
	}
	return r, nil
}

// quotient is not rounded.
func quotient(a, b number) (number, error) {
	r, err := b.relative()
	if err != nil {
		return a, err
	}
	if b.least == 0 {
		return a, errors.New("a divisor may be small")
	}
	most := a.most() / b.least
	n := number{lo: -most, hi: most, infinite: a.infinite || b.infinite || b.lo <= 0 && b.hi >= 0, grain: fine, least: a.least / max(b.most(), b.least)}
	if a.lo >= 0 && b.lo >= 0 {
		n.lo = 0
	}
	n.rel = (a.rel + r) / (1 - r)
	n.abs = a.abs / b.least / (1 - r)
	return n, nil
}

// power is base^n, not rounded; log is the natural logarithm of the base.
func (n number) power(log float64) (number, error) {
	off := n.off() * log
	if !(off < 0.5) {
		return n, errLarge
	}
	out := number{lo: math.Exp(n.lo * log), hi: math.Exp(n.hi * log), grain: fine, rel: math.Expm1(off), infinite: n.infinite}
	out.least = out.lo
	if n.infinite { // of an infinity below
		out.lo = 0
	}
	return out, nil
}

// root is the square root, or one over it; not rounded.
func (n number) root(inverse bool) (number, error) {
	if n.lo < 0 {
		return n, errors.New("a square root may be one of a number below zero")
	}
	r, err := n.relative()
	if err != nil {
		return n, err
	}
	out := number{lo: math.Sqrt(n.lo), hi: math.Sqrt(n.hi), grain: fine, least: math.Sqrt(n.least), rel: r, infinite: n.infinite}
	if inverse {
		if n.least == 0 {
			return n, errors.New("a reciprocal root may be one of a small number")
		}
		out.lo, out.hi, out.least = 0, 1/out.least, 1/max(out.hi, out.least)
		out.infinite = out.infinite || n.lo == 0
	}
	return out, nil
}

// logarithm is not rounded; unit is that of the base e over that of the base.
func (n number) logarithm(unit float64) (number, error) {
	r, err := n.relative()
	if err != nil {
		return n, err
	}
	if n.lo < 0 || n.least == 0 {
		return n, errors.New("a logarithm may be one of a small number")
	}
	least := min(n.least, max(n.hi, n.least))
	return number{lo: math.Log(least) * unit, hi: math.Log(max(n.hi, least)) * unit, grain: fine, abs: r / (1 - r) * unit, infinite: true}, nil
}

// steady is a function that changes no faster than its argument, with values from lo to hi.
func (n number) steady(lo, hi float64) number {
	return number{lo: lo, hi: hi, grain: fine, abs: n.off()}
}

// larger is the larger of two elements; that of rounded ones may be the other one, but is no further off.
func larger(a, b number) number {
	n := number{max(a.lo, b.lo), max(a.hi, b.hi), a.infinite || b.infinite, min(a.grain, b.grain), min(a.least, b.least), max(a.abs, b.abs), 0}
	if a.lo >= 0 && b.lo >= 0 {
		n.rel = max(a.rel, b.rel)
	} else {
		n.abs = max(a.off(), b.off())
	}
	if a.infinite || b.infinite { // one of the two may be below all
		n.lo = min(a.lo, b.lo)
	}
	return n
}
