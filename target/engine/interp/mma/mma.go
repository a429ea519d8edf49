package mma

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/target/engine/interp/core"
	"github.com/tilewright/tilewright/target/engine/interp/kernel"
	"github.com/tilewright/tilewright/target/engine/interp/values"
)

func init() {
	core.Define(core.Table{
		cudatile.MmaF: {Run: mmaF, TakesRows: takesRows}, cudatile.MmaI: {Run: mmaI}, cudatile.MmaFScaled: {Run: mmaFScaled},
	})
	for _, l := range core.Levels {
		core.Define(core.Table{l.Dot: {Run: dot}, l.DotScaled: {As: cudatile.MmaFScaled}})
	}
}

// takesRows: an MMA multiplies numbers, not patterns.
func takesRows(op ir.Op, operand int) bool {
	return operand < 2 && (roundsF32(op) && kernel.HasPanelsF32() || kernel.RowDecoder64(values.FormatOf(values.ElemOf(op.Operand(operand)))) != nil)
}

// roundsF32 reports whether operands and accumulators of an MMA are f32.
func roundsF32(op ir.Op) bool {
	return values.FormatOf(values.ElemOf(op.Operand(0))) == numeric.F32 && values.FormatOf(values.ElemOf(op.Operand(2))) == numeric.F32
}

// A gemm is the extents and slots of an MMA: batch times m x k by k x n.
type gemm struct {
	batch, m, k, n int
	a, b, c, out   int // slots

	zeroA, zeroB func(x uint64) bool
}

// newGEMM: tiles are row-major. Element (g, i, k) of A is number (g*m + i)*K + k.
func newGEMM(d *core.Decoder, op ir.Op) gemm {
	a, c := values.ShapeOf(op.Operand(0)), values.ShapeOf(op.Operand(2))
	if op.HasUnitAttr(tile.AttrPairs) {
		a = slices.Clone(a)
		a[len(a)-1] *= 2
	}
	r := len(a)
	return gemm{values.Count(a[:r-2]), int(a[r-2]), int(a[r-1]), int(c[r-1]),
		d.Slot(op.Operand(0)), d.Slot(op.Operand(1)), d.Slot(op.Operand(2)), d.Slot(accumulatorOf(op)),
		zeroOf(operandElem(op, 0)), zeroOf(operandElem(op, 1))}
}

// operandElem returns the element type of an operand: f4E2M1FN where bytes hold pairs of elements.
func operandElem(op ir.Op, i int) ir.Type {
	if op.HasUnitAttr(tile.AttrPairs) {
		return op.Context().Float(numeric.F4E2M1FN)
	}
	return values.ElemOf(op.Operand(i))
}

// halves splits bytes into their halves, the lower one first, along a dimension. The dimension has extent bytes, and
// its neighbours are stride elements apart.
func halves(v *values.Vec, stride, extent int) *values.Vec {
	out := &values.Vec{Data: make([]uint64, 2*len(v.Data))}
	if v.Undef != nil {
		out.Undef = make([]bool, len(out.Data))
	}
	for i, b := range v.Data {
		at, in := i/stride, i%stride
		at = at/extent*2*extent + at%extent*2
		for h := range 2 {
			out.Data[(at+h)*stride+in] = b >> (4 * h) & 0xf
			if v.Undef != nil {
				out.Undef[(at+h)*stride+in] = v.Undef[i]
			}
		}
	}
	return out
}

// accumulatorOf returns where an MMA leaves its accumulators: in its result, or in tensor memory in place.
func accumulatorOf(op ir.Op) ir.Value {
	if op.NumResults() == 0 {
		return op.Operand(2)
	}
	return op.Result(0)
}

// mmaF multiplies exactly, accumulates in double precision, and rounds to the accumulator's format once. Of operands and
// accumulators of f32 it rounds each addition, in the order of K: a GPU has no tensor cores for them, and computes fused
// multiply-adds.
//
// Products of all formats but f64 are exact in double precision; those of f64 are fused with the additions. Accumulators
// are exact while their exponents stay within 53 bits. What is left of rounding is below that of any hardware or order of summation.
func mmaF(d *core.Decoder, op ir.Op) (core.Action, error) {
	p := newGEMM(d, op)
	if roundsF32(op) {
		return p.multiplyF32(), nil
	}
	operand, acc := values.FormatOf(values.ElemOf(op.Operand(0))), values.FormatOf(values.ElemOf(op.Operand(2)))
	x, y := decoded(d, op, 0, p.a, operand), decoded(d, op, 1, p.b, operand)
	return p.multiply(acc, func(m *core.Machine) ([]float64, []float64, []bool) { return x(m), y(m), p.undef(m) }), nil
}

