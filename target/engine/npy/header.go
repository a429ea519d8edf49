package npy

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

const (
	magic     = "\x93NUMPY"
	maxHeader = 1 << 16 // more than the longest shape needs; NumPy stops at 10,000 by default
)

// source reads the header; pos is the position an error is about.
type source struct {
	r   io.Reader
	pos int64
}

func (s *source) next(n int, what string) ([]byte, error) {
	buf := make([]byte, n)
	got, err := io.ReadFull(s.r, buf)
	s.pos += int64(got)
	if err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, fmt.Errorf("input ends in the %s", what)
		}
		return nil, err
	}
	return buf, nil
}

func (s *source) header() (a *Array, fortran bool, err error) {
	start, err := s.next(len(magic)+2, "magic string")
	if err != nil {
		return nil, false, err
	}
	if string(start[:len(magic)]) != magic {
		s.pos = 0
		return nil, false, fmt.Errorf("not an .npy file: it starts with %q", start[:len(magic)])
	}
	width := 2
	switch version := [2]byte(start[len(magic):]); version {
	case [2]byte{1, 0}:
	case [2]byte{2, 0}, [2]byte{3, 0}:
		width = 4
	default:
		return nil, false, fmt.Errorf("format version %d.%d is not 1.0, 2.0 or 3.0", version[0], version[1])
	}
	field, err := s.next(width, "header length")
	if err != nil {
		return nil, false, err
	}
	length := uint32(binary.LittleEndian.Uint16(field))
	if width == 4 {
		length = binary.LittleEndian.Uint32(field)
	}
	if length > maxHeader {
		return nil, false, fmt.Errorf("header of %d bytes, at most %d are accepted", length, maxHeader)
	}
	text, err := s.next(int(length), "header")
	if err != nil {
		return nil, false, err
	}
	p := &dictParser{text: string(text)}
	a, fortran, err = p.parse()
	if err != nil {
		s.pos += int64(p.pos - len(text))
	}
	return a, fortran, err
}

// dictParser reads the header dictionary: string keys; strings, booleans and tuples of integers as values.
type dictParser struct {
	text string
	pos  int
}

func (p *dictParser) parse() (a *Array, fortran bool, err error) {
	a = &Array{}
	seen := map[string]bool{}
	if err := p.expect('{'); err != nil {
		return nil, false, err
	}
	for !p.accept('}') {
		p.space()
		at := p.pos
		key, err := p.str()
		if err != nil {
			return nil, false, err
		}
		if seen[key] {
			p.pos = at
			return nil, false, fmt.Errorf("key %q occurs twice", key)
		}
		seen[key] = true
		if err := p.expect(':'); err != nil {
			return nil, false, err
		}
		switch key {
		case "descr":
			a.DType, err = p.descr()
		case "fortran_order":
			fortran, err = p.boolean()
		case "shape":
			a.Shape, err = p.shape()
		default:
			p.pos = at
			err = fmt.Errorf("unexpected key %q", key)
		}
		if err != nil {
			return nil, false, err
		}
		if !p.accept(',') {
			if err := p.expect('}'); err != nil {
				return nil, false, err
			}
			break
		}
	}
	for _, key := range []string{"descr", "fortran_order", "shape"} {
		if !seen[key] {
			return nil, false, fmt.Errorf("header has no %q", key)
		}
	}
	if p.space(); p.pos < len(p.text) {
		return nil, false, fmt.Errorf("unexpected %q after the header dictionary", p.text[p.pos])
	}
	return a, fortran, nil
}

func (p *dictParser) space() {
	for p.pos < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.pos]) >= 0 {
		p.pos++
	}
}

func (p *dictParser) accept(c byte) bool {
	p.space()
	if p.pos < len(p.text) && p.text[p.pos] == c {
		p.pos++
		return true
	}
	return false
}

func (p *dictParser) expect(c byte) error {
	if p.accept(c) {
		return nil
	}
	if p.pos >= len(p.text) {
		return fmt.Errorf("header ends, expected %q", c)
	}
	return fmt.Errorf("got %q, expected %q", p.text[p.pos], c)
}

func (p *dictParser) str() (string, error) {
	p.space()
	if p.pos >= len(p.text) || p.text[p.pos] != '\'' && p.text[p.pos] != '"' {
		return "", errors.New("expected a string")
	}
	end := strings.IndexByte(p.text[p.pos+1:], p.text[p.pos])
	if end < 0 {
		return "", errors.New("string without an end")
	}
	s := p.text[p.pos+1 : p.pos+1+end]
	p.pos += end + 2
	return s, nil
}

func (p *dictParser) descr() (DType, error) {
	p.space()
	at := p.pos
	s, err := p.str()
	if err != nil {
		return "", errors.New("element type is not a string: structured arrays are not supported")
	}
	fail := func(format string, args ...any) (DType, error) {
		p.pos = at
		return "", fmt.Errorf(format, args...)
	}
	// The types of ml_dtypes (bfloat16, float8_e4m3fn, ...) are raw bytes to NumPy: what they mean is said where they
	// are used.
	if raw, ok := map[string]DType{"V1": Uint8, "V2": Uint16}[strings.TrimLeft(s, "<|")]; ok && len(s) == 3 {
		return raw, nil
	}
	if len(s) != 3 || !DType(s[1:]).Valid() {
		return fail("unsupported element type %q, expected one of %v", s, dtypes)
	}
	d := DType(s[1:])
	switch {
	case s[0] == '<', s[0] == '|' && d.Size() == 1:
		return d, nil
	case s[0] == '>' && d.Size() > 1:
		return fail("big-endian element type %q is not supported", s)
	}
	return fail("element type %q has no byte order", s)
}

func (p *dictParser) boolean() (bool, error) {
	p.space()
	for word, value := range map[string]bool{"True": true, "False": false} {
		if strings.HasPrefix(p.text[p.pos:], word) {
			p.pos += len(word)
			return value, nil
		}
	}
	return false, errors.New("expected True or False")
}

func (p *dictParser) shape() ([]int, error) {
	if err := p.expect('('); err != nil {
		return nil, err
	}
	shape := []int{}
	for !p.accept(')') {
		p.space()
		end := p.pos
		if p.text[end:] != "" && p.text[end] == '-' {
			end++ // NumPy writes none; the number tells
		}
		for end < len(p.text) && p.text[end] >= '0' && p.text[end] <= '9' {
			end++
		}
		n, err := strconv.ParseInt(p.text[p.pos:end], 10, 0)
		if err != nil || n < 0 {
			return nil, fmt.Errorf("extent %q is not a number from 0 to %d", p.text[p.pos:end], math.MaxInt)
		}
		if len(shape) == maxRank {
			return nil, fmt.Errorf("more than %d dimensions", maxRank)
		}
		shape = append(shape, int(n))
		p.pos = end
		p.accept('L') // written by Python 2
		if !p.accept(',') {
			if err := p.expect(')'); err != nil {
				return nil, err
			}
			break
		}
	}
	return shape, nil
}
