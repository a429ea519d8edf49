package mma

import (
	"math"

	"github.com/tilewright/tilewright/target/engine/emu/decode"
	"github.com/tilewright/tilewright/target/engine/emu/fp"
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

var matrixOps = map[string]decode.Func{
	"mma":       decodeMma,
	"ldmatrix":  decodeLdmatrix,
	"stmatrix":  decodeStmatrix,
	"movmatrix": decodeMovmatrix,
}

// tile is the working space of mma; a and b have up to 128 columns or rows.
type tile struct {
	a [16 * 128]float64
	b [128 * 8]float64
	c [32 * 8]float64
}

// floatMma is a decoded product of floating-point fragments.
//
// Tables, converters and registers are fixed when the instruction is decoded; what a warp does is three loops that
// gather, one that multiplies and one that rounds.
type floatMma struct {
	s       Shape
	batch   int // independent products, one below the other in the tile
	ta, td  syntax.Type
	a, b, c matrixOperand
	table   [][machine.WarpSize]int32 // of the result
	dsts    []int32
	adjust  []func(w *machine.Warp, t *tile) bool // change the operands; false after a fault
	sparse  *metadata                             // of a, if nothing scales it
}

// multiply adds the product to the accumulator. Products are exact in binary64, their sum with the
// accumulator is taken in binary64, in order of k, and rounded once to the
// type of the result. The f64 form is a chain of fused multiply-adds.
func (p *floatMma) multiply(t *tile) {
	s := p.s
	if p.ta != syntax.F64 {
		for i := range p.batch {
			Multiply(s, t.a[i*s.M*s.K:], t.b[i*s.K*s.N:], t.c[i*s.M*s.N:])
		}
		return
	}
	for row := range s.M {
		acc := t.c[row*s.N:][:s.N]
		for k := range s.K {
			for col, y := range t.b[k*s.N:][:s.N] {
				acc[col] = math.FMA(t.a[row*s.K+k], y, acc[col])
			}
		}
	}
}

// clearRegisters is what an MMA does of a launch without products.
func clearRegisters(w *machine.Warp, list []int32) {
	for _, r := range list {
		clear(w.Reg(r)[:])
	}
}

// A, B and C are gathered before D is written, as D may be the registers of any of them.
func (p *floatMma) exec(w *machine.Warp, _ uint32) {
	if w.CTA.Run.Launch.NoProducts {
		clearRegisters(w, p.dsts)
		return
	}
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
		case syntax.F32:
			r := w.Reg(p.dsts[i])
			for lane, k := range at {
				r[lane] = fp.Canonical(float32(t.c[k]))
			}
		case syntax.F64:
			r := w.Reg(p.dsts[i])
			for lane, k := range at {
				r[lane] = fp.Bits64(t.c[k])
			}
		default: // two halves to a register
			r, shift := w.Reg(p.dsts[i/2]), i%2*16
			for lane, k := range at {
				r[lane] = r[lane]&^(0xffff<<shift) | fp.RoundF16(t.c[k])<<shift
			}
		}
	}
}

// decodeMma decodes the warp-level mma.sync and mma.sp.
//
// The forms differ in where elements are and what they are, not in what happens: the cases below choose fragments,
// and all of them end in one of two products.
func decodeMma(d *decode.Decoder) {
	f := parseForm(d)
	n := 4
	if f.sparse {
		n += 2
	}
	if f.vectors > 0 {
		n += 4
	}
	args := d.Args(n)
	s, bitsA, bitsB := f.s, f.container(f.ta), f.container(f.tb)
	stored := s // what the registers of A hold
	if f.sparse {
		stored.K /= 2
	}
	batch := 1
	fa, fb := FragmentA(stored, bitsA), FragmentB(s, bitsB)
	fc, out := FragmentC(s), FragmentC(s)
	switch {
	// Single bits are multiplied by words, so that the fragments are those of elements of 32 bits.
	case f.ta == syntax.B1: // words of 32 columns
		s.K /= 32
		bitsA, bitsB = 32, 32
		fa, fb = FragmentA(s, 32), FragmentB(s, 32)
		stored = s
	case f.ta == syntax.F16 && s.M == 8:
		batch = 4
		fa, fb = quadA(f.layoutA), quadB(f.layoutB)
		fc, out = quadC(f.tc), quadC(f.td)
	}
	a := newOperandIn(d, args[1], fa, f.ta, bitsA, stored.K)
	b := newOperandIn(d, args[2], fb, f.tb, bitsB, s.N)
	c := newOperand(d, args[3], fc, f.tc, s.N)
	dsts := resultRegisters(d, args[0], out, f.td)
	var meta *metadata
	if f.sparse {
		meta = newMetadata(d, &f, args[4], args[5])
	}
	if f.ta.Integer() || f.ta == syntax.B1 {
		p := newIntMma(s, a, b, c, dsts, f.satfinite)
		switch {
		case meta != nil:
			p.expand = func(w *machine.Warp, a []int64) bool { return expand(meta, w, a) }
		case f.bitOp != "":
			p.multiply = func(t *intTile) { multiplyBits(s, t, f.bitOp == "xor") }
		}
		d.WholeWarp(p.exec)
		return
	}
	p := &floatMma{s: s, batch: batch, ta: f.ta, td: f.td, a: a, b: b, c: c, table: out.table(), dsts: dsts}
	if meta != nil {
		// The short way of a sparse product leaves zeros out before they are scaled, for which its sums would have to
		// be looked at block by block.
		if f.vectors == 0 {
			p.sparse = meta
		}
		p.adjust = append(p.adjust, func(w *machine.Warp, t *tile) bool { return expand(meta, w, t.a[:]) })
	}
	if f.vectors > 0 {
		p.adjust = append(p.adjust, scaleA(d, &f, args[n-4], args[n-3]), scaleB(d, &f, args[n-2], args[n-1]))
	}
	d.WholeWarp(p.exec)
}

// resultRegisters decodes the registers of the result; one holds two halves.
func resultRegisters(d *decode.Decoder, o *syntax.Operand, out Fragment, td syntax.Type) []int32 {
	reg := td
	if td == syntax.F16 {
		reg = syntax.B32
	}
	var dsts []int32
	for _, o := range d.Elements(o, Registers(out.Elems, td.Bits())) {
		dsts = append(dsts, d.Dst(o, reg))
	}
	return dsts
}
