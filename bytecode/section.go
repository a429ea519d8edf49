package bytecode

import (
	"bytes"
	"fmt"

	"github.com/tilewright/tilewright/dialects/cudatile/wire"
	"github.com/tilewright/tilewright/ir"
)

// Magic is what every file starts with.
const Magic = "\x7fTileIR\x00"

const headerSize = len(Magic) + 4

// mlirMagic is what files of MLIR's own bytecode start with.
const mlirMagic = "ML\xefR"

// IsMLIR reports whether data is MLIR bytecode, which is another format.
func IsMLIR(data []byte) bool { return bytes.HasPrefix(data, []byte(mlirMagic)) }

// NotTileIR says that data is no file of this format, in the words of the reference.
func NotTileIR(data []byte) string {
	if IsMLIR(data) {
		return "input does not correspond to Tile IR bytecode (it looks like MLIR bytecode instead)"
	}
	return "input does not correspond to Tile IR bytecode"
}

// Is reports whether data is meant to be a file of this format. It starts with Magic, or it has a zero byte near its
// start and no words in the place of the magic number, as no text has. Reading the latter reports a wrong magic
// number, and so does reading MLIR bytecode.
func Is(data []byte) bool {
	if hasMagic(data) || IsMLIR(data) {
		return true
	}
	start := data[:min(len(data), 2*headerSize)]
	words := func(r rune) bool { return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r >= 0x7f }
	return bytes.IndexByte(start, 0) >= 0 && bytes.ContainsFunc(start[:min(len(start), len(Magic))], words)
}

// HeaderVersion returns the version that the header of a file of this format names, whether or not it is one that can
// be read; ok is false for another file.
func HeaderVersion(data []byte) (v ir.Version, ok bool) {
	if !hasMagic(data) || len(data) < headerSize {
		return v, false
	}
	return ir.Version{Major: data[len(Magic)], Minor: data[len(Magic)+1]}, true
}

func hasMagic(data []byte) bool { return bytes.HasPrefix(data, []byte(Magic)) }

// A SectionID is the number of a section.
type SectionID uint8

// The sections.
const (
	EndSection SectionID = iota
	StringSection
	FunctionSection
	DebugSection
	ConstantSection
	TypeSection
	GlobalSection
	ProducerSection

	numSections
)

// sectionKinds says what each section is called and what alignment its header must state; 0: any or none.
var sectionKinds = [numSections]struct {
	name  string
	align int
}{
	EndSection:      {"end", 0},
	StringSection:   {"string", 4},
	FunctionSection: {"function", 8},
	DebugSection:    {"debug", 8},
	ConstantSection: {"constant", 8},
	TypeSection:     {"type", 4},
	GlobalSection:   {"global", 0},
	ProducerSection: {"producer", 0},
}

func (id SectionID) String() string {
	if id < numSections {
		return sectionKinds[id].name
	}
	return fmt.Sprintf("section %d", uint8(id))
}

// A Section is where a section stands in the file.
type Section struct {
	ID     SectionID
	Start  int // of the header
	Align  int // as stated; 0: none
	Offset int // of the payload
	Length int // of the payload
}

func (s *Section) payload(data []byte) []byte { return data[s.Offset : s.Offset+s.Length] }

// A Layout is the frame of a file: its version and where its sections are.
type Layout struct {
	Version ir.Version
	Tag     uint16
	// Sections are in the order of the file; the end marker is not among them.
	Sections []Section
}

// Find returns the section of that number, or nil.
func (l *Layout) Find(id SectionID) *Section {
	for i := range l.Sections {
		if l.Sections[i].ID == id {
			return &l.Sections[i]
		}
	}
	return nil
}

// tagPreview is the bit of the header's tag that marks content of no released version.
const tagPreview = 1

