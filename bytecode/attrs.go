package bytecode

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/cudatile/wire"
	"github.com/tilewright/tilewright/ir"
)

// An attrReader reads attributes. It remembers those that are referred to by index, since the same one is used again
// and again; each goroutine has its own.
//
// An attribute is stored in one of two ways. The operation's row may give its kind: then it is an index, a number or a
// list, without a tag. Or the row admits any attribute: then it is self-contained, with a tag. Only the second nests.
type attrReader struct {
	cursor
	f       *File
	strs    map[int]*ir.StringAttr
	dense   map[denseKey]ir.Attribute
	arrays  map[string]ir.Attribute // lists of integers by their bytes
	symbols map[int]ir.Attribute
}

type denseKey struct {
	index int
	typ   ir.Type
}

func newAttrReader(f *File) *attrReader {
	return &attrReader{f: f, strs: make(map[int]*ir.StringAttr), dense: make(map[denseKey]ir.Attribute),
		arrays: make(map[string]ir.Attribute), symbols: make(map[int]ir.Attribute)}
}

// at makes the reader continue at another place.
func (r *attrReader) at(c cursor) { r.cursor = c }

// maxAttrDepth bounds how deeply self-contained attributes nest.
const maxAttrDepth = 64

// trusted is how many entries memory is reserved for before they are read: nested lists can all claim the same bytes.
const trusted = 16

// maxFlatArray is the longest list, in bytes, that is remembered.
const maxFlatArray = 64

func (r *attrReader) stringAttr() *ir.StringAttr {
	start := r.pos
	i := r.index(len(r.f.strings), "string")
	a := r.strs[i]
	if a == nil {
		r.pos = start
		a = r.f.ctx.String(r.str(r.f))
		r.strs[i] = a
	}
	return a
}

func (r *attrReader) symbol() ir.Attribute {
	start := r.pos
	i := r.index(len(r.f.strings), "string")
	a := r.symbols[i]
	if a == nil {
		r.pos = start
		a = r.f.ctx.SymbolRef(r.str(r.f))
		r.symbols[i] = a
	}
	return a
}

func (r *attrReader) denseAttr(t ir.Type) ir.Attribute {
	start := r.pos
	key := denseKey{r.index(len(r.f.consts), "constant"), t}
	a := r.dense[key]
	if a == nil {
		r.pos = start
		a = r.constant(r.f, t)
		r.dense[key] = a
	}
	return a
}

// arrayWords are the words of the reference, by the bytes of an element. No operation has a list of 8 bytes each.
var arrayWords = [9]string{4: "failed to read DenseI32ArrayAttr values.", 8: "failed to read DenseI64ArrayAttr values."}

// array reads a list of integers of the given size in bytes and type.
//
// It looks the list up by its bytes, before it decodes the values. Nearly every list is a permutation, a dim_map or
// bounds of a few elements that many operations have.
func (r *attrReader) array(size int, elem ir.Type) ir.Attribute {
	start := r.pos
	outer := r.reading
	r.reading = arrayWords[size]
	n := r.count(size, "elements")
	r.bytes(n * size)
	r.reading = outer
	raw := r.data[start:r.pos]
	if len(raw) <= maxFlatArray {
		// The count alone does not tell the sizes apart.
		key := append(make([]byte, 0, maxFlatArray+1), byte(size))
		key = append(key, raw...)
		if a := r.arrays[string(key)]; a != nil {
			return a
		}
		a := r.longArray(start, size, elem)
		r.arrays[string(key)] = a
		return a
	}
	return r.longArray(start, size, elem)
}

func (r *attrReader) longArray(start, size int, elem ir.Type) ir.Attribute {
	end := r.pos
	r.pos = start
	values := r.words(size)
	r.pos = end
	for i, v := range values {
		// The reference reader keeps the extreme values of its lists for itself.
		if w := 8 * size; size > 1 && (v == -1<<(w-1) || v == 1<<(w-1)-1) {
			r.failAt(start, "array contains unsupported value %d", v)
		}
		if size == 1 && v != 0 {
			values[i] = 1
		}
	}
	return r.f.ctx.DenseArray(elem, values...)
}

// boolByte reads a byte of which any but 0 means true.
func (r *attrReader) boolByte() bool { return r.u8() != 0 }

// tagged reads a self-contained attribute.
func (r *attrReader) tagged(depth int) ir.Attribute {
	start := r.pos
	if depth > maxAttrDepth {
		r.fail("attributes nest deeper than %d levels", maxAttrDepth)
	}
	tag := field(&r.cursor, "failed to read AttributeTag for self-contained attribute.", func() uint32 { return r.u32("attribute tag") })
	row := r.f.format.AttrRowByTag(tag)
	if row == nil {
		r.failAt(start, "unsupported AttributeTag %[1]d for self-contained attribute: unknown attribute tag %[1]d", tag)
	}
	if r.f.Version.Less(row.Since) {
		r.failAt(start, "attribute '%s' requires bytecode version %v+, file version is %v", row.Name, row.Since, r.f.Version)
	}
	c := r.f.ctx
	if row.Make != nil {
		parts := make([]int64, len(row.Fields))
		for i := range parts {
			parts[i] = r.signed()
		}
		return row.Make(c, parts)
	}
	switch tag {
	case wire.TagInteger:
		return r.integer()
	case wire.TagFloat:
		return r.float()
	case wire.TagBool:
		return c.BoolAttr(r.boolByte())
	case wire.TagType:
		return c.TypeAttr(field(&r.cursor, "failed to get referenced type for TypeAttr", func() ir.Type { return r.typ(r.f) }))
	case wire.TagString:
		return field(&r.cursor, "failed to read StringAttr.", r.stringAttr)
	case wire.TagArray:
		return r.attrArray(depth)
	case wire.TagDense:
		return r.denseAttr(field(&r.cursor, "failed to read valid MLIR Type for self-contained DenseElementsAttr", func() ir.Type { return r.typ(r.f) }))
	case wire.TagDivBy:
		divisor := field(&r.cursor, "failed to read divisor for DivByAttr", r.varint)
		bounds := r.bounds(row)
		return cudatile.DivBy(c, divisor, bounds[0], bounds[1])
	case wire.TagSameElements:
		return cudatile.SameElements(c, field(&r.cursor, "failed to read DenseI64ArrayAttr for SameElementsAttr", func() []int64 { return r.words(8) })...)
	case wire.TagDictionary:
		return r.dict(depth)
	case wire.TagOptimizationHints:
		return r.hints(depth)
	case wire.TagBounded:
		bounds := r.bounds(row)
		return cudatile.Bounded(c, bounds[0], bounds[1])
	case wire.TagMultimemReductionKind:
		return cudatile.MultimemReductions.Attr(c, r.enumValue(r.f, cudatile.MultimemReductions))
	}
	r.failAt(start, "no reader for attribute %s", row.Name)
	return nil
}

