package emu

import (
	"fmt"
	"slices"
)

// mmaForm is what the modifiers of an mma say.
type mmaForm struct {
	s                shape
	ta, tb, tc, td   scalar
	layoutA, layoutB string
	kind             string
	satfinite        bool
	sparse, ordered  bool
	bitOp            string // of single bits: xor or and
	vectors          int    // scale factors along k; 0 without block scaling
	ts               scalar // of scale factors
}

// denseShapes and sparseShapes list the shapes by the type of the A operand,
// for forms without a kind (PTX ISA, "Multiply-and-Accumulate Instruction:
// mma" and "... mma.sp").
var (
	denseShapes = map[scalar][]shape{
		tF16:  {{8, 8, 4}, {16, 8, 8}, {16, 8, 16}},
		tBF16: {{16, 8, 8}, {16, 8, 16}},
		tTF32: {{16, 8, 4}, {16, 8, 8}},
		tF64:  {{8, 8, 4}, {16, 8, 4}, {16, 8, 8}, {16, 8, 16}},
		tE4M3: {{16, 8, 16}, {16, 8, 32}},
		tE5M2: {{16, 8, 16}, {16, 8, 32}},
		tS8:   {{8, 8, 16}, {16, 8, 16}, {16, 8, 32}},
		tU8:   {{8, 8, 16}, {16, 8, 16}, {16, 8, 32}},
		tS4:   {{8, 8, 32}, {16, 8, 32}, {16, 8, 64}},
		tU4:   {{8, 8, 32}, {16, 8, 32}, {16, 8, 64}},
		tB1:   {{8, 8, 128}, {16, 8, 128}, {16, 8, 256}},
	}
	sparseShapes = map[scalar][]shape{
		tF16:  {{16, 8, 16}, {16, 8, 32}},
		tBF16: {{16, 8, 16}, {16, 8, 32}},
		tTF32: {{16, 8, 8}, {16, 8, 16}},
		tE4M3: {{16, 8, 64}},
		tE5M2: {{16, 8, 64}},
		tS8:   {{16, 8, 32}, {16, 8, 64}},
		tU8:   {{16, 8, 32}, {16, 8, 64}},
		tS4:   {{16, 8, 64}, {16, 8, 128}},
		tU4:   {{16, 8, 64}, {16, 8, 128}},
	}
)

func parseShape(mods []string) (int, shape) {
	for i, mod := range mods {
		var s shape
		if n, err := fmt.Sscanf(mod, "m%dn%dk%d", &s.m, &s.n, &s.k); n == 3 && err == nil {
			return i, s
		}
	}
	return -1, shape{}
}

// mmaForm consumes the modifiers and refuses the combinations that are not
// in the ISA.
func (d *decoder) mmaForm() mmaForm {
	var f mmaForm
	f.ordered = d.opt("sp::ordered_metadata")
	f.sparse = d.opt("sp") || f.ordered
	f.kind = d.oneOf("kind::f8f6f4", "kind::mxf8f6f4", "kind::mxf4", "kind::mxf4nvf4")
	at, s := parseShape(d.mods)
	if at < 0 {
		d.failInst("'mma' has no shape")
	}
	d.mods[at] = ""
	f.s = s
	d.opt("sync")
	d.opt("aligned")
	f.layoutA, f.layoutB = d.oneOf("row", "col"), d.oneOf("row", "col")
	f.satfinite = d.opt("satfinite")
	f.bitOp = d.oneOf("xor", "and")
	popc := d.opt("popc")
	f.td, f.ta, f.tb, f.tc = d.typ(), d.typ(), d.typ(), d.typ()
	if (f.bitOp != "") != (f.ta == tB1) || popc != (f.ta == tB1) {
		d.failInst("'mma' needs .xor.popc or .and.popc with single bits, and only there")
	}
	d.blockScale(&f)
	volta := f.ta == tF16 && s.m == 8
	layouts := f.layoutA == "row" && f.layoutB == "col" || volta && f.layoutA != "" && f.layoutB != ""
	if !layouts || !f.shaped() || !f.accumulates() || f.satfinite && !(f.ta.integer()) {
		d.failInst("'mma' with this shape, layout and types is not supported")
	}
	return f
}

// shaped reports whether the shape goes with the kind and the type of A.
func (f *mmaForm) shaped() bool {
	if f.kind == "" {
		if f.sparse {
			return slices.Contains(sparseShapes[f.ta], f.s)
		}
		return slices.Contains(denseShapes[f.ta], f.s)
	}
	want := shape{16, 8, 32}
	if f.kind == "kind::mxf4" || f.kind == "kind::mxf4nvf4" {
		want.k = 64
	}
	if f.sparse {
		want.k *= 2
	}
	return f.s == want && f.sparse == f.ordered
}

