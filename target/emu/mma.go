package emu

import (
	"fmt"
	"math"
)

var matrixOps = map[string]decodeFn{
	"mma":       decodeMma,
	"ldmatrix":  decodeLdmatrix,
	"stmatrix":  decodeStmatrix,
	"movmatrix": decodeMovmatrix,
}

// mmaShapes lists the supported shapes by the type of the A operand.
var mmaShapes = map[scalar][]shape{
	tF16:  {{16, 8, 8}, {16, 8, 16}},
	tBF16: {{16, 8, 8}, {16, 8, 16}},
	tTF32: {{16, 8, 4}, {16, 8, 8}},
	tF64:  {{8, 8, 4}, {16, 8, 4}, {16, 8, 8}, {16, 8, 16}},
	tE4M3: {{16, 8, 16}, {16, 8, 32}},
	tE5M2: {{16, 8, 16}, {16, 8, 32}},
	tS8:   {{8, 8, 16}, {16, 8, 16}, {16, 8, 32}},
	tU8:   {{8, 8, 16}, {16, 8, 16}, {16, 8, 32}},
	tS4:   {{8, 8, 32}, {16, 8, 32}, {16, 8, 64}},
	tU4:   {{8, 8, 32}, {16, 8, 32}, {16, 8, 64}},
}

// operandFormats are the formats of the floating-point operands of mma.
var operandFormats = map[scalar]*format{
	tF16: fmtF16, tBF16: fmtBF16, tTF32: fmtF32, tF64: fmtF64, tE4M3: fmtE4M3, tE5M2: fmtE5M2,
}

// matrixOperand is a fragment in registers.
type matrixOperand struct {
	regs  []src
	t     scalar
	bits  int // of an element
	table [][warpSize]int32
	load  func(uint64) float64
	loadI func(uint64) int64
	cols  int
}

// registers is the number of registers of a fragment.
func registers(elems, bits int) int { return max(1, elems*bits/max(32, bits)) }

func (d *decoder) matrixRegs(o *operand, n int) []*operand {
	if o.kind != opVector || len(o.list) != n {
		if o.kind != opVector && n == 1 {
			return []*operand{o}
		}
		d.badOperand(o, "expected a vector of %d registers", n)
	}
	return o.list
}

func (d *decoder) matrixOperand(o *operand, f fragment, t scalar, cols int) matrixOperand {
	bits := t.bits()
	m := matrixOperand{t: t, bits: bits, table: f.table(), cols: cols, load: loader(t)}
	m.loadI = func(v uint64) int64 {
		if t.signed() {
			return sext(v, bits)
		}
		return int64(v)
	}
	reg := tB32
	switch t {
	case tF64, tF32, tS32:
		reg = t
	}
	for _, r := range d.matrixRegs(o, registers(f.elems, bits)) {
		m.regs = append(m.regs, d.src(r, reg))
	}
	return m
}

// loader converts an element's bits to its value. The operands of type
// tf32 are f32 patterns of which the low 13 bits are ignored.
func loader(t scalar) func(uint64) float64 {
	switch t {
	case tF16:
		return decodeF16
	case tBF16:
		return func(v uint64) float64 { return float64(f32from(v << 16)) }
	case tTF32:
		return func(v uint64) float64 { return float64(f32from(v &^ 0x1fff)) }
	case tF32:
		return func(v uint64) float64 { return float64(f32from(v)) }
	case tF64:
		return f64from
	case tE4M3, tE5M2:
		var values [256]float64
		for i := range values {
			values[i] = operandFormats[t].decode(uint64(i))
		}
		return func(v uint64) float64 { return values[v&0xff] }
	}
	return nil
}

// element is the bits of element i of a lane.
func (m *matrixOperand) element(w *warp, lane, i int) uint64 {
	per := max(32/m.bits, 1)
	return w.lanes(m.regs[i/per])[lane] >> (i % per * m.bits) & mask(m.bits)
}

