package emu

import "strings"

// videoOps are the scalar and SIMD video instructions ("Video
// Instructions"). Both select parts of their sources, extend them to more
// bits than the result has, and may clamp what they compute.
var videoOps = map[string]decodeFn{
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
func (d *decoder) selector(o *operand) (plain *operand, sel string, neg bool) {
	c := *o
	sel, neg = c.sel, c.neg
	c.sel, c.neg = "", false
	return &c, sel, neg
}

func (d *decoder) videoPart(o *operand, sel string) part {
	p, ok := videoParts[sel]
	if !ok {
		d.badOperand(o, "unknown selector '.%s' of '%s'", sel, d.s.op)
	}
	return p
}

// extract reads a part, sign- or zero-extended.
func (p part) extract(v uint64, t scalar) int64 {
	v = v >> p.shift & mask(p.bits)
	if t.signed() {
		return sext(v, p.bits)
	}
	return int64(v)
}

func clampTo(v int64, bits int, signed bool) int64 {
	if signed {
		return max(min(v, 1<<(bits-1)-1), -1<<(bits-1))
	}
	return max(min(v, 1<<bits-1), 0)
}

// videoFn is the operation of a video instruction of any width.
func (d *decoder) videoFn(name string) func(a, b int64) int64 {
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
		want := holdsFor[d.oneOf("eq", "ne", "lt", "le", "gt", "ge")]
		if want == 0 {
			d.failInst("'%s' needs a comparison", d.s.op)
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
	mode := d.oneOf("clamp", "wrap")
	if mode == "" {
		d.failInst("'%s' needs .clamp or .wrap", d.s.op)
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
func decodeVideo(d *decoder) {
	td, ta, tb := tU32, tU32, tU32
	switch d.s.op {
	case "vset":
		ta, tb = d.typ(tU32, tS32), d.typ(tU32, tS32)
	case "vshl", "vshr":
		td, ta, tb = d.typ(tU32, tS32), d.typ(tU32, tS32), d.typ(tU32)
	default:
		td, ta, tb = d.typ(tU32, tS32), d.typ(tU32, tS32), d.typ(tU32, tS32)
	}
	sat := d.s.op != "vset" && d.opt("sat")
	f := d.videoFn(d.s.op)
	second := d.oneOf("add", "min", "max")
	args := d.argc(3, 4)
	to, dsel, _ := d.selector(args[0])
	oa, asel, _ := d.selector(args[1])
	ob, bsel, _ := d.selector(args[2])
	place, pa, pb := d.videoPart(to, dsel), d.videoPart(oa, asel), d.videoPart(ob, bsel)
	merge := dsel != ""
	if (len(args) == 4) != (merge || second != "") || merge && second != "" {
		d.failInst("'%s' takes a third source with a second operation or a selector of the destination", d.s.op)
	}
	c := d.konst(0)
	if len(args) == 4 {
		c = d.src(args[3], tB32)
	}
	d.in.exec = map3(d.dst(to, tB32), d.src(oa, tB32), d.src(ob, tB32), c, func(a, b, c uint64) uint64 {
		v := f(pa.extract(a, ta), pb.extract(b, tb))
		if sat {
			v = clampTo(v, place.bits, td.signed())
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
			field := mask(place.bits) << place.shift
			return c&^field | uint64(v)<<place.shift&field
		}
		return uint64(v) & mask(32)
	})
}

// decodeVideoMad decodes vmad, whose product may be negated, and which can
// add one and scale.
func decodeVideoMad(d *decoder) {
	d.typ(tU32, tS32)
	ta, tb := d.typ(tU32, tS32), d.typ(tU32, tS32)
	plusOne, sat := d.opt("po"), d.opt("sat")
	shift := map[string]int{"shr7": 7, "shr15": 15}[d.oneOf("shr7", "shr15")]
	args := d.args(4)
	oa, asel, na := d.selector(args[1])
	ob, bsel, nb := d.selector(args[2])
	oc, _, nc := d.selector(args[3])
	pa, pb := d.videoPart(oa, asel), d.videoPart(ob, bsel)
	negate := na != nb
	if plusOne && (na || nb || nc) || negate && nc {
		d.failInst("'vmad' cannot negate both the product and the addend, and nothing with .po")
	}
	signed := ta.signed() || tb.signed() || negate || nc
	d.in.exec = map3(d.dst(args[0], tB32), d.src(oa, tB32), d.src(ob, tB32), d.src(oc, tB32), func(a, b, c uint64) uint64 {
		x := wide(pa.extract(a, ta)).mul(pb.extract(b, tb))
		third := int64(c)
		if signed {
			third = sext(c, 32)
		}
		switch {
		case negate:
			x = x.neg()
		case nc:
			third = -third
		}
		x = x.add(third)
		if plusOne {
			x = x.add(1)
		}
		x = x.shr(shift)
		if sat {
			return uint64(x.clamp32(signed)) & mask(32)
		}
		return x.lo & mask(32)
	})
}

// decodeVideoSIMD decodes the instructions on pairs of half-words and on
// bytes.
func decodeVideoSIMD(d *decoder) {
	n := int(d.s.op[len(d.s.op)-1] - '0')
	bits, letter := 32/n, map[int]string{2: "h", 4: "b"}[n]
	name := d.s.op[:len(d.s.op)-1]
	td := tU32
	if name != "vset" {
		td = d.typ(tU32, tS32)
	}
	ta, tb := d.typ(tU32, tS32), d.typ(tU32, tS32)
	sat, add := name != "vset" && d.opt("sat"), d.opt("add")
	if sat && add {
		d.failInst("'%s' cannot saturate and accumulate", d.s.op)
	}
	f := d.videoFn(name)
	args := d.args(4)
	to, mask4, _ := d.selector(args[0])
	oa, asel, _ := d.selector(args[1])
	ob, bsel, _ := d.selector(args[2])
	// A mask lists its positions from the highest, a selector has all.
	digits := func(o *operand, sel, otherwise string, top int, exact bool) (out []int) {
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
			d.badOperand(o, "unknown selector '.%s' of '%s'", sel, d.s.op)
		}
		return out
	}
	low, high := map[int]string{2: "h10", 4: "b3210"}[n], map[int]string{2: "h32", 4: "b7654"}[n]
	positions := digits(to, mask4, low, n, false)
	selA, selB := digits(oa, asel, low, 2*n, true), digits(ob, bsel, high, 2*n, true)
	d.in.exec = map3(d.dst(to, tB32), d.src(oa, tB32), d.src(ob, tB32), d.src(args[3], tB32), func(a, b, c uint64) uint64 {
		both := a&mask(32) | b<<32
		out := c
		for _, i := range positions {
			v := f(part{selA[i] * bits, bits}.extract(both, ta), part{selB[i] * bits, bits}.extract(both, tb))
			if sat {
				v = clampTo(v, bits, td.signed())
			}
			if add {
				out += uint64(v)
				continue
			}
			field := mask(bits) << (i * bits)
			out = out&^field | uint64(v)<<(i*bits)&field
		}
		return out & mask(32)
	})
}