// narrow reports whether t is a floating-point type of at most eight bits.
func narrow(t scalar) bool {
	switch t {
	case tE4M3, tE5M2, tE3M2, tE2M3, tE2M1:
		return true
	}
	return false
}

// accumulates reports whether the types go together.
func (f *mmaForm) accumulates() bool {
	ta, tb, tc, td := f.ta, f.tb, f.tc, f.td
	switch f.kind {
	case "kind::f8f6f4":
		return narrow(ta) && narrow(tb) && tc == td && (tc == tF16 || tc == tF32)
	case "kind::mxf8f6f4":
		return narrow(ta) && narrow(tb) && tc == tF32 && td == tF32
	case "kind::mxf4", "kind::mxf4nvf4":
		return ta == tE2M1 && tb == tE2M1 && tc == tF32 && td == tF32
	}
	switch ta {
	case tF16:
		if f.s.m == 8 && tc == tF32 && td == tF16 {
			return false
		}
		return tb == tF16 && (tc == tF16 || tc == tF32) && (td == tF16 || td == tF32)
	case tE4M3, tE5M2:
		return (tb == tE4M3 || tb == tE5M2) && tc == td && (tc == tF16 && !f.sparse || tc == tF32)
	case tBF16, tTF32:
		return ta == tb && tc == tF32 && td == tF32
	case tF64:
		return tb == tF64 && tc == tF64 && td == tF64
	case tS8, tU8:
		return (tb == tS8 || tb == tU8) && tc == tS32 && td == tS32
	case tS4, tU4:
		return (tb == tS4 || tb == tU4) && tc == tS32 && td == tS32
	case tB1:
		return tb == tB1 && tc == tS32 && td == tS32
	}
	return false
}

// container is the number of bits that an element takes in a register.
func (f *mmaForm) container(t scalar) int {
	switch f.kind {
	case "kind::f8f6f4", "kind::mxf8f6f4":
		return 8
	}
	return t.bits()
}

// decodeMma decodes the warp-level mma.sync and mma.sp.
func decodeMma(d *decoder) {
	f := d.mmaForm()
	n := 4
	if f.sparse {
		n += 2
	}
	if f.vectors > 0 {
		n += 4
	}
	args := d.args(n)
	s, bitsA, bitsB := f.s, f.container(f.ta), f.container(f.tb)
	stored := s // what the registers of A hold
	if f.sparse {
		stored.k /= 2
	}
	batch := 1
	fa, fb := fragmentA(stored, bitsA), fragmentB(s, bitsB)
	fc, out := fragmentC(s), fragmentC(s)
	switch {
	case f.ta == tB1: // words of 32 columns
		s.k /= 32
		bitsA, bitsB = 32, 32
		fa, fb = fragmentA(s, 32), fragmentB(s, 32)
		stored = s
	case f.ta == tF16 && s.m == 8:
		batch = 4
		fa, fb = quadA(f.layoutA), quadB(f.layoutB)
		fc, out = quadC(f.tc), quadC(f.td)
	}
	a := d.matrixOperandIn(args[1], fa, f.ta, bitsA, stored.k)
	b := d.matrixOperandIn(args[2], fb, f.tb, bitsB, s.n)
	c := d.matrixOperand(args[3], fc, f.tc, s.n)
	dsts := d.mmaResult(args[0], out, f.td)
	var meta *metadata
	if f.sparse {
		meta = d.metadata(&f, args[4], args[5])
	}
	if f.ta.integer() || f.ta == tB1 {
		p := newIntMma(s, a, b, c, dsts, f.satfinite)
		switch {
		case meta != nil:
			p.expand = func(w *warp, a []int64) bool { return expand(meta, w, a) }
		case f.bitOp != "":
			p.multiply = func(t *intTile) { multiplyBits(s, t, f.bitOp == "xor") }
		}
		d.wholeWarp(p.exec)
		return
	}
	p := &floatMma{s: s, batch: batch, ta: f.ta, td: f.td, a: a, b: b, c: c, table: out.table(), dsts: dsts}
	if meta != nil {
		if f.vectors == 0 {
			p.sparse = meta
		}
		p.adjust = append(p.adjust, func(w *warp, t *tile) bool { return expand(meta, w, t.a[:]) })
	}
	if f.vectors > 0 {
		p.adjust = append(p.adjust, d.scaleA(&f, args[n-4], args[n-3]), d.scaleB(&f, args[n-2], args[n-1]))
	}
	d.wholeWarp(p.exec)
}

// mmaResult decodes the registers of the result; one holds two halves.
func (d *decoder) mmaResult(o *operand, out fragment, td scalar) []int32 {
	reg := td
	if td == tF16 {
		reg = tB32
	}
	var dsts []int32
	for _, o := range d.matrixRegs(o, registers(out.elems, td.bits())) {
		dsts = append(dsts, d.dst(o, reg))
	}
	return dsts
}
