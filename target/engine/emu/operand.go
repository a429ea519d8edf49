package emu

import "math/bits"

// slot gives a register its place in a warp's register file on first use.
func (d *decoder) slot(s *symbol) int32 {
	if i, ok := d.p.slots[s]; ok {
		return i
	}
	var i int32
	if s.typ == tPred {
		i = int32(d.p.npreds)
		d.p.npreds++
	} else {
		i = int32(d.p.nregs)
		d.p.nregs += (s.typ.bits() + 63) / 64
	}
	if d.p.nregs > maxSlots || d.p.npreds > maxSlots {
		d.fail("more than %d registers are used", maxSlots)
	}
	d.p.slots[s] = i
	return i
}

// konst returns the constant that is the same in all lanes.
func (d *decoder) konst(v uint64) src { return d.konstSym(v, nil) }

func (d *decoder) konstSym(v uint64, sym *symbol) src {
	key := constKey{v, sym}
	i, ok := d.constIdx[key]
	if !ok {
		if i = int32(len(d.p.consts)); i >= maxConsts {
			d.fail("more than %d distinct constants", maxConsts)
		}
		var l lanes
		for k := range l {
			l[k] = v
		}
		d.p.consts = append(d.p.consts, l)
		if sym != nil {
			d.p.relocs = append(d.p.relocs, reloc{int(i), sym})
		}
		d.constIdx[key] = i
	}
	return src(^i)
}

func (d *decoder) badOperand(o *operand, format string, args ...any) {
	at := o.pos
	if at.line == 0 {
		at = d.s.pos
	}
	e := d.m.errorf(at, format, args...)
	e.Msg += ": '" + d.s.text + "'"
	panic(e)
}

// check verifies that a register of type r may be an operand of type t.
// When wide is set, as for ld, st and cvt, the register may be wider.
func (d *decoder) check(o *operand, t scalar, wide bool) {
	r := o.sym.typ
	if r.bits() == t.bits() && t.holds(r) {
		return
	}
	if wide && r.bits() > t.bits() && r != tPred && t != tPred {
		return
	}
	d.badOperand(o, "register '%s' of type .%s cannot be an operand of type .%s", o.name, r, t)
}

// dst is a register to be written as type t.
func (d *decoder) dst(o *operand, t scalar) int32 { return d.dstAs(o, t, false) }

func (d *decoder) dstAs(o *operand, t scalar, wide bool) int32 {
	if o.not || o.neg || o.sel != "" {
		d.badOperand(o, "a destination cannot be negated or a part of a register")
	}
	switch o.kind {
	case opSink:
		return slotSink
	case opReg:
		d.check(o, t, wide)
		i := d.slot(o.sym)
		d.in.defs = append(d.in.defs, i)
		if o.sym.typ.bits() > 64 {
			d.in.defs = append(d.in.defs, i+1)
		}
		return i
	}
	d.badOperand(o, "expected a destination register of type .%s", t)
	return 0
}

// src is a value to be read as type t: a register, a constant, a special
// register or the address of a variable.
func (d *decoder) src(o *operand, t scalar) src { return d.srcAs(o, t, false) }

func (d *decoder) srcAs(o *operand, t scalar, wide bool) src {
	if o.not || o.neg || o.pred != nil || o.sel != "" {
		d.badOperand(o, "unexpected operator on an operand of type .%s", t)
	}
	switch o.kind {
	case opReg:
		d.check(o, t, wide)
		return d.use(o.sym)
	case opInt:
		if t.float() && (t == tF32 || t == tF64) {
			d.badOperand(o, "integer constant as an operand of type .%s", t)
		}
		if t.bits() < 64 && o.bits > mask(t.bits()) && sext(o.bits, t.bits()) != int64(o.bits) {
			d.badOperand(o, "constant %d does not fit type .%s", int64(o.bits), t)
		}
		return d.konst(immediate(o, t))
	case opFloat:
		if t.integer() {
			d.badOperand(o, "floating-point constant as an operand of type .%s", t)
		}
		return d.konst(immediate(o, t))
	case opVar:
		if t.bits() < 32 {
			d.badOperand(o, "address of '%s' as an operand of type .%s", o.name, t)
		}
		return d.address(o.sym, o.off)
	case opName:
		if o.sym != nil && o.sym.fn != nil && t.bits() == 64 && !t.float() {
			return d.konst(o.sym.fn.addr)
		}
		return d.specialSrc(o, t)
	}
	d.badOperand(o, "expected an operand of type .%s", t)
	return 0
}

func (d *decoder) use(s *symbol) src {
	i := d.slot(s)
	d.in.uses = append(d.in.uses, i)
	if s.typ.bits() > 64 {
		d.in.uses = append(d.in.uses, i+1)
	}
	return src(i)
}

