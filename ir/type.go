package ir

import "hash/maphash"

// A Type is the type of a value. Types are uniqued by their Context, so two types are equal exactly when the interface
// values are ==. A dialect defines a type as a struct that embeds TypeBase, and makes instances with UniqueType.
type Type interface {
	base() *TypeBase
	// PrintType prints what follows the dialect's prefix: "tile<4xf32>" of "!cuda_tile.tile<4xf32>". A builtin type
	// prints its full spelling.
	PrintType(p AsmPrinter)
}

// TypeBase holds what all types have. Its zero value is for embedding only.
type TypeBase struct {
	ctx     *Context
	dialect *Dialect
	id      uint32
}

func (b *TypeBase) base() *TypeBase { return b }

// Context returns the context that uniqued the type.
func (b *TypeBase) Context() *Context { return b.ctx }

// Dialect returns the dialect that the type belongs to; nil for builtin types.
func (b *TypeBase) Dialect() *Dialect { return b.dialect }

// TypeDialect returns the dialect of a type; nil for builtin types.
func TypeDialect(t Type) *Dialect { return t.base().dialect }

// UniqueType returns the one instance of the type that key identifies. The key is a comparable value of a type that
// only this kind of type uses, a struct declared for the purpose. make is called when the type is new. If another
// goroutine makes the same type at the same time, one of the two instances is dropped.
func UniqueType[T Type, K comparable](c *Context, d *Dialect, key K, make func() T) T {
	hash := maphash.Comparable(internSeed, key)
	if t, ok := lookup(&c.types, hash, key); ok {
		return t.(T)
	}
	made := make() // outside the lock, so that it may unique types that it consists of
	t := internSlow(&c.types, hash, key, func(id uint32) Type {
		t := made
		*t.base() = TypeBase{ctx: c, dialect: d, id: id}
		return t
	})
	return t.(T)
}

// An Attribute is a compile-time constant on an operation or in a type. Attributes are uniqued like types.
type Attribute interface {
	abase() *AttrBase
	// PrintAttr prints what follows the dialect's prefix; a builtin attribute prints its full spelling.
	PrintAttr(p AsmPrinter)
}

// AttrBase holds what all attributes have. Its zero value is for embedding only.
type AttrBase struct {
	ctx     *Context
	dialect *Dialect
	id      uint32
}

func (b *AttrBase) abase() *AttrBase { return b }

// Context returns the context that uniqued the attribute.
func (b *AttrBase) Context() *Context { return b.ctx }

// Dialect returns the dialect that the attribute belongs to; nil for builtin attributes.
func (b *AttrBase) Dialect() *Dialect { return b.dialect }

// AttrDialect returns the dialect of an attribute; nil for builtin attributes.
func AttrDialect(a Attribute) *Dialect { return a.abase().dialect }

// UniqueAttr returns the one instance of the attribute that key identifies; see UniqueType.
func UniqueAttr[T Attribute, K comparable](c *Context, d *Dialect, key K, make func() T) T {
	hash := maphash.Comparable(internSeed, key)
	if a, ok := lookup(&c.attrs, hash, key); ok {
		return a.(T)
	}
	made := make() // outside the lock, as for types
	a := internSlow(&c.attrs, hash, key, func(id uint32) Attribute {
		a := made
		*a.abase() = AttrBase{ctx: c, dialect: d, id: id}
		return a
	})
	return a.(T)
}

// A TypedAttribute has a type of its own, as an integer, float or dense attribute has.
type TypedAttribute interface {
	Attribute
	Type() Type
}

// A NamedAttr is one entry of an attribute dictionary.
type NamedAttr struct {
	Name  string
	Value Attribute
}