// boundWords is what the reference calls the flags and the two numbers of an attribute.
var boundWords = map[uint32][3]string{
	wire.TagDivBy: {"failed to read flags byte for DivByAttr", "failed to read value for 'every' in DivByAttr", "failed to read value for 'along' in DivByAttr"},
	wire.TagBounded: {"failed to read flags byte for BoundedAttr", "failed to read lower bound for BoundedAttr",
		"failed to read upper bound for BoundedAttr"},
}

// bounds reads flags and the two numbers that they announce.
//
//	flags (bit 0: first is given, bit 1: second), first if given, second if given; numbers in zigzag form
func (r *attrReader) bounds(row *wire.AttrRow) (out [2]cudatile.Bound) {
	start := r.pos
	words := boundWords[row.Tag]
	flags := field(&r.cursor, words[0], r.varint)
	if extra := flags &^ knownFlags(row.Fields); extra != 0 {
		r.failAt(start, "unknown flags 0x%x of attribute %s", extra, row.Name)
	}
	for i := range out {
		if flags>>i&1 == 1 {
			out[i] = cudatile.At(field(&r.cursor, words[1+i], r.signed))
		}
	}
	return out
}

// A pattern with bits beyond the type is rejected, rather than truncated: truncated, it would be written back as
// another file.
func (r *attrReader) integer() ir.Attribute {
	start := r.pos
	t := r.typ(r.f)
	it, ok := t.(*ir.IntegerType)
	if !ok {
		r.failAt(start, "integer attribute has type %s", ir.TypeString(t))
	}
	if it.Width == 1 {
		return r.f.ctx.BoolAttr(r.boolByte())
	}
	return r.f.ctx.IntAttr(t, int64(r.patternOf(it.Width, r.varint)))
}

func (r *attrReader) float() ir.Attribute {
	start := r.pos
	t := r.typ(r.f)
	ft, ok := t.(*ir.FloatType)
	if !ok {
		r.failAt(start, "failed to read valid FloatType for FloatAttr: got %s", ir.TypeString(t))
	}
	width := ft.Format.Bits()
	if width <= 8 {
		return r.f.ctx.FloatAttr(ft, r.patternOf(width, func() uint64 { return uint64(r.u8()) }))
	}
	zigzag := func() uint64 { return uint64(r.pattern()) }
	if isTF32(ft) {
		return r.f.ctx.FloatAttr(ft, r.patternOf(width-tf32Pad, zigzag)<<tf32Pad)
	}
	return r.f.ctx.FloatAttr(ft, r.patternOf(width, zigzag))
}

// patternOf reads a bit pattern that must fit width bits.
func (r *attrReader) patternOf(width int, read func() uint64) uint64 {
	start := r.pos
	v := read()
	if width < 64 && v>>width != 0 {
		r.failAt(start, "pattern 0x%x does not fit %d bits", v, width)
	}
	return v
}

func (r *attrReader) attrArray(depth int) ir.Attribute {
	n := r.count(1, "attributes")
	elems := make([]ir.Attribute, 0, min(n, trusted))
	for range n {
		elems = append(elems, r.tagged(depth+1))
	}
	return r.f.ctx.Array(elems...)
}

func (r *attrReader) dict(depth int) *ir.DictAttr {
	n := r.count(2, "dictionary entries")
	entries := make([]ir.NamedAttr, 0, min(n, trusted))
	names := make(map[string]bool, min(n, trusted))
	for i := range n {
		start := r.pos
		name := r.str(r.f)
		if name == "" {
			r.failAt(start, "invalid empty attribute name for DictionaryAttr element %d", i)
		}
		if names[name] {
			r.failAt(start, "second dictionary entry named '%s'", name)
		}
		names[name] = true
		entries = append(entries, ir.NamedAttr{Name: name, Value: r.tagged(depth + 1)})
	}
	return r.f.ctx.Dict(entries...)
}

// hints reads optimization hints, which hold a dictionary for each architecture.
func (r *attrReader) hints(depth int) ir.Attribute {
	start := r.pos
	d := r.dict(depth)
	for _, e := range d.Entries {
		if _, ok := e.Value.(*ir.DictAttr); !ok {
			r.failAt(start, "optimization hints for '%s' are not a dictionary", e.Name)
		}
	}
	return cudatile.Hints(r.f.ctx, d)
}
