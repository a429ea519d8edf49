package interp

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
)

func init() { define(map[*ir.OpDef]rule{cudatile.Print: (*decoder).print}) }

// A piece of a print is text, or the conversion of an operand.
type piece struct {
	text string
	verb byte   // 0: text
	flag string // flags, width and precision
}

// parseFormat cuts a format string of C's printf into pieces. Length modifiers say nothing, for operands have types.
func parseFormat(s string) []piece {
	var out []piece
	text := func(t string) {
		if n := len(out); n > 0 && out[n-1].verb == 0 {
			out[n-1].text += t
		} else if t != "" {
			out = append(out, piece{text: t})
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
		out = append(out, piece{verb: s[k], flag: flag})
		s = s[k+1:]
	}
	return out
}

// print writes the elements of a tile in row-major order, in brackets.
func (d *decoder) print(op ir.Op) (func(*machine) error, error) {
	return d.printf(op, op.StringAttr("str"))
}

// printf decodes a print with a format.
func (d *decoder) printf(op ir.Op, format string) (func(*machine) error, error) {
	args := op.OperandsNamed("args")
	slots := d.slotsOf(args)
	pieces := parseFormat(format)
	d.p.prints = true
	return func(m *machine) error {
		if m.run.prints.to == nil {
			return nil
		}
		var b strings.Builder
		next := 0
		for _, p := range pieces {
			switch {
			case p.verb == 0:
				b.WriteString(p.text)
			case next < len(slots):
				printTile(&b, p, elemOf(args[next]), shapeOf(args[next]), m.vals[slots[next]], 0)
				next++
			}
		}
		return m.run.prints.print(m.unit, print{op, b.String()})
	}, nil
}

func printTile(b *strings.Builder, p piece, elem ir.Type, shape []int64, v *vec, first int) {
	if len(shape) == 0 {
		if v.isUndef(first) {
			b.WriteByte('?')
		} else {
			b.WriteString(p.format(elem, v.data[first]))
		}
		return
	}
	b.WriteByte('[')
	step := count(shape[1:])
	for i := range int(shape[0]) {
		if i > 0 {
			b.WriteString(", ")
		}
		printTile(b, p, elem, shape[1:], v, first+i*step)
	}
	b.WriteByte(']')
}

// maxFormat bounds the width and the precision of a conversion.
const maxFormat = 1 << 10

// format converts an element. What a conversion does not apply to is converted as its type suggests.
func (p piece) format(elem ir.Type, x uint64) string {
	for _, n := range strings.FieldsFunc(p.flag, func(r rune) bool { return r < '0' || r > '9' }) {
		if v, err := strconv.Atoi(n); err != nil || v > maxFormat {
			return "%" + p.flag + string(p.verb)
		}
	}
	if f, ok := elem.(*ir.FloatType); ok {
		verb := p.verb
		if strings.IndexByte("eEfFgG", verb) < 0 {
			verb = 'f'
		}
		value := f.Format.Decode(x)
		if math.IsInf(value, 0) || value != value {
			return strings.ToLower(strings.TrimPrefix(fmt.Sprint(value), "+"))
		}
		return fmt.Sprintf("%"+p.flag+string(verb), value)
	}
	switch p.verb {
	case 'u':
		return fmt.Sprintf("%"+p.flag+"d", x)
	case 'x', 'X', 'o':
		return fmt.Sprintf("%"+p.flag+string(p.verb), x)
	case 'p':
		return fmt.Sprintf("%#x", x)
	case 'c':
		return string(rune(byte(x)))
	}
	if _, ok := pointee(elem); ok {
		return fmt.Sprintf("%#x", x)
	}
	if w := widthOf(elem); w > 1 {
		return fmt.Sprintf("%"+p.flag+"d", w.Signed(x))
	}
	return fmt.Sprintf("%"+p.flag+"d", x) // a truth value, which has no sign
}
