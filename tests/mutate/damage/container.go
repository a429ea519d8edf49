package damage

import (
	"encoding/binary"
	"fmt"

	"github.com/tilewright/tilewright/bytecode"
	"github.com/tilewright/tilewright/dialects/cudatile/ops"
	"github.com/tilewright/tilewright/ir"
)

const (
	headerSize = len(bytecode.Magic) + 4
	alignFlag  = 0x80
	padding    = 0xcb
)

// A container is a file taken apart.
type container struct {
	header   []byte
	sections []*section
}

// A section is one of a container. Its payload is made of the table or the functions, where there are any.
type section struct {
	id      bytecode.SectionID
	align   int // 0: none stated
	payload []byte
	fns     []function
	after   []byte // after the last function
	table   *table
	lead    []byte // before the table, in the debug section
	lie     func(length uint64) uint64
}

// A function is a record of the function section.
type function struct {
	head    []byte // up to the length of the body
	body    []byte
	records []int // where they begin in the body, those inside others too
	lie     func(length uint64) uint64
}

// A table is a list of entries with offsets of width bytes.
type table struct {
	width   int
	entries [][]byte
	lie     func(offsets [][]byte)
}

// parse takes a sound file apart.
func parse(data []byte) (*container, error) {
	f, err := bytecode.Open(ir.NewContext(ops.Dialect), data)
	if err != nil {
		return nil, err
	}
	c := &container{header: data[:headerSize]}
	for _, s := range f.Sections {
		sec := &section{id: s.ID, align: s.Align, payload: data[s.Offset : s.Offset+s.Length]}
		switch s.ID {
		case bytecode.StringSection, bytecode.TypeSection:
			sec.table = parseTable(sec.payload, 4, 0)
		case bytecode.ConstantSection:
			sec.table = parseTable(sec.payload, 8, 0)
		case bytecode.DebugSection:
			sec.lead, sec.table = parseDebug(sec.payload)
		case bytecode.FunctionSection:
			if err := sec.parseFunctions(f, data, s.Offset); err != nil {
				return nil, err
			}
		}
		c.sections = append(c.sections, sec)
	}
	return c, nil
}

func (s *section) parseFunctions(f *bytecode.File, data []byte, start int) error {
	at := start
	end := start + len(s.payload)
	for i, fn := range f.Functions {
		size := len(binary.AppendUvarint(nil, uint64(fn.Size)))
		out := function{head: data[at : fn.Body-size], body: data[fn.Body : fn.Body+fn.Size]}
		err := f.Records(i, func(r bytecode.Record) { out.records = append(out.records, r.Start-fn.Body) })
		if err != nil {
			return err
		}
		s.fns = append(s.fns, out)
		at = fn.Body + fn.Size
	}
	s.after = data[at:end]
	return nil
}

// parseTable reads the table whose count stands at an offset in the payload. An empty one, after which anything may
// stand, is no table.
func parseTable(payload []byte, width, at int) *table {
	t := &table{width: width}
	n, size := binary.Uvarint(payload[at:])
	if n == 0 {
		return nil
	}
	first := roundUp(at+size, width)
	data := first + int(n)*width
	offset := func(i int) int {
		if i == int(n) {
			return len(payload)
		}
		if width == 8 {
			return data + int(binary.LittleEndian.Uint64(payload[first+8*i:]))
		}
		return data + int(binary.LittleEndian.Uint32(payload[first+4*i:]))
	}
	for i := range int(n) {
		t.entries = append(t.entries, payload[offset(i):offset(i+1)])
	}
	return t
}

// parseDebug separates the groups and slots from the table of attributes.
func parseDebug(payload []byte) ([]byte, *table) {
	n, size := binary.Uvarint(payload)
	at := roundUp(size, 4) + 4*int(n)
	m, size := binary.Uvarint(payload[at:])
	at = roundUp(at+size, 8) + 8*int(m)
	return payload[:at], parseTable(payload, 4, at)
}

func roundUp(n, to int) int { return (n + to - 1) / to * to }

func pad(b []byte, to int) []byte {
	for len(b)%to != 0 {
		b = append(b, padding)
	}
	return b
}

// bytes puts a file together.
func (c *container) bytes() []byte {
	out := append([]byte(nil), c.header...)
	for _, s := range c.sections {
		payload := s.bytes()
		length := uint64(len(payload))
		if s.lie != nil {
			length = s.lie(length)
		}
		if s.align == 0 {
			out = append(out, byte(s.id))
			out = binary.AppendUvarint(out, length)
		} else {
			out = append(out, byte(s.id)|alignFlag)
			out = binary.AppendUvarint(out, length)
			out = pad(binary.AppendUvarint(out, uint64(s.align)), s.align)
		}
		out = append(out, payload...)
	}
	return append(out, byte(bytecode.EndSection))
}

func (s *section) bytes() []byte {
	switch {
	case s.table != nil:
		return s.table.append(append([]byte(nil), s.lead...))
	case s.fns != nil:
		var out []byte
		for _, f := range s.fns {
			out = append(out, f.head...)
			size := uint64(len(f.body))
			if f.lie != nil {
				size = f.lie(size)
			}
			out = binary.AppendUvarint(out, size)
			out = append(out, f.body...)
		}
		return append(out, s.after...)
	}
	return s.payload
}

func (t *table) append(out []byte) []byte {
	out = pad(binary.AppendUvarint(out, uint64(len(t.entries))), t.width)
	offsets := make([][]byte, len(t.entries))
	at := 0
	for i, e := range t.entries {
		offsets[i] = binary.LittleEndian.AppendUint64(nil, uint64(at))[:t.width]
		at += len(e)
	}
	if t.lie != nil {
		t.lie(offsets)
	}
	for _, o := range offsets {
		out = append(out, o...)
	}
	for _, e := range t.entries {
		out = append(out, e...)
	}
	return out
}

func (c *container) find(id bytecode.SectionID) *section {
	for _, s := range c.sections {
		if s.id == id {
			return s
		}
	}
	return nil
}

// A Source is a sound file.
type Source struct {
	Name string
	Data []byte
	c    *container
}

// NewSource takes a sound file apart.
func NewSource(name string, data []byte) (*Source, error) {
	c, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &Source{name, data, c}, nil
}
