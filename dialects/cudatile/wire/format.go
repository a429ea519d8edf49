package wire

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
)

// A Format is a range of versions of the bytecode, with what can be stored in them: the released ones, or those that
// an ir.Extension has in its Data.
type Format struct {
	// Versions lists all versions, oldest first.
	Versions []ir.Version
	// Newest is the one that is written by default, and the end of the range that messages speak of.
	Newest ir.Version
	// Ops are operations besides those of the dialect.
	Ops   []*ir.OpDef
	Types []TypeRow
	Attrs []AttrRow
	// AnyArguments says that entries may have arguments of all types, as up to 13.3, and not only scalar tiles.
	AnyArguments bool
}

// Released is the format without extensions.
var Released = &Format{Versions: cudatile.Versions, Newest: cudatile.Versions[len(cudatile.Versions)-1], Types: TypeRows, Attrs: AttrRows}

// FormatOf returns the format for a context: that of its first extension which has one, or Released.
func FormatOf(c *ir.Context) *Format {
	for _, x := range c.Extensions(cudatile.Bare) {
		if f, ok := x.Data.(*Format); ok {
			return f
		}
	}
	return Released
}

// Has reports whether v is a version of the format.
func (f *Format) Has(v ir.Version) bool { return slices.Contains(f.Versions, v) }

// StoredOps lists the operations that have records of their own.
func (f *Format) StoredOps() []*ir.OpDef {
	all := slices.Concat(cudatile.Bare.Ops(), f.Ops)
	return slices.DeleteFunc(all, func(def *ir.OpDef) bool { return !Stored(def) || def.Since == cudatile.Preview })
}

// TypeRow returns the row of a type, or nil when the format cannot store it.
func (f *Format) TypeRow(t ir.Type) *TypeRow {
	for i := range f.Types {
		if f.Types[i].Is(t) {
			return &f.Types[i]
		}
	}
	return nil
}

// TypeRowByTag returns the row of a tag, or nil.
func (f *Format) TypeRowByTag(tag uint32) *TypeRow {
	for i := range f.Types {
		if f.Types[i].Tag == tag {
			return &f.Types[i]
		}
	}
	return nil
}

// AttrRow returns the row of a self-contained attribute, or nil when it has none.
func (f *Format) AttrRow(a ir.Attribute) *AttrRow {
	for i := range f.Attrs {
		if f.Attrs[i].Is(a) {
			return &f.Attrs[i]
		}
	}
	return nil
}

// AttrRowByTag returns the row of a tag, or nil.
func (f *Format) AttrRowByTag(tag uint32) *AttrRow {
	// Tags count from 1, but for those of extensions.
	if i := int64(tag) - 1; i >= 0 && i < int64(len(f.Attrs)) && f.Attrs[i].Tag == tag {
		return &f.Attrs[i]
	}
	for i := range f.Attrs {
		if f.Attrs[i].Tag == tag {
			return &f.Attrs[i]
		}
	}
	return nil
}

// TypeRowOf returns the row of a type in the released format, or nil.
func TypeRowOf(t ir.Type) *TypeRow { return Released.TypeRow(t) }

// AttrRowOf returns the row of a self-contained attribute in the released format, or nil.
func AttrRowOf(a ir.Attribute) *AttrRow { return Released.AttrRow(a) }
