package arith

import (
	"github.com/tilewright/tilewright/target/engine/emu/decode"
	"github.com/tilewright/tilewright/target/engine/emu/fp"
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/num"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

var compareOps = map[string]decode.Func{
	"setp": decodeSetp,
	"set":  decodeSet,
	"selp": decodeSelp,
	"slct": decodeSlct,
}

var compareNames = []string{"eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs",
	"equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"}

// relation compares two patterns: it returns the set of relations that hold.
//
// Eighteen comparisons, ordered and unordered, of eleven types would be two hundred functions; a relation and a set
// of relations are two tables.
type relation uint8

const (
	relLess relation = 1 << iota
	relEqual
	relGreater
	relUnordered
)

// holdsFor lists the relations for which each comparison holds. Of floats,
// ne is an ordered comparison.
//
// lo, ls, hi and hs are other names of unsigned comparisons; for floats they do not exist.
var holdsFor = map[string]relation{
	"eq": relEqual, "ne": relLess | relGreater, "lt": relLess, "le": relLess | relEqual,
	"gt": relGreater, "ge": relGreater | relEqual,
	"lo": relLess, "ls": relLess | relEqual, "hi": relGreater, "hs": relGreater | relEqual,
	"equ": relEqual | relUnordered, "neu": relLess | relGreater | relUnordered, "ltu": relLess | relUnordered,
	"leu": relLess | relEqual | relUnordered, "gtu": relGreater | relUnordered, "geu": relGreater | relEqual | relUnordered,
	"num": relLess | relEqual | relGreater, "nan": relUnordered,
}

func orderInt(t syntax.Type) func(a, b uint64) relation {
	n := t.Bits()
	return func(a, b uint64) relation {
		if a == b {
			return relEqual
		}
		lt := a < b
		if t.Signed() {
			lt = num.SignExtend(a, n) < num.SignExtend(b, n)
		}
		if lt {
			return relLess
		}
		return relGreater
	}
}

// Every format compares as a double: it holds all their values, so the order is the same.
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
	t       syntax.Type
	order   func(a, b uint64) relation
	want    relation
	packed  bool
	a, b    machine.Src
	combine string
	c       machine.PredSrc
}

// A comparison that does not exist for the type must be rejected here, since the tables would give it some meaning.
func decodeComparison(d *decode.Decoder, cmp, combine string, ftz bool, t syntax.Type, args []*syntax.Operand) comparison {
	c := comparison{t: t, want: holdsFor[cmp], combine: combine}
	if cmp == "" {
		d.Fail("'%s' needs a comparison", d.Stmt.Op)
	}
	hf, packed := halfFormat(t)
	c.packed = packed
	// order makes numbers of both operands that compare as the type does: less, equal, greater or unordered.
	floating := true
	switch {
	case hf != nil:
		c.order = orderFloat(fp.Half{Format: hf, Ftz: ftz}.In)
	case t == syntax.F32 && ftz:
		c.order = orderFloat(func(v uint64) float64 { return float64(fp.Float32(fp.Flush(v))) })
	case t == syntax.F32:
		c.order = orderFloat(func(v uint64) float64 { return float64(fp.Float32(v)) })
	case t == syntax.F64:
		c.order = orderFloat(fp.Float64)
	case t.Bits() < 16 || t.Bits() > 64 || t == syntax.Pred || t == syntax.TF32:
		d.Fail("type '.%s' is not supported by '%s'", t, d.Stmt.Op)
	default:
		floating = false
		c.order = orderInt(t)
		unsignedOnly := cmp == "lo" || cmp == "ls" || cmp == "hi" || cmp == "hs"
		bits := syntax.Types[t].Class == syntax.ClassBits
		if c.want&relUnordered != 0 || cmp == "num" || bits && cmp != "eq" && cmp != "ne" || unsignedOnly && t.Signed() {
			d.Fail("comparison '.%s' does not exist for type .%s", cmp, t)
		}
	}
	if floating && (cmp == "lo" || cmp == "ls" || cmp == "hi" || cmp == "hs") {
		d.Fail("comparison '.%s' does not exist for type .%s", cmp, t)
	}
	c.a, c.b = d.Src(args[1], t), d.Src(args[2], t)
	if combine != "" {
		c.c = d.PredSrc(args[3])
	}
	return c
}

// eval returns the lanes in which the comparison of bits sh and up holds,
// and the lanes in which its opposite does, both combined with c.
//
// The second destination is the opposite of the comparison, combined with the same predicate, and not the opposite of
// the first.
func (c *comparison) eval(w *machine.Warp, m uint32, shift int) (p, q uint32) {
	A, B := w.Lanes(c.a), w.Lanes(c.b)
	ones := num.Mask(64)
	if c.packed {
		ones = 0xffff
	}
	var v uint32
	for k := m; k != 0; {
		i := machine.Next(&k)
		if c.order(A[i]>>shift&ones, B[i]>>shift&ones)&c.want != 0 {
			v |= 1 << i
		}
	}
	return c.merge(w, v), c.merge(w, ^v)
}

func (c *comparison) merge(w *machine.Warp, v uint32) uint32 {
	switch c.combine {
	case "and":
		return v & w.Pred(c.c)
	case "or":
		return v | w.Pred(c.c)
	case "xor":
		return v ^ w.Pred(c.c)
	}
	return v
}

