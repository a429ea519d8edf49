package bytecode

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/cudatile/wire"
	"github.com/tilewright/tilewright/ir"
)

// debugInfo is the debug section. Slots hold 0 for an unknown location and k for attribute k-1.
//
//	groups[g]      first slot of function g's locations: the function's own, then one for each operation in order
//	slots[s]       0: unknown, k: debug attribute k-1
//	attributes     may refer to each other in any order; a cycle is an error
type debugInfo struct {
	groups  []uint32 // first slot of each group
	slots   []byte   // little-endian 64-bit words
	slotsAt int      // where they are in the file
	attrs   []debugEntry
}

// A debugEntry is a debug attribute. A malformed one is an error where it is used.
type debugEntry struct {
	span
	attr   ir.Attribute
	err    *Error
	state  resolveState
	weight int // entries that the attribute consists of, counted as often as they occur
}

// maxDebugDepth and maxDebugWeight bound chains of scopes, and trees of call sites.
const (
	maxDebugDepth  = 128
	maxDebugWeight = 1024
)

func (f *File) readDebug() {
	if f.Find(DebugSection) == nil {
		return
	}
	c := f.cursor(DebugSection)
	base := c.pos
	d := &f.debug
	n := c.count(4, "location groups")
	c.align(4, base)
	firsts := c.bytes(4 * n)
	start := c.pos
	slots := c.count(8, "location slots")
	c.align(8, base)
	d.slotsAt = c.pos
	d.slots = c.bytes(8 * slots)
	d.groups = make([]uint32, n)
	for i := range d.groups {
		d.groups[i] = binary.LittleEndian.Uint32(firsts[4*i:])
		if int64(d.groups[i]) > int64(slots) {
			c.failAt(start, "location group %d starts at slot %d, but there are %d", i, d.groups[i], slots)
		}
	}
	count := c.count(4, "debug attributes")
	c.align(4, base)
	c.item = "debug attribute table"
	d.attrs = make([]debugEntry, count)
	for i, s := range c.offsets(count, 4) {
		d.attrs[i].span = s
	}
	c.item = ""
	if c.left() == 0 && count == 0 {
		c.fail("the debug attribute table is empty")
	}
	r := newAttrReader(f)
	malformed := 0
	for i := range d.attrs {
		e := &d.attrs[i]
		if malformed == maxMalformed && e.state != resolved {
			e.err, e.state = tooManyMalformed(&c), resolved
			continue
		}
		if f.resolveDebug(r, i, 0); e.err != nil {
			malformed++
		}
	}
}

// A weight is how many entries an attribute consists of when its references are followed. Locations of inlined
// calls share callers, so that a chain of doubling references could make an attribute of exponential size that
// takes for ever to print.
func (f *File) resolveDebug(r *attrReader, i, depth int) {
	e := &f.debug.attrs[i]
	if e.state == resolved {
		return
	}
	e.state = resolving
	c := f.cursor(DebugSection)
	saved := r.cursor
	d := debugReader{r, 1, depth}
	e.err = catch(func() {
		r.at(c.entry(e.span, "debug attribute", i))
		e.attr = d.attribute()
	})
	e.weight, e.state = d.weight, resolved
	r.at(saved)
}

// location returns the location that slot i of the section refers to.
func (f *File) location(c *cursor, slot int) ir.Location {
	k := binary.LittleEndian.Uint64(f.debug.slots[8*slot:])
	if k == 0 {
		return f.ctx.UnknownLoc()
	}
	if k > uint64(len(f.debug.attrs)) {
		c.fail("location slot %d refers to debug attribute %d, but there are %d", slot, k-1, len(f.debug.attrs))
	}
	e := &f.debug.attrs[k-1]
	if e.err != nil {
		panic(e.err)
	}
	l, ok := e.attr.(ir.Location)
	if !ok {
		c.fail("debug attribute %d, %s, is not a location", k-1, ir.AttrString(e.attr))
	}
	return l
}

// slotsOf returns the first slot of a group and the one after the last that it can have; the next group may begin
// before.
func (f *File) slotsOf(group int) (first, end int) {
	return int(f.debug.groups[group]), len(f.debug.slots) / 8
}

// debugReader reads one debug attribute.
type debugReader struct {
	*attrReader
	weight int
	depth  int
}

