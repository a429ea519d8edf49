package emu

import (
	"encoding/binary"
	"math/bits"
)

var wgmmaOps = map[string]decodeFn{"wgmma": decodeWgmma}

// wgmmaK is the k of wgmma by the type of A; a sparse A has twice as much.
var wgmmaK = map[scalar]int{tF16: 16, tBF16: 16, tTF32: 8, tE4M3: 32, tE5M2: 32, tS8: 32, tU8: 32, tB1: 256}

func decodeWgmma(d *decoder) {
	op := d.oneOf("mma_async", "fence", "commit_group", "wait_group")
	d.opt("sync")
	d.opt("aligned")
	switch op {
	case "mma_async":
		decodeMmaAsync(d)
	case "fence":
		d.args(0)
		d.wholeWarp(func(*warp, uint32) {})
	case "commit_group":
		d.args(0)
		d.wholeWarp(func(w *warp, m uint32) { w.products.groups++ })
	case "wait_group":
		o := d.args(1)[0]
		if o.kind != opInt {
			d.badOperand(o, "the number of groups must be a constant")
		}
		n := o.bits
		d.wholeWarp(func(w *warp, m uint32) {
			if g := w.products.groups; g > n {
				w.products.finish(w, g-n)
			}
		})
	default:
		d.failInst("unknown operation of 'wgmma'")
	}
}

// decodeMmaAsync decodes wgmma.mma_async. The four warps of a warpgroup
// each compute 16 of the 64 rows, so each warp is on its own here.
func decodeMmaAsync(d *decoder) {
	sparse := d.opt("sp")
	at, s := parseShape(d.mods)
	if at < 0 {
		d.failInst("'wgmma.mma_async' has no shape")
	}
	d.mods[at] = ""
	satfinite := d.opt("satfinite")
	td, ta, tb := d.typ(), d.typ(), d.typ()
	d.wgmmaShape(s, sparse, td, ta, tb)
	args := d.argc(4, 10)
	part := shape{16, s.n, s.k} // what one warp computes
	stored, bitsA := part, ta.bits()
	var meta *metadata
	if sparse {
		if len(args) < 6 {
			d.failInst("sparse 'wgmma.mma_async' needs metadata and a selector")
		}
		meta = d.metadata(&mmaForm{s: part, ta: ta}, args[3], args[4])
		args = append(append([]*operand(nil), args[:3]...), args[5:]...)
		stored.k /= 2
	}
	if ta == tB1 { // words of 32 columns
		part.k, stored.k, bitsA = 8, 8, 32
	}
	out := fragmentC(part)
	out.at = wgmmaC
	reg := map[scalar]scalar{tF16: tB32, tF32: tF32, tS32: tS32}[td]
	acc := matrixOperand{t: td, bits: td.bits(), table: out.table(), load: loader(td, td.bits())}
	var dsts []int32
	for _, o := range d.matrixRegs(args[0], registers(out.elems, td.bits())) {
		i := d.dst(o, reg)
		dsts, acc.regs = append(dsts, i), append(acc.regs, src(i))
	}
	d.in.defs = nil // written by the wait, see wait_group
	var a matrixOperand
	descA := src(0)
	if args[1].kind == opVector {
		a = d.matrixOperandIn(args[1], fragmentA(stored, bitsA), ta, bitsA, stored.k)
	} else {
		descA = d.src(args[1], tB64)
	}
	d.readsShared()
	descB, scaleD := d.src(args[2], tB64), d.predSrc(args[3])
	imm := d.wgmmaFlags(args, ta)
	w := &wgmmaOp{shape: part, ta: ta, tb: tb, td: td, a: a, acc: acc, dsts: dsts, imm: imm, satfinite: satfinite, table: acc.table, stored: stored.k, meta: meta}
	d.wholeWarp(func(wp *warp, m uint32) { w.issue(wp, descA, descB, wp.pred(scaleD)) })
}

// wgmmaShape refuses shapes and types that are not in the ISA ("wgmma:
// Matrix Shape").
func (d *decoder) wgmmaShape(s shape, sparse bool, td, ta, tb scalar) {
	k := wgmmaK[ta]
	ok := s.m == 64 && s.n >= 8 && s.n <= 256 && s.n%8 == 0
	if ta.integer() || ta == tB1 {
		ok = ok && (s.n%16 == 0 || s.n <= 24)
	}
	if sparse {
		k *= 2
		ok = ok && ta != tB1
	}
	if ta == tB1 && (!d.opt("and") || !d.opt("popc")) {
		d.failInst("'wgmma.mma_async' of single bits needs .and.popc")
	}
	if !ok || s.k != k || !(&mmaForm{s: s, ta: ta, tb: tb, tc: td, td: td}).accumulates() {
		d.failInst("'wgmma.mma_async' with this shape and types is not supported")
	}
}

