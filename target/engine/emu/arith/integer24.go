package arith

import (
	"github.com/tilewright/tilewright/target/engine/emu/decode"
	"github.com/tilewright/tilewright/target/engine/emu/num"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// multiplier24 is the product of the low 24 bits of two values: its low 32
// bits, or those from bit 16 on.
//
// The upper eight bits of the sources are ignored, not an error: the instructions are from hardware whose multiplier
// had 24 bits.
func multiplier24(d *decode.Decoder) (f func(a, b uint64) uint64, t syntax.Type, part string) {
	part = d.OneOf("lo", "hi")
	if part == "" {
		d.Fail("'%s' needs .lo or .hi", d.Stmt.Op)
	}
	sat := d.Stmt.Op == "mad24" && part == "hi" && d.Opt("sat")
	t = d.Type(syntax.U32, syntax.S32)
	if sat {
		if part = "sat"; t != syntax.S32 {
			d.Fail("'.sat' is supported for 'mad24.hi.s32' only")
		}
	}
	return func(a, b uint64) uint64 {
		var p uint64
		if t.Signed() {
			p = uint64(num.SignExtend(a, 24) * num.SignExtend(b, 24))
		} else {
			p = a & num.Mask(24) * (b & num.Mask(24))
		}
		if part != "lo" {
			p >>= 16
		}
		return p & num.Mask(32)
	}, t, part
}

func decodeMul24(d *decode.Decoder) {
	f, t, _ := multiplier24(d)
	args := d.Args(3)
	d.Inst.Exec = decode.Map2(d.Dst(args[0], t), d.Src(args[1], t), d.Src(args[2], t), f)
}

// .sat adds in full precision and clamps the sum, not the product ("mad24").
func decodeMad24(d *decode.Decoder) {
	f, t, part := multiplier24(d)
	args := d.Args(4)
	d.Inst.Exec = decode.Map3(d.Dst(args[0], t), d.Src(args[1], t), d.Src(args[2], t), d.Src(args[3], t), func(a, b, c uint64) uint64 {
		if part == "sat" {
			return num.ClampSigned(num.SignExtend(f(a, b), 32)+num.SignExtend(c, 32), 32)
		}
		return (f(a, b) + c) & num.Mask(32)
	})
}
