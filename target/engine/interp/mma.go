package interp

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/target/engine/interp/kernel"
)

func init() {
	define(map[*ir.OpDef]rule{
		cudatile.MmaF: (*decoder).mmaF, cudatile.MmaI: (*decoder).mmaI, cudatile.MmaFScaled: (*decoder).mmaFScaled,
	})
}

// A product is the sizes of a matrix product: batch times m x k by k x n.
type product struct {
	batch, m, k, n int
	a, b, c, out   int // slots

	zeroA, zeroB func(x uint64) bool
}

// Row-major: element (g, i, k) of the left factor is number (g*m + i)*k_extent + k.
func (d *decoder) product(op ir.Op) product {
	a, c := shapeOf(op.Operand(0)), shapeOf(op.Operand(2))
	if op.HasUnitAttr(tile.AttrPairs) {
		a = slices.Clone(a)
		a[len(a)-1] *= 2
	}
	r := len(a)
	return product{count(a[:r-2]), int(a[r-2]), int(a[r-1]), int(c[r-1]),
		d.slot(op.Operand(0)), d.slot(op.Operand(1)), d.slot(op.Operand(2)), d.slot(sumOf(op)),
		zeroOf(factorElem(op, 0)), zeroOf(factorElem(op, 1))}
}

// factorElem returns the element type of what a product multiplies.
func factorElem(op ir.Op, i int) ir.Type {
	if op.HasUnitAttr(tile.AttrPairs) {
		return op.Context().Float(numeric.F4E2M1FN)
	}
	return elemOf(op.Operand(i))
}

// halves returns the halves of bytes, the lower one first, along a dimension of which each element is so many of the others.
func halves(v *vec, stride, extent int) *vec {
	out := &vec{data: make([]uint64, 2*len(v.data))}
	if v.undef != nil {
		out.undef = make([]bool, len(out.data))
	}
	for i, b := range v.data {
		at, in := i/stride, i%stride
		at = at/extent*2*extent + at%extent*2
		for h := range 2 {
			out.data[(at+h)*stride+in] = b >> (4 * h) & 0xf
			if v.undef != nil {
				out.undef[(at+h)*stride+in] = v.undef[i]
			}
		}
	}
	return out
}

// sumOf returns where a product leaves its sum: in its result, or where it was before.
func sumOf(op ir.Op) ir.Value {
	if op.NumResults() == 0 {
		return op.Operand(2)
	}
	return op.Result(0)
}

// scratch returns one of three lists of numbers, valid until it is asked for again.
func (m *machine) scratch(which, n int) []float64 {
	if cap(m.floats[which]) < n {
		m.floats[which] = make([]float64, n)
	}
	return m.floats[which][:n]
}

// mmaF multiplies exactly, sums in double precision, and rounds to the accumulator's format once.
//
// Products of all formats but f64 are exact in double precision, and so are sums while their exponents stay within 53
// bits: what is left of rounding is below what any hardware or order of summation leaves, so that one reference
// serves all.
func (d *decoder) mmaF(op ir.Op) (func(*machine) error, error) {
	p := d.product(op)
	factor, acc := formatOf(elemOf(op.Operand(0))), formatOf(elemOf(op.Operand(2)))
	decode := kernel.Decoder64(factor)
	return p.multiply(acc, func(m *machine, x, y []float64) []bool {
		decode(x, m.vals[p.a].data)
		decode(y, m.vals[p.b].data)
		return p.undef(m)
	}), nil
}

// mmaFScaled multiplies each element by the scale of its block along k, which is exact too.
//
// The instructions take scales of f8E4M3FN without a sign, and the specification says nothing of negative ones: what they scale is unspecified.
func (d *decoder) mmaFScaled(op ir.Op) (func(*machine) error, error) {
	p := d.product(op)
	scales := scalesOf(op)
	factor, scale := formatOf(factorElem(op, 0)), formatOf(elemOf(scales[0]))
	pairs := op.HasUnitAttr(tile.AttrPairs)
	sa, sb := d.slot(scales[0]), d.slot(scales[1])
	shape := shapeOf(scales[0])
	ks := int(shape[len(shape)-1])
	block := p.k / ks
	return p.multiply(formatOf(elemOf(op.Operand(2))), func(m *machine, x, y []float64) []bool {
		a, b, va, vb := m.vals[p.a], m.vals[p.b], m.vals[sa], m.vals[sb]
		if pairs {
			a, b = halves(a, 1, p.k/2), halves(b, p.n, p.k/2)
		}
		for i := range x {
			x[i] = factor.Decode(a.data[i]) * scale.Decode(va.data[i/p.k*ks+i%p.k/block])
		}
		for i := range y {
			g, k, n := i/(p.k*p.n), i/p.n%p.k, i%p.n
			y[i] = factor.Decode(b.data[i]) * scale.Decode(vb.data[(g*ks+k/block)*p.n+n])
		}
		scales := product{p.batch, p.m, ks, p.n, sa, sb, p.c, p.out, never, never}
		if scale == numeric.F8E4M3FN {
			va, vb = signsUndefined(va), signsUndefined(vb)
		}
		return unionUndef(p.batch*p.m*p.n, &vec{undef: p.undefOf(a, b, m.vals[p.c])}, &vec{undef: scales.undefOf(va, vb, m.vals[p.c])})
	}), nil
}