// decoded returns what decodes an operand of an MMA, from a slot. What comes from outside of the MMA's block is likely to
// be the same the next time, as the queries of attention are, and is decoded once.
func decoded(d *core.Decoder, op ir.Op, operand, slot int, f numeric.Format) func(m *core.Machine) []float64 {
	decode := kernel.Decoder64(f)
	if op.Operand(operand).Block() != op.Block() {
		kept := d.Keep()
		return func(m *core.Machine) []float64 { return m.Kept(kept, m.Vals[slot], decode) }
	}
	rows, n := kernel.RowDecoder64(f), values.Count(values.ShapeOf(op.Operand(operand)))
	columns := n / int(values.ShapeOf(op.Operand(operand))[0]) // of what stays in memory, which has two dimensions
	return func(m *core.Machine) []float64 {
		v := m.Vals[slot]
		if s := v.Stored; s.Bytes != nil {
			x := m.Scratch(operand, n)
			rows(x, s.Bytes, columns, s.Step)
			return x
		}
		x := m.Scratch(operand, len(v.Data)) // a two-CTA MMA has the columns of both CTAs in the slot
		decode(x, v.Data)
		return x
	}
}

// mmaFScaled multiplies each element by the scale of its block along K, which is exact too.
//
// The instructions take scales of f8E4M3FN without a sign, and the specification does not mention negative ones. What
// they scale is unspecified.
func mmaFScaled(d *core.Decoder, op ir.Op) (core.Action, error) {
	p := newGEMM(d, op)
	scales := ScalesOf(op)
	operand, scale := values.FormatOf(operandElem(op, 0)), values.FormatOf(values.ElemOf(scales[0]))
	pairs := op.HasUnitAttr(tile.AttrPairs)
	sa, sb := d.Slot(scales[0]), d.Slot(scales[1])
	shape := values.ShapeOf(scales[0])
	ks := int(shape[len(shape)-1])
	block := p.k / ks
	return p.multiply(values.FormatOf(values.ElemOf(op.Operand(2))), func(m *core.Machine) (x, y []float64, undef []bool) {
		x, y = m.Scratch(0, p.batch*p.m*p.k), m.Scratch(1, p.batch*p.k*p.n)
		a, b, va, vb := m.Vals[p.a], m.Vals[p.b], m.Vals[sa], m.Vals[sb]
		if pairs {
			a, b = halves(a, 1, p.k/2), halves(b, p.n, p.k/2)
		}
		for i := range x {
			x[i] = operand.Decode(a.Data[i]) * scale.Decode(va.Data[i/p.k*ks+i%p.k/block])
		}
		for i := range y {
			g, k, n := i/(p.k*p.n), i/p.n%p.k, i%p.n
			y[i] = operand.Decode(b.Data[i]) * scale.Decode(vb.Data[(g*ks+k/block)*p.n+n])
		}
		scales := gemm{p.batch, p.m, ks, p.n, sa, sb, p.c, p.out, never, never}
		if scale == numeric.F8E4M3FN {
			va, vb = signsUndefined(va), signsUndefined(vb)
		}
		return x, y, values.UnionUndef(p.batch*p.m*p.n, &values.Vec{Undef: p.undefOf(a, b, m.Vals[p.c])}, &values.Vec{Undef: scales.undefOf(va, vb, m.Vals[p.c])})
	}), nil
}

// signsUndefined returns scales of f8E4M3FN whose negative elements are unspecified.
func signsUndefined(v *values.Vec) *values.Vec {
	const sign = 0x80
	var undef []bool
	for i, x := range v.Data {
		if x&sign == 0 {
			continue
		}
		if undef == nil {
			undef = make([]bool, len(v.Data))
			copy(undef, v.Undef)
		}
		undef[i] = true
	}
	if undef == nil {
		return v
	}
	return &values.Vec{Data: v.Data, Undef: undef}
}

func never(uint64) bool { return false }

// multiply returns the action of an MMA. load decodes the operands, and returns which elements of the result are
// unspecified.
func (p gemm) multiply(acc numeric.Format, load func(m *core.Machine) (x, y []float64, undef []bool)) func(*core.Machine) error {
	decode, encode := kernel.Decoder64(acc), kernel.Encoder64(acc)
	return func(m *core.Machine) error {
		x, y, undef := load(m)
		r := m.Alloc(p.batch * p.m * p.n)
		for g := range p.batch {
			x, y := x[g*p.m*p.k:][:p.m*p.k], y[g*p.k*p.n:][:p.k*p.n]
			c, out := m.Vals[p.c].Data[g*p.m*p.n:][:p.m*p.n], r.Data[g*p.m*p.n:][:p.m*p.n]
			if acc == numeric.F32 && kernel.MultiplyAddF32(out, c, x, y, p.k, p.n) {
				continue
			}
			accs := m.Scratch(2, len(out))
			decode(accs, c)
			kernel.MultiplyAdd(accs, x, y, p.k, p.n)
			encode(out, accs)
		}
		r.Undef = undef
		m.Put(p.out, r)
		return nil
	}
}

