package arith

import (
	"github.com/tilewright/tilewright/target/engine/emu/decode"
	"github.com/tilewright/tilewright/target/engine/emu/num"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// decodeDot decodes dp4a and dp2a: dot products of bytes, or of 16-bit
// halves of a and bytes of b.
//
// The type of each source is its own, and the sum is signed if either is; it wraps.
//
//	dp4a  c + a0*b0 + a1*b1 + a2*b2 + a3*b3                bytes
//	dp2a.lo  c + a0*b0 + a1*b1    .hi: b2 and b3           halves of a, bytes of b
//
// int64 cannot overflow: four products of 16 bits each and one sum of 32.
func decodeDot(d *decode.Decoder) {
	half := d.Stmt.Op == "dp2a"
	part := ""
	if half {
		part = d.OneOf("lo", "hi")
	}
	ta, tb := d.Type(syntax.U32, syntax.S32), d.Type(syntax.U32, syntax.S32)
	out := syntax.U32
	if ta.Signed() || tb.Signed() {
		out = syntax.S32
	}
	args := d.Args(4)
	elem := func(t syntax.Type, v uint64, n int) int64 {
		if t.Signed() {
			return num.SignExtend(v, n)
		}
		return int64(v & num.Mask(n))
	}
	d.Inst.Exec = decode.Map3(d.Dst(args[0], out), d.Src(args[1], ta), d.Src(args[2], tb), d.Src(args[3], out), func(a, b, c uint64) uint64 {
		s := int64(c)
		if half {
			if part == "hi" {
				b >>= 16
			}
			for i := range 2 {
				s += elem(ta, a>>(16*i), 16) * elem(tb, b>>(8*i), 8)
			}
		} else {
			for i := range 4 {
				s += elem(ta, a>>(8*i), 8) * elem(tb, b>>(8*i), 8)
			}
		}
		return uint64(s) & num.Mask(32)
	})
}
