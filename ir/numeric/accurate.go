package numeric

import (
	"math"
	"math/big"
	"sync"
)

// f64 needs more than float64's arithmetic to be within one ulp. These functions carry the argument or the result as
// a double, and round once.

var ln2 = double{math.Ln2, 2.3190468138462996e-17}

func (a double) add(b double) double {
	s := a.hi + b.hi
	v := s - a.hi
	return fastTwoSum(s, (a.hi-(s-v))+(b.hi-v)+(a.lo+b.lo))
}

// over returns the nearest float64 of a / b, but for a small part of an ulp.
func (a double) over(b double) double {
	q := a.hi / b.hi
	return fastTwoSum(q, (math.FMA(-q, b.hi, a.hi)+a.lo-q*b.lo)/b.hi)
}

// expDouble returns e^x for |x| < 710 as a number and a power of two.
func expDouble(x double) (double, int) {
	n := math.RoundToEven(x.hi / math.Ln2)
	// They make |r| less than 0.0014, so that ten terms of the series are enough for more than 100 bits.
	const halvings = 8
	r := x.add(double{-n * ln2.hi, -math.FMA(n, ln2.hi, -n*ln2.hi) - n*ln2.lo})
	r = double{r.hi / (1 << halvings), r.lo / (1 << halvings)}
	// e^r - 1 by its series, and then doubled: (1+e)² - 1 = e·(2+e) keeps the digits of a small e.
	e := double{}
	for k := 10; k >= 1; k-- {
		e = r.over(double{hi: float64(k)}).mul(double{hi: 1}.add(e))
	}
	for range halvings {
		e = e.mul(double{hi: 2}.add(e))
	}
	return double{hi: 1}.add(e), int(n)
}

// log is math.Log, which is wrong for subnormal numbers on some machines.
func log(x float64) float64 {
	if x > 0 && x < 0x1p-1022 {
		return log2Double(x).mul(ln2).hi
	}
	return math.Log(x)
}

// atan2 is math.Atan2, which loses the sign of a quotient that underflows.
func atan2(y, x float64) float64 {
	return math.Copysign(math.Atan2(math.Abs(y), x), y)
}

// rsqrt corrects 1/√x by a step of Newton's method.
func rsqrt(x float64) float64 {
	if !(x > 0) || !finiteNonzero(x) {
		return 1 / math.Sqrt(x)
	}
	m, exp := math.Frexp(x)
	if exp%2 != 0 {
		m *= 2
		exp--
	}
	y := 1 / math.Sqrt(m)
	p := y * y
	rest := math.FMA(-m, p, 1) - m*math.FMA(y, y, -p)
	return math.Ldexp(math.FMA(y, rest/2, y), -exp/2)
}

// hyperbolic returns half of e^|x| + sign·e^-|x| for |x| < 709.
func hyperbolic(x, sign float64) float64 {
	e, n := expDouble(double{hi: math.Abs(x)})
	e = double{math.Ldexp(e.hi, n-1), math.Ldexp(e.lo, n-1)}
	inverse := double{hi: sign / 4}.over(e)
	return e.add(inverse).hi
}

// sinhSmall is the series of sinh for |x| <= 1/4, whose first term is exact.
func sinhSmall(x float64) float64 {
	t := x * x
	return x + x*t*(1./6+t*(1./120+t*(1./5040+t*(1./362880+t/39916800))))
}

// twoOverPi has enough bits to reduce every float64.
var twoOverPi = sync.OnceValue(func() *big.Float {
	const digits = "a2f9836e4e441529fc2757d1f534ddc0db6295993c439041fe5163abdebbc561b7246e3a424dd2e006492eea09d1921cfe1d" +
		"eb1cb129a73ee88235f52ebb4484e99c7026b45f7e413991d639835339f49c845f8bbdf9283b1ff897ffde05980fef2f118b" +
		"5a0a6d1f6d367ecf27cb09b74f463f669e5fea2d7527bac7ebe5f17b3d0739f78a5292ea6bfb5fb11f8d5d0856033046fc7b" +
		"6babf0cfbc209af4361da9e391615ee61b086599855f14a068"
	mantissa, _ := new(big.Int).SetString(digits, 16)
	x := new(big.Float).SetPrec(uint(mantissa.BitLen())).SetInt(mantissa)
	return x.SetMantExp(x, -mantissa.BitLen())
})

// quadrant returns x - n·π/2 for the nearest n, and n modulo 4 (Payne and Hanek, "Radian reduction for trigonometric
// functions", SIGNUM Newsletter 1983).
func quadrant(x float64) (double, int) {
	if math.Abs(x) < math.Pi/4 {
		return double{hi: x}, 0
	}
	quarters := new(big.Float).SetPrec(1500).SetFloat64(x)
	quarters.Mul(quarters, twoOverPi())
	half := big.NewFloat(math.Copysign(0.5, x))
	n, _ := new(big.Float).SetPrec(1500).Add(quarters, half).Int(nil)
	quarters.Sub(quarters, new(big.Float).SetPrec(1500).SetInt(n))
	hi, _ := quarters.Float64()
	lo, _ := quarters.Sub(quarters, big.NewFloat(hi)).Float64()
	piHalf := double{math.Pi / 2, 6.123233995736766e-17}
	return double{hi, lo}.mul(piHalf), int(new(big.Int).And(n, big.NewInt(3)).Int64())
}

// sinCos returns the sine and cosine of |r| <= π/4 with about 60 bits: the first terms of the series carry their
// rounding errors.
func sinCos(r double) (sin, cos double) {
	t := r.mul(r)
	s, c := 0.0, 0.0
	for k := 18; k >= 4; k -= 2 {
		s = t.hi / float64(k*(k+1)) * (1 - s)
		c = t.hi / float64(k*(k-1)) * (1 - c)
	}
	// sin r = r·(1 - t/6·(1 - s)) and cos r = 1 - t/2·(1 - c), with s and c below 1/19.
	sixth := t.over(double{hi: 6}).mul(fastTwoSum(1, -s))
	halfT := double{t.hi / 2, t.lo / 2}.mul(fastTwoSum(1, -c))
	sin = r.mul(double{hi: 1}.add(double{-sixth.hi, -sixth.lo}))
	return sin, double{hi: 1}.add(double{-halfT.hi, -halfT.lo})
}

// circular returns the sine of x and a number of quarters of a circle: 0 for the sine, 1 for the cosine.
func circular(x float64, quarter int) float64 {
	switch {
	case x-x != 0:
		return math.NaN()
	case x == 0 && quarter == 0:
		return x
	}
	r, n := quadrant(x)
	sin, cos := sinCos(r)
	n += quarter
	v := sin.hi
	if n&1 != 0 {
		v = cos.hi
	}
	if n&2 != 0 {
		return -v
	}
	return v
}

func sinDouble(x float64) float64 { return circular(x, 0) }
func cosDouble(x float64) float64 { return circular(x, 1) }

func tanDouble(x float64) float64 {
	switch {
	case x-x != 0:
		return math.NaN()
	case x == 0:
		return x
	}
	r, n := quadrant(x)
	sin, cos := sinCos(r)
	if n&1 != 0 {
		return double{-cos.hi, -cos.lo}.over(sin).hi
	}
	return sin.over(cos).hi
}
