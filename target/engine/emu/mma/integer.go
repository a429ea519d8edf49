package mma

import (
	"encoding/binary"
	"math/bits"

	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/num"
)

// intTile is the working space of the integer forms of mma; a and b have up
// to 128 columns or rows.
type intTile struct {
	a [16 * 128]int64
	b [128 * 8]int64
	c [16 * 8]int64

	nibbles [16 * 64]byte // in place of a, for elements of four bits
}

// intMma is a decoded product of integer or single-bit fragments.
type intMma struct {
	s         Shape
	a, b, c   matrixOperand
	dsts      []int32
	satfinite bool
	expand    func(w *machine.Warp, a []int64) bool // of a sparse left operand; false after a fault
	multiply  func(t *intTile)
	nibbles   bool // the left operand is gathered as bytes
}

func newIntMma(s Shape, a, b, c matrixOperand, dsts []int32, satfinite bool) *intMma {
	p := &intMma{s: s, a: a, b: b, c: c, dsts: dsts, satfinite: satfinite}
	p.multiply = func(t *intTile) { multiplyBytes(s, t) }
	if a.bits == 4 && b.bits == 4 {
		p.multiply = func(t *intTile) { multiplyNibbles(s, t, t.a[:]) }
		if a.step == 1 && a.cols == s.K { // not sparse
			p.nibbles = true
			p.multiply = func(t *intTile) { multiplyNibbles(s, t, t.nibbles[:]) }
		}
	}
	return p
}

// exec multiplies, wrapping or saturating at the end.
//
// Without .satfinite the sum wraps at 32 bits; with it, the exact sum with the accumulator is clamped once, at the
// end.
func (p *intMma) exec(w *machine.Warp, _ uint32) {
	if w.CTA.Run.Launch.NoProducts {
		clearRegisters(w, p.dsts)
		return
	}
	t := scratchOf(w).intTile()
	if p.nibbles {
		p.a.gatherNibbles(w, t.nibbles[:])
	} else {
		p.a.gatherInt(w, t.a[:])
	}
	p.b.gatherInt(w, t.b[:])
	p.c.gatherInt(w, t.c[:])
	if p.expand != nil && !p.expand(w, t.a[:]) {
		return
	}
	p.multiply(t)
	for i, dst := range p.dsts {
		at, r := &p.c.table[i], w.Reg(dst)
		for lane, k := range at {
			if p.satfinite {
				r[lane] = num.ClampSigned(t.c[k], 32)
			} else {
				r[lane] = uint64(uint32(t.c[k]))
			}
		}
	}
}

// gatherInt collects the matrix in row-major order. The elements of a register
// are evenly spaced there; they have 4, 8 or 32 bits.
func (m *matrixOperand) gatherInt(w *machine.Warp, out []int64) {
	per, step := 32/m.bits, m.step
	for i, r := range m.regs {
		at, v := &m.table[i*per], w.Lanes(r)
		switch {
		case m.t.Signed() && m.bits == 8:
			for lane, k := range at {
				x := v[lane]
				out[k] = int64(int8(x))
				out[int(k)+step] = int64(int8(x >> 8))
				out[int(k)+2*step] = int64(int8(x >> 16))
				out[int(k)+3*step] = int64(int8(x >> 24))
			}
		case m.bits == 8:
			for lane, k := range at {
				x := v[lane]
				out[k] = int64(uint8(x))
				out[int(k)+step] = int64(uint8(x >> 8))
				out[int(k)+2*step] = int64(uint8(x >> 16))
				out[int(k)+3*step] = int64(uint8(x >> 24))
			}
		case m.t.Signed() && m.bits == 4:
			for lane, k := range at {
				spreadNibbles(out[k:], step, int64(v[lane]))
			}
		case m.bits == 4:
			for lane, k := range at {
				spreadNibbles(out[k:], step, v[lane])
			}
		default:
			for lane, k := range at {
				out[k] = int64(v[lane])
				if m.t.Signed() {
					out[k] = int64(int32(v[lane]))
				}
			}
		}
	}
}

// spreadNibbles writes the eight elements of a register, which are signed if
// it is, to out.
//
// Shifting a signed word right extends each nibble by its sign, so that one line serves both by its type parameter.
func spreadNibbles[T int64 | uint64](out []int64, step int, x T) {
	out[0] = int64(x << 60 >> 60)
	out[step] = int64(x << 56 >> 60)
	out[2*step] = int64(x << 52 >> 60)
	out[3*step] = int64(x << 48 >> 60)
	out[4*step] = int64(x << 44 >> 60)
	out[5*step] = int64(x << 40 >> 60)
	out[6*step] = int64(x << 36 >> 60)
	out[7*step] = int64(x << 32 >> 60)
}

