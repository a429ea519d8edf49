package number

import (
	"math"
	"math/big"
	"math/bits"
	"strconv"
)

// A decimal is digits d.ddd without trailing zeros, times a power of ten.
type decimal struct {
	buf [24]byte
	len int
	exp int
}

func (d *decimal) digits() []byte { return d.buf[:d.len] }

// set makes d the number v times 10^e10.
func (d *decimal) set(v uint64, e10 int) {
	ds := strconv.AppendUint(d.buf[:0], v, 10)
	d.len, d.exp = len(ds), e10+len(ds)-1
	d.trim()
}

func (d *decimal) trim() {
	for d.len > 1 && d.buf[d.len-1] == '0' {
		d.len--
	}
}

// round keeps n digits at most, rounding half up.
func (d *decimal) round(n int) {
	if d.len <= n {
		return
	}
	up := d.buf[n] >= '5'
	d.len = n
	if !up {
		d.trim()
		return
	}
	for d.len > 0 && d.buf[d.len-1] == '9' {
		d.len--
	}
	if d.len == 0 {
		d.buf[0], d.len = '1', 1
		d.exp++
		return
	}
	d.buf[d.len-1]++
}

// shortDigits is how many digits the usual form of a number has.
const shortDigits = 6

var tens = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6}

// shortDecimal returns |x| when six digits, none of them more than six places after the point, say exactly what it
// is. These are what digits returns: it would cut off zeros only.
func shortDecimal(x float64) (d decimal, ok bool) {
	x = math.Abs(x)
	for e, ten := range tens {
		y := x * ten
		if y >= 1e6 {
			break
		}
		if y == math.Trunc(y) && math.FMA(x, ten, -y) == 0 {
			d.set(uint64(y), -e)
			return d, true
		}
	}
	return d, false
}

// digits returns at most n digits of |x|. It is the reference printer's way to get at them, which is not the nearest
// decimal of n digits: what is far after the n-th digit is cut off first, by an estimate in bits, and only what then
// remains is rounded, half up.
func digits(x float64, n int) (d decimal) {
	fraction, e2 := math.Frexp(math.Abs(x))
	significand := uint64(fraction * (1 << 53))
	if significand == 0 {
		d.set(0, 0)
		return d
	}
	zeros := bits.TrailingZeros64(significand)
	significand >>= zeros
	e2 += zeros - 53
	v, e10, ok := cut(significand, e2, n)
	if !ok {
		v, e10 = cutBig(significand, e2, n)
	}
	d.set(v, e10)
	d.round(n)
	return d
}

// surplus returns how many decimal digits are cut off a number of so many bits.
func surplus(bitLen, n int) int {
	const num, den = 196, 59 // a little more than the binary logarithm of ten
	return max(bitLen-(n*num+den-1)/den, 0) * den / num
}

// cut writes significand * 2^e2 as v * 10^e10, with what is far after the n-th digit cut off. It works with 128 bits
// and returns false if they do not suffice.
func cut(significand uint64, e2, n int) (v uint64, e10 int, ok bool) {
	hi, lo := uint64(0), significand
	switch {
	case e2 >= 0:
		if bits.Len64(significand)+e2 > 128 {
			return 0, 0, false
		}
		hi, lo = shiftLeft(significand, e2)
	case -e2 > maxFives || bits.Len64(significand)+fives[-e2].bits > 128:
		return 0, 0, false
	default:
		e10 = e2
		five := &fives[-e2]
		hi, lo = bits.Mul64(significand, five.lo)
		hi += significand * five.hi
	}
	k := surplus(bitLen(hi, lo), n)
	e10 += k
	for k > 0 {
		step := min(k, maxTen)
		ten := powersOfTen[step]
		var rest uint64
		hi, rest = hi/ten, hi%ten
		lo, _ = bits.Div64(rest, lo, ten)
		k -= step
	}
	return lo, e10, hi == 0
}

func bitLen(hi, lo uint64) int {
	if hi != 0 {
		return 64 + bits.Len64(hi)
	}
	return bits.Len64(lo)
}

func shiftLeft(x uint64, n int) (hi, lo uint64) {
	if n >= 64 {
		return x << (n - 64), 0
	}
	return x >> (64 - n), x << n
}

const (
	maxFives = 55 // 5^55 < 2^128
	maxTen   = 19 // 10^19 < 2^64
)

// A wide is a number of 128 bits.
type wide struct {
	hi, lo uint64
	bits   int
}

var (
	fives       = powersOfFive()
	powersOfTen = func() (out [maxTen + 1]uint64) {
		out[0] = 1
		for i := 1; i <= maxTen; i++ {
			out[i] = 10 * out[i-1]
		}
		return out
	}()
)

func powersOfFive() (out [maxFives + 1]wide) {
	out[0] = wide{0, 1, 1}
	for i := 1; i <= maxFives; i++ {
		hi, lo := bits.Mul64(out[i-1].lo, 5)
		hi += 5 * out[i-1].hi
		out[i] = wide{hi, lo, bitLen(hi, lo)}
	}
	return out
}

// cutBig is cut for any number.
func cutBig(significand uint64, e2, n int) (v uint64, e10 int) {
	x := new(big.Int).SetUint64(significand)
	if e2 >= 0 {
		x.Lsh(x, uint(e2))
	} else {
		e10 = e2
		x.Mul(x, new(big.Int).Exp(big.NewInt(5), big.NewInt(int64(-e2)), nil))
	}
	if k := surplus(x.BitLen(), n); k > 0 {
		x.Quo(x, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(k)), nil))
		e10 += k
	}
	return x.Uint64(), e10
}
