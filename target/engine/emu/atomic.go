package emu

import "sync"

var atomicOps = map[string]decodeFn{
	"atom": decodeAtom,
	"red":  decodeAtom,
}

// wideAtomics serialises the 128-bit atomic operations.
var wideAtomics sync.Mutex

func decodeAtom(d *decoder) {
	returns := d.s.op == "atom"
	d.publishes()
	if !returns && d.opt("async") {
		op := d.oneOf("and", "or", "xor", "add", "inc", "dec", "min", "max")
		if op == "" {
			d.failInst("'red.async' needs an operation")
		}
		decodeRemote(d, op)
		return
	}
	d.oneOf("relaxed", "acquire", "release", "acq_rel")
	d.oneOf("cta", "cluster", "gpu", "sys")
	d.prefixed("L2::")
	sp := d.spaceOf()
	op := d.oneOf("and", "or", "xor", "cas", "exch", "add", "inc", "dec", "min", "max")
	d.opt("noftz")
	count := map[string]int{"v2": 2, "v4": 4, "v8": 8, "": 1}[d.oneOf("v2", "v4", "v8")]
	t := d.typ()
	var args []*operand
	var to *operand
	if returns {
		args = d.argc(3, 5)
		to, args = args[0], args[1:]
	} else {
		args = d.argc(2, 3)
	}
	at := d.addr(args[0])
	if b := args[0].base; b != nil && b.kind == opVar {
		sp = d.spaceOfVar(b.sym, sp, args[0])
	}
	if t == tB128 {
		decodeWideAtom(d, op, sp, at, to, args)
		return
	}
	f := atomicFn(op, t)
	if f == nil {
		d.failInst("'%s.%s' does not exist for type .%s", d.s.op, op, t)
	}
	values := d.elements(args[1], count)
	var b []src
	for _, o := range values {
		b = append(b, d.src(o, t))
	}
	c := b[0]
	rest := args[2:]
	if op == "cas" {
		if len(rest) == 0 {
			d.failInst("'cas' takes a comparand and a value")
		}
		c, rest = d.src(rest[0], t), rest[1:]
	}
	if len(rest) > 0 {
		d.src(rest[0], tB64) // cache policy
	}
	var dsts []int32
	if returns {
		for _, o := range d.elements(to, count) {
			dsts = append(dsts, d.dst(o, t))
		}
	}
	n := t.bytes()
	d.in.exec = func(w *warp, m uint32) {
		base := w.lanes(at.base)
		for m != 0 {
			i := next(&m)
			mem := w.at(sp, at.lane(w, base, i), n*count, i, true)
			if mem == nil {
				return
			}
			for k := range b {
				x, y := w.lanes(b[k])[i], w.lanes(c)[i]
				old := update(mem[k*n:][:n], func(old uint64) uint64 { return f(old, x, y) })
				if returns {
					w.reg(dsts[k])[i] = old
				}
			}
		}
	}
}

// atomicFn returns the new value of an atomic operation from the old one
// and the operands.
func atomicFn(op string, t scalar) func(old, b, c uint64) uint64 {
	n := t.bits()
	hf, packed := halfFormat(t)
	bitType := scalars[t].class == classBits
	var f func(a, b uint64) uint64
	switch op {
	case "and", "or", "xor":
		if bitType && n >= 32 {
			f = bitOps[op]
		}
	case "exch":
		if bitType && n >= 32 {
			f = func(_, b uint64) uint64 { return b }
		}
	case "cas":
		if bitType && n >= 16 {
			return func(old, b, c uint64) uint64 {
				if old == b {
					return c
				}
				return old
			}
		}
	case "inc":
		if t == tU32 {
			f = func(a, b uint64) uint64 {
				if a >= b {
					return 0
				}
				return a + 1
			}
		}
	case "dec":
		if t == tU32 {
			f = func(a, b uint64) uint64 {
				if a == 0 || a > b {
					return b
				}
				return a - 1
			}
		}
	case "add":
		switch {
		case hf != nil:
			f = half{f: hf}.add
		case t == tF32:
			f = binaryF32("add", rnNearest)
		case t == tF64:
			f = binaryF64("add", rnNearest)
		case t.integer() && n >= 32:
			f = func(a, b uint64) uint64 { return (a + b) & mask(n) }
		}
	case "min", "max":
		switch {
		case hf != nil:
			f = half{f: hf}.minMax(op == "max", false, false)
		case t == tF32:
			f = minMaxF32(op == "max", false, false, false)
		case t.integer() && n >= 32:
			f = minMaxInt(op == "max", t)
		}
	}
	if f == nil {
		return nil
	}
	if packed {
		f = pair2(f)
	}
	return func(old, b, _ uint64) uint64 { return f(old, b) }
}

// decodeWideAtom decodes the 128-bit exch and cas.
func decodeWideAtom(d *decoder, op string, sp space, at addr, to *operand, args []*operand) {
	if to == nil || op != "exch" && op != "cas" {
		d.failInst("'%s.%s' does not exist for type .b128", d.s.op, op)
	}
	dst, b := d.dst(to, tB128), d.src(args[1], tB128)
	c := b
	if op == "cas" {
		if len(args) < 3 {
			d.failInst("'cas' takes a comparand and a value")
		}
		c = d.src(args[2], tB128)
	}
	if b < 0 || c < 0 {
		d.failInst("a 128-bit operation needs registers")
	}
	d.in.exec = func(w *warp, m uint32) {
		base := w.lanes(at.base)
		for m != 0 {
			i := next(&m)
			mem := w.at(sp, at.lane(w, base, i), 16, i, true)
			if mem == nil {
				return
			}
			wideAtomics.Lock()
			lo, hi := get(mem[:8]), get(mem[8:16])
			if op == "exch" || lo == w.lanes(b)[i] && hi == w.lanes(b + 1)[i] {
				put(mem[:8], w.lanes(c)[i])
				put(mem[8:16], w.lanes(c + 1)[i])
			}
			wideAtomics.Unlock()
			w.reg(dst)[i], w.reg(dst + 1)[i] = lo, hi
		}
	}
}