// gatherNibbles collects a matrix of elements of four bits that are
// neighbours in rows, with a byte for each.
//
// Eight nibbles become eight bytes in three steps of shift and mask; with a byte for each, rows stay in the first
// cache.
func (m *matrixOperand) gatherNibbles(w *machine.Warp, out []byte) {
	const each = 0x0101010101010101
	for i, r := range m.regs {
		at, v := &m.table[i*8], w.Lanes(r)
		for lane, k := range at {
			x := v[lane]
			x = (x | x<<16) & 0x0000ffff0000ffff
			x = (x | x<<8) & 0x00ff00ff00ff00ff
			x = (x | x<<4) & (each * 0x0f)
			if m.t.Signed() { // (x^8) - 8 in each byte
				x = ((x ^ each*0x08) + each*0x78) ^ each*0x80
			}
			binary.LittleEndian.PutUint64(out[k:], x)
		}
	}
}

// Several columns share a word, so that one multiplication serves all of
// them. The fields of a sum are signed: a negative one borrows from those
// above it, which taking it out gives back.

// multiplyBytes adds the product of a (m x k) and b (k x 8) to c, where the
// sums of k products fit 32 bits: two columns share a word.
//
// Two columns share a word because the sums of at most 128 products of bytes stay below 2^24 in magnitude: the field
// of 32 bits cannot overflow into the next. The accumulator is added at the end, in 64 bits, since it can. Together
// with tiles that are not allocated again it took s8 from 4.2 to 31 million thread instructions a second
// (docs/measurements/engines.md).
func multiplyBytes(s Shape, t *intTile) {
	var pairs [128][4]int64
	for k := range s.K {
		y := (*[8]int64)(t.b[k*8:])
		pairs[k] = [4]int64{y[0] + y[1]<<32, y[2] + y[3]<<32, y[4] + y[5]<<32, y[6] + y[7]<<32}
	}
	for row := range s.M {
		var s0, s1, s2, s3 int64
		for k, x := range t.a[row*s.K:][:s.K] {
			y := &pairs[k&127]
			s0 += x * y[0]
			s1 += x * y[1]
			s2 += x * y[2]
			s3 += x * y[3]
		}
		acc := (*[8]int64)(t.c[row*8:])
		for i, sum := range [4]int64{s0, s1, s2, s3} {
			low := int64(int32(sum))
			acc[2*i] += low
			acc[2*i+1] += (sum - low) >> 32
		}
	}
}

// multiplyNibbles is multiplyBytes where the sums of 64 products fit 16 bits: four columns share a word.
//
// A product of nibbles is at most 225 and 64 of them 14400, which fits 16 bits with its sign. 128 of a sparse form have
// only 64 that are not zero.
func multiplyNibbles[T byte | int64](s Shape, t *intTile, a []T) {
	var quads [128][2]int64
	for k := range s.K {
		y := (*[8]int64)(t.b[k*8:])
		quads[k&127] = [2]int64{y[0] + y[1]<<16 + y[2]<<32 + y[3]<<48, y[4] + y[5]<<16 + y[6]<<32 + y[7]<<48}
	}
	for row := range s.M {
		var s0, s1 int64
		x := a[row*s.K:][:s.K]
		for k := 0; k+1 < len(x); k += 2 { // k is a multiple of 32
			u, v, y, z := int64(int8(x[k])), int64(int8(x[k+1])), &quads[k&127], &quads[(k+1)&127]
			s0 += u*y[0] + v*z[0]
			s1 += u*y[1] + v*z[1]
		}
		acc := (*[8]int64)(t.c[row*8:])
		for i := range 4 {
			f0, f1 := int64(int16(s0)), int64(int16(s1))
			acc[i] += f0
			acc[i+4] += f1
			s0, s1 = (s0-f0)>>16, (s1-f1)>>16
		}
	}
}

// multiplyBits adds the numbers of bits that match to c; an element of a or
// b is 32 bits along k.
//
// The product of single bits is a count of positions: those that differ (xor) or are both set (and), with .popc.
func multiplyBits(s Shape, t *intTile, xor bool) {
	for row := range s.M {
		x, acc := t.a[row*s.K:][:s.K], (*[8]int64)(t.c[row*8:])
		for k, u := range x {
			for col, v := range (*[8]int64)(t.b[k*8:]) {
				match := u & v
				if xor {
					match = u ^ v
				}
				acc[col] += int64(bits.OnesCount32(uint32(match)))
			}
		}
	}
}