// compareArgs consumes the modifiers that setp and set share.
func compareArgs(d *decode.Decoder) (cmp, combine string, ftz bool, args []*syntax.Operand) {
	cmp, combine, ftz = d.OneOf(compareNames...), d.OneOf("and", "or", "xor"), d.Opt("ftz")
	n := 3
	if combine != "" {
		n = 4
	}
	return cmp, combine, ftz, d.Args(n)
}

// Of packed halves each has a destination of its own instead.
func decodeSetp(d *decode.Decoder) {
	cmp, combine, ftz, args := compareArgs(d)
	c := decodeComparison(d, cmp, combine, ftz, d.Type(), args)
	p, q := d.PredDst(args[0]), int32(machine.PredSink)
	if args[0].Pred != nil {
		if hf, _ := halfFormat(c.t); hf != nil && !c.packed {
			d.Fail("'setp' of type .%s has one destination", c.t)
		}
		q = d.PredDst(args[0].Pred)
	} else if c.packed {
		d.Fail("'setp' of type .%s needs two destinations", c.t)
	}
	if !c.packed && combine == "" && !c.t.Float() {
		d.Inst.Exec = setpInt(c, p, q)
		return
	}
	d.Inst.Exec = func(w *machine.Warp, m uint32) {
		lo, other := c.eval(w, m, 0)
		if c.packed {
			other, _ = c.eval(w, m, 16)
		}
		w.SetPred(p, lo, m)
		w.SetPred(q, other, m)
	}
}

// setpInt is the common case without an indirect call for each lane.
//
// Shifting both to the top of the word and flipping the sign makes signed and unsigned comparisons of any width one
// unsigned comparison. All lanes are compared, also those that do not execute, as that costs less than to leave them
// out.
func setpInt(c comparison, p, q int32) machine.Exec {
	shift := 64 - c.t.Bits()
	var bias uint64
	if c.t.Signed() {
		bias = 1 << 63
	}
	less, equal, greater := c.want&relLess != 0, c.want&relEqual != 0, c.want&relGreater != 0
	return func(w *machine.Warp, m uint32) {
		A, B := w.Lanes(c.a), w.Lanes(c.b)
		var v uint32
		for i := range A {
			a, b := A[i]<<shift^bias, B[i]<<shift^bias
			if a < b && less || a == b && equal || a > b && greater {
				v |= 1 << i
			}
		}
		w.SetPred(p, v, m)
		w.SetPred(q, ^v, m)
	}
}

// True is 1.0 for a float result and all ones for an integer one ("set").
func decodeSet(d *decode.Decoder) {
	cmp, combine, ftz, args := compareArgs(d)
	out := d.Type()
	t := d.Type()
	c := decodeComparison(d, cmp, combine, ftz, t, args)
	dst := d.Dst(args[0], out)
	var yes uint64
	switch out {
	case syntax.F32:
		yes = 0x3f800000
	case syntax.F16, syntax.F16x2:
		yes = 0x3c00
	case syntax.BF16, syntax.BF16x2:
		yes = 0x3f80
	case syntax.U32, syntax.S32, syntax.U16, syntax.S16:
		yes = num.Mask(out.Bits())
		if c.packed {
			yes = 0xffff
		}
	default:
		d.Fail("type '.%s' is not supported as result of 'set'", out)
	}
	d.Inst.Exec = func(w *machine.Warp, m uint32) {
		lo, _ := c.eval(w, m, 0)
		var hi uint32
		if c.packed {
			hi, _ = c.eval(w, m, 16)
		}
		D := w.Reg(dst)
		for k := m; k != 0; {
			i := machine.Next(&k)
			D[i] = yes*uint64(lo>>i&1) | yes<<16*uint64(hi>>i&1)
		}
	}
}

func decodeSelp(d *decode.Decoder) {
	t := d.Type()
	args := d.Args(4)
	dst, a, b, p := d.Dst(args[0], t), d.Src(args[1], t), d.Src(args[2], t), d.PredSrc(args[3])
	d.Inst.Exec = func(w *machine.Warp, m uint32) {
		D, A, B, v := w.Reg(dst), w.Lanes(a), w.Lanes(b), w.Pred(p)
		for m != 0 {
			i := machine.Next(&m)
			if v>>i&1 != 0 {
				D[i] = A[i]
			} else {
				D[i] = B[i]
			}
		}
	}
}

// A NaN selects b and -0 selects a, which is what the comparison of Go does.
func decodeSlct(d *decode.Decoder) {
	ftz := d.Opt("ftz")
	t, by := d.Type(), d.Type(syntax.S32, syntax.F32)
	args := d.Args(4)
	d.Inst.Exec = decode.Map3(d.Dst(args[0], t), d.Src(args[1], t), d.Src(args[2], t), d.Src(args[3], by), func(a, b, c uint64) uint64 {
		if by == syntax.F32 {
			if ftz {
				c = fp.Flush(c)
			}
			if fp.Float32(c) >= 0 {
				return a
			}
			return b
		}
		if num.SignExtend(c, 32) >= 0 {
			return a
		}
		return b
	})
}
