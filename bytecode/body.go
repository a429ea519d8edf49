package bytecode

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/cudatile/wire"
	"github.com/tilewright/tilewright/ir"
)

// maxRegionDepth bounds how deeply operations nest.
const maxRegionDepth = 200

// A bodyReader decodes the bodies of functions, one after the other.
//
// One for each worker, used for one function after the other: what an operation needs for a moment (its
// operands, its types, its attributes by slot) is never freed.
type bodyReader struct {
	*attrReader
	builder *ir.Builder
	st      *ir.OpState // of the operation that is being read; its lists are used again for the next
	values  []ir.Value  // by number
	// slot is the location slot of the next record, and endSlot the one after the last of the function; without
	// locations slot is -1.
	slot, endSlot int
	unknown       ir.Location
	i1, i32, i64  ir.Type
	segments      map[uint64]ir.Attribute // by sizes, eight bits each
	sizes         []int64
	visit         func(Record) // when set, it is told of every record; refs are then the numbers of its operands
	refs          []int
	attrs         []ir.Attribute // of the operation that is being read, by slot
}

func newBodyReader(f *File) *bodyReader {
	c := f.ctx
	return &bodyReader{attrReader: newAttrReader(f), builder: new(ir.Builder), st: new(ir.OpState), unknown: c.UnknownLoc(), i1: c.Int(1), i32: c.Int(32), i64: c.Int(64),
		segments: make(map[uint64]ir.Attribute)}
}

// read decodes the body of fn into the empty block of its entry.
func (b *bodyReader) read(fn *Function, body ir.Block) {
	b.at(cursor{data: b.f.data, pos: fn.Body, end: fn.Body + fn.Size, section: FunctionSection.String(), item: "function @" + fn.Name})
	*b.builder = *ir.BuilderAtEnd(body)
	operands, types := b.st.Operands[:0], b.st.Types[:0]
	*b.st = *b.builder.NewState(nil, nil)
	b.st.Operands, b.st.Types = operands, types
	b.slot = -1
	if fn.group >= 0 {
		b.slot, b.endSlot = b.f.slotsOf(fn.group)
		b.slot++ // the function's own
	}
	b.values = append(b.values[:0], body.Args()...)
	for b.left() > 0 {
		b.op(body, 0)
	}
}

// op decodes a record.
//
//	varint  opcode
//	varint  number of results      only if the row has optional or variadic ones
//	varint  type of each result
//	varint  flags                  only if the row has optional fields
//	        attributes, in the order of the row
//	varint  operands               by the number of the value; with a count, or field by field
//	varint  number of regions, and for each its blocks: arguments, operations
//
// Values are numbered as they appear, arguments of the function first. A region sees the values before it and its
// numbers are given again after it (block).
func (b *bodyReader) op(block ir.Block, depth int) {
	start := b.pos
	p := b.plan()
	loc := b.location()
	b.st.Def, b.st.Loc = p.def, loc
	stored := b.results(p)
	flags := uint64(0)
	if p.hasFlags {
		flags = b.flags(p)
	}
	b.attributes(p, flags)
	b.operands(p, flags)
	b.st.Regions = b.st.Regions[:0]
	for range p.def.Regions {
		b.st.AddRegion()
	}
	op := b.builder.Insert(b.st)
	for i, a := range b.attrs {
		if a != nil {
			op.SetAttrAt(i, a)
		}
	}
	if b.visit != nil {
		b.visit(Record{Start: start, End: b.pos, Depth: depth, Op: op, First: len(b.values), Stored: stored, Operands: b.refs})
		b.refs = b.refs[:0]
	}
	if len(p.def.Regions) > 0 {
		b.regions(op, start, depth)
		b.builder.SetInsertionPointToEnd(block)
	}
	for i := range stored {
		b.values = append(b.values, op.Result(i))
	}
}

// plan reads an opcode.
func (b *bodyReader) plan() *opPlan {
	start := b.pos
	b.reading = "failed to read operation opcode."
	code := b.varint()
	b.reading = ""
	if code >= uint64(len(b.f.plans)) || b.f.plans[code] == nil {
		b.failAt(start, "unknown or unimplemented opcode: %d (0x%[1]x)", code)
	}
	p := b.f.plans[code]
	if b.f.Version.Less(p.since) {
		b.failAt(start, "opcode 0x%x, '%s', requires bytecode version %v+, file version is %v", code, p.def.FullName(), p.since, b.f.Version)
	}
	return p
}

func (b *bodyReader) location() ir.Location {
	if b.slot < 0 {
		return b.unknown
	}
	b.reading = "failed to read operation location."
	if b.slot >= b.endSlot {
		b.fail("the function has fewer locations than operations")
	}
	b.slot++
	loc := b.f.location(&b.cursor, b.slot-1)
	b.reading = ""
	return loc
}

// results reads the types of the results. It returns how many the record holds: the version may lack the last ones.
func (b *bodyReader) results(p *opPlan) int {
	n := p.minResults
	if p.countsResults {
		start := b.pos
		n = b.count(1, "results")
		if n < p.minResults || p.maxResults >= 0 && n > p.maxResults {
			b.failAt(start, "'%s' cannot have %d results", p.def.FullName(), n)
		}
	}
	types := slices.Grow(b.st.Types[:0], n)
	for range n {
		types = append(types, b.typ(b.f))
	}
	for _, only := range p.newResults {
		types = append(types, only(b.f.ctx))
	}
	b.st.Types = types
	return n
}