// wgmmaC is where element i of a lane's accumulator lies in its warp's 16
// rows.
func wgmmaC(lane, i int) (row, col int) {
	return lane/4 + i/2%2*8, i/4*8 + lane%4*2 + i%2
}

// wgmmaFlags are the immediate operands: the signs of A and B, and whether
// they are stored with M and N as the contiguous dimension.
type wgmmaFlags struct {
	signA, signB   float64
	transA, transB bool
}

func (d *decoder) wgmmaFlags(args []*operand, ta scalar) wgmmaFlags {
	f := wgmmaFlags{signA: 1, signB: 1}
	rest := args[4:]
	number := func(o *operand, allowed ...int64) int64 {
		for _, a := range allowed {
			if o.kind == opInt && int64(o.bits) == a {
				return a
			}
		}
		d.badOperand(o, "immediate operand must be one of %v", allowed)
		return 0
	}
	want := 2
	switch {
	case ta.integer() || ta == tB1:
		want = 0
	case (ta == tF16 || ta == tBF16) && args[1].kind == opVector:
		want = 3
	case ta == tF16 || ta == tBF16:
		want = 4
	}
	if len(rest) != want {
		d.failInst("'wgmma.mma_async' of .%s takes %d immediate operands, got %d", ta, want, len(rest))
	}
	if want >= 2 {
		f.signA, f.signB = float64(number(rest[0], 1, -1)), float64(number(rest[1], 1, -1))
	}
	if want == 4 {
		f.transA = number(rest[2], 0, 1) == 1
	}
	if want >= 3 {
		f.transB = number(rest[want-1], 0, 1) == 1
	}
	return f
}

// wgmmaOp is a decoded wgmma.mma_async as one warp executes it.
type wgmmaOp struct {
	shape
	ta, tb, td scalar
	a, acc     matrixOperand
	dsts       []int32
	imm        wgmmaFlags
	satfinite  bool
	table      [][warpSize]int32
	stored     int // columns of A as it is stored
	meta       *metadata
}

// issue queues the operation. The accumulators must have been written, or
// be owed by an earlier one, unless they are ignored.
func (o *wgmmaOp) issue(w *warp, descA, descB src, scale uint32) {
	a, b := w.lanes(descA)[0], w.lanes(descB)[0]
	keep := scale&1 != 0
	if scale != 0 && scale != full {
		w.faultf(0, "the lanes of a warp have different scale-d operands")
		return
	}
	for _, r := range o.dsts {
		if keep && w.init[r] != full && !w.products.writes(r) {
			w.faultf(laneOf(^w.init[r]), "an accumulator register is read before it is written")
			return
		}
	}
	for _, r := range o.dsts {
		w.init[r] = 0
	}
	stmt := w.stmt()
	w.products.pending = append(w.products.pending, deferredWrite{group: w.products.groups, defs: o.dsts, perform: func() {
		if o.compute(w, a, b, keep); w.err != nil {
			w.err.Line, w.err.Instruction = int(stmt.pos.line), stmt.text
		}
	}})
	if w.cta.group.chance(2) && len(w.products.pending) == 1 {
		// The adversary completes it now, so that operands written too late
		// show; its registers stay unreadable until the wait.
		p := &w.products.pending[0]
		p.perform()
		p.perform = func() {}
	}
}

// sharedMatrix is a matrix in shared memory as a wgmma descriptor gives it.
type sharedMatrix struct {
	start, lead, stride, width uint64
	// major tells that the row dimension (M or N) is the contiguous one.
	major bool
	bytes uint64 // of an element
}

// decodeDescriptor splits a matrix descriptor into its fields ("Shared
// Memory Matrix Layout", "Matrix Descriptor").
func decodeDescriptor(v uint64, major bool, bytes int) (sharedMatrix, string) {
	m := sharedMatrix{
		start: v & mask(14) << 4, lead: v >> 16 & mask(14) << 4, stride: v >> 32 & mask(14) << 4,
		width: []uint64{0, 128, 64, 32}[v>>62], major: major, bytes: uint64(bytes),
	}
	if v>>49&7 != 0 {
		return m, "a base offset in a matrix descriptor is not supported"
	}
	return m, ""
}

// at is the shared address of element (r, k), r along M or N. Without
// swizzle, memory consists of core matrices of 8 rows of 16 bytes; with it,
// of patterns of 8 rows of the swizzle's width.
func (m sharedMatrix) at(r, k uint64) uint64 {
	per := 16 / m.bytes
	switch {
	case !m.major && m.width == 0:
		return m.start + r/8*m.stride + k/per*m.lead + r%8*16 + k%per*m.bytes
	case !m.major:
		return swizzled(m.start+r/8*m.stride+r%8*m.width+k*m.bytes, m.width)
	case m.width == 0:
		return m.start + r/per*m.stride + k/8*m.lead + k%8*16 + r%per*m.bytes
	}
	in := m.width / m.bytes
	return swizzled(m.start+r/in*m.lead+k/8*m.stride+k%8*m.width+r%in*m.bytes, m.width)
}