// gather collects the matrix in row-major order.
func (m *matrixOperand) gather(w *warp, out []float64) {
	per := max(32/m.bits, 1)
	ones := mask(m.bits)
	for i, at := range m.table {
		v, shift := w.lanes(m.regs[i/per]), i%per*m.bits
		if m.t == tF16 { // the most common type, without a call for each element
			for lane, k := range at {
				h := v[lane] >> (shift & 31)
				if h&0x7c00 != 0x7c00 {
					out[k] = f64from(h&0x8000<<48|h&0x7fff<<42) * 0x1p1008
				} else {
					out[k] = decodeF16(h & 0xffff)
				}
			}
			continue
		}
		for lane, k := range at {
			out[k] = m.load(v[lane] >> shift & ones)
		}
	}
}

func (m *matrixOperand) gatherInt(w *warp, out []int64) {
	for i, at := range m.table {
		for lane, k := range at {
			out[k] = m.loadI(m.element(w, lane, i))
		}
	}
}

func parseShape(mods []string) (int, shape) {
	for i, mod := range mods {
		var s shape
		if n, err := fmt.Sscanf(mod, "m%dn%dk%d", &s.m, &s.n, &s.k); n == 3 && err == nil {
			return i, s
		}
	}
	return -1, shape{}
}

// decodeMma decodes the dense warp-level mma.sync.
func decodeMma(d *decoder) {
	if d.opt("sp") || d.opt("sp::ordered_metadata") {
		d.failInst("sparse 'mma' is not supported")
	}
	if d.opt("block_scale") || d.opt("kind::mxf8f6f4") || d.opt("kind::mxf4") || d.opt("kind::mxf4nvf4") {
		d.failInst("block-scaled 'mma' is not supported")
	}
	// The 8-bit types have the same form with and without the kind; those of
	// 4 and 6 bits, which need it, are refused by their shape below.
	d.opt("kind::f8f6f4")
	at, s := parseShape(d.mods)
	if at < 0 {
		d.failInst("'mma' has no shape")
	}
	d.mods[at] = ""
	d.opt("sync")
	d.opt("aligned")
	layoutA, layoutB := d.oneOf("row", "col"), d.oneOf("row", "col")
	satfinite := d.opt("satfinite")
	if op := d.oneOf("xor", "and"); op != "" {
		d.failInst("'mma' of single bits is not supported")
	}
	td, ta, tb, tc := d.typ(), d.typ(), d.typ(), d.typ()
	ok := false
	for _, x := range mmaShapes[ta] {
		ok = ok || x == s
	}
	if !ok || layoutA != "row" || layoutB != "col" || !accumulates(ta, tb, tc, td) {
		d.failInst("'mma' with this shape, layout and types is not supported")
	}
	args := d.args(4)
	a := d.matrixOperand(args[1], fragmentA(s, ta.bits()), ta, s.k)
	b := d.matrixOperand(args[2], fragmentB(s, tb.bits()), tb, s.n)
	c := d.matrixOperand(args[3], fragmentC(s), tc, s.n)
	out := fragmentC(s)
	reg := td
	if td == tF16 {
		reg = tB32
	}
	var dsts []int32
	for _, o := range d.matrixRegs(args[0], registers(out.elems, td.bits())) {
		dsts = append(dsts, d.dst(o, reg))
	}
	store := func(w *warp, i, lane int, v uint64) {
		if td == tF16 {
			r := w.reg(dsts[i/2])
			sh := i % 2 * 16
			r[lane] = r[lane]&^(0xffff<<sh) | v<<sh
			return
		}
		w.reg(dsts[i])[lane] = v
	}
	table := out.table()
	var product execFn
	switch {
	case ta.integer():
		product = mmaInt(s, a, b, c, table, satfinite, store)
	default:
		product = mmaFloat(s, ta, td, a, b, c, table, dsts, store)
	}
	d.wholeWarp(product)
}

// accumulates reports whether the types of an mma go together.
func accumulates(ta, tb, tc, td scalar) bool {
	switch ta {
	case tF16, tE4M3, tE5M2:
		same := ta == tb || ta != tF16 && (tb == tE4M3 || tb == tE5M2)
		return same && tc == td && (tc == tF16 || tc == tF32) || ta == tF16 && tb == tF16 && (tc == tF16 || tc == tF32) && (td == tF16 || td == tF32)
	case tBF16, tTF32:
		return ta == tb && tc == tF32 && td == tF32
	case tF64:
		return tb == tF64 && tc == tF64 && td == tF64
	case tS8, tU8:
		return (tb == tS8 || tb == tU8) && tc == tS32 && td == tS32
	case tS4, tU4:
		return (tb == tS4 || tb == tU4) && tc == tS32 && td == tS32
	}
	return false
}

