package bytecode

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"github.com/tilewright/tilewright/ir"
)

// A Record is an operation of a body as it stands in the file.
type Record struct {
	Start, End int // without its regions
	Depth      int // of nesting in regions
	Op         ir.Op
	First      int // number of the first result
	Stored     int // results that have a number; an old version may lack the last ones
	Operands   []int
}

// Records decodes function i and tells visit of its operations, in the order of the file; those inside an operation
// are still missing when it is told of. A Record's Operands are overwritten afterwards.
func (f *File) Records(i int, visit func(Record)) error {
	return asError(catch(func() {
		_, body := f.module(ir.NewBuilder(f.ctx.NewArena()))
		entry := f.entry(body, &f.Functions[i], new(ir.OpState))
		b := newBodyReader(f)
		b.visit = visit
		b.read(&f.Functions[i], entry.Body())
	}))
}

// An Item is a range of bytes of a file with what it means.
type Item struct {
	Start, End int
	Level      int // of nesting: 0 for parts of the file, 1 for entries of a section, 2 and more for operations
	Text       string
}

// Items describes the frame: the header and the sections.
func (l *Layout) Items(data []byte) []Item {
	if len(data) < headerSize {
		return nil
	}
	items := []Item{{0, len(Magic), 0, "magic"}, {len(Magic), headerSize - 2, 0, "version " + l.Version.String()},
		{headerSize - 2, headerSize, 0, fmt.Sprintf("version tag %d", l.Tag)}}
	end := headerSize
	for i, s := range l.Sections {
		c := cursor{data: data, pos: s.Start + 1, end: s.Offset}
		text := fmt.Sprintf("%s section, %d bytes", s.ID, c.varint())
		if s.Align != 0 {
			text += fmt.Sprintf(", aligned to %d", c.varint())
		}
		items = append(items, Item{s.Start, c.pos, 0, text})
		end = s.Offset + s.Length
		if l.Find(s.ID) != &l.Sections[i] {
			items = append(items, Item{s.Offset, end, 1, "copy of the " + s.ID.String() + " section"})
		}
	}
	if end+1 == len(data) && data[end] == byte(EndSection) {
		items = append(items, Item{end, end + 1, 0, "end marker"})
	}
	return items
}

// Items describes the entire file, in the order of the bytes; ranges that no item covers are padding. An error says
// which function could not be decoded; it is described up to there.
func (f *File) Items() ([]Item, error) {
	items := f.Layout.Items(f.data)
	add := func(start, end, level int, format string, args ...any) {
		items = append(items, Item{start, end, level, fmt.Sprintf(format, args...)})
	}
	f.stringItems(add)
	f.typeItems(add)
	if n := len(f.consts); n > 0 {
		add(f.Find(ConstantSection).Offset, f.consts[n-1].at+8, 1, tableText, n)
	}
	for i, c := range f.consts {
		add(c.start, c.end, 1, "constant %d: %d bytes", i, len(c.data))
	}
	f.debugItems(add)
	if s := f.Find(GlobalSection); s != nil && len(f.globals) > 0 {
		add(s.Offset, f.globals[0].start, 1, "number of globals: %d", len(f.globals))
		for _, g := range f.globals {
			add(g.start, g.end, 1, "global @%s", g.name.Value)
		}
	}
	if s := f.Find(ProducerSection); s != nil {
		add(s.Offset, s.Offset+s.Length, 1, "producer %q", f.Producer)
	}
	err := f.functionItems(add)
	sort.SliceStable(items, func(i, j int) bool { return items[i].Start < items[j].Start })
	return items, err
}

const tableText = "number and offsets of %d entries"

func (f *File) stringItems(add func(int, int, int, string, ...any)) {
	c := f.cursor(StringSection)
	start := c.pos
	spans := c.table(4, 4)
	add(start, c.pos, 1, tableText, len(spans))
	for i, s := range spans {
		s = s.within(c.end)
		add(s.start, s.end, 1, "string %d: %q", i, f.strings[i])
	}
}