func (b *bodyReader) flags(p *opPlan) uint64 {
	start := b.pos
	flags := b.varint()
	if extra := flags &^ p.knownFlags; extra != 0 {
		b.failAt(start, "unknown flags 0x%x of '%s'", extra, p.def.FullName())
	}
	return flags
}

// value reads a reference to a value.
func (b *bodyReader) value() ir.Value {
	i := b.index(len(b.values), "value")
	if b.visit != nil {
		b.refs = append(b.refs, i)
	}
	return b.values[i]
}

func (b *bodyReader) operands(p *opPlan, flags uint64) {
	vs := b.st.Operands[:0]
	switch {
	case p.segSlot >= 0:
		vs = b.segmentedOperands(p, flags, vs)
	default:
		n := len(p.operands)
		if p.countsOperands {
			start := b.pos
			if n = b.count(1, "operands"); n < p.minOperands {
				b.failAt(start, "'%s' has %d operands, expected at least %d", p.def.FullName(), n, p.minOperands)
			}
		}
		for range n {
			vs = append(vs, b.value())
		}
	}
	b.st.Operands = vs
}

// segmentedOperands reads the operands field by field.
func (b *bodyReader) segmentedOperands(p *opPlan, flags uint64, vs []ir.Value) []ir.Value {
	b.sizes = b.sizes[:0]
	for i := range p.operands {
		s := &p.operands[i]
		n := 0
		switch {
		case !s.stored:
		case s.arity == ir.One:
			n = 1
		case s.arity == ir.Optional:
			if flags&s.flag != 0 {
				n = 1
			}
		default:
			n = b.count(1, "operands")
		}
		for range n {
			vs = append(vs, b.value())
		}
		b.sizes = append(b.sizes, int64(n))
	}
	b.attrs[p.segSlot] = b.segmentSizes()
	return vs
}

// segmentSizes returns the attribute for b.sizes.
//
// A kernel has thousands of operations and some ten divisions of operands.
func (b *bodyReader) segmentSizes() ir.Attribute {
	key := uint64(1) // so that leading zeros count
	for _, n := range b.sizes {
		if n > 0xff || key>>56 != 0 {
			return b.f.ctx.DenseI32(b.sizes...)
		}
		key = key<<8 | uint64(n)
	}
	a := b.segments[key]
	if a == nil {
		a = b.f.ctx.DenseI32(b.sizes...)
		b.segments[key] = a
	}
	return a
}

// attributes reads the attributes.
func (b *bodyReader) attributes(p *opPlan, flags uint64) {
	b.attrs = b.attrs[:0]
	for range p.def.Attrs {
		b.attrs = append(b.attrs, nil)
	}
	for i := range p.attrs {
		s := &p.attrs[i]
		if s.flag != 0 && flags&s.flag == 0 {
			continue
		}
		b.attrs[s.slot] = b.attribute(s)
	}
}

func (b *bodyReader) attribute(s *attrStep) ir.Attribute {
	c := b.f.ctx
	switch s.wire.Enc {
	case wire.EncNone:
		return c.Unit()
	case wire.EncEnum:
		v := b.enumValue(b.f, s.wire.Enum)
		if s.enum < 0 {
			return s.wire.Enum.Attr(c, v)
		}
		return b.f.enums[s.enum][v]
	case wire.EncU32:
		return c.IntAttr(b.i32, int64(int32(b.u32("attribute"))))
	case wire.EncU64:
		return c.IntAttr(b.i64, int64(b.varint()))
	case wire.EncBool:
		return c.BoolAttr(b.boolByte())
	case wire.EncString:
		return b.stringAttr()
	case wire.EncSymbol:
		return b.symbol()
	case wire.EncType:
		return c.TypeAttr(b.typ(b.f))
	case wire.EncConstant:
		return b.denseAttr(b.st.Types[0])
	case wire.EncI32Array:
		return b.array(4, b.i32)
	case wire.EncI64Array:
		return b.array(8, b.i64)
	case wire.EncBoolArray:
		return b.array(1, b.i1)
	case wire.EncAttrArray:
		return b.attrArray(0)
	case wire.EncTagged:
		return b.tagged(0)
	case wire.EncHints:
		return b.hints(0)
	}
	b.fail("no reader for %s in a record", s.wire)
	return nil
}

// regions reads the regions of op, whose record began at start.
func (b *bodyReader) regions(op ir.Op, start, depth int) {
	if depth >= maxRegionDepth {
		b.failAt(start, "operations nest deeper than %d levels", maxRegionDepth)
	}
	at := b.pos
	if n := b.varint(); n != uint64(op.NumRegions()) {
		b.failAt(at, "'%s' has %d regions, expected %d", op.Name(), n, op.NumRegions())
	}
	for i := range op.NumRegions() {
		r := op.Region(i)
		for range b.count(2, "blocks") {
			b.block(r, depth+1)
		}
	}
}

func (b *bodyReader) block(r ir.Region, depth int) {
	visible := len(b.values)
	block := r.AddBlock()
	args := b.count(1, "block arguments")
	b.values = slices.Grow(b.values, args)
	for range args {
		b.values = append(b.values, block.AddArg(b.typ(b.f)))
	}
	n := b.count(2, "operations")
	b.builder.SetInsertionPointToEnd(block)
	for range n {
		b.op(block, depth)
	}
	b.values = b.values[:visible]
}
