package linear

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
)

// Key returns bytes that a layout shares with equal ones only, for maps. It takes less time than String.
func (l Layout) Key() string {
	key := make([]byte, 0, 64)
	for _, w := range l.in {
		key = append(key, byte(w))
	}
	key = append(append(key, byte(len(l.shape))), l.shape...)
	for _, b := range l.bases {
		key = binary.AppendUvarint(key, b)
	}
	return string(key)
}

// String prints the layout in the form that Parse reads: the shape, then the
// bases of the four axes of a distributed tile, or of the offset of a buffer.
func (l Layout) String() string {
	out := append(make([]byte, 0, 64+12*len(l.bases)), "{shape = ["...)
	for i, b := range l.shape {
		if i > 0 {
			out = append(out, ", "...)
		}
		out = strconv.AppendInt(out, 1<<b, 10)
	}
	out = append(out, ']')
	for a := range Element {
		if (a == Offset) != (l.in[Offset] > 0) {
			continue
		}
		out = append(out, ", "...)
		out = append(out, a.String()...)
		out = append(out, " = ["...)
		for i, v := range l.axisBases(a) {
			if i > 0 {
				out = append(out, ", "...)
			}
			out = append(out, '[')
			for j, c := range l.coords(v) {
				if j > 0 {
					out = append(out, ", "...)
				}
				out = strconv.AppendInt(out, int64(c), 10)
			}
			out = append(out, ']')
		}
		out = append(out, ']')
	}
	return string(append(out, '}'))
}

// Parse reads the form that String prints. Axes that are missing have extent 1,
// their order is free, white space between tokens is ignored.
func Parse(text string) (Layout, error) {
	p := parser{text: text}
	l, err := p.layout()
	if err != nil {
		return Layout{}, fmt.Errorf("layout at offset %d: %w", p.pos, err)
	}
	return l, nil
}

type parser struct {
	text string
	pos  int
}

func (p *parser) layout() (Layout, error) {
	if err := p.expect('{'); err != nil {
		return Layout{}, err
	}
	var shape []int
	var bases Bases
	var seen [Element]bool
	seenShape := false
	for first := true; ; first = false {
		if p.accept('}') {
			break
		}
		if !first {
			if err := p.expect(','); err != nil {
				return Layout{}, err
			}
		}
		name := p.identifier()
		if err := p.expect('='); err != nil {
			return Layout{}, err
		}
		if name == "shape" {
			if seenShape {
				return Layout{}, fmt.Errorf("'shape' occurs twice")
			}
			seenShape = true
			list, err := p.integers()
			if err != nil {
				return Layout{}, err
			}
			shape = list
			continue
		}
		a := Register
		for a < Element && a.String() != name {
			a++
		}
		if a == Element {
			return Layout{}, fmt.Errorf("expected 'shape', 'register', 'lane', 'warp', 'block' or 'offset', got '%s'", name)
		}
		if seen[a] {
			return Layout{}, fmt.Errorf("'%s' occurs twice", name)
		}
		seen[a] = true
		list, err := p.vectors()
		if err != nil {
			return Layout{}, err
		}
		bases[a] = list
	}
	if p.skip(); p.pos < len(p.text) {
		return Layout{}, fmt.Errorf("unexpected '%c' after the layout", p.text[p.pos])
	}
	if !seenShape {
		return Layout{}, fmt.Errorf("'shape' is missing")
	}
	return New(shape, bases)
}

func (p *parser) skip() {
	for p.pos < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.pos]) >= 0 {
		p.pos++
	}
}

func (p *parser) accept(c byte) bool {
	if p.skip(); p.pos < len(p.text) && p.text[p.pos] == c {
		p.pos++
		return true
	}
	return false
}

func (p *parser) expect(c byte) error {
	if p.accept(c) {
		return nil
	}
	if p.pos == len(p.text) {
		return fmt.Errorf("expected '%c', got the end", c)
	}
	return fmt.Errorf("expected '%c', got '%c'", c, p.text[p.pos])
}

func (p *parser) identifier() string {
	p.skip()
	start := p.pos
	for p.pos < len(p.text) && p.text[p.pos] >= 'a' && p.text[p.pos] <= 'z' {
		p.pos++
	}
	return p.text[start:p.pos]
}

// integers reads a bracketed list. Its length is bounded by that of a shape.
func (p *parser) integers() ([]int, error) {
	if err := p.expect('['); err != nil {
		return nil, err
	}
	var out []int
	for !p.accept(']') {
		// Checked while reading, so that a long list in hostile text is rejected before it takes memory.
		if len(out) == MaxDims {
			return nil, fmt.Errorf("more than %d coordinates", MaxDims)
		}
		if len(out) > 0 {
			if err := p.expect(','); err != nil {
				return nil, err
			}
		}
		p.skip()
		start := p.pos
		for p.pos < len(p.text) && p.text[p.pos] >= '0' && p.text[p.pos] <= '9' {
			p.pos++
		}
		n, err := strconv.ParseUint(p.text[start:p.pos], 10, 31)
		if err != nil {
			return nil, fmt.Errorf("expected an integer below 2^31, got '%s'", p.text[start:p.pos])
		}
		out = append(out, int(n))
	}
	return out, nil
}

// vectors reads a bracketed list of bases.
func (p *parser) vectors() ([][]int, error) {
	if err := p.expect('['); err != nil {
		return nil, err
	}
	var out [][]int
	for !p.accept(']') {
		// Likewise; New would reject it too, but only after all of it was read.
		if len(out) == MaxAxisBits {
			return nil, fmt.Errorf("more than %d bases for an axis", MaxAxisBits)
		}
		if len(out) > 0 {
			if err := p.expect(','); err != nil {
				return nil, err
			}
		}
		v, err := p.integers()
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}
