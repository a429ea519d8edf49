package mma

import (
	"sync"

	"github.com/tilewright/tilewright/target/engine/emu/fp"
	"github.com/tilewright/tilewright/target/engine/emu/num"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// loader converts an element's container to its value. The operands of type
// tf32 are f32 patterns of which the low 13 bits are ignored.
func loader(t syntax.Type, bits int) func(uint64) float64 {
	switch t {
	case syntax.F16:
		return fp.DecodeF16
	case syntax.BF16:
		return func(v uint64) float64 { return float64(fp.Float32(v << 16)) }
	case syntax.TF32:
		return func(v uint64) float64 { return float64(fp.Float32(v &^ 0x1fff)) }
	case syntax.F32:
		return func(v uint64) float64 { return float64(fp.Float32(v)) }
	case syntax.F64:
		return fp.Float64
	case syntax.E4M3, syntax.E5M2, syntax.E2M1, syntax.E2M3, syntax.E3M2:
		values := byteValues(t, bits)
		return func(v uint64) float64 { return values[v&0xff] }
	}
	return nil
}

// byteTables keeps what byteValues returns.
var byteTables sync.Map

// byteValues lists the values of a type of at most eight bits by the low
// byte at an element's place. In a byte, an element of six bits is the low
// ones and one of four bits is in the middle; the rest is padding.
//
// Tables are shared by all programs: their number is that of the types.
func byteValues(t syntax.Type, bits int) *[256]float64 {
	key := [2]int{int(t), bits}
	if v, ok := byteTables.Load(key); ok {
		return v.(*[256]float64)
	}
	shift := 0
	if t == syntax.E2M1 && bits == 8 {
		shift = 2
	}
	values := new([256]float64)
	for i := range values {
		values[i] = OperandFormats[t].Decode(uint64(i) >> shift & num.Mask(t.Bits()))
	}
	byteTables.Store(key, values)
	return values
}

// ElementValue converts an element of an operand or accumulator.
func ElementValue(t syntax.Type) func(uint64) float64 {
	switch {
	case t.Signed():
		return func(v uint64) float64 { return float64(num.SignExtend(v, t.Bits())) }
	case t.Integer() || t == syntax.B1:
		return func(v uint64) float64 { return float64(v) }
	}
	return loader(t, t.Bits())
}
