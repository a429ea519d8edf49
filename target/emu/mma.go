package emu

import (
	"math"
	"math/bits"
)

var matrixOps = map[string]decodeFn{
	"mma":       decodeMma,
	"ldmatrix":  decodeLdmatrix,
	"stmatrix":  decodeStmatrix,
	"movmatrix": decodeMovmatrix,
}

// operandFormats are the formats of the floating-point operands of mma.
var operandFormats = map[scalar]*format{
	tF16: fmtF16, tBF16: fmtBF16, tTF32: fmtF32, tF64: fmtF64, tE4M3: fmtE4M3, tE5M2: fmtE5M2,
	tE2M1: fmtE2M1, tE2M3: fmtE2M3, tE3M2: fmtE3M2,
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
	return d.matrixOperandIn(o, f, t, t.bits(), cols)
}

// matrixOperandIn is an operand whose elements lie in containers of the
// given number of bits.
func (d *decoder) matrixOperandIn(o *operand, f fragment, t scalar, bits, cols int) matrixOperand {
	m := matrixOperand{t: t, bits: bits, table: f.table(), cols: cols, load: loader(t, bits)}
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

// loader converts an element's container to its value. The operands of type
// tf32 are f32 patterns of which the low 13 bits are ignored. In a byte, an
// element of six bits is the low ones and one of four bits is in the middle;
// the rest is padding.
func loader(t scalar, bits int) func(uint64) float64 {
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
	case tE4M3, tE5M2, tE2M1, tE2M3, tE3M2:
		shift := 0
		if t == tE2M1 && bits == 8 {
			shift = 2
		}
		var values [256]float64
		for i := range values {
			values[i] = operandFormats[t].decode(uint64(i) >> shift & mask(t.bits()))
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

// tile is the working space of mma; a and b have up to 128 columns or rows.
type tile struct {
	a [16 * 128]float64
	b [128 * 8]float64
	c [32 * 8]float64
}

type storeFn func(w *warp, i, lane int, v uint64)

// floatMma is a decoded product of floating-point fragments.
type floatMma struct {
	s       shape
	batch   int // independent products, one below the other in the tile
	ta, td  scalar
	a, b, c matrixOperand
	table   [][warpSize]int32 // of the result
	dsts    []int32
	store   storeFn
	adjust  []func(w *warp, t *tile) bool // change the operands; false after a fault
}

// exec multiplies. Products are exact in binary64, their sum with the
// accumulator is taken in binary64, in order of k, and rounded once to the
// type of the result. The f64 form is a chain of fused multiply-adds.
func (p *floatMma) exec(w *warp, _ uint32) {
	if w.tile == nil {
		w.tile = new(tile)
	}
	s, t := p.s, w.tile
	p.a.gather(w, t.a[:])
	p.b.gather(w, t.b[:])
	p.c.gather(w, t.c[:])
	for _, f := range p.adjust {
		if !f(w, t) {
			return
		}
	}
	switch {
	case p.ta == tF64:
		for row := range s.m {
			acc := t.c[row*s.n:][:s.n]
			for k := range s.k {
				for col, y := range t.b[k*s.n:][:s.n] {
					acc[col] = math.FMA(t.a[row*s.k+k], y, acc[col])
				}
			}
		}
	default:
		for i := range p.batch {
			multiply(s, t.a[i*s.m*s.k:], t.b[i*s.k*s.n:], t.c[i*s.m*s.n:])
		}
	}
	for i, at := range p.table {
		if p.td == tF32 {
			r := w.reg(p.dsts[i])
			for lane, k := range at {
				r[lane] = canon(float32(t.c[k]))
			}
			continue
		}
		for lane, k := range at {
			v := t.c[k]
			switch p.td {
			case tF64:
				p.store(w, i, lane, f64bits(v))
			default:
				p.store(w, i, lane, fmtF16.round(v, rnNearest))
			}
		}
	}
}

// intMma is a decoded product of integer or single-bit fragments.
type intMma struct {
	s         shape
	a, b, c   matrixOperand
	table     [][warpSize]int32
	satfinite bool
	store     storeFn
	expand    func(w *warp, a []int64) bool      // of a sparse left operand; false after a fault
	bits      func(x, y uint64) (matched uint64) // of single bits: which of 32 columns count
}

// exec multiplies, wrapping or saturating at the end.
func (p *intMma) exec(w *warp, _ uint32) {
	var x [16 * 128]int64
	var y [128 * 8]int64
	var z [16 * 8]int64
	s := p.s
	p.a.gatherInt(w, x[:])
	p.b.gatherInt(w, y[:])
	p.c.gatherInt(w, z[:])
	if p.expand != nil && !p.expand(w, x[:]) {
		return
	}
	for row := range s.m {
		for col := range s.n {
			acc := z[row*s.n+col]
			for k := range s.k {
				if u, v := x[row*s.k+k], y[k*s.n+col]; p.bits == nil {
					acc += u * v
				} else {
					acc += int64(bits.OnesCount32(uint32(p.bits(uint64(u), uint64(v)))))
				}
			}
			z[row*s.n+col] = acc
		}
	}
	for i, at := range p.table {
		for lane, k := range at {
			v := uint64(z[k]) & mask(32)
			if p.satfinite {
				v = clampInt(z[k], 32)
			}
			p.store(w, i, lane, v)
		}
	}
}
