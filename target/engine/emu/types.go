package emu

// scalar is a PTX fundamental or packed type.
type scalar uint8

// The types that registers, memory accesses and instructions name.
const (
	tNone scalar = iota
	tPred
	tB8
	tB16
	tB32
	tB64
	tB128
	tU8
	tU16
	tU32
	tU64
	tS8
	tS16
	tS32
	tS64
	tF16
	tF16x2
	tBF16
	tBF16x2
	tTF32
	tF32
	tF64
	tF32x2
	tU16x2
	tS16x2
	tU8x4
	tS8x4
	tE4M3
	tE5M2
	tE4M3x2
	tE5M2x2
	tE2M1x2
	tE2M3x2
	tE3M2x2
	tUE8M0x2
	tE4M3x4
	tE5M2x4
	tE2M3x4
	tE3M2x4
	tE2M1x4
	tS2F6x2
	tE2M1
	tE2M3
	tE3M2
	tUE8M0
	tUE4M3
	tS4
	tU4
	tB1
	tOpaque
)

// class groups the types whose registers may stand for each other.
type class uint8

const (
	classBits class = iota
	classUnsigned
	classSigned
	classFloat
	classPacked
	classPred
)

type scalarInfo struct {
	name  string
	bits  int
	class class
}

var scalars = [...]scalarInfo{
	tNone:    {"none", 0, classBits},
	tPred:    {"pred", 1, classPred},
	tB8:      {"b8", 8, classBits},
	tB16:     {"b16", 16, classBits},
	tB32:     {"b32", 32, classBits},
	tB64:     {"b64", 64, classBits},
	tB128:    {"b128", 128, classBits},
	tU8:      {"u8", 8, classUnsigned},
	tU16:     {"u16", 16, classUnsigned},
	tU32:     {"u32", 32, classUnsigned},
	tU64:     {"u64", 64, classUnsigned},
	tS8:      {"s8", 8, classSigned},
	tS16:     {"s16", 16, classSigned},
	tS32:     {"s32", 32, classSigned},
	tS64:     {"s64", 64, classSigned},
	tF16:     {"f16", 16, classFloat},
	tF16x2:   {"f16x2", 32, classPacked},
	tBF16:    {"bf16", 16, classPacked},
	tBF16x2:  {"bf16x2", 32, classPacked},
	tTF32:    {"tf32", 32, classPacked},
	tF32:     {"f32", 32, classFloat},
	tF64:     {"f64", 64, classFloat},
	tF32x2:   {"f32x2", 64, classPacked},
	tU16x2:   {"u16x2", 32, classPacked},
	tS16x2:   {"s16x2", 32, classPacked},
	tU8x4:    {"u8x4", 32, classPacked},
	tS8x4:    {"s8x4", 32, classPacked},
	tE4M3:    {"e4m3", 8, classPacked},
	tE5M2:    {"e5m2", 8, classPacked},
	tE4M3x2:  {"e4m3x2", 16, classPacked},
	tE5M2x2:  {"e5m2x2", 16, classPacked},
	tE2M1x2:  {"e2m1x2", 8, classPacked},
	tE2M3x2:  {"e2m3x2", 16, classPacked},
	tE3M2x2:  {"e3m2x2", 16, classPacked},
	tUE8M0x2: {"ue8m0x2", 16, classPacked},
	tE4M3x4:  {"e4m3x4", 32, classPacked},
	tE5M2x4:  {"e5m2x4", 32, classPacked},
	tE2M3x4:  {"e2m3x4", 32, classPacked},
	tE3M2x4:  {"e3m2x4", 32, classPacked},
	tE2M1x4:  {"e2m1x4", 16, classPacked},
	tS2F6x2:  {"s2f6x2", 16, classPacked},
	tE2M1:    {"e2m1", 4, classPacked},
	tE2M3:    {"e2m3", 6, classPacked},
	tE3M2:    {"e3m2", 6, classPacked},
	tUE8M0:   {"ue8m0", 8, classPacked},
	tUE4M3:   {"ue4m3", 8, classPacked},
	tS4:      {"s4", 4, classSigned},
	tU4:      {"u4", 4, classUnsigned},
	tB1:      {"b1", 1, classBits},
	tOpaque:  {"opaque", 64, classBits},
}

var scalarByName = func() map[string]scalar {
	m := make(map[string]scalar, len(scalars))
	for i, s := range scalars {
		m[s.name] = scalar(i)
	}
	delete(m, "none")
	delete(m, "opaque")
	for _, n := range []string{"texref", "samplerref", "surfref"} {
		m[n] = tOpaque
	}
	return m
}()

func (t scalar) String() string { return scalars[t].name }
func (t scalar) bits() int      { return scalars[t].bits }
func (t scalar) bytes() int     { return (scalars[t].bits + 7) / 8 }
func (t scalar) signed() bool   { return scalars[t].class == classSigned }
func (t scalar) integer() bool  { c := scalars[t].class; return c == classUnsigned || c == classSigned }
func (t scalar) float() bool {
	switch t {
	case tF16, tBF16, tF32, tF64:
		return true
	}
	return false
}

// holds reports whether a register declared as r may be an operand of
// instruction type t of the same width: bit-size types match anything,
// integers of either signedness match, floats match themselves, and the
// packed and alternate formats live in bit-size registers. Packed formats
// are also accepted in the f32-less integer registers that hold their bits.
func (t scalar) holds(r scalar) bool {
	rc, tc := scalars[r].class, scalars[t].class
	if rc == classPred || tc == classPred {
		return rc == tc
	}
	switch {
	case rc == classBits || tc == classBits:
		return true
	case rc == tc && tc == classFloat:
		return r == t
	case tc == classPacked:
		return rc != classFloat || t == tTF32
	case rc == classPacked:
		return r == t
	}
	return rc != classFloat && tc != classFloat
}

// mask returns the ones of an n-bit value.
func mask(n int) uint64 {
	if n >= 64 {
		return ^uint64(0)
	}
	return 1<<n - 1
}

// sext sign-extends the low n bits of v.
func sext(v uint64, n int) int64 {
	s := 64 - uint(n)
	return int64(v<<s) >> s
}