// wholeWarp makes f an instruction that all lanes must execute together.
func (d *decoder) wholeWarp(f execFn) {
	name := d.s.op
	d.in.exec = func(w *warp, m uint32) {
		if m != full {
			w.faultf(laneOf(m), "'%s' needs all 32 lanes, but only lanes %#x execute it", name, m)
			return
		}
		f(w, m)
	}
}

// multiply adds the product of row-major a (m x k) and b (k x n) to c, in
// order of k, in columns of eight that stay in registers.
func multiply(s shape, a, b, c []float64) {
	for row := range s.m {
		x := a[row*s.k:][:s.k]
		for col := 0; col < s.n; col += 8 {
			acc := (*[8]float64)(c[row*s.n+col:])
			c0, c1, c2, c3, c4, c5, c6, c7 := acc[0], acc[1], acc[2], acc[3], acc[4], acc[5], acc[6], acc[7]
			at := col
			for _, v := range x {
				y := (*[8]float64)(b[at:])
				c0 += v * y[0]
				c1 += v * y[1]
				c2 += v * y[2]
				c3 += v * y[3]
				c4 += v * y[4]
				c5 += v * y[5]
				c6 += v * y[6]
				c7 += v * y[7]
				at += s.n
			}
			*acc = [8]float64{c0, c1, c2, c3, c4, c5, c6, c7}
		}
	}
}

// tile is the working space of mma.
type tile struct{ a, b, c [16 * 64]float64 }

type storeFn func(w *warp, i, lane int, v uint64)

// mmaFloat multiplies floating-point fragments. Products are exact in
// binary64, their sum with the accumulator is taken in binary64, in order
// of k, and rounded once to the type of the result. The f64 form is a
// chain of fused multiply-adds.
func mmaFloat(s shape, ta, td scalar, a, b, c matrixOperand, table [][warpSize]int32, dsts []int32, store storeFn) execFn {
	return func(w *warp, m uint32) {
		if w.tile == nil {
			w.tile = new(tile)
		}
		t := w.tile
		a.gather(w, t.a[:])
		b.gather(w, t.b[:])
		c.gather(w, t.c[:])
		if ta == tF64 {
			for row := range s.m {
				acc := t.c[row*s.n:][:s.n]
				for k := range s.k {
					for col, y := range t.b[k*s.n:][:s.n] {
						acc[col] = math.FMA(t.a[row*s.k+k], y, acc[col])
					}
				}
			}
		} else {
			multiply(s, t.a[:], t.b[:], t.c[:])
		}
		for i, at := range table {
			if td == tF32 {
				r := w.reg(dsts[i])
				for lane, k := range at {
					r[lane] = canon(float32(t.c[k]))
				}
				continue
			}
			for lane, k := range at {
				v := t.c[k]
				switch td {
				case tF64:
					store(w, i, lane, f64bits(v))
				default:
					store(w, i, lane, fmtF16.round(v, rnNearest))
				}
			}
		}
	}
}

// mmaInt multiplies integer fragments, wrapping or saturating at the end.
func mmaInt(s shape, a, b, c matrixOperand, table [][warpSize]int32, satfinite bool, store storeFn) execFn {
	return func(w *warp, m uint32) {
		var x, y, z [16 * 64]int64
		a.gatherInt(w, x[:])
		b.gatherInt(w, y[:])
		c.gatherInt(w, z[:])
		for row := range s.m {
			for col := range s.n {
				acc := z[row*s.n+col]
				for k := range s.k {
					acc += x[row*s.k+k] * y[k*s.n+col]
				}
				z[row*s.n+col] = acc
			}
		}
		for i, at := range table {
			for lane, k := range at {
				v := uint64(z[k]) & mask(32)
				if satfinite {
					v = clampInt(z[k], 32)
				}
				store(w, i, lane, v)
			}
		}
	}
}
