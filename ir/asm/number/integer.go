package number

import "strconv"

// ParseInteger reads a hexadecimal literal, or a decimal one, which may have leading zeros.
func ParseInteger(text string) (v uint64, ok bool) {
	if len(text) > 1 && text[1] == 'x' {
		v, err := strconv.ParseUint(text[2:], 16, 64)
		return v, err == nil
	}
	if len(text) > 18 { // which may be too large
		v, err := strconv.ParseUint(text, 10, 64)
		return v, err == nil
	}
	for i := range len(text) {
		v = 10*v + uint64(text[i]-'0')
	}
	return v, true
}

// ParseBits reads a hexadecimal literal as a bit pattern of the given width.
func ParseBits(text string, width int) (uint64, bool) {
	v, err := strconv.ParseUint(text, 0, 64)
	return v, err == nil && (width >= 64 || v>>width == 0)
}

// Elements returns the product of a shape's dimensions, or -1 when it is not representable.
func Elements(shape []int64) int64 {
	const limit = 1 << 40
	n := int64(1)
	for _, d := range shape {
		if d == 0 {
			return 0
		}
		if d < 0 || d > limit || n > limit/d {
			return -1
		}
		n *= d
	}
	return n
}