// signsUndefined returns scales of f8E4M3FN of which the negative ones are unspecified too.
func signsUndefined(v *vec) *vec {
	const sign = 0x80
	var undef []bool
	for i, x := range v.data {
		if x&sign == 0 {
			continue
		}
		if undef == nil {
			undef = make([]bool, len(v.data))
			copy(undef, v.undef)
		}
		undef[i] = true
	}
	if undef == nil {
		return v
	}
	return &vec{data: v.data, undef: undef}
}

func never(uint64) bool { return false }

// multiply returns what executes a product. load decodes the factors and says which elements of the result are unspecified.
func (p product) multiply(acc numeric.Format, load func(m *machine, x, y []float64) []bool) func(*machine) error {
	decode := kernel.Decoder64(acc)
	return func(m *machine) error {
		x, y := m.scratch(0, p.batch*p.m*p.k), m.scratch(1, p.batch*p.k*p.n)
		sum := m.scratch(2, p.batch*p.m*p.n)
		undef := load(m, x, y)
		decode(sum, m.vals[p.c].data)
		for g := range p.batch {
			kernel.MultiplyAdd(sum[g*p.m*p.n:][:p.m*p.n], x[g*p.m*p.k:][:p.m*p.k], y[g*p.k*p.n:][:p.k*p.n], p.k, p.n)
		}
		r := m.alloc(len(sum))
		for i, s := range sum {
			r.data[i] = acc.Encode(s, numeric.Env{})
		}
		r.undef = undef
		m.put(p.out, r)
		return nil
	}
}

// undef returns which elements of the result are unspecified: those that an unspecified accumulator enters, or an unspecified factor
// that is not multiplied by zero.
//
// Quadratic for each unspecified factor, but these are few: the border of a tensor that was loaded without
// padding.
func (p product) undef(m *machine) []bool { return p.undefOf(m.vals[p.a], m.vals[p.b], m.vals[p.c]) }

func (p product) undefOf(a, b, c *vec) []bool {
	if a.undef == nil && b.undef == nil && c.undef == nil {
		return nil
	}
	out := make([]bool, p.batch*p.m*p.n)
	copy(out, c.undef)
	for i, undef := range a.undef {
		if !undef {
			continue
		}
		row, k := i/p.k, i%p.k
		column := (row/p.m*p.k + k) * p.n
		for j := range p.n {
			if !b.decides(column+j, p.zeroB) {
				out[row*p.n+j] = true
			}
		}
	}
	for i, undef := range b.undef {
		if !undef {
			continue
		}
		g, k, j := i/(p.k*p.n), i/p.n%p.k, i%p.n
		for row := g * p.m; row < (g+1)*p.m; row++ {
			if !a.decides(row*p.k+k, p.zeroA) {
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

// i32 sums of doubles are exact while they stay below 2^53, which takes a K of 2^37; then they wrap.
func (d *decoder) mmaI(op ir.Op) (func(*machine) error, error) {
	p := d.product(op)
	lhs, rhs := signedFactors(op)
	w, acc := widthOf(elemOf(op.Operand(0))), widthOf(elemOf(op.Operand(2)))
	integers := func(dst []float64, src []uint64, signed bool) {
		for i := range dst {
			if signed {
				dst[i] = float64(w.Signed(src[i]))
			} else {
				dst[i] = float64(src[i])
			}
		}
	}
	return func(m *machine) error {
		a, b, c := m.vals[p.a], m.vals[p.b], m.vals[p.c]
		x, y := m.scratch(0, len(a.data)), m.scratch(1, len(b.data))
		integers(x, a.data, lhs)
		integers(y, b.data, rhs)
		sum := m.scratch(2, len(c.data))
		for i, v := range c.data {
			sum[i] = float64(acc.Signed(v))
		}
		for g := range p.batch { // products of bytes and their sums are exact in double precision
			kernel.MultiplyAdd(sum[g*p.m*p.n:][:p.m*p.n], x[g*p.m*p.k:][:p.m*p.k], y[g*p.k*p.n:][:p.k*p.n], p.k, p.n)
		}
		r := m.alloc(len(sum))
		for i, s := range sum {
			r.data[i] = acc.Wrap(uint64(int64(s)))
		}
		r.undef = p.undef(m)
		m.put(p.out, r)
		return nil
	}, nil
}
