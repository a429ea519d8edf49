package parser

import (
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm/lexer"
	"github.com/tilewright/tilewright/ir/asm/number"
)

// numberAttr reads a number with an optional type after it.
func (p *parser) numberAttr(t ir.Type) ir.Attribute {
	start := p.Tok
	back := p.After
	float := p.skipNumber()
	if t == nil {
		switch {
		case p.Opt(":"):
			t = p.Type()
		case float:
			t = p.ctx.F64()
		default:
			t = p.ctx.Int(64)
		}
	}
	after, afterPos, last := p.Tok, p.After, p.Last
	p.Tok, p.After = start, back
	var a ir.Attribute
	switch t := t.(type) {
	case *ir.FloatType:
		a = p.ctx.FloatAttr(t, p.Number(t))
	case *ir.IntegerType, *ir.IndexType:
		if float {
			p.errorf("floating point value not valid for specified type")
		}
		a = p.ctx.IntAttr(t, int64(p.Number(t)))
	default:
		p.errorf("integer or float literal not valid for type %s", ir.TypeString(t))
	}
	p.Tok, p.After, p.Last = after, afterPos, last
	return a
}

// skipNumber consumes a number and reports whether it has a point.
func (p *parser) skipNumber() bool {
	if p.Is("-") {
		p.Next()
	}
	if p.Tok.Kind != lexer.Int && p.Tok.Kind != lexer.Float {
		p.errorf("expected constant integer or floating point value")
	}
	float := p.Tok.Kind == lexer.Float
	p.Next()
	return float
}

// Number implements ir.AsmParser.
func (p *parser) Number(t ir.Type) uint64 {
	if f, ok := t.(*ir.FloatType); ok {
		return p.floatBits(f)
	}
	if ir.BitWidth(t) == 0 {
		p.errorf("expected integer or float type for a number, but got %s", ir.TypeString(t))
	}
	return p.intBits(ir.BitWidth(t))
}

func (p *parser) floatBits(t *ir.FloatType) uint64 {
	pos := p.Pos()
	negative := p.Opt("-")
	text := p.Text()
	switch {
	case p.Tok.Kind == lexer.Float:
		bits := number.ParseFloat(t.Format, text, negative)
		p.Next()
		return bits
	case p.Tok.Kind == lexer.Int && len(text) > 1 && text[1] == 'x':
		if negative {
			p.errorAt(pos, "hexadecimal float literal should not have a leading minus")
		}
		bits, ok := number.ParseBits(text, t.Format.Bits())
		if !ok {
			p.errorAt(pos, "hexadecimal float constant out of range for type")
		}
		p.Next()
		return bits
	case p.Tok.Kind == lexer.Int:
		d := ir.Errorf(p.LocAt(pos), "unexpected decimal integer literal for a floating point value")
		p.fail(d.Note(p.LocAt(pos), "add a trailing dot to make the literal a float"))
	}
	p.errorf("expected floating point literal")
	return 0
}

func (p *parser) intBits(width int) uint64 {
	pos := p.Pos()
	mask := ^uint64(0) >> (64 - width)
	if word := p.PeekKeyword(); word == "true" || word == "false" {
		if width != 1 {
			p.errorf("expected integer value, but got '%s'", word)
		}
		p.Next()
		if word == "true" {
			return 1
		}
		return 0
	}
	negative := p.Is("-")
	v, ok := p.OptInteger()
	if !ok {
		p.errorf("expected integer value")
	}
	u := uint64(v)
	if !negative && u > mask || negative && width < 64 && v < -(1<<(width-1)) {
		p.errorAt(pos, "integer constant out of range for type")
	}
	return u & mask
}

// denseArray reads array<type: values>.
func (p *parser) denseArray() ir.Attribute {
	p.Next()
	p.Expect("<")
	pos := p.Pos()
	elem := p.Type()
	width := ir.BitWidth(elem)
	if width == 0 {
		p.errorAt(pos, "expected integer or float type in a dense array")
	}
	var values []int64
	if p.Opt(":") {
		p.CommaList("", "", func() {
			v := p.Number(elem)
			if _, ok := elem.(*ir.FloatType); !ok && width > 1 {
				v = uint64(int64(v<<(64-width)) >> (64 - width))
			}
			values = append(values, int64(v))
		})
	}
	p.Expect(">")
	return p.ctx.DenseArray(elem, values...)
}

