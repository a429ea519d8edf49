package tma

import (
	"github.com/tilewright/tilewright/target/engine/emu/fp"
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// copyType is the type of a tensor's elements. Elements below a byte are
// copied in atoms of several ("Sub-byte Types").
type copyType struct {
	name   string // as PTX has it, without the dot
	scalar syntax.Type
	ftz    bool // subnormal values become zero
	sub    int  // bits of an element below a byte
	padded bool // sixteen elements take sixteen bytes of shared memory
}

// mapTypes are by the values that tensormap.replace takes
// ("tensormap.replace", table of new_val).
var mapTypes = []copyType{
	{name: "u8", scalar: syntax.U8}, {name: "u16", scalar: syntax.U16}, {name: "u32", scalar: syntax.U32}, {name: "s32", scalar: syntax.S32},
	{name: "u64", scalar: syntax.U64}, {name: "s64", scalar: syntax.S64}, {name: "f16", scalar: syntax.F16}, {name: "f32", scalar: syntax.F32},
	{name: "f32.ftz", scalar: syntax.F32, ftz: true}, {name: "f64", scalar: syntax.F64}, {name: "bf16", scalar: syntax.BF16},
	{name: "tf32", scalar: syntax.TF32}, {name: "tf32.ftz", scalar: syntax.TF32, ftz: true},
	{name: "b4x16", sub: 4}, {name: "b4x16_p64", sub: 4, padded: true}, {name: "b6x16_p32", sub: 6, padded: true},
}

// floating reports whether the elements have NaNs.
func (t copyType) floating() bool { return t.scalar.Float() || t.scalar == syntax.TF32 }

// atom is the least that a copy moves: elements, and their bytes in global
// and in shared memory.
type atom struct {
	elems          int64
	global, shared uint64
}

// Elements of four bits are copied in pairs, and padded types sixteen at a time: nothing less has an address of its
// own.
func (t copyType) atom() atom {
	switch {
	case t.sub == 0:
		n := uint64(t.scalar.Bytes())
		return atom{1, n, n}
	case !t.padded:
		return atom{2, 1, 1}
	}
	return atom{16, uint64(2 * t.sub), 16}
}

// change is what happens to the bytes of a piece on their way.
type change uint8

const (
	changeNone  change = iota
	changeFlush        // f32 subnormals become zero
	changePack         // sixteen bytes become sixteen elements of six bits
	// f32 is rounded to tf32, to the nearest, of two the even one; NaNs and infinities stay. The ISA does not say
	// how: Triton's tests of host descriptors that round (round_f32_to_tf32) hold a GPU to it.
	changeRound
	changeFlushRound // both
)

// apply writes the changed bytes of from to to.
//
// Loads flush and round, and stores pack, never both, so that a change is one of a few and not a set.
func (c change) apply(to, from []byte) {
	switch c {
	case changeFlush:
		for i := 0; i+4 <= len(from); i += 4 {
			machine.Store(to[i:][:4], fp.Flush(machine.Load(from[i:][:4])))
		}
	case changeRound, changeFlushRound:
		for i := 0; i+4 <= len(from); i += 4 {
			v := machine.Load(from[i:][:4])
			if c == changeFlushRound {
				v = fp.Flush(v)
			}
			machine.Store(to[i:][:4], fp.RoundTF32(v))
		}
	case changePack:
		for i := range to {
			to[i] = 0
		}
		for i, v := range from[:16] {
			bit := 6 * i
			two := uint(v&0x3f) << (bit % 8)
			to[bit/8] |= byte(two)
			if two > 0xff {
				to[bit/8+1] |= byte(two >> 8)
			}
		}
	default:
		copy(to, from)
	}
}
