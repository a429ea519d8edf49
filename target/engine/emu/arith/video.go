package arith

import (
	"strings"

	"github.com/tilewright/tilewright/target/engine/emu/decode"
	"github.com/tilewright/tilewright/target/engine/emu/num"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// videoOps are the scalar and SIMD video instructions ("Video
// Instructions"). Both select parts of their sources, extend them to more
// bits than the result has, and may clamp what they compute.
var videoOps = map[string]decode.Func{
	"vadd": decodeVideo, "vsub": decodeVideo, "vabsdiff": decodeVideo, "vmin": decodeVideo, "vmax": decodeVideo,
	"vshl": decodeVideo, "vshr": decodeVideo, "vset": decodeVideo, "vmad": decodeVideoMad,
	"vadd2": decodeVideoSIMD, "vsub2": decodeVideoSIMD, "vavrg2": decodeVideoSIMD, "vabsdiff2": decodeVideoSIMD,
	"vmin2": decodeVideoSIMD, "vmax2": decodeVideoSIMD, "vset2": decodeVideoSIMD,
	"vadd4": decodeVideoSIMD, "vsub4": decodeVideoSIMD, "vavrg4": decodeVideoSIMD, "vabsdiff4": decodeVideoSIMD,
	"vmin4": decodeVideoSIMD, "vmax4": decodeVideoSIMD, "vset4": decodeVideoSIMD,
}

// part is a byte or half-word of a register, or all of it.
type part struct{ shift, bits int }

var videoParts = map[string]part{
	"": {0, 32}, "b0": {0, 8}, "b1": {8, 8}, "b2": {16, 8}, "b3": {24, 8}, "h0": {0, 16}, "h1": {16, 16},
}

// selector takes the selector of an operand and its sign.
func selector(d *decode.Decoder, o *syntax.Operand) (plain *syntax.Operand, sel string, neg bool) {
	c := *o
	sel, neg = c.Part, c.Neg
	c.Part, c.Neg = "", false
	return &c, sel, neg
}

func videoPart(d *decode.Decoder, o *syntax.Operand, sel string) part {
	p, ok := videoParts[sel]
	if !ok {
		d.FailAt(o, "unknown selector '.%s' of '%s'", sel, d.Stmt.Op)
	}
	return p
}

// extract reads a part, sign- or zero-extended.
func (p part) extract(v uint64, t syntax.Type) int64 {
	v = v >> p.shift & num.Mask(p.bits)
	if t.Signed() {
		return num.SignExtend(v, p.bits)
	}
	return int64(v)
}

// videoFn is the operation of a video instruction of any width.
//
// Averages round halves away from zero: of negative sums the arithmetic shift does so itself ("vavrg").
func videoFn(d *decode.Decoder, name string) func(a, b int64) int64 {
	switch name {
	case "vadd":
		return func(a, b int64) int64 { return a + b }
	case "vsub":
		return func(a, b int64) int64 { return a - b }
	case "vabsdiff":
		return func(a, b int64) int64 { return max(a-b, b-a) }
	case "vmin":
		return func(a, b int64) int64 { return min(a, b) }
	case "vmax":
		return func(a, b int64) int64 { return max(a, b) }
	case "vavrg":
		return func(a, b int64) int64 {
			if a+b >= 0 {
				return (a + b + 1) >> 1
			}
			return (a + b) >> 1
		}
	case "vset":
		want := holdsFor[d.OneOf("eq", "ne", "lt", "le", "gt", "ge")]
		if want == 0 {
			d.Fail("'%s' needs a comparison", d.Stmt.Op)
		}
		return func(a, b int64) int64 {
			got := relEqual
			if a < b {
				got = relLess
			} else if a > b {
				got = relGreater
			}
			if got&want != 0 {
				return 1
			}
			return 0
		}
	}
	// vshl and vshr
	mode := d.OneOf("clamp", "wrap")
	if mode == "" {
		d.Fail("'%s' needs .clamp or .wrap", d.Stmt.Op)
	}
	return func(a, b int64) int64 {
		if mode == "wrap" {
			b &= 31
		}
		b = min(b, 32)
		if name == "vshl" {
			return a << b
		}
		return a >> b
	}
}

// decodeVideo decodes the scalar instructions, with a second operation or
// a merge into a part of c.
//
// Intermediate results have 33 bits and more ("vadd"): int64 holds them, so that saturation sees the true value.
//
//	vadd.s32.u32.s32.sat d, a.b0, b.h1     byte 0 of a (u) plus the upper half of b (s), saturated to s32
//	vadd ... d.h0, a, b, c                 the result goes into the low half of c
//	vadd ... .min d, a, b, c               the minimum of the result and c
func decodeVideo(d *decode.Decoder) {
	td, ta, tb := syntax.U32, syntax.U32, syntax.U32
	switch d.Stmt.Op {
	case "vset":
		ta, tb = d.Type(syntax.U32, syntax.S32), d.Type(syntax.U32, syntax.S32)
	case "vshl", "vshr":
		td, ta, tb = d.Type(syntax.U32, syntax.S32), d.Type(syntax.U32, syntax.S32), d.Type(syntax.U32)
	default:
		td, ta, tb = d.Type(syntax.U32, syntax.S32), d.Type(syntax.U32, syntax.S32), d.Type(syntax.U32, syntax.S32)
	}
	sat := d.Stmt.Op != "vset" && d.Opt("sat")
	f := videoFn(d, d.Stmt.Op)
	second := d.OneOf("add", "min", "max")
	args := d.Argc(3, 4)
	to, dsel, _ := selector(d, args[0])
	oa, asel, _ := selector(d, args[1])
	ob, bsel, _ := selector(d, args[2])
	place, pa, pb := videoPart(d, to, dsel), videoPart(d, oa, asel), videoPart(d, ob, bsel)
	merge := dsel != ""
	if (len(args) == 4) != (merge || second != "") || merge && second != "" {
		d.Fail("'%s' takes a third source with a second operation or a selector of the destination", d.Stmt.Op)
	}
	c := d.Const(0)
	if len(args) == 4 {
		c = d.Src(args[3], syntax.B32)
	}
	d.Inst.Exec = decode.Map3(d.Dst(to, syntax.B32), d.Src(oa, syntax.B32), d.Src(ob, syntax.B32), c, func(a, b, c uint64) uint64 {
		v := f(pa.extract(a, ta), pb.extract(b, tb))
		if sat {
			v = num.Clamp(v, place.bits, td.Signed())
		}
		third := videoParts[""].extract(c, td)
		switch second {
		case "add":
			v += third
		case "min":
			v = min(v, third)
		case "max":
			v = max(v, third)
		}
		if merge {
			field := num.Mask(place.bits) << place.shift
			return c&^field | uint64(v)<<place.shift&field
		}
		return uint64(v) & num.Mask(32)
	})
}

// decodeVideoMad decodes vmad, whose product may be negated, and which can
// add one and scale.
func decodeVideoMad(d *decode.Decoder) {
	d.Type(syntax.U32, syntax.S32)
	ta, tb := d.Type(syntax.U32, syntax.S32), d.Type(syntax.U32, syntax.S32)
	plusOne, sat := d.Opt("po"), d.Opt("sat")
	shift := map[string]int{"shr7": 7, "shr15": 15}[d.OneOf("shr7", "shr15")]
	args := d.Args(4)
	oa, asel, na := selector(d, args[1])
	ob, bsel, nb := selector(d, args[2])
	oc, _, nc := selector(d, args[3])
	pa, pb := videoPart(d, oa, asel), videoPart(d, ob, bsel)
	negate := na != nb
	if plusOne && (na || nb || nc) || negate && nc {
		d.Fail("'vmad' cannot negate both the product and the addend, and nothing with .po")
	}
	signed := ta.Signed() || tb.Signed() || negate || nc
	d.Inst.Exec = decode.Map3(d.Dst(args[0], syntax.B32), d.Src(oa, syntax.B32), d.Src(ob, syntax.B32), d.Src(oc, syntax.B32), func(a, b, c uint64) uint64 {
		x := num.Extend(pa.extract(a, ta)).Mul(pb.extract(b, tb))
		third := int64(c)
		if signed {
			third = num.SignExtend(c, 32)
		}
		switch {
		case negate:
			x = x.Neg()
		case nc:
			third = -third
		}
		x = x.Add(third)
		if plusOne {
			x = x.Add(1)
		}
		x = x.Shr(shift)
		if sat {
			return uint64(x.Clamp32(signed)) & num.Mask(32)
		}
		return x.Lo & num.Mask(32)
	})
}

// decodeVideoSIMD decodes the instructions on pairs of half-words and on bytes.
//
// A selector such as .h10 or .b7654 lists, from the highest part of the result down, which part of the sources it comes
// from. Parts 0 to 3 are the bytes of a, 4 to 7 those of b. On the destination the same spelling is a mask: parts that
// it does not name keep what c has.
func decodeVideoSIMD(d *decode.Decoder) {
	n := int(d.Stmt.Op[len(d.Stmt.Op)-1] - '0')
	bits, letter := 32/n, map[int]string{2: "h", 4: "b"}[n]
	name := d.Stmt.Op[:len(d.Stmt.Op)-1]
	td := syntax.U32
	if name != "vset" {
		td = d.Type(syntax.U32, syntax.S32)
	}
	ta, tb := d.Type(syntax.U32, syntax.S32), d.Type(syntax.U32, syntax.S32)
	sat, add := name != "vset" && d.Opt("sat"), d.Opt("add")
	if sat && add {
		d.Fail("'%s' cannot saturate and accumulate", d.Stmt.Op)
	}
	f := videoFn(d, name)
	args := d.Args(4)
	to, mask4, _ := selector(d, args[0])
	oa, asel, _ := selector(d, args[1])
	ob, bsel, _ := selector(d, args[2])
	// A mask lists its positions from the highest, a selector has all.
	digits := func(o *syntax.Operand, sel, otherwise string, top int, exact bool) (out []int) {
		if sel == "" {
			sel = otherwise
		}
		list, ok := strings.CutPrefix(sel, letter)
		for i := len(list) - 1; i >= 0 && ok; i-- {
			k := int(list[i] - '0')
			ok = list[i] >= '0' && k < top && (exact || len(out) == 0 || k > out[len(out)-1])
			out = append(out, k)
		}
		if !ok || len(out) == 0 || len(out) > n || exact && len(out) != n {
			d.FailAt(o, "unknown selector '.%s' of '%s'", sel, d.Stmt.Op)
		}
		return out
	}
	low, high := map[int]string{2: "h10", 4: "b3210"}[n], map[int]string{2: "h32", 4: "b7654"}[n]
	positions := digits(to, mask4, low, n, false)
	selA, selB := digits(oa, asel, low, 2*n, true), digits(ob, bsel, high, 2*n, true)
	d.Inst.Exec = decode.Map3(d.Dst(to, syntax.B32), d.Src(oa, syntax.B32), d.Src(ob, syntax.B32), d.Src(args[3], syntax.B32), func(a, b, c uint64) uint64 {
		both := a&num.Mask(32) | b<<32
		out := c
		for _, i := range positions {
			v := f(part{selA[i] * bits, bits}.extract(both, ta), part{selB[i] * bits, bits}.extract(both, tb))
			if sat {
				v = num.Clamp(v, bits, td.Signed())
			}
			if add {
				out += uint64(v)
				continue
			}
			field := num.Mask(bits) << (i * bits)
			out = out&^field | uint64(v)<<(i*bits)&field
		}
		return out & num.Mask(32)
	})
}