// multiplyF32 returns the action of an MMA of f32.
func (p gemm) multiplyF32() core.Action {
	return func(m *core.Machine) error {
		a, b, c := m.Vals[p.a], m.Vals[p.b], m.Vals[p.c]
		x, ofX := m.RowsOf(a, p.k)
		y, ofY := m.RowsOf(b, p.n)
		sums := p.m * p.n
		r := m.Alloc(p.batch * sums)
		for g := range p.batch {
			kernel.FusedMultiplyAddF32(r.Data[g*sums:][:sums], c.Data[g*sums:][:sums], x.From(g*p.m), y.From(g*p.k), p.k, p.n)
		}
		m.Release(ofX)
		m.Release(ofY)
		r.Undef = p.undef(m)
		m.Put(p.out, r)
		return nil
	}
}

// undef returns the unspecified elements of the result: those whose accumulator is unspecified, or whose K range has an
// unspecified operand that is not multiplied by zero.
//
// Each unspecified element costs a row or column, but there are few: the border of a tensor that was loaded without
// padding.
func (p gemm) undef(m *core.Machine) []bool {
	a, b, c := m.Vals[p.a], m.Vals[p.b], m.Vals[p.c]
	if a.Undef == nil && b.Undef == nil && c.Undef == nil {
		return nil
	}
	return p.undefOf(a.Patterns(p.m, p.k), b.Patterns(p.k, p.n), c)
}

func (p gemm) undefOf(a, b, c *values.Vec) []bool {
	if a.Undef == nil && b.Undef == nil && c.Undef == nil {
		return nil
	}
	out := make([]bool, p.batch*p.m*p.n)
	copy(out, c.Undef)
	for i, undef := range a.Undef {
		if !undef {
			continue
		}
		// Element (row, k) of A enters all columns of its row, by row k of B.
		row, k := i/p.k, i%p.k
		column := (row/p.m*p.k + k) * p.n
		for j := range p.n {
			if !b.Decides(column+j, p.zeroB) {
				out[row*p.n+j] = true
			}
		}
	}
	for i, undef := range b.Undef {
		if !undef {
			continue
		}
		// Element (k, j) of B enters column j of all rows of its batch, by column k of A.
		g, k, j := i/(p.k*p.n), i/p.n%p.k, i%p.n
		for row := g * p.m; row < (g+1)*p.m; row++ {
			if !a.Decides(row*p.k+k, p.zeroA) {
				out[row*p.n+j] = true
			}
		}
	}
	return out
}

// zeroOf returns what reports whether a pattern is a zero.
func zeroOf(t ir.Type) func(x uint64) bool {
	if f, ok := t.(*ir.FloatType); ok {
		return f.Format.IsZero
	}
	return func(x uint64) bool { return x == 0 }
}

// mmaI: i32 accumulators are exact in doubles while they stay below 2^53, which takes a K of 2^37. Then they wrap.
func mmaI(d *core.Decoder, op ir.Op) (core.Action, error) {
	p := newGEMM(d, op)
	lhs, rhs := signedOperands(op)
	w, acc := values.WidthOf(values.ElemOf(op.Operand(0))), values.WidthOf(values.ElemOf(op.Operand(2)))
	integers := func(dst []float64, src []uint64, signed bool) {
		for i := range dst {
			if signed {
				dst[i] = float64(w.Signed(src[i]))
			} else {
				dst[i] = float64(src[i])
			}
		}
	}
	return func(m *core.Machine) error {
		a, b, c := m.Vals[p.a], m.Vals[p.b], m.Vals[p.c]
		x, y := m.Scratch(0, len(a.Data)), m.Scratch(1, len(b.Data))
		integers(x, a.Data, lhs)
		integers(y, b.Data, rhs)
		accs := m.Scratch(2, len(c.Data))
		for i, v := range c.Data {
			accs[i] = float64(acc.Signed(v))
		}
		for g := range p.batch { // products of bytes and their sums are exact in double precision
			kernel.MultiplyAdd(accs[g*p.m*p.n:][:p.m*p.n], x[g*p.m*p.k:][:p.m*p.k], y[g*p.k*p.n:][:p.k*p.n], p.k, p.n)
		}
		r := m.Alloc(len(accs))
		for i, s := range accs {
			r.Data[i] = acc.Wrap(uint64(int64(s)))
		}
		r.Undef = p.undef(m)
		m.Put(p.out, r)
		return nil
	}, nil
}
