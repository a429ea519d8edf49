package emu

import (
	"math"
)

var wmmaOps = map[string]decodeFn{"wmma": decodeWmma}

// wmmaMatrix is an operand of wmma ("Warp-level Matrix Instructions: wmma").
// The ISA leaves open which lane holds which element. Here, element i of lane
// l is element (l*n + i) modulo rows*cols of the matrix, n being the elements
// of a lane, counted in the order of the layout: A and B that are loaded by
// columns and multiplied as rows are wrong, as they are on hardware.
// Accumulators, whose layout wmma.mma does not know, are counted by rows.
// Matrices of f16 have more places than elements; each place holds one.
type wmmaMatrix struct {
	rows, cols int
	t          scalar
	col        bool // fragment and memory are counted by columns
	elems      int  // of a lane
	reg        scalar
}

// wmmaShapes are the shapes by the type of A.
var wmmaShapes = map[scalar][]shape{
	tF16:  {{16, 16, 16}, {8, 32, 16}, {32, 8, 16}},
	tBF16: {{16, 16, 16}, {8, 32, 16}, {32, 8, 16}},
	tS8:   {{16, 16, 16}, {8, 32, 16}, {32, 8, 16}},
	tU8:   {{16, 16, 16}, {8, 32, 16}, {32, 8, 16}},
	tTF32: {{16, 16, 8}},
	tF64:  {{8, 8, 4}},
	tS4:   {{8, 8, 32}},
	tU4:   {{8, 8, 32}},
	tB1:   {{8, 8, 128}},
}

func hasShape(list []shape, s shape) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// wmmaOperand describes operand 'a', 'b' or 'c' of a shape.
func (d *decoder) wmmaOperand(which string, s shape, t scalar, layout string) wmmaMatrix {
	m := wmmaMatrix{t: t, col: layout == "col", reg: tB32}
	ok := hasShape(wmmaShapes[t], s)
	switch which {
	case "a":
		m.rows, m.cols = s.m, s.k
		ok = ok && !(t.bits() < 8 && m.col)
	case "b":
		m.rows, m.cols = s.k, s.n
		ok = ok && !(t.bits() < 8 && !m.col)
	default:
		m.rows, m.cols = s.m, s.n
		switch t {
		case tF16:
			ok = hasShape(wmmaShapes[tF16], s)
		case tF32:
			ok = hasShape(wmmaShapes[tF16], s) || hasShape(wmmaShapes[tTF32], s)
		case tS32:
			ok = hasShape(wmmaShapes[tS8], s) || hasShape(wmmaShapes[tS4], s) || hasShape(wmmaShapes[tB1], s)
		case tF64:
		default:
			ok = false
		}
	}
	if !ok || layout == "" {
		d.failInst("'wmma' with this shape, layout and type is not supported")
	}
	m.elems = m.rows * m.cols / warpSize
	if t == tF16 && which != "c" {
		m.elems = 16
	}
	switch t {
	case tF32, tS32, tF64:
		m.reg = t
	}
	return m
}

// registers is the number of registers of a lane.
func (m wmmaMatrix) registers() int { return max(1, m.elems*m.t.bits()/max(32, m.t.bits())) }

// at is the place of element i of a lane.
func (m wmmaMatrix) at(lane, i int) (row, col int) {
	n := (lane*m.elems + i) % (m.rows * m.cols)
	if m.col {
		return n % m.rows, n / m.rows
	}
	return n / m.cols, n % m.cols
}

// lead is the default stride, in elements.
func (m wmmaMatrix) lead() int {
	if m.col {
		return m.rows
	}
	return m.cols
}

// element returns the bits of element i of a lane.
func (m wmmaMatrix) element(w *warp, regs []src, lane, i int) uint64 {
	n := m.t.bits()
	per := max(32/n, 1)
	return w.lanes(regs[i/per])[lane] >> (i % per * n) & mask(n)
}

// set writes element i of a lane.
func (m wmmaMatrix) set(w *warp, regs []int32, lane, i int, v uint64) {
	n := m.t.bits()
	per := max(32/n, 1)
	r, shift := w.reg(regs[i/per]), i%per*n
	if per == 1 {
		r[lane] = v
		return
	}
	r[lane] = r[lane]&^(mask(n)<<shift) | v<<shift
}

