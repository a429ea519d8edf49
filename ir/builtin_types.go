package ir

import (
	"strconv"
	"strings"

	"github.com/tilewright/tilewright/ir/numeric"
)

// The types below are those that MLIR syntax itself spells without a dialect prefix.

// IntegerType is a signless integer of 1 to 64 bits.
type IntegerType struct {
	TypeBase
	Width int
}

// IndexType is an integer of the target's address width.
type IndexType struct{ TypeBase }

// FloatType is a floating-point type; its format tells everything about it.
type FloatType struct {
	TypeBase
	Format numeric.Format
}

// FunctionType maps inputs to results.
type FunctionType struct {
	TypeBase
	Inputs, Results []Type
}

// NoneType is the type without values.
type NoneType struct{ TypeBase }

// IsTensor reports whether v is a tensor.
func IsTensor(v Value) bool { _, ok := v.Type().(*TensorType); return ok }

// TensorType is a ranked tensor of static shape; Encoding, which may be nil, says how its elements are distributed.
type TensorType struct {
	TypeBase
	Shape    []int64
	Elem     Type
	Encoding Attribute
}

// OpaqueType is a type of a dialect that is not registered; Body is its text after the dot.
type OpaqueType struct {
	TypeBase
	Namespace, Body string
}

type (
	intTypeKey    int
	indexTypeKey  struct{}
	noneTypeKey   struct{}
	floatTypeKey  struct{ f numeric.Format }
	funcTypeKey   struct{ in, out string }
	tensorTypeKey struct {
		shape    string
		elem     Type
		encoding Attribute
	}
	opaqueTypeKey struct{ ns, body string }
)

// Int returns the signless integer type of the given width in bits (1 to 64).
func (c *Context) Int(width int) *IntegerType {
	return UniqueType(c, nil, intTypeKey(width), func() *IntegerType { return &IntegerType{Width: width} })
}

// Index returns the index type.
func (c *Context) Index() *IndexType {
	return UniqueType(c, nil, indexTypeKey{}, func() *IndexType { return &IndexType{} })
}

// None returns the none type.
func (c *Context) None() *NoneType {
	return UniqueType(c, nil, noneTypeKey{}, func() *NoneType { return &NoneType{} })
}

// Float returns the floating-point type of a format.
func (c *Context) Float(f numeric.Format) *FloatType {
	return UniqueType(c, nil, floatTypeKey{f}, func() *FloatType { return &FloatType{Format: f} })
}

// F32 and its companions return the common floating-point types.
func (c *Context) F32() *FloatType  { return c.Float(numeric.F32) }
func (c *Context) F64() *FloatType  { return c.Float(numeric.F64) }
func (c *Context) F16() *FloatType  { return c.Float(numeric.F16) }
func (c *Context) BF16() *FloatType { return c.Float(numeric.BF16) }

// Func returns the function type from inputs to results.
func (c *Context) Func(inputs, results []Type) *FunctionType {
	return UniqueType(c, nil, funcTypeKey{typeListKey(inputs), typeListKey(results)}, func() *FunctionType {
		return &FunctionType{Inputs: append([]Type(nil), inputs...), Results: append([]Type(nil), results...)}
	})
}

// Tensor returns the tensor type of a shape and element type; encoding may be nil.
func (c *Context) Tensor(shape []int64, elem Type, encoding Attribute) *TensorType {
	return UniqueType(c, nil, tensorTypeKey{Int64Key(shape), elem, encoding}, func() *TensorType {
		return &TensorType{Shape: append([]int64(nil), shape...), Elem: elem, Encoding: encoding}
	})
}

// OpaqueType returns the stand-in for a type of an unregistered dialect.
func (c *Context) OpaqueType(namespace, body string) *OpaqueType {
	return UniqueType(c, nil, opaqueTypeKey{namespace, body}, func() *OpaqueType {
		return &OpaqueType{Namespace: namespace, Body: body}
	})
}

// NumElements returns the product of the tensor's dimensions.
func (t *TensorType) NumElements() int64 {
	n := int64(1)
	for _, d := range t.Shape {
		n *= d
	}
	return n
}

// PrintType implements Type.
func (t *IntegerType) PrintType(p AsmPrinter) { p.Str("i"); p.Int(int64(t.Width)) }

// PrintType implements Type.
func (*IndexType) PrintType(p AsmPrinter) { p.Str("index") }

// PrintType implements Type.
func (*NoneType) PrintType(p AsmPrinter) { p.Str("none") }

// PrintType implements Type.
func (t *FloatType) PrintType(p AsmPrinter) { p.Str(t.Format.String()) }

// PrintType implements Type.
func (t *FunctionType) PrintType(p AsmPrinter) {
	p.Str("(")
	p.Types(t.Inputs)
	p.Str(") -> ")
	if len(t.Results) == 1 {
		if _, isFunc := t.Results[0].(*FunctionType); !isFunc {
			p.Type(t.Results[0])
			return
		}
	}
	p.Str("(")
	p.Types(t.Results)
	p.Str(")")
}

// PrintType implements Type.
func (t *TensorType) PrintType(p AsmPrinter) {
	p.Str("tensor<")
	for _, d := range t.Shape {
		p.Int(d)
		p.Str("x")
	}
	p.Type(t.Elem)
	if t.Encoding != nil {
		p.Str(", ")
		p.Attr(t.Encoding)
	}
	p.Str(">")
}

// PrintType implements Type.
func (t *OpaqueType) PrintType(p AsmPrinter) {
	p.Str("!" + t.Namespace + "." + t.Body)
}

// typeListKey, attrListKey and Int64Key turn lists into comparable keys: the numbers of uniqued objects, or the values.
func typeListKey(ts []Type) string {
	buf := make([]byte, 0, 4*len(ts))
	for _, t := range ts {
		buf = appendID(buf, t.base().id)
	}
	return string(buf)
}

func attrListKey[A Attribute](as []A) string {
	buf := make([]byte, 0, 4*len(as))
	for _, a := range as {
		buf = appendID(buf, a.abase().id)
	}
	return string(buf)
}

// stringListKey returns a string that two lists of strings share exactly when they are equal.
func stringListKey(ss []string) string {
	var buf []byte
	for _, s := range ss {
		buf = append(appendID(buf, uint32(len(s))), s...)
	}
	return string(buf)
}

func appendID(buf []byte, id uint32) []byte {
	return append(buf, byte(id), byte(id>>8), byte(id>>16), byte(id>>24))
}

// Int64Key returns a string that two integer lists share exactly when they are equal, for the keys of UniqueType.
func Int64Key(xs []int64) string {
	var sb strings.Builder
	for _, x := range xs {
		sb.WriteString(strconv.FormatInt(x, 36))
		sb.WriteByte(',')
	}
	return sb.String()
}

// BitWidth returns the width of an integer or floating-point type, and 0 for other types. Index counts as 64.
func BitWidth(t Type) int {
	switch t := t.(type) {
	case *IntegerType:
		return t.Width
	case *FloatType:
		return t.Format.Bits()
	case *IndexType:
		return 64
	}
	return 0
}
