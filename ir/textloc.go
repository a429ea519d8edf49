package ir

import (
	"sort"
	"strings"
	"sync"
)

// A Text is a text whose positions serve as locations. An operation that was read from it keeps only a number for its
// position, and the FileLoc is made at the first request. Most operations of a large file are never asked. A location
// of each would take as much memory as the operation, and a lock.
type Text struct {
	ctx  *Context
	file string
	src  string
	line uint32 // the number of its first line
	base uint32 // what its first position is numbered; 0: positions are not numbered

	once   sync.Once
	starts []uint32 // offsets at which lines start
}

// texts numbers the positions of all texts of a context. Such a number has the top bit set, which no attribute's
// number has.
type texts struct {
	mu   sync.RWMutex
	list []*Text // by base
	end  uint32
}

const textBit = 1 << 31

// NewText returns the text of a file, whose first line has the given number. Its locations are made at once.
func (c *Context) NewText(file, src string, firstLine uint32) *Text {
	return &Text{ctx: c, file: file, src: src, line: firstLine}
}

// AddText is NewText for a text from which operations are read. The context keeps it.
func (c *Context) AddText(file, src string, firstLine uint32) *Text {
	t := c.NewText(file, src, firstLine)
	x := &c.texts
	x.mu.Lock()
	defer x.mu.Unlock()
	if n := uint64(x.end) + uint64(len(src)) + 1; n < textBit { // else there are no numbers left
		t.base = textBit | x.end
		x.end = uint32(n)
		x.list = append(x.list, t)
	}
	return t
}

// Text returns the text itself.
func (t *Text) Text() string { return t.src }

// LineCol returns the line and column of an offset; both count from 1.
func (t *Text) LineCol(pos int) (line, col uint32) {
	t.once.Do(t.findLines)
	n := sort.Search(len(t.starts), func(i int) bool { return int(t.starts[i]) > pos }) - 1
	return t.line + uint32(n), uint32(pos) - t.starts[n] + 1
}

func (t *Text) findLines() {
	t.starts = make([]uint32, 1, 1+strings.Count(t.src, "\n"))
	for at := 0; ; {
		i := strings.IndexByte(t.src[at:], '\n')
		if i < 0 {
			return
		}
		at += i + 1
		t.starts = append(t.starts, uint32(at))
	}
}

// Loc returns the location of an offset.
func (t *Text) Loc(pos int) *FileLoc {
	line, col := t.LineCol(pos)
	return t.ctx.FileLoc(t.file, line, col)
}

// SetTextLoc makes the offset pos of a text the location of the operation.
func (st *OpState) SetTextLoc(t *Text, pos int) {
	if t.base == 0 {
		st.Loc = t.Loc(pos)
		return
	}
	st.Loc, st.loc = nil, t.base+uint32(pos)
}

// location returns the location with the given number.
func (c *Context) location(id uint32) Location {
	if id&textBit == 0 {
		return c.attrs.at(id).(Location)
	}
	x := &c.texts
	x.mu.RLock()
	t := x.list[sort.Search(len(x.list), func(i int) bool { return x.list[i].base > id })-1]
	x.mu.RUnlock()
	return t.Loc(int(id - t.base))
}

// HasPlainLoc reports whether the location is not known or a position in a file, and so says nothing about scopes and
// calls. It costs less than to ask for the location.
func (op Op) HasPlainLoc() bool {
	id := op.rec().loc
	if id&textBit != 0 {
		return true
	}
	switch op.a.ctx.attrs.at(id).(type) {
	case *UnknownLoc, *FileLoc:
		return true
	}
	return false
}