func decodeWmma(d *decoder) {
	op := d.oneOf("load", "store", "mma")
	if op == "mma" {
		decodeWmmaMma(d)
		return
	}
	which := map[string][]string{"load": {"a", "b", "c"}, "store": {"d"}}[op]
	part := d.oneOf(which...)
	if part == "" {
		d.failInst("'wmma' needs .load.a, .load.b, .load.c, .store.d or .mma")
	}
	s := d.wmmaHead()
	layout := d.oneOf("row", "col")
	sp := d.spaceOf()
	if sp != spGeneric && sp != spGlobal && sp != spShared {
		d.failInst("'wmma' accesses global and shared memory only")
	}
	if part == "d" {
		part = "c"
	}
	mem := &wmmaMemory{wmmaMatrix: d.wmmaOperand(part, s, d.typ(), layout), space: sp}
	args := d.argc(2, 3)
	regs, place := args[0], args[1]
	if op == "store" {
		regs, place = args[1], args[0]
	}
	mem.addr = d.addr(place)
	if b := place.base; b != nil && b.kind == opVar {
		mem.space = d.spaceOfVar(b.sym, sp, place)
	}
	mem.stride = d.konst(uint64(mem.lead()))
	if len(args) == 3 {
		mem.stride = d.src(args[2], tU32)
	}
	// Accumulators are counted by rows in registers.
	mem.fragment = mem.wmmaMatrix
	if part == "c" {
		mem.fragment.col = false
	}
	for _, o := range d.matrixRegs(regs, mem.registers()) {
		if op == "load" {
			mem.dsts = append(mem.dsts, d.dst(o, mem.reg))
		} else {
			mem.srcs = append(mem.srcs, d.src(o, mem.reg))
		}
	}
	if op == "load" {
		d.wholeWarp(func(w *warp, m uint32) { mem.load(w) })
	} else {
		d.wholeWarp(func(w *warp, m uint32) { mem.store(w) })
	}
}

// wmmaHead consumes what all wmma instructions have.
func (d *decoder) wmmaHead() shape {
	if !d.opt("sync") {
		d.failInst("'wmma' without .sync is not supported")
	}
	d.opt("aligned")
	at, s := parseShape(d.mods)
	if at < 0 {
		d.failInst("'wmma' has no shape")
	}
	d.mods[at] = ""
	return s
}

// wmmaMemory is a decoded wmma.load or wmma.store.
type wmmaMemory struct {
	wmmaMatrix
	fragment wmmaMatrix
	space    space
	addr     addr
	stride   src
	dsts     []int32
	srcs     []src
}

// line returns the bytes of row (or column) n of the matrix in memory.
func (o *wmmaMemory) line(w *warp, n int, write bool) []byte {
	base, stride := w.lanes(o.addr.base), w.lanes(o.stride)
	for lane := range base {
		if base[lane] != base[0] || stride[lane] != stride[0] {
			w.faultf(lane, "lanes 0 and %d of the warp give 'wmma' different addresses or strides", lane)
			return nil
		}
	}
	align := max(o.elems*o.t.bits()/8, 1)
	step := stride[0] * uint64(o.t.bits()) / 8
	return w.span(o.space, (o.addr.lane(w, base, 0)+uint64(n)*step)&o.addr.wrap, o.lead()*o.t.bits()/8, align, 0, write)
}

// slot is the place of element (row, col) in its line.
func (o *wmmaMemory) slot(row, col int) (line, bit int) {
	if o.col {
		return col, row * o.t.bits()
	}
	return row, col * o.t.bits()
}

func (o *wmmaMemory) load(w *warp) {
	var lines [32][]byte
	for i := range o.rows * o.cols / o.lead() {
		if lines[i] = o.line(w, i, false); lines[i] == nil {
			return
		}
	}
	n := o.t.bits()
	for lane := range warpSize {
		for i := range o.elems {
			line, bit := o.slot(o.fragment.at(lane, i))
			v := get(lines[line][bit/8:][:o.t.bytes()]) >> (bit % 8) & mask(n)
			o.set(w, o.dsts, lane, i, v)
		}
	}
}

func (o *wmmaMemory) store(w *warp) {
	for i := range o.rows * o.cols / o.lead() {
		if o.line(w, i, true) == nil {
			return
		}
	}
	for lane := range warpSize {
		for i := range o.elems {
			line, bit := o.slot(o.fragment.at(lane, i))
			put(o.line(w, line, true)[bit/8:][:o.t.bytes()], o.element(w, o.srcs, lane, i))
		}
	}
}

// wmmaProduct is a decoded wmma.mma.
type wmmaProduct struct {
	s          shape
	a, b, c, d wmmaMatrix
	ra, rb, rc []src
	rd         []int32
	rnd        rounding
	satfinite  bool
	bitOp      string
}

