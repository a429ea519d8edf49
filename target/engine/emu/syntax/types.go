package syntax

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

// Type is a PTX fundamental or packed type.
//
// Types of registers, of memory and of instructions are one enumeration, because the ISA gives all of them the same
// names; which of them go together is the business of holds and of the decoders.
type Type uint8

// The types that registers, memory accesses and instructions name.
const (
	NoType Type = iota
	Pred
	TB8
	TB16
	TB32
	TB64
	TB128
	TU8
	TU16
	TU32
	TU64
	TS8
	TS16
	TS32
	TS64
	TF16
	TF16x2
	TBF16
	TBF16x2
	TTF32
	TF32
	TF64
	TF32x2
	TU16x2
	TS16x2
	TU8x4
	TS8x4
	TE4M3
	TE5M2
	TE4M3x2
	TE5M2x2
	TE2M1x2
	TE2M3x2
	TE3M2x2
	TUE8M0x2
	TE4M3x4
	TE5M2x4
	TE2M3x4
	TE3M2x4
	TE2M1x4
	TS2F6x2
	TE2M1
	TE2M3
	TE3M2
	TUE8M0
	TUE4M3
	TS4
	TU4
	TB1
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

var Types = [...]scalarInfo{
	NoType:   {"none", 0, ClassBits},
	Pred:     {"pred", 1, classPred},
	TB8:      {"b8", 8, ClassBits},
	TB16:     {"b16", 16, ClassBits},
	TB32:     {"b32", 32, ClassBits},
	TB64:     {"b64", 64, ClassBits},
	TB128:    {"b128", 128, ClassBits},
	TU8:      {"u8", 8, classUnsigned},
	TU16:     {"u16", 16, classUnsigned},
	TU32:     {"u32", 32, classUnsigned},
	TU64:     {"u64", 64, classUnsigned},
	TS8:      {"s8", 8, classSigned},
	TS16:     {"s16", 16, classSigned},
	TS32:     {"s32", 32, classSigned},
	TS64:     {"s64", 64, classSigned},
	TF16:     {"f16", 16, classFloat},
	TF16x2:   {"f16x2", 32, ClassPacked},
	TBF16:    {"bf16", 16, ClassPacked},
	TBF16x2:  {"bf16x2", 32, ClassPacked},
	TTF32:    {"tf32", 32, ClassPacked},
	TF32:     {"f32", 32, classFloat},
	TF64:     {"f64", 64, classFloat},
	TF32x2:   {"f32x2", 64, ClassPacked},
	TU16x2:   {"u16x2", 32, ClassPacked},
	TS16x2:   {"s16x2", 32, ClassPacked},
	TU8x4:    {"u8x4", 32, ClassPacked},
	TS8x4:    {"s8x4", 32, ClassPacked},
	TE4M3:    {"e4m3", 8, ClassPacked},
	TE5M2:    {"e5m2", 8, ClassPacked},
	TE4M3x2:  {"e4m3x2", 16, ClassPacked},
	TE5M2x2:  {"e5m2x2", 16, ClassPacked},
	TE2M1x2:  {"e2m1x2", 8, ClassPacked},
	TE2M3x2:  {"e2m3x2", 16, ClassPacked},
	TE3M2x2:  {"e3m2x2", 16, ClassPacked},
	TUE8M0x2: {"ue8m0x2", 16, ClassPacked},
	TE4M3x4:  {"e4m3x4", 32, ClassPacked},
	TE5M2x4:  {"e5m2x4", 32, ClassPacked},
	TE2M3x4:  {"e2m3x4", 32, ClassPacked},
	TE3M2x4:  {"e3m2x4", 32, ClassPacked},
	TE2M1x4:  {"e2m1x4", 16, ClassPacked},
	TS2F6x2:  {"s2f6x2", 16, ClassPacked},
	TE2M1:    {"e2m1", 4, ClassPacked},
	TE2M3:    {"e2m3", 6, ClassPacked},
	TE3M2:    {"e3m2", 6, ClassPacked},
	TUE8M0:   {"ue8m0", 8, ClassPacked},
	TUE4M3:   {"ue4m3", 8, ClassPacked},
	TS4:      {"s4", 4, classSigned},
	TU4:      {"u4", 4, classUnsigned},
	TB1:      {"b1", 1, ClassBits},
	Opaque:   {"opaque", 64, ClassBits},
}

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

func (t Type) Bits() int { return Types[t].bits }

func (t Type) Bytes() int { return (Types[t].bits + 7) / 8 }

func (t Type) Signed() bool { return Types[t].Class == classSigned }

func (t Type) Integer() bool { c := Types[t].Class; return c == classUnsigned || c == classSigned }

func (t Type) Float() bool {
	switch t {
	case TF16, TBF16, TF32, TF64:
		return true
	}
	return false
}

// Holds reports whether a register declared as r may be an operand of
// instruction type t of the same width: bit-size types match anything,
// integers of either signedness match, floats match themselves, and the
// packed and alternate formats live in bit-size registers. Packed formats
// are also accepted in the f32-less integer registers that hold their bits.
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
		return rc != classFloat || t == TTF32
	case rc == ClassPacked:
		return r == t
	}
	return rc != classFloat && tc != classFloat
}
