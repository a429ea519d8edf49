package emu

import "encoding/binary"

var memoryOps = map[string]decodeFn{
	"ld":     decodeLoad,
	"ldu":    decodeLoad,
	"st":     decodeStore,
	"membar": decodeFence,
	"fence":  decodeFence,
}

// access is a decoded memory access.
type access struct {
	space  space
	strong bool // one atomic access for each element
	t      scalar
	n      int // bytes of an element
	count  int // elements
	addr   addr
}

// memoryAccess consumes the modifiers that ld and st share and decodes the
// address operand.
func memoryAccess(d *decoder, o *operand) access {
	var a access
	mmio := d.opt("mmio")
	a.strong = d.oneOf("relaxed", "acquire", "release", "volatile") != "" || mmio
	d.opt("weak")
	d.oneOf("cta", "cluster", "gpu", "sys")
	d.oneOf("ca", "cg", "cs", "lu", "cv", "wb", "wt")
	d.opt("nc")
	d.opt("unified")
	d.prefixed("L1::", "L2::")
	a.space = d.spaceOf()
	a.count = 1
	switch d.oneOf("v2", "v4", "v8") {
	case "v2":
		a.count = 2
	case "v4":
		a.count = 4
	case "v8":
		a.count = 8
	}
	a.t = d.typ()
	switch {
	case a.t == tPred || a.t.bits() < 8 || scalars[a.t].class == classPacked:
		d.failInst("type '.%s' is not supported by '%s'", a.t, d.s.op)
	case a.t.bytes()*a.count > 32 || a.t == tB128 && a.count > 1:
		d.failInst("a vector of %d .%s is too wide", a.count, a.t)
	}
	a.n = a.t.bytes()
	a.addr = d.addr(o)
	if b := o.base; b != nil && b.kind == opVar {
		a.space = d.spaceOfVar(b.sym, a.space, o)
	}
	return a
}

// spaceOfVar is where an access that names variable v goes. Parameters of
// device functions and of calls live in local memory here.
func (d *decoder) spaceOfVar(v *symbol, named space, o *operand) space {
	if named != spGeneric && named != v.space {
		d.badOperand(o, "'%s' is in .%s, the access names .%s", v.name, v.space, named)
	}
	if v.space == spParam {
		for _, p := range d.p.entry.params {
			if p == v {
				return spParam
			}
		}
		return spLocal
	}
	return v.space
}

// elements lists the registers of a scalar or vector operand.
func (d *decoder) elements(o *operand, count int) []*operand {
	if count == 1 && o.kind != opVector {
		return []*operand{o}
	}
	if o.kind != opVector || len(o.list) != count {
		d.badOperand(o, "expected a vector of %d operands", count)
	}
	return o.list
}

func decodeLoad(d *decoder) {
	args := d.argc(2, 3)
	a := memoryAccess(d, args[1])
	if len(args) == 3 {
		d.src(args[2], tB64) // cache policy
	}
	var dsts []int32
	var ext []int // bits to sign-extend from, 0 for none
	var wide []uint64
	for _, o := range d.elements(args[0], a.count) {
		dsts = append(dsts, d.dstAs(o, a.t, true))
		e, m := 0, ^uint64(0)
		if o.sym != nil {
			if a.t.signed() && o.sym.typ.bits() > a.t.bits() {
				e = a.t.bits()
			}
			m = mask(min(o.sym.typ.bits(), 64))
		}
		ext, wide = append(ext, e), append(wide, m)
	}
	switch {
	case a.t == tB128:
		d.in.exec = func(w *warp, m uint32) { load128(w, m, a, dsts[0]) }
		return
	case a.count == 1 && a.n == 4 && ext[0] == 0 && !a.strong:
		d.in.exec = load32(a, dsts[0])
		return
	}
	read := get
	if a.strong {
		read = getStrong
	}
	d.in.exec = func(w *warp, m uint32) {
		base := w.lanes(a.addr.base)
		for m != 0 {
			i := next(&m)
			b := w.at(a.space, a.addr.lane(w, base, i), a.n*a.count, i, false)
			if b == nil {
				return
			}
			for k, dst := range dsts {
				v := read(b[k*a.n:][:a.n])
				if e := ext[k]; e != 0 {
					v = uint64(sext(v, e)) & wide[k]
				}
				w.reg(dst)[i] = v
			}
		}
	}
}

// load32 is the most common load.
func load32(a access, dst int32) execFn {
	return func(w *warp, m uint32) {
		base, D := w.lanes(a.addr.base), w.reg(dst)
		for m != 0 {
			i := next(&m)
			b := w.at(a.space, a.addr.lane(w, base, i), 4, i, false)
			if b == nil {
				return
			}
			D[i] = uint64(binary.LittleEndian.Uint32(b))
		}
	}
}

func load128(w *warp, m uint32, a access, dst int32) {
	base := w.lanes(a.addr.base)
	for m != 0 {
		i := next(&m)
		b := w.at(a.space, a.addr.lane(w, base, i), 16, i, false)
		if b == nil {
			return
		}
		w.reg(dst)[i], w.reg(dst + 1)[i] = get(b[:8]), get(b[8:16])
	}
}

func decodeStore(d *decoder) {
	if d.opt("async") {
		decodeRemote(d, "")
		return
	}
	if d.opt("bulk") {
		decodeStoreBulk(d)
		return
	}
	args := d.argc(2, 3)
	a := memoryAccess(d, args[0])
	if len(args) == 3 {
		d.src(args[2], tB64) // cache policy
	}
	var srcs []src
	for _, o := range d.elements(args[1], a.count) {
		srcs = append(srcs, d.srcAs(o, a.t, true))
	}
	if a.t == tB128 {
		if srcs[0] < 0 {
			d.badOperand(args[1], "a 128-bit store needs a register")
		}
		srcs = append(srcs, srcs[0]+1)
		a.n, a.count = 8, 2
	}
	write := put
	if a.strong {
		write = putStrong
		d.publishes()
	}
	d.in.exec = func(w *warp, m uint32) {
		base := w.lanes(a.addr.base)
		for m != 0 {
			i := next(&m)
			b := w.at(a.space, a.addr.lane(w, base, i), a.n*a.count, i, true)
			if b == nil {
				return
			}
			for k, s := range srcs {
				write(b[k*a.n:][:a.n], w.lanes(s)[i])
			}
		}
	}
}