func decodeWmmaMma(d *decoder) {
	p := &wmmaProduct{bitOp: d.oneOf("xor", "and")}
	popc := d.opt("popc")
	p.s = d.wmmaHead()
	layoutA, layoutB := d.oneOf("row", "col"), d.oneOf("row", "col")
	rounded := d.oneOf("rn", "rz", "rm", "rp")
	p.rnd = map[string]rounding{"rz": rnZero, "rm": rnDown, "rp": rnUp}[rounded]
	p.satfinite = d.opt("satfinite")
	td, second := d.typ(), d.typ()
	ta, tb, tc := tF16, tF16, second
	if d.peekType() != tNone {
		ta, tb, tc = second, d.typ(), d.typ()
	}
	single := ta == tB1
	switch {
	case single != popc || single != (p.bitOp != ""):
		d.failInst("'wmma.mma' needs .xor.popc or .and.popc with single bits, and only there")
	case ta != tb || !wmmaAccumulates(ta, tc, td) || rounded != "" && ta != tF64 || p.satfinite && !ta.integer():
		d.failInst("'wmma.mma' with these types is not supported")
	}
	p.a, p.b = d.wmmaOperand("a", p.s, ta, layoutA), d.wmmaOperand("b", p.s, tb, layoutB)
	p.c, p.d = d.wmmaOperand("c", p.s, tc, "row"), d.wmmaOperand("c", p.s, td, "row")
	args := d.args(4)
	sources := func(o *operand, m wmmaMatrix) (out []src) {
		for _, r := range d.matrixRegs(o, m.registers()) {
			out = append(out, d.src(r, m.reg))
		}
		return out
	}
	p.ra, p.rb, p.rc = sources(args[1], p.a), sources(args[2], p.b), sources(args[3], p.c)
	for _, r := range d.matrixRegs(args[0], p.d.registers()) {
		p.rd = append(p.rd, d.dst(r, p.d.reg))
	}
	if ta.integer() || single {
		d.wholeWarp(func(w *warp, m uint32) { p.integers(w) })
	} else {
		d.wholeWarp(func(w *warp, m uint32) { p.floats(w) })
	}
}

func wmmaAccumulates(ta, tc, td scalar) bool {
	switch ta {
	case tF16:
		return (tc == tF16 || tc == tF32) && (td == tF16 || td == tF32)
	case tBF16, tTF32:
		return tc == tF32 && td == tF32
	case tF64:
		return tc == tF64 && td == tF64
	}
	return tc == tS32 && td == tS32
}

// gather collects a matrix by rows, or B by columns.
func (m wmmaMatrix) gather(w *warp, regs []src, transposed bool, set func(at int, v uint64)) {
	for lane := range warpSize {
		for i := range m.elems {
			r, c := m.at(lane, i)
			at := r*m.cols + c
			if transposed {
				at = c*m.rows + r
			}
			set(at, m.element(w, regs, lane, i))
		}
	}
}

// floats multiplies as mma does: exact products and the accumulator are
// summed in binary64 and rounded once; f64 is a chain of fused operations.
func (p *wmmaProduct) floats(w *warp) {
	var a, b, c [512]float64
	collect := func(m wmmaMatrix, regs []src, transposed bool, out *[512]float64) {
		value := elementValue(m.t)
		m.gather(w, regs, transposed, func(at int, v uint64) { out[at] = value(v) })
	}
	collect(p.a, p.ra, false, &a)
	collect(p.b, p.rb, true, &b)
	collect(p.c, p.rc, false, &c)
	for row := range p.s.m {
		for col := range p.s.n {
			x, y := a[row*p.s.k:][:p.s.k], b[col*p.s.k:][:p.s.k]
			acc := c[row*p.s.n+col]
			for k := range x {
				switch {
				case p.a.t != tF64:
					acc += x[k] * y[k]
				case p.rnd == rnNearest:
					acc = math.FMA(x[k], y[k], acc)
				default:
					acc = fmaF64(x[k], y[k], acc, p.rnd)
				}
			}
			c[row*p.s.n+col] = acc
		}
	}
	for lane := range warpSize {
		for i := range p.d.elems {
			r, k := p.d.at(lane, i)
			v := c[r*p.s.n+k]
			switch p.d.t {
			case tF16:
				p.d.set(w, p.rd, lane, i, fmtF16.round(v, rnNearest))
			case tF32:
				p.d.set(w, p.rd, lane, i, canon(float32(v)))
			default:
				p.d.set(w, p.rd, lane, i, f64bits(v))
			}
		}
	}
}

// integers multiplies integers and single bits.
func (p *wmmaProduct) integers(w *warp) {
	var a, b, c [1024]int64
	collect := func(m wmmaMatrix, regs []src, transposed bool, out *[1024]int64) {
		n := m.t.bits()
		m.gather(w, regs, transposed, func(at int, v uint64) {
			if out[at] = int64(v); m.t.signed() {
				out[at] = sext(v, n)
			}
		})
	}
	collect(p.a, p.ra, false, &a)
	collect(p.b, p.rb, true, &b)
	collect(p.c, p.rc, false, &c)
	for lane := range warpSize {
		for i := range p.d.elems {
			r, col := p.d.at(lane, i)
			acc := c[r*p.s.n+col]
			for k := range p.s.k {
				x, y := a[r*p.s.k+k], b[col*p.s.k+k]
				switch p.bitOp {
				case "":
					acc += x * y
				case "xor":
					acc += x ^ y
				default:
					acc += x & y
				}
			}
			v := uint64(acc) & mask(32)
			if p.satfinite {
				v = clampInt(acc, 32)
			}
			p.d.set(w, p.rd, lane, i, v)
		}
	}
}
