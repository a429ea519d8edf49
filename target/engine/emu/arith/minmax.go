package arith

import (
	"github.com/tilewright/tilewright/target/engine/emu/decode"
	"github.com/tilewright/tilewright/target/engine/emu/fp"
	"github.com/tilewright/tilewright/target/engine/emu/num"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// Three sources are two steps: NaN is handled alike in both, and minimum and maximum are associative with it.
//
// Without .NaN the other operand wins over a NaN, as IEEE 754-2019's minimumNumber. With it NaN does, as minimum. +0 is
// greater than -0 in both ("max": "note: +0.0 > -0.0").
func decodeMinMax(d *decode.Decoder) {
	greatest := d.Stmt.Op == "max"
	ftz, nan, xorsign, relu := d.Opt("ftz"), d.Opt("NaN"), d.Opt("xorsign"), d.Opt("relu")
	abs := d.Opt("abs")
	if xorsign && !abs {
		d.Fail("'.xorsign' needs '.abs'")
	}
	t := d.Type(append([]syntax.Type{syntax.F32, syntax.F64, syntax.F16, syntax.F16x2, syntax.BF16, syntax.BF16x2, syntax.U16x2, syntax.S16x2, syntax.U8x4, syntax.S8x4}, intTypes...)...)
	args := d.Argc(3, 4)
	three := len(args) == 4
	if three && (t != syntax.F32 || xorsign) || abs && !xorsign && !three {
		d.Fail("'%s' of three values is supported for .f32 without .xorsign, and .abs alone only there", d.Stmt.Op)
	}
	var f func(a, b uint64) uint64
	hf, packed := halfFormat(t)
	switch {
	case hf != nil:
		f = fp.Half{Format: hf, Ftz: ftz}.MinMax(greatest, nan, xorsign)
		if packed {
			f = fp.Pair2(f)
		}
	case t == syntax.F32:
		f = fp.MinMaxF32(greatest, ftz, nan, xorsign)
	case t == syntax.F64:
		f = fp.F64.MinMax(greatest, false, false)
	case packedInt(t) != syntax.NoType:
		f = eachPart(packedInt(t), MinMaxInt(greatest, packedInt(t)))
	default:
		f = MinMaxInt(greatest, t)
	}
	if relu {
		f = reluInt(t, f)
	}
	if three {
		g := f
		d.Inst.Exec = decode.Map3(d.Dst(args[0], t), d.Src(args[1], t), d.Src(args[2], t), d.Src(args[3], t), func(a, b, c uint64) uint64 {
			if abs {
				a, b, c = a&^fp.SignF32, b&^fp.SignF32, c&^fp.SignF32
			}
			return g(g(a, b), c)
		})
		return
	}
	d.Inst.Exec = decode.Map2(d.Dst(args[0], t), d.Src(args[1], t), d.Src(args[2], t), f)
}

// reluInt clamps negative signed results to zero.
func reluInt(t syntax.Type, f func(a, b uint64) uint64) func(a, b uint64) uint64 {
	return func(a, b uint64) uint64 {
		v := f(a, b)
		if t == syntax.S16x2 {
			for _, sh := range []uint{0, 16} {
				if v>>(sh+15)&1 != 0 {
					v &^= 0xffff << sh
				}
			}
			return v
		}
		if num.SignExtend(v, t.Bits()) < 0 {
			return 0
		}
		return v
	}
}

// MinMaxInt is the minimum or maximum of an integer type.
func MinMaxInt(greatest bool, t syntax.Type) func(a, b uint64) uint64 {
	n := t.Bits()
	return func(a, b uint64) uint64 {
		less := a < b
		if t.Signed() {
			less = num.SignExtend(a, n) < num.SignExtend(b, n)
		}
		if less == greatest {
			return b
		}
		return a
	}
}
