package wire

import (
	"sort"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
)

// An Encoding is a way in which the bytecode writes an attribute of an operation or a part of a type or attribute.
type Encoding uint8

// The encodings. Indexes are varints into the table of the section they name.
const (
	EncNone         Encoding = iota // no bytes: a unit attribute is its flag bit
	EncVarint                       // unsigned LEB128
	EncSignedVarint                 // zigzag, then LEB128
	EncByte                         // one byte
	EncEnum                         // varint, value of Wire.Enum
	EncPresenceEnum                 // one byte 0 or 1, then, if 1, EncEnum
	EncU32                          // varint of a zero-extended i32
	EncU64                          // varint of a zero-extended i64
	EncBool                         // one byte 0 or 1 for an i1
	EncString                       // string index of a string
	EncSymbol                       // string index of a flat symbol reference
	EncType                         // type index
	EncTypes                        // varint count, type indexes
	EncConstant                     // constant index; the type is that of result 0 (of a global: its own)
	EncI32Array                     // varint count, 4-byte little-endian words
	EncI64Array                     // varint count, 8-byte little-endian words
	EncBoolArray                    // varint count, bytes
	EncAttrArray                    // varint count, self-contained attributes
	EncTagged                       // a self-contained attribute
	EncHints                        // varint count, pairs of string index and self-contained attribute; no tag
	EncIntBits                      // varint of the zero-extended pattern; one byte for width 1
	EncFloatBits                    // one byte for up to 8 bits, else zigzag varint of the zero-extended pattern
	EncAttrs                        // as many self-contained attributes as the preceding count says
	EncEntries                      // as many pairs of string index and self-contained attribute
	EncDebug                        // debug index
)

var encodingNames = [...]string{"none", "varint", "signed varint", "byte", "enum", "presence-byte-enum", "varint-u32", "varint-u64",
	"byte-bool", "string-index", "string-index", "type-index", "type-index-array", "constant-index", "i32-array", "i64-array",
	"bool-array", "attr-array", "tagged-attr", "hints-dict", "int-bits", "float-bits", "attributes", "entries", "debug-index"}

func (e Encoding) String() string { return encodingNames[e] }

// Wire is what AttrKind.Wire holds in this dialect: how the bytecode writes the attribute.
type Form struct {
	Enc  Encoding
	Enum *cudatile.Enum // for EncEnum
}

func (w Form) String() string {
	if w.Enum != nil {
		return w.Enc.String() + ":" + w.Enum.Name
	}
	return w.Enc.String()
}

// WireOf returns the encoding of an attribute field; EncNone for a unit attribute and for segment sizes, which are
// not written.
func Of(f *ir.Field) Form {
	w, _ := f.Kind.Wire.(Form)
	return w
}

// SinceOf returns the first version that has the field of an operation's row.
func SinceOf(def *ir.OpDef, f *ir.Field) ir.Version {
	if f.Since.Less(def.Since) {
		return def.Since
	}
	return f.Since
}

// Stored reports whether the operation has records of its own in the bytecode: module, entry and global do not.
func Stored(def *ir.OpDef) bool { return !def.Since.IsZero() }

// ImplicitSegments names the attribute that no record holds although it is in the row.
func ImplicitSegments(f *ir.Field) bool {
	return f.Name == ir.OperandSegmentSizes || f.Name == ir.ResultSegmentSizes
}

// A FlagBit is a bit of the flags varint of an operation's record: it says that an optional attribute or operand is
// there. Its number is its position in the list that FlagBits returns.
type FlagBit struct {
	Name    string
	Operand bool // of an operand, else of an attribute
	Field   int  // its position in OpDef.Operands or OpDef.Attrs
	Since   ir.Version
}

// FlagBits returns the flag bits of an operation's record, those of all versions. Bits are numbered version by
// version, oldest first, and within a version attributes come before operands. A record of version v has the flags
// varint when the first bit is no newer than v; bits that are newer than v are zero in it.
func FlagBits(def *ir.OpDef) []FlagBit {
	if !Stored(def) {
		return nil
	}
	var bits []FlagBit
	for i := range def.Attrs {
		if f := &def.Attrs[i]; f.Arity == ir.Optional {
			bits = append(bits, FlagBit{f.Name, false, i, SinceOf(def, f)})
		}
	}
	if def.Traits.Has(ir.AttrSizedOperandSegments) {
		for i := range def.Operands {
			if f := &def.Operands[i]; f.Arity == ir.Optional {
				bits = append(bits, FlagBit{f.Name, true, i, SinceOf(def, f)})
			}
		}
	}
	sort.SliceStable(bits, func(i, j int) bool { return bits[i].Since.Less(bits[j].Since) })
	return bits
}

// HasFlags reports whether a record of version v has the flags varint, given what FlagBits returned.
func HasFlags(bits []FlagBit, v ir.Version) bool { return len(bits) > 0 && !v.Less(bits[0].Since) }

// CountsResults reports whether a record starts with the number of its results.
func CountsResults(def *ir.OpDef) bool {
	for i := range def.Operands {
		if def.Operands[i].Arity == ir.Variadic {
			return true
		}
	}
	for i := range def.Results {
		if def.Results[i].Arity == ir.Variadic {
			return true
		}
	}
	return false
}

// CountsOperands reports whether a record holds its operands as one counted list: when their number varies but no
// flag bits or counts by field say how.
func CountsOperands(def *ir.OpDef) bool {
	if def.Traits.Has(ir.AttrSizedOperandSegments) {
		return false
	}
	for i := range def.Operands {
		if def.Operands[i].Arity != ir.One {
			return true
		}
	}
	return false
}
