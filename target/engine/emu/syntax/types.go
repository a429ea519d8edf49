package syntax

// Type is a PTX fundamental or packed type.
//
// Types of registers, of memory and of instructions are one enumeration, because the ISA gives all of them the same
// names. Which of them go together is the business of holds and of the decoders.
type Type uint8

// The types that registers, memory accesses and instructions name.
const (
	NoType Type = iota
	Pred
	B8
	B16
	B32
	B64
	B128
	U8
	U16
	U32
	U64
	S8
	S16
	S32
	S64
	F16
	F16x2
	BF16
	BF16x2
	TF32
	F32
	F64
	F32x2
	U16x2
	S16x2
	U8x4
	S8x4
	E4M3
	E5M2
	E4M3x2
	E5M2x2
	E2M1x2
	E2M3x2
	E3M2x2
	UE8M0x2
	E4M3x4
	E5M2x4
	E2M3x4
	E3M2x4
	E2M1x4
	S2F6x2
	E2M1
	E2M3
	E3M2
	UE8M0
	UE4M3
	S4
	U4
	B1
	Opaque
)

// Class groups the types whose registers may stand for each other.
type Class uint8

const (
	ClassBits Class = iota
	classUnsigned
	classSigned
	classFloat
	ClassPacked
	classPred
)

type scalarInfo struct {
	name  string
	bits  int
	Class Class
}

// Types are the names and sizes by Type. A packed type is in a register of its entire size; those below eight bits
// occur in memory and in matrix operands only.
var Types = [...]scalarInfo{
	NoType:  {"none", 0, ClassBits},
	Pred:    {"pred", 1, classPred},
	B8:      {"b8", 8, ClassBits},
	B16:     {"b16", 16, ClassBits},
	B32:     {"b32", 32, ClassBits},
	B64:     {"b64", 64, ClassBits},
	B128:    {"b128", 128, ClassBits},
	U8:      {"u8", 8, classUnsigned},
	U16:     {"u16", 16, classUnsigned},
	U32:     {"u32", 32, classUnsigned},
	U64:     {"u64", 64, classUnsigned},
	S8:      {"s8", 8, classSigned},
	S16:     {"s16", 16, classSigned},
	S32:     {"s32", 32, classSigned},
	S64:     {"s64", 64, classSigned},
	F16:     {"f16", 16, classFloat},
	F16x2:   {"f16x2", 32, ClassPacked},
	BF16:    {"bf16", 16, ClassPacked},
	BF16x2:  {"bf16x2", 32, ClassPacked},
	TF32:    {"tf32", 32, ClassPacked},
	F32:     {"f32", 32, classFloat},
	F64:     {"f64", 64, classFloat},
	F32x2:   {"f32x2", 64, ClassPacked},
	U16x2:   {"u16x2", 32, ClassPacked},
	S16x2:   {"s16x2", 32, ClassPacked},
	U8x4:    {"u8x4", 32, ClassPacked},
	S8x4:    {"s8x4", 32, ClassPacked},
	E4M3:    {"e4m3", 8, ClassPacked},
	E5M2:    {"e5m2", 8, ClassPacked},
	E4M3x2:  {"e4m3x2", 16, ClassPacked},
	E5M2x2:  {"e5m2x2", 16, ClassPacked},
	E2M1x2:  {"e2m1x2", 8, ClassPacked},
	E2M3x2:  {"e2m3x2", 16, ClassPacked},
	E3M2x2:  {"e3m2x2", 16, ClassPacked},
	UE8M0x2: {"ue8m0x2", 16, ClassPacked},
	E4M3x4:  {"e4m3x4", 32, ClassPacked},
	E5M2x4:  {"e5m2x4", 32, ClassPacked},
	E2M3x4:  {"e2m3x4", 32, ClassPacked},
	E3M2x4:  {"e3m2x4", 32, ClassPacked},
	E2M1x4:  {"e2m1x4", 16, ClassPacked},
	S2F6x2:  {"s2f6x2", 16, ClassPacked},
	E2M1:    {"e2m1", 4, ClassPacked},
	E2M3:    {"e2m3", 6, ClassPacked},
	E3M2:    {"e3m2", 6, ClassPacked},
	UE8M0:   {"ue8m0", 8, ClassPacked},
	UE4M3:   {"ue4m3", 8, ClassPacked},
	S4:      {"s4", 4, classSigned},
	U4:      {"u4", 4, classUnsigned},
	B1:      {"b1", 1, ClassBits},
	Opaque:  {"opaque", 64, ClassBits},
}

// TypeByName is Types by the word after the dot.
var TypeByName = func() map[string]Type {
	m := make(map[string]Type, len(Types))
	for i, s := range Types {
		m[s.name] = Type(i)
	}
	delete(m, "none")
	delete(m, "opaque")
	for _, n := range []string{"texref", "samplerref", "surfref"} {
		m[n] = Opaque
	}
	return m
}()

func (t Type) String() string { return Types[t].name }
func (t Type) Bits() int      { return Types[t].bits }
func (t Type) Bytes() int     { return (Types[t].bits + 7) / 8 }
func (t Type) Signed() bool   { return Types[t].Class == classSigned }
func (t Type) Integer() bool  { c := Types[t].Class; return c == classUnsigned || c == classSigned }

// Float reports whether a type is one of ordinary arithmetic: alternate formats are converted from and to, and
// multiplied by tensor cores, but not added.
func (t Type) Float() bool {
	switch t {
	case F16, BF16, F32, F64:
		return true
	}
	return false
}

// Holds reports whether a register declared as r may be an operand of instruction type t of the same width. Bit-size
// types match anything, integers of either sign match, and floats match themselves. Packed and alternate formats are in
// bit-size registers. Packed formats are also accepted in the f32-less integer registers that hold their bits.
//
// PTX ISA, "Operand Type Checking". Where its tables and the assembler disagree, what either takes is taken.
func (t Type) Holds(r Type) bool {
	rc, tc := Types[r].Class, Types[t].Class
	if rc == classPred || tc == classPred {
		return rc == tc
	}
	switch {
	case rc == ClassBits || tc == ClassBits:
		return true
	case rc == tc && tc == classFloat:
		return r == t
	case tc == ClassPacked:
		return rc != classFloat || t == TF32
	case rc == ClassPacked:
		return r == t
	}
	return rc != classFloat && tc != classFloat
}

// ElementsOf is the number of elements of a packed type.
func ElementsOf(t Type) int {
	switch name := t.String(); name[len(name)-2:] {
	case "x2":
		return 2
	case "x4":
		return 4
	}
	return 1
}
