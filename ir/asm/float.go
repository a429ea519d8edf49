package asm

import (
	"math/big"
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
func appendFloat(buf []byte, f numeric.Format, bits uint64) []byte {
	if !f.IsNaN(bits) && !f.IsInf(bits) {
		x := f.Decode(bits)
		short, exp := digits(x, 6)
		if text := scientific(f.Signbit(bits), short, exp); readsAs(f, text, bits) {
			return append(buf, text...)
		}
		if text := plain(f.Signbit(bits), x, naturalDigits(f)); strings.Contains(text, ".") && readsAs(f, text, bits) {
			return append(buf, text...)
		}
	}
	buf = append(buf, "0x"...)
	return append(buf, strings.ToUpper(strconv.FormatUint(bits, 16))...)
}

func readsAs(f numeric.Format, text string, bits uint64) bool {
	digits, negative := strings.CutPrefix(text, "-")
	return parseFloat(f, digits, negative) == bits
}

// naturalDigits is how many digits tell all numbers of a format apart.
func naturalDigits(f numeric.Format) int { return 2 + f.Precision()*59/196 }

// digits returns the decimal digits of |x|, without trailing zeros and at most n of them, and the power of ten of the first. A number in
// the middle between two such decimals is rounded away from zero.
func digits(x float64, n int) (ds string, exp int) {
	if x == 0 {
		return "0", 0
	}
	if x < 0 {
		x = -x
	}
	text := strconv.FormatFloat(x, 'e', n, 64) // one digit more
	if text[n+1] == '5' && isTie(x, n) {
		ds, exp = split(text)
		up := []byte(ds[:n])
		i := n - 1
		for ; i >= 0 && up[i] == '9'; i-- {
			up[i] = '0'
		}
		if i >= 0 {
			up[i]++
			return strings.TrimRight(string(up), "0"), exp
		}
		return "1", exp + 1
	}
	ds, exp = split(strconv.FormatFloat(x, 'e', n-1, 64))
	if ds = strings.TrimRight(ds, "0"); ds == "" {
		ds = "0"
	}
	return ds, exp
}

// isTie reports whether the decimal expansion of x ends after n+1 digits.
func isTie(x float64, n int) bool {
	all, _ := split(strconv.FormatFloat(x, 'e', 780, 64))
	return len(strings.TrimRight(all, "0")) == n+1
}

// split takes "d.ddde±dd" apart.
func split(text string) (ds string, exp int) {
	mantissa, e, _ := strings.Cut(text, "e")
	exp, _ = strconv.Atoi(e)
	return strings.Replace(mantissa, ".", "", 1), exp
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