func (f *File) typeItems(add func(int, int, int, string, ...any)) {
	s := f.Find(TypeSection)
	if n := len(f.types); n > 0 {
		add(s.Offset, f.types[n-1].at+4, 1, tableText, n)
	}
	for i, t := range f.types {
		in := t.within(s.Offset + s.Length)
		if t.err != nil {
			add(in.start, in.end, 1, "type %d: malformed: %s", i, t.err.Message)
		} else {
			add(in.start, in.end, 1, "type %d: %s", i, ir.TypeString(t.typ))
		}
	}
}

func (f *File) debugItems(add func(int, int, int, string, ...any)) {
	s, d := f.Find(DebugSection), &f.debug
	if s == nil {
		return
	}
	end := d.slotsAt + len(d.slots)
	add(s.Offset, d.slotsAt, 1, "number and first slots of %d location groups", len(d.groups))
	add(d.slotsAt, end, 1, "%d location slots", len(d.slots)/8)
	first, last := end, s.Offset+s.Length
	if n := len(d.attrs); n > 0 {
		first = d.attrs[n-1].at + 4
	}
	add(end, first, 1, "number and offsets of %d debug attributes", len(d.attrs))
	for i, a := range d.attrs {
		in := a.within(last)
		if a.err != nil {
			add(in.start, in.end, 1, "debug attribute %d: malformed: %s", i, a.err.Message)
		} else {
			add(in.start, in.end, 1, "debug attribute %d: %s", i, ir.AttrString(a.attr))
		}
	}
}

func (f *File) functionItems(add func(int, int, int, string, ...any)) error {
	s := f.Find(FunctionSection)
	first := s.Offset + s.Length
	if len(f.Functions) > 0 {
		first = f.Functions[0].head
	}
	add(s.Offset, first, 1, "number of functions: %d", len(f.Functions))
	var failed error
	for i := range f.Functions {
		fn := &f.Functions[i]
		add(fn.head, fn.Body, 1, "function %d: @%s : %s, %d bytes", i, fn.Name, ir.TypeString(fn.typ), fn.Size)
		last := fn.Body
		err := f.Records(i, func(r Record) {
			add(r.Start, r.End, 2+r.Depth, "%s", r)
			last = r.End
		})
		if err != nil {
			add(last, fn.Body+fn.Size, 2, "not decoded: %v", err)
			if failed == nil {
				failed = err
			}
		}
	}
	return failed
}

// String returns the record as text in which values go by their numbers in the file.
func (r Record) String() string {
	var sb strings.Builder
	for i := range r.Stored {
		sep := ", "
		if i == r.Stored-1 {
			sep = " = "
		}
		sb.WriteString("%" + strconv.Itoa(r.First+i) + sep)
	}
	sb.WriteString(r.Op.Name())
	for i, n := range r.Operands {
		sep := ", %"
		if i == 0 {
			sep = " %"
		}
		sb.WriteString(sep + strconv.Itoa(n))
	}
	sep := " {"
	for _, a := range r.Op.InherentAttrs() {
		if a.Name == ir.OperandSegmentSizes {
			continue
		}
		sb.WriteString(sep + a.Name + " = " + attrText(a.Value))
		sep = ", "
	}
	if sep == ", " {
		sb.WriteByte('}')
	}
	for i, t := range r.Op.ResultTypes() {
		sep := ", "
		if i == 0 {
			sep = " : "
		}
		sb.WriteString(sep + ir.TypeString(t))
	}
	return sb.String()
}

// attrText returns the text of an attribute, but for large constants.
func attrText(a ir.Attribute) string {
	if d, ok := a.(*ir.DenseElementsAttr); ok && len(d.Data) > 64 {
		return fmt.Sprintf("dense<%d bytes>", len(d.Data))
	}
	return ir.AttrString(a)
}

// Counts says how many entries the tables have.
type Counts struct{ Strings, Types, Constants, Globals, DebugAttrs int }

// Counts returns how many entries the tables of the file have.
func (f *File) Counts() Counts {
	return Counts{len(f.strings), len(f.types), len(f.consts), len(f.globals), len(f.debug.attrs)}
}