// address is a constant: where a variable is in its space, plus off.
func (d *decoder) address(s *symbol, off int64) src {
	if s.space == spGlobal || s.space == spConst {
		return d.konstSym(uint64(off), s)
	}
	at, ok := d.offsets[s]
	if !ok {
		d.failInst("variable '%s' has no place", s.name)
	}
	if s.space == spShared {
		return d.konstSym(uint64(at+off), s)
	}
	return d.konst(uint64(at + off))
}

// predDst is a predicate register to be written.
func (d *decoder) predDst(o *operand) int32 {
	if o.kind == opSink {
		return predSink
	}
	if o.kind != opReg || o.sym.typ != tPred || o.not || o.sel != "" {
		d.badOperand(o, "expected a destination predicate")
	}
	i := d.slot(o.sym)
	d.in.pdefs = append(d.in.pdefs, i)
	return i
}

// predSrc is a predicate to be read.
func (d *decoder) predSrc(o *operand) predSrc {
	switch {
	case o.kind == opReg && o.sym.typ == tPred && o.sel == "":
		i := d.slot(o.sym)
		d.in.puses = append(d.in.puses, i)
		return predSrc{i, o.not}
	case o.kind == opInt:
		return predSrc{predTrue, (o.bits == 0) != o.not}
	case o.kind == opName && o.name == "%is_explicit_cluster":
		return d.explicitCluster(o.not)
	}
	d.badOperand(o, "expected a predicate")
	return predSrc{}
}

// addr is a decoded memory operand.
type addr struct {
	base src
	off  uint64
	wrap uint64 // mask of the address width
}

// addr decodes `[base+off]`.
func (d *decoder) addr(o *operand) addr {
	if o.kind != opAddr || len(o.list) > 0 {
		d.badOperand(o, "expected an address in brackets")
	}
	b := o.base
	if b == nil {
		return addr{d.konst(uint64(o.off)), 0, ^uint64(0)}
	}
	switch {
	case b.sel != "":
	case b.kind == opReg:
		switch b.sym.typ.bits() {
		case 32, 64:
		default:
			d.badOperand(o, "register '%s' of type .%s cannot be an address", b.name, b.sym.typ)
		}
		return addr{d.use(b.sym), uint64(o.off), mask(b.sym.typ.bits())}
	case b.kind == opVar:
		return addr{d.address(b.sym, o.off), 0, ^uint64(0)}
	}
	d.badOperand(o, "'%s' is not declared", b.name)
	return addr{}
}

// lane returns the address in one lane.
func (a addr) lane(w *warp, base *lanes, lane int) uint64 { return (base[lane] + a.off) & a.wrap }

// next iterates over the lanes of a mask: `for m != 0 { i := next(&m) }`.
func next(m *uint32) int {
	i := bits.TrailingZeros32(*m) & 31
	*m &= *m - 1
	return i
}

// reg is the register in a slot; lanes is the value of a source.
func (w *warp) reg(i int32) *lanes { return &w.regs[i] }

func (w *warp) lanes(s src) *lanes {
	if s >= 0 {
		return &w.regs[s]
	}
	return &w.consts[^s]
}

// pred is the lanes in which a predicate holds.
func (w *warp) pred(p predSrc) uint32 {
	v := w.preds[p.slot]
	if p.not {
		return ^v
	}
	return v
}

func (w *warp) setPred(i int32, v, m uint32) { w.preds[i] = w.preds[i]&^m | v&m }

const full = ^uint32(0)

// The map functions apply a scalar function to the active lanes.

func map1(d int32, a src, f func(a uint64) uint64) execFn {
	return func(w *warp, m uint32) {
		D, A := w.reg(d), w.lanes(a)
		if m == full {
			for i := range D {
				D[i] = f(A[i])
			}
			return
		}
		for m != 0 {
			i := next(&m)
			D[i] = f(A[i])
		}
	}
}

func map2(d int32, a, b src, f func(a, b uint64) uint64) execFn {
	return func(w *warp, m uint32) {
		D, A, B := w.reg(d), w.lanes(a), w.lanes(b)
		if m == full {
			for i := range D {
				D[i] = f(A[i], B[i])
			}
			return
		}
		for m != 0 {
			i := next(&m)
			D[i] = f(A[i], B[i])
		}
	}
}

func map3(d int32, a, b, c src, f func(a, b, c uint64) uint64) execFn {
	return func(w *warp, m uint32) {
		D, A, B, C := w.reg(d), w.lanes(a), w.lanes(b), w.lanes(c)
		if m == full {
			for i := range D {
				D[i] = f(A[i], B[i], C[i])
			}
			return
		}
		for m != 0 {
			i := next(&m)
			D[i] = f(A[i], B[i], C[i])
		}
	}
}
