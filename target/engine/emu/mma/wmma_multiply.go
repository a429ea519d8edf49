package mma

import (
	"math"

	"github.com/tilewright/tilewright/target/engine/emu/decode"
	"github.com/tilewright/tilewright/target/engine/emu/fp"
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/num"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// wmmaOp is a decoded wmma.mma.
type wmmaOp struct {
	s          Shape
	a, b, c, d wmmaMatrix
	ra, rb, rc []machine.Src
	rd         []int32
	rnd        fp.Rounding
	satfinite  bool
	bitOp      string
}

func decodeWmmaMma(d *decode.Decoder) {
	p := &wmmaOp{bitOp: d.OneOf("xor", "and")}
	popc := d.Opt("popc")
	p.s = wmmaHead(d)
	layoutA, layoutB := d.OneOf("row", "col"), d.OneOf("row", "col")
	rounded := d.OneOf("rn", "rz", "rm", "rp")
	p.rnd = map[string]fp.Rounding{"rz": fp.TowardZero, "rm": fp.Down, "rp": fp.Up}[rounded]
	p.satfinite = d.Opt("satfinite")
	td, second := d.Type(), d.Type()
	ta, tb, tc := syntax.F16, syntax.F16, second
	if d.PeekType() != syntax.NoType {
		ta, tb, tc = second, d.Type(), d.Type()
	}
	single := ta == syntax.B1
	switch {
	case single != popc || single != (p.bitOp != ""):
		d.Fail("'wmma.mma' needs .xor.popc or .and.popc with single bits, and only there")
	case ta != tb || !wmmaAccumulates(ta, tc, td) || rounded != "" && ta != syntax.F64 || p.satfinite && !ta.Integer():
		d.Fail("'wmma.mma' with these types is not supported")
	}
	p.a, p.b = wmmaOperand(d, "a", p.s, ta, layoutA), wmmaOperand(d, "b", p.s, tb, layoutB)
	p.c, p.d = wmmaOperand(d, "c", p.s, tc, "row"), wmmaOperand(d, "c", p.s, td, "row")
	args := d.Args(4)
	sources := func(o *syntax.Operand, m wmmaMatrix) (out []machine.Src) {
		for _, r := range d.Elements(o, m.registers()) {
			out = append(out, d.Src(r, m.reg))
		}
		return out
	}
	p.ra, p.rb, p.rc = sources(args[1], p.a), sources(args[2], p.b), sources(args[3], p.c)
	for _, r := range d.Elements(args[0], p.d.registers()) {
		p.rd = append(p.rd, d.Dst(r, p.d.reg))
	}
	if ta.Integer() || single {
		d.WholeWarp(func(w *machine.Warp, m uint32) { p.integers(w) })
	} else {
		d.WholeWarp(func(w *machine.Warp, m uint32) { p.floats(w) })
	}
}

func wmmaAccumulates(ta, tc, td syntax.Type) bool {
	switch ta {
	case syntax.F16:
		return (tc == syntax.F16 || tc == syntax.F32) && (td == syntax.F16 || td == syntax.F32)
	case syntax.BF16, syntax.TF32:
		return tc == syntax.F32 && td == syntax.F32
	case syntax.F64:
		return tc == syntax.F64 && td == syntax.F64
	}
	return tc == syntax.S32 && td == syntax.S32
}

// gather collects a matrix by rows, or B by columns.
func (m wmmaMatrix) gather(w *machine.Warp, regs []machine.Src, transposed bool, set func(at int, v uint64)) {
	for lane := range machine.WarpSize {
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
//
// Nothing here is tuned: wmma is what compilers of today no longer write.
func (p *wmmaOp) floats(w *machine.Warp) {
	var a, b, c [512]float64
	collect := func(m wmmaMatrix, regs []machine.Src, transposed bool, out *[512]float64) {
		value := ElementValue(m.t)
		m.gather(w, regs, transposed, func(at int, v uint64) { out[at] = value(v) })
	}
	collect(p.a, p.ra, false, &a)
	collect(p.b, p.rb, true, &b)
	collect(p.c, p.rc, false, &c)
	for row := range p.s.M {
		for col := range p.s.N {
			x, y := a[row*p.s.K:][:p.s.K], b[col*p.s.K:][:p.s.K]
			acc := c[row*p.s.N+col]
			for k := range x {
				switch {
				case p.a.t != syntax.F64:
					acc += x[k] * y[k]
				case p.rnd == fp.Nearest:
					acc = math.FMA(x[k], y[k], acc)
				default:
					acc = fp.FmaF64(x[k], y[k], acc, p.rnd)
				}
			}
			c[row*p.s.N+col] = acc
		}
	}
	for lane := range machine.WarpSize {
		for i := range p.d.elems {
			r, k := p.d.at(lane, i)
			v := c[r*p.s.N+k]
			switch p.d.t {
			case syntax.F16:
				p.d.set(w, p.rd, lane, i, fp.F16.Round(v, fp.Nearest))
			case syntax.F32:
				p.d.set(w, p.rd, lane, i, fp.Canonical(float32(v)))
			default:
				p.d.set(w, p.rd, lane, i, fp.Bits64(v))
			}
		}
	}
}

// integers multiplies integers and single bits.
func (p *wmmaOp) integers(w *machine.Warp) {
	var a, b, c [1024]int64
	collect := func(m wmmaMatrix, regs []machine.Src, transposed bool, out *[1024]int64) {
		n := m.t.Bits()
		m.gather(w, regs, transposed, func(at int, v uint64) {
			if out[at] = int64(v); m.t.Signed() {
				out[at] = num.SignExtend(v, n)
			}
		})
	}
	collect(p.a, p.ra, false, &a)
	collect(p.b, p.rb, true, &b)
	collect(p.c, p.rc, false, &c)
	for lane := range machine.WarpSize {
		for i := range p.d.elems {
			r, col := p.d.at(lane, i)
			acc := c[r*p.s.N+col]
			for k := range p.s.K {
				x, y := a[r*p.s.K+k], b[col*p.s.K+k]
				switch p.bitOp {
				case "":
					acc += x * y
				case "xor":
					acc += x ^ y
				default:
					acc += x & y
				}
			}
			v := uint64(acc) & num.Mask(32)
			if p.satfinite {
				v = num.ClampSigned(acc, 32)
			}
			p.d.set(w, p.rd, lane, i, v)
		}
	}
}
