package asm

import (
	"math"
	"math/big"
	"math/bits"
	"strconv"
	"strings"

	"github.com/tilewright/tilewright/ir/numeric"
)

// Floating-point numbers are printed with six significant digits if they read back as the same number, else with as many digits as the
// format needs if that has a point, else as the hexadecimal bit pattern, which infinities and NaNs always are.

// parseFloat returns the bit pattern of the number nearest to a decimal literal, ties to even.
func parseFloat(f numeric.Format, text string, negative bool) uint64 {
	x, _ := strconv.ParseFloat(text, 64) // an error says that it is out of range, and x is infinite then
	if f == numeric.F32 {
		x32, _ := strconv.ParseFloat(text, 32)
		x = x32
	} else if f != numeric.F64 {
		x = unTie(f, text, x)
	}
	if negative {
		x = -x
	}
	return f.Encode(x, numeric.Env{})
}

// unTie returns x, the double nearest to a literal, moved off the middle between two numbers of a narrower format when the literal
// itself is not in the middle, so that rounding twice yields the same as rounding once.
func unTie(f numeric.Format, text string, x float64) float64 {
	down := f.Decode(f.Encode(x, numeric.Env{Rounding: numeric.Zero}))
	half := x - down
	if half == 0 || f.Decode(f.Encode(x+half, numeric.Env{Rounding: numeric.Zero})) != x+half || len(text) > 1000 {
		return x
	}
	exact, ok := new(big.Rat).SetString(text)
	if !ok {
		return x
	}
	switch exact.Cmp(new(big.Rat).SetFloat64(x)) {
	case 1:
		return x * (1 + 0x1p-52)
	case -1:
		return x * (1 - 0x1p-53)
	}
	return x
}

// appendFloat appends the text of a bit pattern.
func appendFloat(buf []byte, f numeric.Format, pattern uint64) []byte {
	if !f.IsNaN(pattern) && !f.IsInf(pattern) {
		x := f.Decode(pattern)
		short, exp := digits(x, 6)
		if text := scientific(f.Signbit(pattern), short, exp); readsAs(f, text, pattern) {
			return append(buf, text...)
		}
		if text := plain(f.Signbit(pattern), x, naturalDigits(f)); strings.Contains(text, ".") && readsAs(f, text, pattern) {
			return append(buf, text...)
		}
	}
	buf = append(buf, "0x"...)
	return append(buf, strings.ToUpper(strconv.FormatUint(pattern, 16))...)
}

func readsAs(f numeric.Format, text string, pattern uint64) bool {
	literal, negative := strings.CutPrefix(text, "-")
	return parseFloat(f, literal, negative) == pattern
}

// naturalDigits is how many digits tell all numbers of a format apart.
func naturalDigits(f numeric.Format) int { return 2 + f.Precision()*59/196 }

// digits returns decimal digits of |x|, without trailing zeros and at most n of them, and the power of ten of the first. It is the
// reference printer's way to get at them, which is not the nearest decimal of n digits: what is far behind the n-th digit is cut off
// first, by an estimate in bits, and only what then remains is rounded, half up.
func digits(x float64, n int) (ds string, exp int) {
	if x = math.Abs(x); x < 1e6 && x == math.Trunc(x) {
		ds = strconv.Itoa(int(x))
		return trimZeros(ds), len(ds) - 1
	}
	fraction, e2 := math.Frexp(x)
	significand := uint64(fraction * (1 << 53))
	zeros := bits.TrailingZeros64(significand)
	v := new(big.Int).SetUint64(significand >> zeros)
	e10 := 0 // x is v * 10^e10
	if e2 += zeros - 53; e2 >= 0 {
		v.Lsh(v, uint(e2))
	} else {
		e10 = e2
		v.Mul(v, new(big.Int).Exp(big.NewInt(5), big.NewInt(int64(-e2)), nil))
	}
	const num, den = 196, 59 // a little more than the binary logarithm of ten
	if surplus := v.BitLen() - (n*num+den-1)/den; surplus > 0 {
		if tens := surplus * den / num; tens > 0 {
			v.Quo(v, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(tens)), nil))
			e10 += tens
		}
	}
	ds = v.String()
	exp = e10 + len(ds) - 1
	if ds = trimZeros(ds); len(ds) <= n {
		return ds, exp
	}
	if ds[n] < '5' {
		return trimZeros(ds[:n]), exp
	}
	up := []byte(strings.TrimRight(ds[:n], "9"))
	if len(up) == 0 {
		return "1", exp + 1
	}
	up[len(up)-1]++
	return string(up), exp
}

func trimZeros(ds string) string {
	if ds = strings.TrimRight(ds, "0"); ds == "" {
		return "0"
	}
	return ds
}

// scientific returns d.dddddde±dd with six digits behind the point.
func scientific(negative bool, ds string, exp int) string {
	var sb strings.Builder
	if negative {
		sb.WriteByte('-')
	}
	sb.WriteByte(ds[0])
	sb.WriteByte('.')
	sb.WriteString(ds[1:])
	sb.WriteString("000000"[:6-(len(ds)-1)])
	sb.WriteByte('e')
	if exp < 0 {
		sb.WriteByte('-')
		exp = -exp
	} else {
		sb.WriteByte('+')
	}
	if exp < 10 {
		sb.WriteByte('0')
	}
	sb.WriteString(strconv.Itoa(exp))
	return sb.String()
}

// plain returns |x| with at most n digits, without an exponent unless it needs more than three zeros of padding.
func plain(negative bool, x float64, n int) string {
	const padding = 3
	ds, exp := digits(x, n)
	sign := ""
	if negative {
		sign = "-"
	}
	last := exp - (len(ds) - 1) // power of ten of the last digit
	switch {
	case last >= 0 && (last > padding || exp+1 > n), exp < -padding:
		rest := ds[1:]
		if rest == "" {
			rest = "0"
		}
		e := strconv.Itoa(exp)
		if exp >= 0 {
			e = "+" + e
		}
		return sign + ds[:1] + "." + rest + "E" + e
	case last >= 0:
		return sign + ds + strings.Repeat("0", last)
	case exp >= 0:
		return sign + ds[:exp+1] + "." + ds[exp+1:]
	}
	return sign + "0." + strings.Repeat("0", -exp-1) + ds
}