// ReadLayout reads the frame of a file. With an error it also returns the part that it has read, so that a damaged
// file can be shown.
func ReadLayout(ctx *ir.Context, data []byte) (*Layout, error) {
	l := &Layout{}
	err := catch(func() { l.read(wire.FormatOf(ctx), data) })
	return l, asError(err)
}

func (c *cursor) magic() {
	for i := range len(Magic) {
		switch {
		case i >= len(c.data):
			c.failAt(i, "invalid magic number: unexpected end of data at position %d", i)
		case c.data[i] != Magic[i] && IsMLIR(c.data):
			c.failAt(i, "invalid magic number at position %d, got %d expected %d: it looks like MLIR bytecode", i, c.data[i], Magic[i])
		case c.data[i] != Magic[i]:
			c.failAt(i, "invalid magic number at position %d, got %d expected %d", i, c.data[i], Magic[i])
		}
	}
}

func (l *Layout) read(format *wire.Format, data []byte) {
	c := cursor{data: data, end: len(data)}
	c.magic()
	c.pos = len(Magic)
	if c.left() < 4 {
		c.fail("unexpected end of data in the header")
	}
	l.Version = ir.Version{Major: c.u8(), Minor: c.u8()}
	l.Tag = uint16(c.u8()) | uint16(c.u8())<<8
	if !format.Has(l.Version) {
		c.failAt(len(Magic), "unsupported Tile version %v.%d, this reader supports versions [%v - %v]", l.Version, l.Tag, format.Versions[0],
			format.Newest)
	}
	if l.Tag == tagPreview {
		c.failAt(len(Magic)+2, "the file holds public-preview content, which is not supported")
	} else if l.Tag != 0 {
		c.failAt(len(Magic)+2, "unknown version tag 0x%x", l.Tag)
	}
	for l.section(&c) {
	}
}

// alignFlag is the bit of a section's first byte that says that an alignment follows the length.
const alignFlag = 0x80

// section reads a section header and skips the payload; it returns false at the end marker.
func (l *Layout) section(c *cursor) bool {
	s := Section{Start: c.pos}
	if c.left() == 0 {
		c.fail("the end marker is missing")
	}
	first := c.u8()
	s.ID = SectionID(first &^ alignFlag)
	switch {
	case first == byte(EndSection):
		if c.left() != 0 {
			c.fail("end section is not the last section: %d bytes follow", c.left())
		}
		return false
	case s.ID == EndSection:
		c.failAt(s.Start, "end section should not have alignment flag set")
	case s.ID >= numSections:
		c.failAt(s.Start, "unknown section ID: %d", s.ID)
	}
	length := c.varint()
	if first&alignFlag != 0 {
		s.Align = l.alignment(c)
	}
	if want := sectionKinds[s.ID].align; want != 0 && (s.Align == 0 || s.Align%want != 0) {
		c.failAt(s.Start, "alignment of the %s section must be a multiple of %d, but got %d", s.ID, want, s.Align)
	}
	if length > uint64(c.left()) {
		c.failAt(s.Start, "length of the %s section, %d, exceeds the remaining %d bytes", s.ID, length, c.left())
	}
	s.Offset, s.Length = c.pos, int(length)
	c.pos += s.Length
	// The reference reader takes the last of several sections of a kind, other readers may not. A copy is the same to
	// all of them.
	if first := l.Find(s.ID); first != nil && !bytes.Equal(s.payload(c.data), first.payload(c.data)) {
		c.failAt(s.Start, "second %s section, which differs from the first", s.ID)
	}
	l.Sections = append(l.Sections, s)
	return true
}

func (l *Layout) alignment(c *cursor) int {
	start := c.pos
	n := c.varint()
	if n == 0 || n&(n-1) != 0 {
		c.failAt(start, "section alignment must be a power of two, but got %d", n)
	}
	if n > uint64(len(c.data)) {
		c.failAt(start, "section alignment %d exceeds the size of the file", n)
	}
	c.align(int(n), 0)
	return int(n)
}
