package emu

import "slices"

var moveOps = map[string]decodeFn{
	"mov":           decodeMov,
	"cvta":          decodeCvta,
	"isspacep":      decodeIsspacep,
	"mapa":          decodeMapa,
	"getctarank":    decodeGetctarank,
	"createpolicy":  decodeCreatepolicy,
	"prefetch":      decodeHint,
	"prefetchu":     decodeHint,
	"applypriority": decodeRange,
	"discard":       decodeRange,
}

func decodeMov(d *decoder) {
	t := d.typ()
	args := d.args(2)
	switch {
	case t == tPred:
		dst, a := d.predDst(args[0]), d.predSrc(args[1])
		d.in.exec = func(w *warp, m uint32) { w.setPred(dst, w.pred(a), m) }
	case args[0].kind == opVector:
		decodeUnpack(d, t, args[0].list, args[1])
	case args[1].kind == opVector:
		decodePack(d, t, args[0], args[1].list)
	case t == tB128:
		dst, a := d.dst(args[0], t), d.src(args[1], t)
		lo, hi := move(dst, a), move(dst+1, a+1)
		if a < 0 {
			hi = move(dst+1, d.konst(0))
		}
		d.in.exec = func(w *warp, m uint32) { lo(w, m); hi(w, m) }
	default:
		d.in.exec = move(d.dst(args[0], t), d.src(args[1], t))
	}
}

func move(dst int32, a src) execFn {
	return func(w *warp, m uint32) {
		D, A := w.reg(dst), w.lanes(a)
		if m == full {
			*D = *A
			return
		}
		for m != 0 {
			i := next(&m)
			D[i] = A[i]
		}
	}
}

// elementType is the type of the parts of a vector operand of mov.
func (d *decoder) elementType(t scalar, parts int) scalar {
	if parts == 2 || parts == 4 {
		switch t.bits() / parts {
		case 8:
			return tB8
		case 16:
			return tB16
		case 32:
			return tB32
		case 64:
			return tB64
		}
	}
	d.failInst("a .%s value cannot have %d parts", t, parts)
	return tNone
}

func decodePack(d *decoder, t scalar, to *operand, list []*operand) {
	e := d.elementType(t, len(list))
	dst := d.dst(to, t)
	var parts []src
	for _, o := range list {
		parts = append(parts, d.src(o, e))
	}
	n := e.bits()
	if t.bits() == 128 {
		lo, hi := parts[:len(parts)/2], parts[len(parts)/2:]
		d.in.exec = func(w *warp, m uint32) {
			for m != 0 {
				i := next(&m)
				x, y := join(w, lo, n, i), join(w, hi, n, i)
				w.reg(dst)[i], w.reg(dst + 1)[i] = x, y
			}
		}
		return
	}
	d.in.exec = func(w *warp, m uint32) {
		D := w.reg(dst)
		for m != 0 {
			i := next(&m)
			D[i] = join(w, parts, n, i)
		}
	}
}

func join(w *warp, parts []src, n, lane int) (v uint64) {
	for k, p := range parts {
		v |= w.lanes(p)[lane] << (n * k)
	}
	return v
}

func decodeUnpack(d *decoder, t scalar, list []*operand, from *operand) {
	e := d.elementType(t, len(list))
	a := d.src(from, t)
	var parts []int32
	for _, o := range list {
		parts = append(parts, d.dst(o, e))
	}
	n := e.bits()
	d.in.exec = func(w *warp, m uint32) {
		for m != 0 {
			i := next(&m)
			v := [2]uint64{w.lanes(a)[i]}
			if t.bits() == 128 && a >= 0 {
				v[1] = w.lanes(a + 1)[i]
			}
			for k, p := range parts {
				w.reg(p)[i] = v[k*n/64] >> (k * n % 64) & mask(n)
			}
		}
	}
}

// spaceOf consumes a state space modifier.
func (d *decoder) spaceOf() space {
	switch d.oneOf("global", "shared", "shared::cta", "shared::cluster", "local", "const", "param", "param::entry", "param::func") {
	case "global":
		return spGlobal
	case "shared", "shared::cta", "shared::cluster":
		return spShared
	case "local":
		return spLocal
	case "const":
		return spConst
	case "param", "param::entry", "param::func":
		return spParam
	}
	return spGeneric
}

// window is the generic address of a space's address zero.
func window(s space) uint64 {
	switch s {
	case spShared:
		return windowShared
	case spLocal:
		return windowLocal
	case spParam:
		return windowParam
	}
	return 0
}

func decodeCvta(d *decoder) {
	to := d.opt("to")
	base := window(d.spaceOf())
	t := d.typ(tU64, tU32)
	args := d.args(2)
	if t != tU64 {
		d.failInst("32-bit generic addresses are not supported")
	}
	a := d.src(args[1], t)
	if to {
		base = -base
	}
	if base == 0 {
		d.in.exec = move(d.dst(args[0], t), a)
		return
	}
	d.in.exec = map1(d.dst(args[0], t), a, func(a uint64) uint64 { return a + base })
}

