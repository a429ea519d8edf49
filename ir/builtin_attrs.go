package ir

import (
	"sort"
	"strings"
)

// The attributes below are those that MLIR syntax itself spells without a dialect prefix.

// IntegerAttr is an integer constant. Value is sign-extended from the type's width, so that an i1 is 0 or -1.
type IntegerAttr struct {
	AttrBase
	Value int64
	typ   Type // IntegerType or IndexType
}

// FloatAttr is a floating-point constant, held as its bit pattern.
type FloatAttr struct {
	AttrBase
	Bits uint64
	typ  *FloatType
}

// StringAttr is a string constant.
type StringAttr struct {
	AttrBase
	Value string
}

// ArrayAttr is a list of attributes.
type ArrayAttr struct {
	AttrBase
	Elems []Attribute
}

// DictAttr is a dictionary, sorted by name.
type DictAttr struct {
	AttrBase
	Entries []NamedAttr
}

// TypeAttr is a type as a constant.
type TypeAttr struct {
	AttrBase
	Value Type
}

// UnitAttr is the attribute whose presence is its meaning.
type UnitAttr struct{ AttrBase }

// SymbolRefAttr refers to a symbol: @root::@nested.
type SymbolRefAttr struct {
	AttrBase
	Root   string
	Nested []string
}

// DenseArrayAttr is array<i32: 1, 2>: a list of integers (i1, i8, i16, i32, i64) or of floats by bit pattern.
type DenseArrayAttr struct {
	AttrBase
	Elem   Type
	Values []int64
}

// DenseElementsAttr holds the elements of a shaped constant. Data has ceil(width/8) little-endian bytes per element
// (one byte for i1 and for 4-bit types) in row-major order, or exactly one element when the constant is a splat.
type DenseElementsAttr struct {
	AttrBase
	Data string
	typ  Type
}

// OpaqueAttr is an attribute of a dialect that is not registered; Body is its text after the dot.
type OpaqueAttr struct {
	AttrBase
	Namespace, Body string
}

type (
	intAttrKey struct {
		v int64
		t Type
	}
	floatAttrKey struct {
		b uint64
		t *FloatType
	}
	stringAttrKey struct{ s string }
	arrayAttrKey  struct{ s string }
	dictAttrKey   struct{ s string }
	typeAttrKey   struct{ t Type }
	unitAttrKey   struct{}
	symAttrKey    struct{ root, nested string }
	denseArrKey   struct {
		t Type
		s string
	}
	shortArrKey struct {
		t Type
		n int
		v [shortArray]int64
	}
	denseKey struct {
		t Type
		s string
	}
	shortDenseKey struct {
		t    Type
		n    int
		bits uint64
	}
	opaqueAttrKey struct{ ns, body string }
)

// IntAttr returns the integer constant v of an integer or index type; v is reduced to the type's width and
// sign-extended.
func (c *Context) IntAttr(t Type, v int64) *IntegerAttr {
	if it, ok := t.(*IntegerType); ok && it.Width < 64 {
		shift := 64 - it.Width
		v = v << shift >> shift
	}
	return UniqueAttr(c, nil, intAttrKey{v, t}, func() *IntegerAttr { return &IntegerAttr{Value: v, typ: t} })
}

// BoolAttr returns the i1 constant for b.
func (c *Context) BoolAttr(b bool) *IntegerAttr {
	if b {
		return c.IntAttr(c.Int(1), 1)
	}
	return c.IntAttr(c.Int(1), 0)
}

// FloatAttr returns the floating-point constant with the given bit pattern.
func (c *Context) FloatAttr(t *FloatType, bits uint64) *FloatAttr {
	return UniqueAttr(c, nil, floatAttrKey{bits, t}, func() *FloatAttr { return &FloatAttr{Bits: bits, typ: t} })
}

// String returns the string constant s.
func (c *Context) String(s string) *StringAttr {
	return UniqueAttr(c, nil, stringAttrKey{s}, func() *StringAttr { return &StringAttr{Value: s} })
}

// Array returns the list of elems.
func (c *Context) Array(elems ...Attribute) *ArrayAttr {
	return UniqueAttr(c, nil, arrayAttrKey{attrListKey(elems)}, func() *ArrayAttr {
		return &ArrayAttr{Elems: append([]Attribute(nil), elems...)}
	})
}

// Dict returns the dictionary of entries, which need not be sorted; of several entries with one name the last counts.
func (c *Context) Dict(entries ...NamedAttr) *DictAttr {
	sorted := append([]NamedAttr(nil), entries...)
	if !isSorted(sorted) {
		sort.SliceStable(sorted, func(i, j int) bool { return sorted[i].Name < sorted[j].Name })
	}
	n := 0
	for i, e := range sorted {
		if i+1 < len(sorted) && sorted[i+1].Name == e.Name {
			continue
		}
		sorted[n] = e
		n++
	}
	sorted = sorted[:n]
	var sb strings.Builder
	for _, e := range sorted {
		sb.Write(appendID(nil, uint32(len(e.Name)))) // a quoted name may hold any byte
		sb.WriteString(e.Name)
		sb.Write(appendID(nil, e.Value.abase().id))
	}
	return UniqueAttr(c, nil, dictAttrKey{sb.String()}, func() *DictAttr { return &DictAttr{Entries: sorted} })
}

func isSorted(entries []NamedAttr) bool {
	for i := 1; i < len(entries); i++ {
		if entries[i].Name < entries[i-1].Name {
			return false
		}
	}
	return true
}

