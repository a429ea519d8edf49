package emu

var compareOps = map[string]decodeFn{
	"setp": decodeSetp,
	"set":  decodeSet,
	"selp": decodeSelp,
	"slct": decodeSlct,
}

var compareNames = []string{"eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs",
	"equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"}

// relation compares two patterns: it returns the set of relations that hold.
type relation uint8

const (
	relLess relation = 1 << iota
	relEqual
	relGreater
	relUnordered
)

// holdsFor lists the relations for which each comparison holds. Of floats,
// ne is an ordered comparison.
var holdsFor = map[string]relation{
	"eq": relEqual, "ne": relLess | relGreater, "lt": relLess, "le": relLess | relEqual,
	"gt": relGreater, "ge": relGreater | relEqual,
	"lo": relLess, "ls": relLess | relEqual, "hi": relGreater, "hs": relGreater | relEqual,
	"equ": relEqual | relUnordered, "neu": relLess | relGreater | relUnordered, "ltu": relLess | relUnordered,
	"leu": relLess | relEqual | relUnordered, "gtu": relGreater | relUnordered, "geu": relGreater | relEqual | relUnordered,
	"num": relLess | relEqual | relGreater, "nan": relUnordered,
}

func orderInt(t scalar) func(a, b uint64) relation {
	n := t.bits()
	return func(a, b uint64) relation {
		if a == b {
			return relEqual
		}
		lt := a < b
		if t.signed() {
			lt = sext(a, n) < sext(b, n)
		}
		if lt {
			return relLess
		}
		return relGreater
	}
}

func orderFloat(in func(uint64) float64) func(a, b uint64) relation {
	return func(a, b uint64) relation {
		x, y := in(a), in(b)
		switch {
		case x < y:
			return relLess
		case x > y:
			return relGreater
		case x == y:
			return relEqual
		}
		return relUnordered
	}
}

// comparison decodes the comparison and the combining operation of setp
// and set, whose source type is t.
type comparison struct {
	t       scalar
	order   func(a, b uint64) relation
	want    relation
	packed  bool
	a, b    src
	combine string
	c       predSrc
}

func decodeComparison(d *decoder, cmp, combine string, ftz bool, t scalar, args []*operand) comparison {
	c := comparison{t: t, want: holdsFor[cmp], combine: combine}
	if cmp == "" {
		d.failInst("'%s' needs a comparison", d.s.op)
	}
	hf, packed := halfFormat(t)
	c.packed = packed
	floating := true
	switch {
	case hf != nil:
		c.order = orderFloat(half{f: hf, ftz: ftz}.in)
	case t == tF32 && ftz:
		c.order = orderFloat(func(v uint64) float64 { return float64(f32from(flush(v))) })
	case t == tF32:
		c.order = orderFloat(func(v uint64) float64 { return float64(f32from(v)) })
	case t == tF64:
		c.order = orderFloat(f64from)
	case t.bits() < 16 || t.bits() > 64 || t == tPred || t == tTF32:
		d.failInst("type '.%s' is not supported by '%s'", t, d.s.op)
	default:
		floating = false
		c.order = orderInt(t)
		unsignedOnly := cmp == "lo" || cmp == "ls" || cmp == "hi" || cmp == "hs"
		bits := scalars[t].class == classBits
		if c.want&relUnordered != 0 || cmp == "num" || bits && cmp != "eq" && cmp != "ne" || unsignedOnly && t.signed() {
			d.failInst("comparison '.%s' does not exist for type .%s", cmp, t)
		}
	}
	if floating && (cmp == "lo" || cmp == "ls" || cmp == "hi" || cmp == "hs") {
		d.failInst("comparison '.%s' does not exist for type .%s", cmp, t)
	}
	c.a, c.b = d.src(args[1], t), d.src(args[2], t)
	if combine != "" {
		c.c = d.predSrc(args[3])
	}
	return c
}

// eval returns the lanes in which the comparison of bits sh and up holds,
// and the lanes in which its opposite does, both combined with c.
func (c *comparison) eval(w *warp, m uint32, shift int) (p, q uint32) {
	A, B := w.lanes(c.a), w.lanes(c.b)
	ones := mask(64)
	if c.packed {
		ones = 0xffff
	}
	var v uint32
	for k := m; k != 0; {
		i := next(&k)
		if c.order(A[i]>>shift&ones, B[i]>>shift&ones)&c.want != 0 {
			v |= 1 << i
		}
	}
	return c.merge(w, v), c.merge(w, ^v)
}

