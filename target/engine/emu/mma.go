package emu

import (
	"math"
	"sync"
	"unsafe"
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
	step  int // from an element to the next one of its register, in the matrix; 0 if it varies
	load  func(uint64) float64
	bytes *[256]float64 // values of elements of a byte or less, in place of load
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
	m := matrixOperand{t: t, bits: bits, table: f.table(), cols: cols}
	if narrow(t) {
		m.bytes = byteValues(t, bits)
	} else {
		m.load = loader(t, bits)
	}
	m.step = evenStep(m.table, max(32/bits, 1))
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

// evenStep is the distance of the neighbours in a register of per elements,
// or 0 if there are none or it differs.
func evenStep(table [][warpSize]int32, per int) int {
	if per == 1 || len(table)%per != 0 {
		return 0
	}
	step := table[1][0] - table[0][0]
	for i := range table {
		for lane := range table[i] {
			if i%per != 0 && table[i][lane]-table[i-1][lane] != step {
				return 0
			}
		}
	}
	return int(step)
}

// loader converts an element's container to its value. The operands of type
// tf32 are f32 patterns of which the low 13 bits are ignored.
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
		values := byteValues(t, bits)
		return func(v uint64) float64 { return values[v&0xff] }
	}
	return nil
}

// byteTables keeps what byteValues returns.
var byteTables sync.Map

// byteValues lists the values of a type of at most eight bits by the low
// byte at an element's place. In a byte, an element of six bits is the low
// ones and one of four bits is in the middle; the rest is padding.
func byteValues(t scalar, bits int) *[256]float64 {
	key := [2]int{int(t), bits}
	if v, ok := byteTables.Load(key); ok {
		return v.(*[256]float64)
	}
	shift := 0
	if t == tE2M1 && bits == 8 {
		shift = 2
	}
	values := new([256]float64)
	for i := range values {
		values[i] = operandFormats[t].decode(uint64(i) >> shift & mask(t.bits()))
	}
	byteTables.Store(key, values)
	return values
}

// gather collects the matrix in row-major order. The types of most products
// are decoded without a call for each element.
func (m *matrixOperand) gather(w *warp, out []float64) {
	per := max(32/m.bits, 1)
	ones := mask(m.bits)
	if m.step != 0 && m.gatherPacked(w, out) {
		return
	}
	for i := range m.table {
		at, v, shift := &m.table[i], w.lanes(m.regs[i/per]), i%per*m.bits&63
		switch {
		case m.t == tF32:
			for lane, k := range at {
				out[k] = float64(f32from(v[lane]))
			}
		case m.bytes != nil:
			for lane, k := range at {
				out[k] = m.bytes[v[lane]>>shift&0xff]
			}
		default:
			for lane, k := range at {
				out[k] = m.load(v[lane] >> shift & ones)
			}
		}
	}
}

