package bytecode

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/cudatile/wire"
	"github.com/tilewright/tilewright/ir"
)

// failType unwinds with an error about a type. As in the reference it has no location, because a type is stored once
// for all operations; which one needed it first is part of the message.
func (w *writer) failType(format string, args ...any) {
	where := w.op.Name()
	if l := ir.FileLocOf(w.op.Loc()); l != nil {
		where += fmt.Sprintf(" at %s:%d:%d", l.File, l.Line, l.Column)
	}
	panic(ir.Errorf(w.ctx.UnknownLoc(), "%s, for %s", fmt.Sprintf(format, args...), where))
}

// typ returns the number of a type. The types that it consists of are numbered before it.
func (w *writer) typ(t ir.Type) uint64 {
	if n, ok := w.types[t]; ok {
		return n
	}
	row := w.format.TypeRow(t)
	if row == nil {
		w.fail("unsupported type in bytecode writer: %s", ir.TypeString(t))
	}
	if w.version.Less(row.Since) {
		w.failType("type '%s' requires bytecode version %v+, targeting %v", row.Name, row.Since, w.version)
	}
	var b buffer
	b.varint(uint64(row.Tag))
	w.fields(&b, row, row.Split(t))
	n, _ := w.types.of(t)
	w.encoded = append(w.encoded, b.b)
	return n
}

// fields writes the fields of a type that the version has. Two rounds, because the flags stand before the fields that
// they announce. A part can have several rows under one name, one for each form that versions gave it. It is lost, and
// rejected, if no row is of this version.
func (w *writer) fields(b *buffer, row *wire.TypeRow, parts wire.Parts) {
	flags := uint64(0)
	written := make(map[string]bool, len(parts))
	for i := range row.Fields {
		f := &row.Fields[i]
		if !f.In(w.version) {
			continue
		}
		written[f.Name] = true
		if f.Flag > 0 && parts[f.Name] != nil {
			flags |= 1 << (f.Flag - 1)
		}
	}
	for i := range row.Fields {
		f := &row.Fields[i]
		part := parts[f.Name]
		switch {
		case part != nil && !written[f.Name]:
			w.failType("parameter '%s' of type '%s' requires bytecode version %v+, but targeting %v", f.Name, row.Name, f.Since, w.version)
		case !f.In(w.version), f.Flag > 0 && part == nil:
		case f.Form.Enc == wire.EncVarint:
			b.varint(flags)
		default:
			w.field(b, row, f, part)
		}
	}
}

func (w *writer) field(b *buffer, row *wire.TypeRow, f *wire.Field, part any) {
	switch f.Form.Enc {
	case wire.EncType:
		b.varint(w.inner(row, part.(ir.Type)))
	case wire.EncTypes:
		list, _ := part.([]ir.Type)
		b.varint(uint64(len(list)))
		for _, t := range list {
			b.varint(w.inner(row, t))
		}
	case wire.EncI32Array:
		list, _ := part.([]int64)
		b.words(4, list)
	case wire.EncI64Array:
		list, _ := part.([]int64)
		b.words(8, list)
	case wire.EncU32:
		n, _ := part.(int64)
		b.varint(uint64(uint32(n)))
	case wire.EncPresenceEnum:
		b.bool(part != nil)
		if part != nil {
			w.enum(b, f.Name, part.(*cudatile.EnumAttr))
		}
	case wire.EncEnum:
		w.enum(b, f.Name, part.(*cudatile.EnumAttr))
	default:
		w.fail("no writer for %s in a type", f.Form)
	}
}

// inner returns the number of a type inside another. Types are built from their parts and so have no cycles: the
// recursion ends.
func (w *writer) inner(row *wire.TypeRow, t ir.Type) uint64 {
	if _, ok := t.(*ir.FunctionType); ok {
		w.fail("a function type cannot be part of type '%s' in bytecode", row.Name)
	}
	return w.typ(t)
}

func (w *writer) enum(b *buffer, field string, a *cudatile.EnumAttr) {
	if !a.Enum.Valid(a.Value, w.version) {
		w.fail("enum value '%s' for attribute '%s' is not available in bytecode version %v", a, field, w.version)
	}
	b.varint(uint64(a.Value))
}

// constant returns the number of a constant.
func (w *writer) constant(a *ir.DenseElementsAttr) uint64 {
	n, isNew := w.consts.of(a)
	if !isNew {
		return n
	}
	tile, ok := a.Type().(*cudatile.TileType)
	if !ok {
		w.fail("a constant of type %s cannot be stored in bytecode", ir.TypeString(a.Type()))
	}
	data := pack(a, tile.Elem)
	if len(data) == 0 {
		w.fail("a constant without elements cannot be stored in bytecode")
	}
	var b buffer
	b.varint(uint64(len(data)))
	b.b = append(b.b, data...)
	w.data = append(w.data, b.b)
	return n
}

// pack is the inverse of unpack.
func pack(a *ir.DenseElementsAttr, elem ir.Type) []byte {
	switch {
	case ir.BitWidth(elem) == 1 && len(a.Data) == 1:
		return []byte{-(a.Data[0] & 1)} // all bits, as the public writer has it
	case ir.BitWidth(elem) == 1:
		out := make([]byte, (len(a.Data)+7)/8)
		for i := range len(a.Data) {
			out[i/8] |= a.Data[i] & 1 << (i % 8)
		}
		return out
	case isTF32(elem):
		out := make([]byte, 0, len(a.Data)/4*3)
		for i := range len(a.Data) / 4 {
			v := a.Bits(elem, i) >> tf32Pad
			out = append(out, byte(v), byte(v>>8), byte(v>>16))
		}
		return out
	}
	return []byte(a.Data)
}