func (c *comparison) merge(w *warp, v uint32) uint32 {
	switch c.combine {
	case "and":
		return v & w.pred(c.c)
	case "or":
		return v | w.pred(c.c)
	case "xor":
		return v ^ w.pred(c.c)
	}
	return v
}

// compareArgs consumes the modifiers that setp and set share.
func (d *decoder) compareArgs() (cmp, combine string, ftz bool, args []*operand) {
	cmp, combine, ftz = d.oneOf(compareNames...), d.oneOf("and", "or", "xor"), d.opt("ftz")
	n := 3
	if combine != "" {
		n = 4
	}
	return cmp, combine, ftz, d.args(n)
}

func decodeSetp(d *decoder) {
	cmp, combine, ftz, args := d.compareArgs()
	c := decodeComparison(d, cmp, combine, ftz, d.typ(), args)
	p, q := d.predDst(args[0]), int32(predSink)
	if args[0].pred != nil {
		if hf, _ := halfFormat(c.t); hf != nil && !c.packed {
			d.failInst("'setp' of type .%s has one destination", c.t)
		}
		q = d.predDst(args[0].pred)
	} else if c.packed {
		d.failInst("'setp' of type .%s needs two destinations", c.t)
	}
	if !c.packed && combine == "" && !c.t.float() {
		d.in.exec = setpInt(c, p, q)
		return
	}
	d.in.exec = func(w *warp, m uint32) {
		lo, other := c.eval(w, m, 0)
		if c.packed {
			other, _ = c.eval(w, m, 16)
		}
		w.setPred(p, lo, m)
		w.setPred(q, other, m)
	}
}

// setpInt is the common case without an indirect call for each lane.
func setpInt(c comparison, p, q int32) execFn {
	shift := 64 - c.t.bits()
	var bias uint64
	if c.t.signed() {
		bias = 1 << 63
	}
	less, equal, greater := c.want&relLess != 0, c.want&relEqual != 0, c.want&relGreater != 0
	return func(w *warp, m uint32) {
		A, B := w.lanes(c.a), w.lanes(c.b)
		var v uint32
		for i := range A {
			a, b := A[i]<<shift^bias, B[i]<<shift^bias
			if a < b && less || a == b && equal || a > b && greater {
				v |= 1 << i
			}
		}
		w.setPred(p, v, m)
		w.setPred(q, ^v, m)
	}
}

func decodeSet(d *decoder) {
	cmp, combine, ftz, args := d.compareArgs()
	out := d.typ()
	t := d.typ()
	c := decodeComparison(d, cmp, combine, ftz, t, args)
	dst := d.dst(args[0], out)
	var yes uint64
	switch out {
	case tF32:
		yes = 0x3f800000
	case tF16, tF16x2:
		yes = 0x3c00
	case tBF16, tBF16x2:
		yes = 0x3f80
	case tU32, tS32, tU16, tS16:
		yes = mask(out.bits())
		if c.packed {
			yes = 0xffff
		}
	default:
		d.failInst("type '.%s' is not supported as result of 'set'", out)
	}
	d.in.exec = func(w *warp, m uint32) {
		lo, _ := c.eval(w, m, 0)
		var hi uint32
		if c.packed {
			hi, _ = c.eval(w, m, 16)
		}
		D := w.reg(dst)
		for k := m; k != 0; {
			i := next(&k)
			D[i] = yes*uint64(lo>>i&1) | yes<<16*uint64(hi>>i&1)
		}
	}
}

func decodeSelp(d *decoder) {
	t := d.typ()
	args := d.args(4)
	dst, a, b, p := d.dst(args[0], t), d.src(args[1], t), d.src(args[2], t), d.predSrc(args[3])
	d.in.exec = func(w *warp, m uint32) {
		D, A, B, v := w.reg(dst), w.lanes(a), w.lanes(b), w.pred(p)
		for m != 0 {
			i := next(&m)
			if v>>i&1 != 0 {
				D[i] = A[i]
			} else {
				D[i] = B[i]
			}
		}
	}
}

func decodeSlct(d *decoder) {
	ftz := d.opt("ftz")
	t, by := d.typ(), d.typ(tS32, tF32)
	args := d.args(4)
	d.in.exec = map3(d.dst(args[0], t), d.src(args[1], t), d.src(args[2], t), d.src(args[3], by), func(a, b, c uint64) uint64 {
		if by == tF32 {
			if ftz {
				c = flush(c)
			}
			if f32from(c) >= 0 {
				return a
			}
			return b
		}
		if sext(c, 32) >= 0 {
			return a
		}
		return b
	})
}