// gatherPacked takes registers apart whose elements are evenly spaced in the
// matrix. It returns false for types that it does not know.
func (m *matrixOperand) gatherPacked(w *warp, out []float64) bool {
	per, step := 32/m.bits, m.step
	for i, r := range m.regs {
		at, v := &m.table[i*per], w.lanes(r)
		switch {
		case m.t == tF16:
			for lane, k := range at {
				x := v[lane]
				lo, hi := x&0xffff, x>>16
				// Normal numbers only need another bias. One more takes
				// their exponents above 1, and the others to 0 or 1.
				if (lo+0x400)&0x7c00 > 0x400 && (hi+0x400)&0x7c00 > 0x400 {
					const rebias = (1023 - 15) << 52
					out[k] = f64from(lo>>15<<63 | (lo&0x7fff<<42 + rebias))
					out[int(k)+step] = f64from(hi>>15<<63 | (hi&0x7fff<<42 + rebias))
					continue
				}
				out[k] = decodeF16(lo)
				out[int(k)+step] = decodeF16(hi)
			}
		case m.t == tBF16:
			for lane, k := range at {
				x := v[lane]
				out[k] = float64(f32from(x << 16))
				out[int(k)+step] = float64(f32from(x &^ 0xffff))
			}
		case m.bytes != nil && m.bits == 8:
			for lane, k := range at {
				x := v[lane]
				out[k] = m.bytes[x&0xff]
				out[int(k)+step] = m.bytes[x>>8&0xff]
				out[int(k)+2*step] = m.bytes[x>>16&0xff]
				out[int(k)+3*step] = m.bytes[x>>24&0xff]
			}
		default:
			return false
		}
	}
	return true
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
// order of k, in columns of eight that stay in registers for two steps of k.
func multiply(s shape, a, b, c []float64) {
	rows, step := eights(b[:s.k*s.n]), s.n/8
	for row := range s.m {
		x, sums := a[row*s.k:][:s.k], eights(c[row*s.n:][:s.n])
		for col := range sums {
			acc, at, k := &sums[col], col, 0
			c0, c1, c2, c3, c4, c5, c6, c7 := acc[0], acc[1], acc[2], acc[3], acc[4], acc[5], acc[6], acc[7]
			for ; k+1 < len(x); k += 2 {
				u, v, y, z := x[k], x[k+1], &rows[at], &rows[at+step]
				at += 2 * step
				c0 = c0 + u*y[0] + v*z[0]
				c1 = c1 + u*y[1] + v*z[1]
				c2 = c2 + u*y[2] + v*z[2]
				c3 = c3 + u*y[3] + v*z[3]
				c4 = c4 + u*y[4] + v*z[4]
				c5 = c5 + u*y[5] + v*z[5]
				c6 = c6 + u*y[6] + v*z[6]
				c7 = c7 + u*y[7] + v*z[7]
			}
			acc[0], acc[1], acc[2], acc[3], acc[4], acc[5], acc[6], acc[7] = c0, c1, c2, c3, c4, c5, c6, c7
			if k < len(x) {
				for i, y := range rows[at] {
					acc[i] += x[k] * y
				}
			}
		}
	}
}

// eights views numbers, a multiple of eight of them, as arrays of eight.
func eights(x []float64) [][8]float64 {
	return unsafe.Slice((*[8]float64)(unsafe.Pointer(unsafe.SliceData(x))), len(x)/8)
}

// tile is the working space of mma; a and b have up to 128 columns or rows.
type tile struct {
	a [16 * 128]float64
	b [128 * 8]float64
	c [32 * 8]float64
}

// floatMma is a decoded product of floating-point fragments.
type floatMma struct {
	s       shape
	batch   int // independent products, one below the other in the tile
	ta, td  scalar
	a, b, c matrixOperand
	table   [][warpSize]int32 // of the result
	dsts    []int32
	adjust  []func(w *warp, t *tile) bool // change the operands; false after a fault
	sparse  *metadata                     // of a, if nothing scales it
}

// multiply adds the product to the accumulator. Products are exact in binary64, their sum with the
// accumulator is taken in binary64, in order of k, and rounded once to the
// type of the result. The f64 form is a chain of fused multiply-adds.
func (p *floatMma) multiply(t *tile) {
	s := p.s
	if p.ta != tF64 {
		for i := range p.batch {
			multiply(s, t.a[i*s.m*s.k:], t.b[i*s.k*s.n:], t.c[i*s.m*s.n:])
		}
		return
	}
	for row := range s.m {
		acc := t.c[row*s.n:][:s.n]
		for k := range s.k {
			for col, y := range t.b[k*s.n:][:s.n] {
				acc[col] = math.FMA(t.a[row*s.k+k], y, acc[col])
			}
		}
	}
}

func (p *floatMma) exec(w *warp, _ uint32) {
	s, t := p.s, scratchOf(w).tile()
	p.a.gather(w, t.a[:])
	p.b.gather(w, t.b[:])
	p.c.gather(w, t.c[:])
	if p.sparse == nil || !p.sparse.multiplyStored(w, s, t) {
		for _, f := range p.adjust {
			if !f(w, t) {
				return
			}
		}
		p.multiply(t)
	}
	for i := range p.table {
		at := &p.table[i]
		switch p.td {
		case tF32:
			r := w.reg(p.dsts[i])
			for lane, k := range at {
				r[lane] = canon(float32(t.c[k]))
			}
		case tF64:
			r := w.reg(p.dsts[i])
			for lane, k := range at {
				r[lane] = f64bits(t.c[k])
			}
		default: // two halves to a register
			r, shift := w.reg(p.dsts[i/2]), i%2*16
			for lane, k := range at {
				r[lane] = r[lane]&^(0xffff<<shift) | roundF16(t.c[k])<<shift
			}
		}
	}
}