func decodeIsspacep(d *decoder) {
	own := !slices.Contains(d.mods, "shared::cluster") // .shared alone is that of the CTA
	sp := d.spaceOf()
	args := d.args(2)
	dst, a := d.predDst(args[0]), d.src(args[1], tU64)
	d.in.exec = func(w *warp, m uint32) {
		A := w.lanes(a)
		var v uint32
		for k := m; k != 0; {
			i := next(&k)
			in, addr := classify(A[i])
			if in == spGlobal && sp == spConst {
				if x := w.cta.run.mem.find(addr); x != nil && x.constant && addr-x.base < uint64(len(x.data)) {
					in = spConst
				}
			}
			if in == sp && (sp != spShared || !own || rankOf(addr) == uint64(w.cta.rank)) {
				v |= 1 << i
			}
		}
		w.setPred(dst, v, m)
	}
}

// decodeMapa decodes the mapping of a shared address to another CTA of the
// cluster.
func decodeMapa(d *decoder) {
	shared := d.spaceOf() == spShared
	t := d.typ(tU32, tU64)
	args := d.args(3)
	dst, a, b := d.dst(args[0], t), d.src(args[1], t), d.src(args[2], tU32)
	d.in.exec = func(w *warp, m uint32) {
		D, A, B := w.reg(dst), w.lanes(a), w.lanes(b)
		for m != 0 {
			i := next(&m)
			addr := A[i]
			if !shared {
				sp, local := classify(addr)
				if sp != spShared {
					w.faultf(i, "address %#x is not in shared memory", addr)
					return
				}
				addr = local
			}
			if B[i] >= uint64(len(w.cta.group.ctas)) {
				w.faultf(i, "cta rank %d is beyond the cluster of %d", B[i], len(w.cta.group.ctas))
				return
			}
			addr = inCTA(addr, B[i])
			if !shared {
				addr += windowShared
			}
			D[i] = addr
		}
	}
}

func decodeGetctarank(d *decoder) {
	shared := d.spaceOf() == spShared
	t := d.typ(tU32, tU64)
	args := d.args(2)
	dst, a := d.dst(args[0], tU32), d.src(args[1], t)
	d.in.exec = func(w *warp, m uint32) {
		D, A := w.reg(dst), w.lanes(a)
		for m != 0 {
			i := next(&m)
			addr := A[i]
			if !shared {
				_, addr = classify(addr)
			}
			D[i] = rankOf(addr)
		}
	}
}

// decodeCreatepolicy gives every cache policy the value zero: the emulator
// has no caches.
func decodeCreatepolicy(d *decoder) {
	d.oneOf("fractional", "range", "cvt")
	d.prefixed("L2", "L1")
	d.opt("global")
	d.typ(tB64)
	args := d.argc(1, 4)
	for _, o := range args[1:] {
		if o.kind == opReg {
			d.use(o.sym)
		}
	}
	d.in.exec = move(d.dst(args[0], tB64), d.konst(0))
}

// decodeHint decodes instructions that only advise the memory system.
func decodeHint(d *decoder) {
	d.spaceOf()
	d.prefixed("L1", "L2", "tensormap", "tensormap::")
	for _, o := range d.argc(1, 3) {
		if o.kind == opAddr {
			d.addr(o)
		}
	}
}

// hintBytes is the size of what applypriority and discard work on.
const hintBytes = 128

// decodeRange decodes applypriority and discard. What is discarded has no
// certain value any more, which the adversary shows.
func decodeRange(d *decoder) {
	if sp := d.spaceOf(); sp != spGlobal && sp != spGeneric {
		d.failInst("'%s' works on global memory only", d.s.op)
	}
	discard := d.s.op == "discard"
	level := "L2::evict_normal"
	if discard {
		level = "L2"
	}
	if !d.opt(level) {
		d.failInst("'%s' needs .%s", d.s.op, level)
	}
	args := d.args(2)
	at := d.addr(args[0])
	if o := args[1]; o.kind != opInt || o.bits != hintBytes {
		d.badOperand(o, "the size must be %d", hintBytes)
	}
	d.in.exec = func(w *warp, m uint32) {
		base := w.lanes(at.base)
		for m != 0 {
			i := next(&m)
			addr := at.lane(w, base, i)
			if sp, _ := classify(addr); sp != spGlobal {
				w.faultf(i, "address %#x is not in global memory", addr)
				return
			}
			b := w.span(spGlobal, addr, hintBytes, hintBytes, i, discard)
			if b == nil {
				return
			}
			if g := w.cta.group; discard && g.rng != nil {
				g.poison(b)
			}
		}
	}
}
