package mma

import (
	"github.com/tilewright/tilewright/target/engine/emu/decode"
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/num"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

var wmmaOps = map[string]decode.Func{"wmma": decodeWmma}

// wmmaMatrix is an operand of wmma ("Matrix multiply-accumulate operation using wmma instructions"). The ISA leaves
// open which lane holds which element. Here, element i of lane l is element (l*n + i) modulo rows*cols of the matrix,
// for n elements of a lane, in the order of the layout. A and B that are loaded by columns and multiplied as rows are
// wrong, as on hardware. Accumulators, whose layout wmma.mma does not know, are counted by rows. Matrices of f16 have
// more places than elements; each place holds one.
//
// Some programs rely on a layout of their own, for element-wise work on accumulators. They get what the ISA promises:
// element-wise operations on all elements of a lane are right.
type wmmaMatrix struct {
	rows, cols int
	t          syntax.Type
	col        bool // fragment and memory are counted by columns
	elems      int  // of a lane
	reg        syntax.Type
}

// wmmaShapes are the shapes by the type of A.
var wmmaShapes = map[syntax.Type][]Shape{
	syntax.F16:  {{16, 16, 16}, {8, 32, 16}, {32, 8, 16}},
	syntax.BF16: {{16, 16, 16}, {8, 32, 16}, {32, 8, 16}},
	syntax.S8:   {{16, 16, 16}, {8, 32, 16}, {32, 8, 16}},
	syntax.U8:   {{16, 16, 16}, {8, 32, 16}, {32, 8, 16}},
	syntax.TF32: {{16, 16, 8}},
	syntax.F64:  {{8, 8, 4}},
	syntax.S4:   {{8, 8, 32}},
	syntax.U4:   {{8, 8, 32}},
	syntax.B1:   {{8, 8, 128}},
}

func hasShape(list []Shape, s Shape) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// wmmaOperand describes operand 'a', 'b' or 'c' of a shape.
func wmmaOperand(d *decode.Decoder, which string, s Shape, t syntax.Type, layout string) wmmaMatrix {
	m := wmmaMatrix{t: t, col: layout == "col", reg: syntax.B32}
	ok := hasShape(wmmaShapes[t], s)
	switch which {
	case "a":
		m.rows, m.cols = s.M, s.K
		ok = ok && !(t.Bits() < 8 && m.col)
	case "b":
		m.rows, m.cols = s.K, s.N
		ok = ok && !(t.Bits() < 8 && !m.col)
	default:
		m.rows, m.cols = s.M, s.N
		switch t {
		case syntax.F16:
			ok = hasShape(wmmaShapes[syntax.F16], s)
		case syntax.F32:
			ok = hasShape(wmmaShapes[syntax.F16], s) || hasShape(wmmaShapes[syntax.TF32], s)
		case syntax.S32:
			ok = hasShape(wmmaShapes[syntax.S8], s) || hasShape(wmmaShapes[syntax.S4], s) || hasShape(wmmaShapes[syntax.B1], s)
		case syntax.F64:
		default:
			ok = false
		}
	}
	if !ok || layout == "" {
		d.Fail("'wmma' with this shape, layout and type is not supported")
	}
	m.elems = m.rows * m.cols / machine.WarpSize
	if t == syntax.F16 && which != "c" {
		m.elems = 16
	}
	switch t {
	case syntax.F32, syntax.S32, syntax.F64:
		m.reg = t
	}
	return m
}

// registers is the number of registers of a lane.
func (m wmmaMatrix) registers() int { return max(1, m.elems*m.t.Bits()/max(32, m.t.Bits())) }

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
func (m wmmaMatrix) element(w *machine.Warp, regs []machine.Src, lane, i int) uint64 {
	n := m.t.Bits()
	per := max(32/n, 1)
	return w.Lanes(regs[i/per])[lane] >> (i % per * n) & num.Mask(n)
}

// set writes element i of a lane.
func (m wmmaMatrix) set(w *machine.Warp, regs []int32, lane, i int, v uint64) {
	n := m.t.Bits()
	per := max(32/n, 1)
	r, shift := w.Reg(regs[i/per]), i%per*n
	if per == 1 {
		r[lane] = v
		return
	}
	r[lane] = r[lane]&^(num.Mask(n)<<shift) | v<<shift
}

func decodeWmma(d *decode.Decoder) {
	op := d.OneOf("load", "store", "mma")
	if op == "mma" {
		decodeWmmaMma(d)
		return
	}
	which := map[string][]string{"load": {"a", "b", "c"}, "store": {"d"}}[op]
	part := d.OneOf(which...)
	if part == "" {
		d.Fail("'wmma' needs .load.a, .load.b, .load.c, .store.d or .mma")
	}
	s := wmmaHead(d)
	layout := d.OneOf("row", "col")
	sp := d.Space()
	if sp != syntax.Generic && sp != syntax.Global && sp != syntax.Shared {
		d.Fail("'wmma' accesses global and shared memory only")
	}
	if part == "d" {
		part = "c"
	}
	mem := &wmmaMemory{wmmaMatrix: wmmaOperand(d, part, s, d.Type(), layout), space: sp}
	args := d.Argc(2, 3)
	regs, place := args[0], args[1]
	if op == "store" {
		regs, place = args[1], args[0]
	}
	mem.addr = d.Addr(place)
	if b := place.Base; b != nil && b.Kind == syntax.OpVar {
		mem.space = d.SpaceOf(b.Sym, sp, place)
	}
	mem.stride = d.Const(uint64(mem.lead()))
	if len(args) == 3 {
		mem.stride = d.Src(args[2], syntax.U32)
	}
	// Accumulators are counted by rows in registers.
	mem.fragment = mem.wmmaMatrix
	if part == "c" {
		mem.fragment.col = false
	}
	for _, o := range d.Elements(regs, mem.registers()) {
		if op == "load" {
			mem.dsts = append(mem.dsts, d.Dst(o, mem.reg))
		} else {
			mem.srcs = append(mem.srcs, d.Src(o, mem.reg))
		}
	}
	if op == "load" {
		d.WholeWarp(func(w *machine.Warp, m uint32) { mem.load(w) })
	} else {
		d.WholeWarp(func(w *machine.Warp, m uint32) { mem.store(w) })
	}
}

// wmmaHead consumes what all wmma instructions have.
func wmmaHead(d *decode.Decoder) Shape {
	if !d.Opt("sync") {
		d.Fail("'wmma' without .sync is not supported")
	}
	d.Opt("aligned")
	at, s := parseShape(d.Mods)
	if at < 0 {
		d.Fail("'wmma' has no shape")
	}
	d.Mods[at] = ""
	return s
}

// wmmaMemory is a decoded wmma.load or wmma.store.
type wmmaMemory struct {
	wmmaMatrix
	fragment wmmaMatrix
	space    syntax.Space
	addr     decode.Addr
	stride   machine.Src
	dsts     []int32
	srcs     []machine.Src
}

// line returns the bytes of row (or column) n of the matrix in memory.
//
// A row is checked as one access, as the ISA gives its alignment for the row.
func (o *wmmaMemory) line(w *machine.Warp, n int, write bool) []byte {
	base, stride := w.Lanes(o.addr.Base), w.Lanes(o.stride)
	for lane := range base {
		if base[lane] != base[0] || stride[lane] != stride[0] {
			w.Faultf(lane, "lanes 0 and %d of the warp give 'wmma' different addresses or strides", lane)
			return nil
		}
	}
	align := max(o.elems*o.t.Bits()/8, 1)
	step := stride[0] * uint64(o.t.Bits()) / 8
	return w.Span(o.space, (o.addr.Lane(w, base, 0)+uint64(n)*step)&o.addr.Wrap, o.lead()*o.t.Bits()/8, align, 0, write)
}

// slot is the place of element (row, col) in its line.
func (o *wmmaMemory) slot(row, col int) (line, bit int) {
	if o.col {
		return col, row * o.t.Bits()
	}
	return row, col * o.t.Bits()
}

func (o *wmmaMemory) load(w *machine.Warp) {
	var lines [32][]byte
	for i := range o.rows * o.cols / o.lead() {
		if lines[i] = o.line(w, i, false); lines[i] == nil {
			return
		}
	}
	n := o.t.Bits()
	for lane := range machine.WarpSize {
		for i := range o.elems {
			line, bit := o.slot(o.fragment.at(lane, i))
			v := machine.Load(lines[line][bit/8:][:o.t.Bytes()]) >> (bit % 8) & num.Mask(n)
			o.set(w, o.dsts, lane, i, v)
		}
	}
}

func (o *wmmaMemory) store(w *machine.Warp) {
	for i := range o.rows * o.cols / o.lead() {
		if o.line(w, i, true) == nil {
			return
		}
	}
	for lane := range machine.WarpSize {
		for i := range o.elems {
			line, bit := o.slot(o.fragment.at(lane, i))
			machine.Store(o.line(w, line, true)[bit/8:][:o.t.Bytes()], o.element(w, o.srcs, lane, i))
		}
	}
}