// gather reads rows [first, first+rows) of a shared matrix with k columns
// into out, where rows and columns are so many elements apart. Sixteen bytes
// are always neighbours in the contiguous dimension.
func (m sharedMatrix) gather(w *warp, first, rows, k int, out []float64, load func(uint64) float64, rowStep, columnStep int) {
	per := int(16 / m.bytes)
	dr, dk, step := 1, per, columnStep
	if m.major {
		dr, dk, step = per, 1, rowStep
	}
	for r := 0; r < rows; r += dr {
		for c := 0; c < k; c += dk {
			b := w.at(spShared, w.cta.window()+m.at(uint64(first+r), uint64(c)), 16, 0, false)
			if b == nil {
				return
			}
			to := out[r*rowStep+c*columnStep:]
			switch m.bytes {
			case 1:
				for e, v := range b[:16] {
					to[e*step] = load(uint64(v))
				}
			case 2:
				for e := range 8 {
					to[e*step] = load(uint64(binary.LittleEndian.Uint16(b[2*e:])))
				}
			default:
				for e := range 4 {
					to[e*step] = load(uint64(binary.LittleEndian.Uint32(b[4*e:])))
				}
			}
		}
	}
}

// compute performs the product. Integers are small enough for binary64 to
// hold their sums exactly.
func (o *wgmmaOp) compute(w *warp, descA, descB uint64, keep bool) {
	w.async = true
	defer func() { w.async = false }()
	t := scratchOf(w).wideTile()
	bytes := o.ta.bytes()
	valueA, valueB := elementValue(o.ta), elementValue(o.tb)
	if o.ta == tB1 {
		bytes = 4
	}
	if len(o.a.regs) > 0 {
		a := o.a
		a.load = valueA
		a.gather(w, t.a[:])
	} else {
		m, wrong := decodeDescriptor(descA, o.imm.transA, bytes)
		if wrong != "" {
			w.faultf(0, "%s", wrong)
			return
		}
		m.gather(w, w.id%4*16, 16, o.stored, t.a[:], valueA, o.stored, 1)
	}
	m, wrong := decodeDescriptor(descB, o.imm.transB, bytes)
	if wrong != "" {
		w.faultf(0, "%s", wrong)
		return
	}
	m.gather(w, 0, o.n, o.k, t.b[:], valueB, 1, o.n)
	if w.err != nil || o.meta != nil && !expand(o.meta, w, t.a[:]) {
		return
	}
	sign := o.imm.signA * o.imm.signB
	clear(t.c[:16*o.n])
	if keep {
		acc := o.acc
		acc.load = elementValue(o.td)
		acc.gather(w, t.c[:])
	}
	if sign < 0 {
		for i := range t.a[:16*o.k] {
			t.a[i] = -t.a[i]
		}
	}
	if o.ta == tB1 {
		o.matchBits(t)
	} else {
		multiply(shape{16, o.n, o.k}, t.a[:], t.b[:], t.c[:])
	}
	for i, at := range o.table {
		if o.td == tF32 {
			r := w.reg(o.dsts[i])
			for lane, k := range at {
				r[lane] = canon(float32(t.c[k]))
			}
			continue
		}
		for lane, k := range at {
			o.store(w, i, lane, t.c[k])
		}
	}
}

// matchBits counts the columns in which both a row of A and a column of B
// have a one.
func (o *wgmmaOp) matchBits(t *wideTile) {
	for row := range 16 {
		for col := range o.n {
			n := 0
			for k := range o.k {
				n += bits.OnesCount32(uint32(t.a[row*o.k+k]) & uint32(t.b[k*o.n+col]))
			}
			t.c[row*o.n+col] += float64(n)
		}
	}
}

// wideTile is the working space of wgmma.
type wideTile struct {
	a [16 * 64]float64
	b [64 * 256]float64
	c [16 * 256]float64
}

// elementValue converts an element of an operand or accumulator.
func elementValue(t scalar) func(uint64) float64 {
	switch {
	case t.signed():
		return func(v uint64) float64 { return float64(sext(v, t.bits())) }
	case t.integer() || t == tB1:
		return func(v uint64) float64 { return float64(v) }
	}
	return loader(t, t.bits())
}

// store rounds an element of an accumulator that is not of .f32.
func (o *wgmmaOp) store(w *warp, i, lane int, x float64) {
	switch o.td {
	case tS32:
		v := uint64(int64(x)) & mask(32)
		if o.satfinite {
			v = clampInt(int64(x), 32)
		}
		w.reg(o.dsts[i])[lane] = v
	default:
		r := w.reg(o.dsts[i/2])
		sh := i % 2 * 16
		r[lane] = r[lane]&^(0xffff<<sh) | fmtF16.round(x, rnNearest)<<sh
	}
}
