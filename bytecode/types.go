package bytecode

import (
	"strconv"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/cudatile/wire"
	"github.com/tilewright/tilewright/ir"
)

// A typeEntry is an entry of the type table. A malformed entry is an error where it is used.
type typeEntry struct {
	span
	typ   ir.Type
	err   *Error
	state resolveState
}

// A resolveState says how far an entry that may refer to others is.
type resolveState uint8

const (
	unresolved resolveState = iota
	resolving
	resolved
)

// maxTypeDepth bounds how deeply entries refer to others; a valid type needs four levels. The format does
// not bound the number of dimensions. maxRank does, since every operation on a type costs time proportional to it.
const (
	maxTypeDepth = 16
	maxRank      = 256

	parameterBytes = 16 // that a byte of an entry may make us keep

	// maxMalformed bounds how many unused entries may be malformed, since it takes much more to say what is wrong
	// than to be wrong.
	maxMalformed = 1000
)

func (f *File) readTypes() {
	if f.Find(TypeSection) == nil {
		return
	}
	c := f.cursor(TypeSection)
	spans := c.table(4, 4)
	f.types = make([]typeEntry, len(spans))
	size := 0
	for i, s := range spans {
		f.types[i].span = s
		if s.end <= c.end {
			size += max(0, s.end-s.start)
		}
	}
	c.charge(f, parameterBytes*max(0, size-c.left())) // entries that lie on each other
	malformed := 0
	for i := range f.types {
		e := &f.types[i]
		if malformed == maxMalformed && e.state != resolved {
			e.err, e.state = tooManyMalformed(&c), resolved
			continue
		}
		if f.resolveType(i, 0); e.err != nil {
			malformed++
		}
	}
}

// tooManyMalformed is the error for the entries of a table after maxMalformed malformed ones.
func tooManyMalformed(c *cursor) *Error {
	return &Error{Offset: c.pos, Section: c.section, Message: "more than " + strconv.Itoa(maxMalformed) + " entries before are malformed"}
}

func (f *File) resolveType(i, depth int) {
	e := &f.types[i]
	if e.state == resolved {
		return
	}
	e.state = resolving
	c := f.cursor(TypeSection)
	e.err = catch(func() {
		ec := c.entry(e.span, "type", i)
		e.typ = f.decodeType(&ec, depth)
	})
	e.state = resolved
}

// typ reads a reference to a type.
func (c *cursor) typ(f *File) ir.Type {
	e := &f.types[c.index(len(f.types), "type")]
	if e.err != nil {
		panic(e.err)
	}
	return e.typ
}

// typeDecoder reads one entry of the type table.
type typeDecoder struct {
	*cursor
	f     *File
	row   *wire.TypeRow
	depth int
}

func (f *File) decodeType(c *cursor, depth int) ir.Type {
	start := c.pos
	tag := c.u32("type tag")
	row := f.format.TypeRowByTag(tag)
	if row == nil {
		c.failAt(start, "unknown type tag %d", tag)
	}
	if f.Version.Less(row.Since) {
		c.failAt(start, "type '%s' requires bytecode version %v+, file version is %v", row.Name, row.Since, f.Version)
	}
	d := typeDecoder{c, f, row, depth}
	parts := d.parts()
	t, err := row.Build(f.ctx, parts)
	if err != nil {
		c.failAt(start, "invalid %s type: %v", row.Name, err)
	}
	// The reference reader takes what follows the parameters of a tile for an extension, and does not look at what
	// follows those of other types.
	if _, ok := t.(*cudatile.TileType); ok && c.left() > 0 {
		c.fail("%d bytes after the parameters of type %s", c.left(), row.Name)
	}
	return t
}

func (d *typeDecoder) parts() wire.Parts {
	parts := make(wire.Parts, len(d.row.Fields))
	flags := uint64(0)
	for i := range d.row.Fields {
		w := &d.row.Fields[i]
		if !w.In(d.f.Version) || w.Flag > 0 && flags>>(w.Flag-1)&1 == 0 {
			continue
		}
		if w.Form.Enc == wire.EncVarint {
			start := d.pos
			flags = d.varint()
			if extra := flags &^ knownFlags(d.row.Fields); extra != 0 {
				d.failAt(start, "unknown flags 0x%x of type %s", extra, d.row.Name)
			}
			continue
		}
		if v := d.field(w); v != nil {
			parts[w.Name] = v
		}
	}
	return parts
}

// knownFlags returns the flag bits that fields have.
func knownFlags(fields []wire.Field) uint64 {
	mask := uint64(0)
	for i := range fields {
		if b := fields[i].Flag; b > 0 {
			mask |= 1 << (b - 1)
		}
	}
	return mask
}

func (d *typeDecoder) field(w *wire.Field) any {
	switch w.Form.Enc {
	case wire.EncType:
		return d.inner()
	case wire.EncTypes:
		out := make([]ir.Type, d.count(1, "types"))
		for i := range out {
			out[i] = d.inner()
		}
		return out
	case wire.EncI32Array:
		return d.dims(4)
	case wire.EncI64Array:
		return d.dims(8)
	case wire.EncU32:
		return int64(d.u32(w.Name))
	case wire.EncPresenceEnum:
		if d.u8() == 0 {
			return nil
		}
		fallthrough
	case wire.EncEnum:
		return w.Form.Enum.Attr(d.f.ctx, d.enumValue(d.f, w.Form.Enum))
	}
	d.fail("no reader for %s in a type", w.Form)
	return nil
}

// dims reads a list with a number for each dimension.
func (d *typeDecoder) dims(size int) []int64 {
	start := d.pos
	list := d.words(size)
	if len(list) > maxRank {
		d.failAt(start, "type %s has %d dimensions, more than %d", d.row.Name, len(list), maxRank)
	}
	return list
}

// inner reads a reference to another entry, which may stand further back.
func (d *typeDecoder) inner() ir.Type {
	start := d.pos
	i := d.index(len(d.f.types), "type")
	if d.f.types[i].state == resolving {
		d.failAt(start, "type %d contains itself", i)
	}
	if d.depth >= maxTypeDepth {
		d.failAt(start, "types nest deeper than %d levels", maxTypeDepth)
	}
	d.f.resolveType(i, d.depth+1)
	d.pos = start
	t := d.typ(d.f)
	if _, ok := t.(*ir.FunctionType); ok {
		d.failAt(start, "a function type cannot be part of type %s", d.row.Name)
	}
	return t
}

// enumValue reads a value of e that the file's version has.
func (c *cursor) enumValue(f *File, e *cudatile.Enum) uint32 {
	start := c.pos
	v := c.u32(e.Desc)
	if int64(v) >= int64(len(e.Cases)) {
		c.failAt(start, "unknown %s %d", e.Desc, v)
	}
	if !e.Valid(v, f.Version) {
		c.failAt(start, "%s '%s' requires bytecode version %v+, file version is %v", e.Desc, e.Keyword(v), e.CaseSince(v), f.Version)
	}
	return v
}