// denseElements reads dense<literal> : type. The literal cannot be read before its type is known, so it is passed
// over first.
func (p *parser) denseElements(t ir.Type) ir.Attribute {
	p.Next()
	if !p.Is("<") {
		p.errorf("expected '<' after 'dense'")
	}
	end := p.BalancedSlow(p.Tok.Pos)
	if end == 0 {
		p.errorf("expected '>' to close 'dense<'")
	}
	start := p.After
	p.After = end
	p.Next()
	pos := p.Pos()
	if t == nil {
		p.Expect(":")
		pos = p.Pos()
		t = p.Type()
	}
	shaped, ok := t.(ir.ShapedType)
	if !ok {
		p.errorAt(pos, "elements literal must be a shaped type, but got %s", ir.TypeString(t))
	}
	shape, elem := shaped.Dims(), shaped.ElemType()
	after, afterPos, last := p.Tok, p.After, p.Last
	p.After = start
	p.Next()
	var a *ir.DenseElementsAttr
	if p.Is(">") && number.Elements(shape) == 0 {
		a = p.ctx.Dense(t, nil)
	} else {
		a = p.DenseLiteral(t, shape, elem)
	}
	if !p.Is(">") {
		p.errorf("expected '>' after elements literal")
	}
	p.Tok, p.After, p.Last = after, afterPos, last
	return a
}

// DenseLiteral implements ir.AsmParser.
func (p *parser) DenseLiteral(t ir.Type, shape []int64, elem ir.Type) *ir.DenseElementsAttr {
	pos := p.Pos()
	n := ir.DenseElemBytes(elem)
	if n == 0 {
		p.errorf("expected integer or float element type, but got %s", ir.TypeString(elem))
	}
	if p.Tok.Kind == lexer.String {
		return p.denseHex(t, shape, elem)
	}
	lit := denseLiteral{p: p, elem: elem, size: n}
	if !p.Is("[") {
		lit.number()
		return p.ctx.Dense(t, lit.data)
	}
	lit.list(0)
	if !equalShape(lit.dims, shape) {
		p.errorAt(pos, "inferred shape of elements literal (%s) does not match type (%s)", shapeString(lit.dims), shapeString(shape))
	}
	return p.ctx.Dense(t, splat(lit.data, n))
}

// A denseLiteral collects the elements of nested lists.
type denseLiteral struct {
	p    *parser
	elem ir.Type
	size int
	data []byte
	dims []int64 // of the first list at each level; -1: its end has not been seen
	leaf int     // level of the numbers, once known; 0: not yet
}

func (d *denseLiteral) list(level int) {
	p := d.p
	p.enter()
	if level == len(d.dims) {
		if d.leaf != 0 {
			d.ragged()
		}
		d.dims = append(d.dims, -1)
	}
	n := int64(0)
	p.CommaList("[", "]", func() {
		n++
		if p.Is("[") {
			d.list(level + 1)
			return
		}
		if d.leaf == 0 {
			d.leaf = level + 1
		}
		if d.leaf != level+1 || len(d.dims) != level+1 {
			d.ragged()
		}
		d.number()
	})
	if d.dims[level] < 0 {
		d.dims[level] = n
	}
	if d.dims[level] != n {
		d.ragged()
	}
	p.leave()
}

func (d *denseLiteral) ragged() {
	d.p.errorf("tensor literal is invalid; ranks are not consistent between elements")
}

func (d *denseLiteral) number() {
	v := d.p.Number(d.elem)
	for range d.size {
		d.data = append(d.data, byte(v))
		v >>= 8
	}
}

// denseHex reads the elements as the bytes of a string "0x...".
func (p *parser) denseHex(t ir.Type, shape []int64, elem ir.Type) *ir.DenseElementsAttr {
	size := ir.DenseElemBytes(elem)
	pos := p.Pos()
	digits, ok := strings.CutPrefix(p.Quoted(), "0x")
	data, err := hex.DecodeString(digits)
	if !ok || err != nil {
		p.errorAt(pos, "elements hex string should start with '0x' and have an even number of digits")
	}
	if n := number.Elements(shape); len(data) != size && (n < 0 || int64(len(data)) != n*int64(size)) {
		p.errorAt(pos, "elements hex data size is invalid for provided type")
	}
	if width := ir.BitWidth(elem); width < 8 {
		for _, b := range data {
			if b>>width != 0 {
				p.errorAt(pos, "elements hex data does not fit the element type")
			}
		}
	}
	return p.ctx.Dense(t, splat(data, size))
}

// splat reduces data to its first element when all elements are equal.
func splat(data []byte, size int) []byte {
	for i := size; i < len(data); i++ {
		if data[i] != data[i-size] {
			return data
		}
	}
	return data[:min(size, len(data))]
}

func equalShape(a, b []int64) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func shapeString(shape []int64) string {
	parts := make([]string, len(shape))
	for i, d := range shape {
		parts[i] = strconv.FormatInt(d, 10)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}
