package mma

import (
	"github.com/tilewright/tilewright/target/engine/emu/decode"
	"github.com/tilewright/tilewright/target/engine/emu/fp"
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/num"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// OperandFormats are the formats of the floating-point operands of mma.
//
// tf32 has the format of f32 here: its operands are f32 patterns whose low bits do not count, which the loader
// clears.
var OperandFormats = map[syntax.Type]*fp.Format{
	syntax.F16: fp.F16, syntax.BF16: fp.BF16, syntax.TF32: fp.F32, syntax.F64: fp.F64, syntax.E4M3: fp.E4M3, syntax.E5M2: fp.E5M2,
	syntax.E2M1: fp.E2M1, syntax.E2M3: fp.E2M3, syntax.E3M2: fp.E3M2,
}

// newOperand is a fragment in registers.
type matrixOperand struct {
	regs  []machine.Src
	t     syntax.Type
	bits  int // of an element
	table [][machine.WarpSize]int32
	step  int // from an element to the next one of its register, in the matrix; 0 if it varies
	load  func(uint64) float64
	bytes *[256]float64 // values of elements of a byte or less, in place of load
	cols  int
}

// Registers is the number of registers of a fragment.
func Registers(elems, bits int) int { return max(1, elems*bits/max(32, bits)) }

func newOperand(d *decode.Decoder, o *syntax.Operand, f Fragment, t syntax.Type, cols int) matrixOperand {
	return newOperandIn(d, o, f, t, t.Bits(), cols)
}

// newOperandIn is an operand whose elements lie in containers of the
// given number of bits.
//
// Kind f8f6f4 puts elements of six and four bits into bytes; there the size of the place is not that of the type.
func newOperandIn(d *decode.Decoder, o *syntax.Operand, f Fragment, t syntax.Type, bits, cols int) matrixOperand {
	m := matrixOperand{t: t, bits: bits, table: f.table(), cols: cols}
	if Narrow(t) {
		m.bytes = byteValues(t, bits)
	} else {
		m.load = loader(t, bits)
	}
	m.step = evenStep(m.table, max(32/bits, 1))
	reg := syntax.B32
	switch t {
	case syntax.F64, syntax.F32, syntax.S32:
		reg = t
	}
	for _, r := range d.Elements(o, Registers(f.Elems, bits)) {
		m.regs = append(m.regs, d.Src(r, reg))
	}
	return m
}

// evenStep is the distance of the neighbours in a register of per elements,
// or 0 if there are none or it differs.
//
// If the distance is the same in all registers, it is one number that the inner loop keeps in a register instead of a
// table.
func evenStep(table [][machine.WarpSize]int32, per int) int {
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

// gather collects the matrix in row-major order. The types of most products
// are decoded without a call for each element.
func (m *matrixOperand) gather(w *machine.Warp, out []float64) {
	per := max(32/m.bits, 1)
	ones := num.Mask(m.bits)
	if m.step != 0 && m.gatherPacked(w, out) {
		return
	}
	for i := range m.table {
		at, v, shift := &m.table[i], w.Lanes(m.regs[i/per]), i%per*m.bits&63
		switch {
		case m.t == syntax.F32:
			for lane, k := range at {
				out[k] = float64(fp.Float32(v[lane]))
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
//
// A register at once, without the call of a decoder for each element: a product of 16x8x16 decodes 384 of them.
func (m *matrixOperand) gatherPacked(w *machine.Warp, out []float64) bool {
	per, step := 32/m.bits, m.step
	for i, r := range m.regs {
		at, v := &m.table[i*per], w.Lanes(r)
		switch {
		case m.t == syntax.F16:
			for lane, k := range at {
				x := v[lane]
				lo, hi := x&0xffff, x>>16
				// Normal numbers only need another bias. One more takes
				// their exponents above 1, and the others to 0 or 1.
				if (lo+0x400)&0x7c00 > 0x400 && (hi+0x400)&0x7c00 > 0x400 {
					const rebias = (1023 - 15) << 52
					out[k] = fp.Float64(lo>>15<<63 | (lo&0x7fff<<42 + rebias))
					out[int(k)+step] = fp.Float64(hi>>15<<63 | (hi&0x7fff<<42 + rebias))
					continue
				}
				out[k] = fp.DecodeF16(lo)
				out[int(k)+step] = fp.DecodeF16(hi)
			}
		case m.t == syntax.BF16:
			for lane, k := range at {
				x := v[lane]
				out[k] = float64(fp.Float32(x << 16))
				out[int(k)+step] = float64(fp.Float32(x &^ 0xffff))
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
