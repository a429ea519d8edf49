package bytecode

import "encoding/binary"

// A span is a range of bytes in the file.
type span struct{ start, end int }

// table reads the head of a string, type or constant section: a count, padding, and as many offsets of width bytes (4 or 8) into the
// data behind them.
func (c *cursor) table(width, align int) []span {
	base := c.pos
	n := c.count(width, "entries")
	if n == 0 {
		return nil
	}
	c.align(align, base)
	return c.offsets(n, width)
}

// offsets reads n offsets into the data behind them. Entry i ends where the next begins, the last with the section.
func (c *cursor) offsets(n, width int) []span {
	at := c.pos
	raw := c.bytes(n * width)
	size := c.left()
	out := make([]span, n)
	prev := 0
	for i := range out {
		var off uint64
		if width == 4 {
			off = uint64(binary.LittleEndian.Uint32(raw[4*i:]))
		} else {
			off = binary.LittleEndian.Uint64(raw[8*i:])
		}
		if off < uint64(prev) || off > uint64(size) {
			c.failAt(at+i*width, "offset %d of entry %d must be between %d, that of the entry before, and %d, the end of the data",
				off, i, prev, size)
		}
		prev = int(off)
		out[i] = span{c.pos + prev, c.end}
		if i > 0 {
			out[i-1].end = c.pos + prev
		}
	}
	return out
}

// entry returns a cursor over a table entry.
func (c *cursor) entry(s span, item string) cursor {
	return cursor{data: c.data, pos: s.start, end: s.end, section: c.section, item: item}
}

func (f *File) readStrings() {
	c := f.cursor(StringSection)
	spans := c.table(4, 4)
	if len(spans) == 0 {
		return
	}
	first := spans[0].start
	blob := string(f.data[first:c.end])
	f.strings = make([]string, len(spans))
	for i, s := range spans {
		f.strings[i] = blob[s.start-first : s.end-first]
	}
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