// TypeAttr returns t as an attribute.
func (c *Context) TypeAttr(t Type) *TypeAttr {
	return UniqueAttr(c, nil, typeAttrKey{t}, func() *TypeAttr { return &TypeAttr{Value: t} })
}

// Unit returns the unit attribute.
func (c *Context) Unit() *UnitAttr {
	return UniqueAttr(c, nil, unitAttrKey{}, func() *UnitAttr { return &UnitAttr{} })
}

// UnitIf returns a unit attribute of a name, or no attribute.
func (c *Context) UnitIf(set bool, name string) []NamedAttr {
	if !set {
		return nil
	}
	return []NamedAttr{{Name: name, Value: c.Unit()}}
}

// SymbolRef returns a reference to the symbol @root, or @root::@nested.
func (c *Context) SymbolRef(root string, nested ...string) *SymbolRefAttr {
	return UniqueAttr(c, nil, symAttrKey{root, stringListKey(nested)}, func() *SymbolRefAttr {
		return &SymbolRefAttr{Root: root, Nested: append([]string(nil), nested...)}
	})
}

// shortArray is how long an array may be to be found without writing its key out; most arrays say how many operands
// each field has.
const shortArray = 6

// DenseArray returns array<elem: values...>.
func (c *Context) DenseArray(elem Type, values ...int64) *DenseArrayAttr {
	if len(values) <= shortArray {
		key := shortArrKey{t: elem, n: len(values)}
		copy(key.v[:], values)
		return UniqueAttr(c, nil, key, func() *DenseArrayAttr {
			return &DenseArrayAttr{Elem: elem, Values: append([]int64(nil), values...)}
		})
	}
	return UniqueAttr(c, nil, denseArrKey{elem, Int64Key(values)}, func() *DenseArrayAttr {
		return &DenseArrayAttr{Elem: elem, Values: append([]int64(nil), values...)}
	})
}

// DenseI32 and DenseI64 return the common dense arrays.
func (c *Context) DenseI32(values ...int64) *DenseArrayAttr {
	return c.DenseArray(c.Int(32), values...)
}
func (c *Context) DenseI64(values ...int64) *DenseArrayAttr {
	return c.DenseArray(c.Int(64), values...)
}

// Dense returns the elements attribute of a shaped type; see DenseElementsAttr for the layout of data. The caller has
// checked that data holds one element or as many as the type has.
func (c *Context) Dense(t Type, data []byte) *DenseElementsAttr {
	if len(data) <= 8 { // a number, as most constants are
		key := shortDenseKey{t: t, n: len(data)}
		for i, b := range data {
			key.bits |= uint64(b) << (8 * i)
		}
		return UniqueAttr(c, nil, key, func() *DenseElementsAttr { return &DenseElementsAttr{Data: string(data), typ: t} })
	}
	s := string(data)
	return UniqueAttr(c, nil, denseKey{t, s}, func() *DenseElementsAttr { return &DenseElementsAttr{Data: s, typ: t} })
}

// OpaqueAttr returns the stand-in for an attribute of an unregistered dialect.
func (c *Context) OpaqueAttr(namespace, body string) *OpaqueAttr {
	return UniqueAttr(c, nil, opaqueAttrKey{namespace, body}, func() *OpaqueAttr {
		return &OpaqueAttr{Namespace: namespace, Body: body}
	})
}

// Type returns the integer or index type of the constant.
func (a *IntegerAttr) Type() Type { return a.typ }

// Unsigned returns the value zero-extended from the width of its type.
func (a *IntegerAttr) Unsigned() uint64 {
	if it, ok := a.typ.(*IntegerType); ok && it.Width < 64 {
		return uint64(a.Value) & (1<<it.Width - 1)
	}
	return uint64(a.Value)
}

// Bool reports whether the constant is not zero.
func (a *IntegerAttr) Bool() bool { return a.Value != 0 }

// Type returns the floating-point type of the constant.
func (a *FloatAttr) Type() Type { return a.typ }

// FloatType returns the type of the constant without a type assertion.
func (a *FloatAttr) FloatType() *FloatType { return a.typ }

// Float64 returns the value, exactly.
func (a *FloatAttr) Float64() float64 { return a.typ.Format.Decode(a.Bits) }

// Type returns the shaped type.
func (a *DenseElementsAttr) Type() Type { return a.typ }

// Get returns the entry of that name, or nil.
func (a *DictAttr) Get(name string) Attribute {
	i := sort.Search(len(a.Entries), func(i int) bool { return a.Entries[i].Name >= name })
	if i < len(a.Entries) && a.Entries[i].Name == name {
		return a.Entries[i].Value
	}
	return nil
}

// DenseElemBytes returns how many bytes an element of the given type takes in a DenseElementsAttr.
func DenseElemBytes(elem Type) int { return (BitWidth(elem) + 7) / 8 }

// IsSplat reports whether the constant stores one element for all.
func (a *DenseElementsAttr) IsSplat(elem Type) bool { return len(a.Data) == DenseElemBytes(elem) }

// Bits returns the bit pattern of element i (of element 0 when the constant is a splat).
func (a *DenseElementsAttr) Bits(elem Type, i int) uint64 {
	n := DenseElemBytes(elem)
	if len(a.Data) == n {
		i = 0
	}
	var v uint64
	for k := n - 1; k >= 0; k-- {
		v = v<<8 | uint64(a.Data[i*n+k])
	}
	return v
}
