package bytecode

import (
	"encoding/binary"
	"strconv"
)

// A span is the range of bytes in the file that an entry of a table takes. The offsets of a damaged table may be no
// range of its section.
type span struct {
	start, end int
	at         int // of the entry's offset
}

// maxOffset is what larger offsets count as, so that sums do not overflow.
const maxOffset = 1 << 40

// table reads the head of a string, type or constant section: a count, padding, and as many offsets of width bytes (4
// or 8) into the data after them.
func (c *cursor) table(width, align int) []span {
	base := c.pos
	n := c.count(width, "entries")
	if n == 0 {
		return nil
	}
	c.align(align, base)
	return c.offsets(n, width)
}

// offsets reads n offsets into the data after them. Entry i ends where the next begins, the last with the section.
func (c *cursor) offsets(n, width int) []span {
	at := c.pos
	raw := c.bytes(n * width)
	out := make([]span, n)
	for i := range out {
		var off uint64
		if width == 4 {
			off = uint64(binary.LittleEndian.Uint32(raw[4*i:]))
		} else {
			off = binary.LittleEndian.Uint64(raw[8*i:])
		}
		out[i] = span{c.pos + int(min(off, maxOffset)), c.end, at + i*width}
		if i > 0 {
			out[i-1].end = out[i].start
		}
	}
	return out
}

// entry returns a cursor over entry i of a table.
func (c *cursor) entry(s span, what string, i int) cursor {
	e := cursor{data: c.data, pos: s.start, end: s.end, section: c.section, item: what + " " + strconv.Itoa(i)}
	if s.end < s.start || s.end > c.end {
		e.failAt(s.at, "the entry is said to take the bytes from %d to %d, but the section ends at %d", s.start, s.end, c.end)
	}
	return e
}

// readStrings reads the string table. Offsets that are no range mean what they mean to the reference reader, which
// checks none: the string is what follows its start, if anything.
func (f *File) readStrings() {
	c := f.cursor(StringSection)
	spans := c.table(4, 4)
	if len(spans) == 0 {
		return
	}
	first := c.pos
	blob := string(f.data[first:c.end])
	f.strings = make([]string, len(spans))
	for i, s := range spans {
		s = s.within(c.end)
		f.strings[i] = blob[s.start-first : s.end-first]
	}
}

// within returns a range before end.
func (s span) within(end int) span {
	if s.end < s.start || s.end > end {
		s.end = end
	}
	s.start = min(s.start, s.end)
	return s
}

// str reads a reference to a string.
func (c *cursor) str(f *File) string {
	s := f.strings[c.index(len(f.strings), "string")]
	c.charge(f, len(s))
	return s
}

func (f *File) readProducer() {
	if f.Find(ProducerSection) == nil {
		return
	}
	c := f.cursor(ProducerSection)
	f.Producer = c.str(f)
}
