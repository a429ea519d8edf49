package bytecode

import (
	"encoding/binary"
	"fmt"
)

// A cursor reads a part of the file. Its methods unwind with an *Error when the bytes do not suffice.
type cursor struct {
	data    []byte // the entire file, so that positions are offsets in it
	pos     int
	end     int
	section string
	item    string
	reading string // what the reference says when it cannot read the field at hand; "": nothing
}

// field reads one field of an attribute. An error in it begins with the words of the reference, which name the field;
// what is wrong with it, which the reference leaves open, follows.
func field[T any](c *cursor, words string, read func() T) T {
	outer := c.reading
	c.reading = words
	v := read()
	c.reading = outer
	return v
}

// fail unwinds with an error at the current position.
func (c *cursor) fail(format string, args ...any) { c.failAt(c.pos, format, args...) }

// failAt unwinds with an error at another position.
func (c *cursor) failAt(pos int, format string, args ...any) {
	message := fmt.Sprintf(format, args...)
	if c.reading != "" {
		message = c.reading + ": " + message
	}
	panic(&Error{Offset: pos, Section: c.section, Item: c.item, Message: message})
}

// left returns how many bytes remain.
func (c *cursor) left() int { return c.end - c.pos }

func (c *cursor) u8() byte {
	if c.pos >= c.end {
		c.fail("unexpected end of data: expected a byte")
	}
	b := c.data[c.pos]
	c.pos++
	return b
}

// bytes returns the next n bytes.
func (c *cursor) bytes(n int) []byte {
	if n > c.left() {
		c.fail("unexpected end of data: expected %d bytes, but got %d", n, c.left())
	}
	b := c.data[c.pos : c.pos+n]
	c.pos += n
	return b
}

const maxVarint = 10 // bytes that 64 bits take, 7 in each

// varint reads an unsigned LEB128 number, which need not be the shortest form.
//
// Nearly all numbers of a file are below 128 (opcodes, counts, distances), which is why the one-byte case is
// inlined.
func (c *cursor) varint() uint64 {
	if c.pos < c.end && c.data[c.pos] < 0x80 {
		b := c.data[c.pos]
		c.pos++
		return uint64(b)
	}
	return c.longVarint(1)
}

// longVarint reads a varint whose last byte is at most so large; bits above the 64th are dropped.
func (c *cursor) longVarint(last byte) uint64 {
	start := c.pos
	var v uint64
	for i := range maxVarint {
		if c.pos >= c.end {
			c.failAt(start, "unexpected end of data in a varint")
		}
		b := c.data[c.pos]
		c.pos++
		if i == maxVarint-1 && b > last {
			break
		}
		v |= uint64(b&0x7f) << (7 * i)
		if b < 0x80 {
			return v
		}
	}
	c.failAt(start, "varint does not fit 64 bits")
	return 0
}

// signed reads a number in zigzag form.
func (c *cursor) signed() int64 { return unzigzag(c.varint()) }

// pattern reads the bits of a float in zigzag form. cuda-tile takes those of an f64 for a number without a sign, so that
// they are 65 bits where the first one is set, as of the -inf that a maximum begins with. tileirdisasm and tileiras drop
// the last one, and print inf. No lowering uses it: a reduction begins with its first elements.
func (c *cursor) pattern() int64 { return unzigzag(c.longVarint(3)) }

func unzigzag(v uint64) int64 { return int64(v>>1) ^ -int64(v&1) }

// count reads how many of something follow that take at least size bytes each.
//
// This is what keeps memory in proportion to the file: no list is made before it is known that its elements fit
// the bytes that are left.
func (c *cursor) count(size int, what string) int {
	start := c.pos
	n := c.varint()
	if n > uint64(c.left()/size) {
		c.failAt(start, "%d %s do not fit the remaining %d bytes", n, what, c.left())
	}
	return int(n)
}

// index reads a reference to one of n entries.
func (c *cursor) index(n int, what string) int {
	start := c.pos
	i := c.varint()
	if i >= uint64(n) {
		c.failAt(start, "%s index %d out of bounds: there are %d", what, i, n)
	}
	return int(i)
}

// u32 reads a number that must fit 32 bits.
func (c *cursor) u32(what string) uint32 {
	start := c.pos
	v := c.varint()
	if v > 1<<32-1 {
		c.failAt(start, "%s %d does not fit 32 bits", what, v)
	}
	return uint32(v)
}

// align skips padding to a multiple of n, counted from base.
func (c *cursor) align(n, base int) {
	if pad := (base - c.pos) & (n - 1); pad > c.left() {
		c.fail("unexpected end of data in padding to a multiple of %d", n)
	} else {
		c.pos += pad
	}
}

// words reads a counted list of little-endian signed words of 1, 4 or 8 bytes.
func (c *cursor) words(size int) []int64 {
	n := c.count(size, "elements")
	out := make([]int64, n)
	for i, raw := 0, c.bytes(n*size); i < n; i++ {
		switch w := raw[i*size:]; size {
		case 1:
			out[i] = int64(int8(w[0]))
		case 4:
			out[i] = int64(int32(binary.LittleEndian.Uint32(w)))
		default:
			out[i] = int64(binary.LittleEndian.Uint64(w))
		}
	}
	return out
}
