package bytecode

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/cudatile/wire"
	"github.com/tilewright/tilewright/ir"
)

// attribute writes an attribute of an operation. An attribute that is not of its row's kind is an error, in case that
// the module was not verified.
func (w *writer) attribute(b *buffer, f *ir.Field, form wire.Form, a ir.Attribute) {
	if f.Kind.Check != nil && !f.Kind.Check(a) {
		w.fail("attribute '%s' failed to satisfy constraint: %s", f.Name, f.Kind.Desc)
	}
	switch form.Enc {
	case wire.EncEnum:
		w.enum(b, f.Name, a.(*cudatile.EnumAttr))
	case wire.EncU32, wire.EncU64:
		b.varint(a.(*ir.IntegerAttr).Unsigned())
	case wire.EncBool:
		b.bool(a.(*ir.IntegerAttr).Bool())
	case wire.EncString:
		b.varint(w.str(a.(*ir.StringAttr).Value))
	case wire.EncSymbol:
		b.varint(w.str(a.(*ir.SymbolRefAttr).Root))
	case wire.EncType:
		b.varint(w.typ(a.(*ir.TypeAttr).Value))
	case wire.EncConstant:
		b.varint(w.constant(a.(*ir.DenseElementsAttr)))
	case wire.EncI32Array:
		b.words(4, a.(*ir.DenseArrayAttr).Values)
	case wire.EncI64Array:
		b.words(8, a.(*ir.DenseArrayAttr).Values)
	case wire.EncBoolArray:
		b.words(1, a.(*ir.DenseArrayAttr).Values)
	case wire.EncAttrArray:
		w.list(b, a.(*ir.ArrayAttr))
	case wire.EncTagged:
		w.tagged(b, a)
	case wire.EncHints:
		w.dict(b, a.(*cudatile.HintsAttr).Dict)
	default:
		w.fail("no writer for attribute '%s', %s", f.Name, form)
	}
}

// tagged writes a self-contained attribute.
func (w *writer) tagged(b *buffer, a ir.Attribute) {
	row := w.format.AttrRow(a)
	if row == nil {
		w.fail("attribute %s cannot be stored in bytecode", ir.AttrString(a))
	}
	if w.version.Less(row.Since) {
		w.fail("attribute '%s' is not available in bytecode version %v", row.Name, w.version)
	}
	b.varint(uint64(row.Tag))
	if row.Split != nil {
		for _, v := range row.Split(a) {
			b.signed(v)
		}
		return
	}
	switch a := a.(type) {
	case *ir.IntegerAttr:
		w.integer(b, a)
	case *ir.FloatAttr:
		w.float(b, a)
	case *ir.TypeAttr:
		b.varint(w.typ(a.Value))
	case *ir.StringAttr:
		b.varint(w.str(a.Value))
	case *ir.ArrayAttr:
		w.list(b, a)
	case *ir.DenseElementsAttr:
		b.varint(w.typ(a.Type()))
		b.varint(w.constant(a))
	case *cudatile.DivByAttr:
		b.varint(a.Divisor)
		bounds(b, a.Every, a.Along)
	case *cudatile.SameElementsAttr:
		b.words(8, a.Values)
	case *ir.DictAttr:
		w.dict(b, a)
	case *cudatile.HintsAttr:
		w.dict(b, a.Dict)
	case *cudatile.BoundedAttr:
		bounds(b, a.Lower, a.Upper)
	case *cudatile.EnumAttr:
		w.enum(b, a.Enum.Mnemonic, a)
	default:
		w.fail("no writer for attribute %s", row.Name)
	}
}

// integer writes an i1 as a bool, which has no type.
func (w *writer) integer(b *buffer, a *ir.IntegerAttr) {
	if ir.BitWidth(a.Type()) == 1 {
		b.bool(a.Bool())
		return
	}
	b.varint(w.typ(a.Type()))
	b.varint(a.Unsigned())
}

func (w *writer) float(b *buffer, a *ir.FloatAttr) {
	b.varint(w.typ(a.Type()))
	switch width := a.FloatType().Format.Bits(); {
	case width <= 8:
		b.u8(byte(a.Bits))
	case isTF32(a.Type()):
		b.signed(int64(a.Bits >> tf32Pad))
	default:
		b.signed(int64(a.Bits))
	}
}

func (w *writer) list(b *buffer, a *ir.ArrayAttr) {
	b.varint(uint64(len(a.Elems)))
	for _, e := range a.Elems {
		w.tagged(b, e)
	}
}

func (w *writer) dict(b *buffer, d *ir.DictAttr) {
	b.varint(uint64(len(d.Entries)))
	for _, e := range d.Entries {
		b.varint(w.str(e.Name))
		w.tagged(b, e.Value)
	}
}

// bounds writes two numbers that may be missing.
func bounds(b *buffer, x, y cudatile.Bound) {
	flags := byte(0)
	for i, v := range []cudatile.Bound{x, y} {
		if v.Given {
			flags |= 1 << i
		}
	}
	b.u8(flags)
	for _, v := range []cudatile.Bound{x, y} {
		if v.Given {
			b.signed(v.Value)
		}
	}
}