func (d *debugReader) attribute() ir.Attribute {
	c, start := d.f.ctx, d.pos
	switch tag := d.varint(); tag {
	case wire.TagDICompileUnit:
		return cudatile.DICompileUnit(c, debugRef[*cudatile.DIFileAttr](d, "file", "failed to read file attribute when parsing DICompileUnitAttr"))
	case wire.TagDIFile:
		name := d.name("failed to read file name attribute when parsing DIFileAttr")
		return cudatile.DIFile(c, name, d.name("failed to read directory attribute when parsing DIFileAttr"))
	case wire.TagDILexicalBlock:
		const parsing = " when parsing DILexicalBlockAttr"
		scope := debugRef[cudatile.DIScope](d, "scope", "failed to read scope attribute"+parsing)
		file := debugRef[*cudatile.DIFileAttr](d, "file", "failed to read file attribute"+parsing)
		line, column := d.place(parsing)
		return cudatile.DILexicalBlock(c, scope, file, line, column)
	case wire.TagDILoc:
		const parsing = " when parsing FileLineColLoc" // as the reference has it
		scope := debugRef[cudatile.DIScope](d, "scope", "failed to read scope attribute when parsing DILocAttr")
		file := d.name("failed to read file name attribute" + parsing)
		if file == "" {
			file = "-" // as the reference has it
		}
		line, column := d.place(parsing)
		return cudatile.DILoc(c, c.FileLoc(file, line, column), scope)
	case wire.TagDISubprogram:
		return d.subprogram()
	case wire.TagCallSite:
		const parsing = " when parsing CallSiteLoc"
		callee := debugRef[ir.Location](d, "callee", "failed to read callee attribute"+parsing)
		return c.CallSiteLoc(callee, debugRef[ir.Location](d, "caller", "failed to read caller attribute"+parsing))
	default: // TagUnknownLoc, or the tag of a newer kind
		if low := tag & math.MaxUint8; low != tag && low != wire.TagUnknownLoc && low < uint64(len(wire.DebugRows)) {
			// The reference drops the high bits, and reads another kind.
			d.failAt(start, "unknown debug attribute tag %d", tag)
		}
		return c.UnknownLoc()
	}
}

// name reads a string, and place a line and a column, with the words of the reference when that fails.
func (d *debugReader) name(words string) string {
	return field(&d.cursor, words, func() string { return d.str(d.f) })
}

func (d *debugReader) place(parsing string) (line, column uint32) {
	number := func(what string) uint32 {
		return field(&d.cursor, "failed to read "+what+" number"+parsing, func() uint32 { return d.u32(what) })
	}
	line = number("line")
	return line, number("column")
}

func (d *debugReader) subprogram() ir.Attribute {
	s := cudatile.DISubprogramAttr{File: debugRef[*cudatile.DIFileAttr](d, "file", ""), Line: d.u32("line"), Name: d.str(d.f),
		LinkageName: d.str(d.f), CompileUnit: debugRef[*cudatile.DICompileUnitAttr](d, "compile unit", ""), ScopeLine: d.u32("scope line")}
	if subprogramFlags.In(d.f.Version) {
		start := d.pos
		flags := d.varint()
		if flags&^subprogramDeclaration != 0 {
			d.failAt(start, "unrecognized flag bits (0x%X) when parsing DISubprogramAttr", flags)
		}
		s.Declaration = flags != 0
	}
	return cudatile.DISubprogram(d.f.ctx, s)
}

// subprogramDeclaration is the flag of a function that is declared and not defined. It is the only one that the tools
// 13.5 know.
const subprogramDeclaration = 1

// subprogramFlags is the field that a newer version added.
var subprogramFlags = func() *wire.Field {
	fields := wire.DebugRows[wire.TagDISubprogram].Fields
	return &fields[len(fields)-1]
}()

// debugRef reads a reference to another debug attribute, which must be of a certain kind; words is what the reference
// says when that fails.
func debugRef[A ir.Attribute](d *debugReader, what, words string) A {
	return field(&d.cursor, words, func() A { return debugRefTo[A](d, what) })
}

func debugRefTo[A ir.Attribute](d *debugReader, what string) A {
	start := d.pos
	k := d.varint()
	if k == 0 {
		return asKind[A](d, start, d.f.ctx.UnknownLoc(), what)
	}
	attrs := d.f.debug.attrs
	if k > uint64(len(attrs)) {
		d.failAt(start, "%s refers to debug attribute %d, but there are %d", what, k-1, len(attrs))
	}
	e := &attrs[k-1]
	if e.state == resolving {
		d.failAt(start, "debug attribute %d contains itself", k-1)
	}
	if d.depth >= maxDebugDepth {
		d.failAt(start, "debug attributes nest deeper than %d levels", maxDebugDepth)
	}
	d.f.resolveDebug(d.attrReader, int(k-1), d.depth+1)
	if e.err != nil {
		panic(e.err)
	}
	if d.weight += e.weight; d.weight > maxDebugWeight {
		d.failAt(start, "debug attribute consists of more than %d others", maxDebugWeight)
	}
	return asKind[A](d, start, e.attr, what)
}

func asKind[A ir.Attribute](d *debugReader, pos int, a ir.Attribute, what string) A {
	v, ok := a.(A)
	if !ok {
		d.failAt(pos, "%s cannot be %s", what, fmt.Sprintf("%.80s", ir.AttrString(a)))
	}
	return v
}
