package values

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tilewright/tilewright/ir"
)

// A Piece of a format is text, or the conversion of an operand.
type Piece struct {
	Text string
	Verb byte   // 0: text
	Flag string // flags, width and precision
}

// ParseFormat splits a format string of C's printf. It ignores length modifiers, since operands have types.
func ParseFormat(s string) []Piece {
	var out []Piece
	text := func(t string) {
		if n := len(out); n > 0 && out[n-1].Verb == 0 {
			out[n-1].Text += t
		} else if t != "" {
			out = append(out, Piece{Text: t})
		}
	}
	for s != "" {
		i := strings.IndexByte(s, '%')
		if i < 0 || i+1 == len(s) {
			text(s)
			break
		}
		text(s[:i])
		if s[i+1] == '%' {
			text("%")
			s = s[i+2:]
			continue
		}
		k := i + 1
		for k < len(s) && strings.IndexByte("+-# 0123456789.", s[k]) >= 0 {
			k++
		}
		flag := s[i+1 : k]
		for k < len(s) && strings.IndexByte("hlLqjzt", s[k]) >= 0 {
			k++
		}
		if k == len(s) {
			text(s[i:])
			break
		}
		out = append(out, Piece{Verb: s[k], Flag: flag})
		s = s[k+1:]
	}
	return out
}

// maxFormat bounds the width and the precision of a conversion.
const maxFormat = 1 << 10

// Format converts an element. A conversion that does not fit the type is replaced by one that does.
func (p Piece) Format(elem ir.Type, x uint64) string {
	for _, n := range strings.FieldsFunc(p.Flag, func(r rune) bool { return r < '0' || r > '9' }) {
		if v, err := strconv.Atoi(n); err != nil || v > maxFormat {
			return "%" + p.Flag + string(p.Verb)
		}
	}
	if f, ok := elem.(*ir.FloatType); ok {
		verb := p.Verb
		if strings.IndexByte("eEfFgG", verb) < 0 {
			verb = 'f'
		}
		value := f.Format.Decode(x)
		if math.IsInf(value, 0) || value != value {
			return strings.ToLower(strings.TrimPrefix(fmt.Sprint(value), "+"))
		}
		return fmt.Sprintf("%"+p.Flag+string(verb), value)
	}
	switch p.Verb {
	case 'u':
		return fmt.Sprintf("%"+p.Flag+"d", x)
	case 'x', 'X', 'o':
		return fmt.Sprintf("%"+p.Flag+string(p.Verb), x)
	case 'p':
		return fmt.Sprintf("%#x", x)
	case 'c':
		return string(rune(byte(x)))
	}
	if _, ok := Pointee(elem); ok {
		return fmt.Sprintf("%#x", x)
	}
	if w := WidthOf(elem); w > 1 {
		return fmt.Sprintf("%"+p.Flag+"d", w.Signed(x))
	}
	return fmt.Sprintf("%"+p.Flag+"d", x) // a truth value, which has no sign
}
