package number

import (
	"bytes"
	"math/big"
	"strconv"

	"github.com/tilewright/tilewright/ir/asm/lexer"
	"github.com/tilewright/tilewright/ir/numeric"
)

// A floating-point number is printed in the first of three forms that reads back as the same number: with six
// significant digits; with as many digits as the format needs, if that has a point; as the hexadecimal bit pattern.
// Infinities and NaNs are always patterns.

// ParseFloat returns the bit pattern of the number nearest to a decimal literal, ties to even.
func ParseFloat(f numeric.Format, text string, negative bool) uint64 {
	var x float64 // an error says that a number is out of range, and it is infinite then
	if f == numeric.F32 {
		var ok bool
		if x, ok = shortFloat(text); !ok {
			x, _ = strconv.ParseFloat(text, 32)
		}
	} else if x, _ = strconv.ParseFloat(text, 64); f != numeric.F64 {
		x = unTie(f, text, x)
	}
	if negative {
		x = -x
	}
	return f.Encode(x, numeric.Env{})
}

// shortFloat returns the float32 nearest to a literal of a few digits: digits and a power of ten that are both exact
// in float32 have a quotient that is rounded once.
func shortFloat(text string) (x float64, ok bool) {
	if len(text) > 8 {
		return 0, false
	}
	n, scale := 0, 0
	for i := range len(text) {
		switch c := text[i]; {
		case lexer.IsClass(c, lexer.ClassDigit):
			n, scale = 10*n+int(c-'0'), 10*scale
		case c == '.':
			scale = 1
		default:
			return 0, false
		}
	}
	if n >= 1<<24 {
		return 0, false
	}
	return float64(float32(n) / float32(max(scale, 1))), true
}

// unTie makes rounding twice yield the same as rounding once. x is the double nearest to a literal. If x is in the
// middle between two numbers of a narrower format, and the literal is not, unTie moves x towards the literal.
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

// AppendFloat appends the text of a bit pattern.
func AppendFloat(buf []byte, f numeric.Format, pattern uint64) []byte {
	if !f.IsNaN(pattern) && !f.IsInf(pattern) {
		x, negative, mark := f.Decode(pattern), f.Signbit(pattern), len(buf)
		d, exact := shortDecimal(x)
		if !exact {
			d = digits(x, shortDigits)
		}
		buf = d.scientific(buf, negative)
		// What is spelled exactly need not be read to know as what it reads back.
		if exact && f.Encode(x, numeric.Env{}) == pattern || !exact && readsAs(f, buf[mark:], pattern) {
			return buf
		}
		d = digits(x, naturalDigits(f))
		buf = d.plain(buf[:mark], negative, naturalDigits(f))
		if bytes.IndexByte(buf[mark:], '.') >= 0 && readsAs(f, buf[mark:], pattern) {
			return buf
		}
		buf = buf[:mark]
	}
	buf = append(buf, "0x"...)
	mark := len(buf)
	buf = strconv.AppendUint(buf, pattern, 16)
	for i := mark; i < len(buf); i++ {
		if buf[i] >= 'a' {
			buf[i] -= 'a' - 'A'
		}
	}
	return buf
}

func readsAs(f numeric.Format, text []byte, pattern uint64) bool {
	negative := text[0] == '-'
	if negative {
		text = text[1:]
	}
	return ParseFloat(f, string(text), negative) == pattern
}

// naturalDigits is how many digits tell all numbers of a format apart.
func naturalDigits(f numeric.Format) int { return 2 + f.Precision()*59/196 }

// scientific appends d.dddddde±dd with six digits after the point.
func (d *decimal) scientific(buf []byte, negative bool) []byte {
	if negative {
		buf = append(buf, '-')
	}
	ds := d.digits()
	buf = append(buf, ds[0], '.')
	buf = append(buf, ds[1:]...)
	buf = append(buf, "000000"[:6-(len(ds)-1)]...)
	buf = append(buf, 'e')
	exp := d.exp
	if exp < 0 {
		buf = append(buf, '-')
		exp = -exp
	} else {
		buf = append(buf, '+')
	}
	if exp < 10 {
		buf = append(buf, '0')
	}
	return strconv.AppendInt(buf, int64(exp), 10)
}

// plain appends a number of at most n digits, without an exponent unless it needs more than three zeros of padding.
func (d *decimal) plain(buf []byte, negative bool, n int) []byte {
	const padding = 3
	if negative {
		buf = append(buf, '-')
	}
	ds, exp := d.digits(), d.exp
	last := exp - (len(ds) - 1) // power of ten of the last digit
	switch {
	case last >= 0 && (last > padding || exp+1 > n), exp < -padding:
		buf = append(buf, ds[0], '.')
		if len(ds) == 1 {
			buf = append(buf, '0')
		}
		buf = append(buf, ds[1:]...)
		buf = append(buf, 'E')
		if exp >= 0 {
			buf = append(buf, '+')
		}
		return strconv.AppendInt(buf, int64(exp), 10)
	case last >= 0:
		buf = append(buf, ds...)
		return append(buf, "000"[:last]...)
	case exp >= 0:
		buf = append(buf, ds[:exp+1]...)
		buf = append(buf, '.')
		return append(buf, ds[exp+1:]...)
	}
	buf = append(buf, "0."...)
	buf = append(buf, "000"[:-exp-1]...)
	return append(buf, ds...)
}
