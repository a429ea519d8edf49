package expandmath

import (
	"math"
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/nvvm/scalar"
)

// Sine, cosine and tangent of f64 reduce the magnitude of an angle modulo π/2. Angles from 2^26 on need a method of
// 150 instructions, and are rare. So angles of a thread that are known at one place share it:
//
//	rest, quadrant of each by Cody and Waite
//	if any is large: for each: if it is large: rest, quadrant by Payne and Hanek
//
// The loop takes the first of the values in registers and rotates them. Sine and cosine of one angle share all.

// A turn is the magnitude of an angle modulo π/2: the rest, as a sum where the tangent needs it, and an i32 whose last
// two bits are those of the multiple.
type turn struct {
	rest     pair
	quadrant ir.Value
}

// mostShared is how many angles are reduced together. Each takes five registers from there to its function.
const mostShared = 8

// A group has operations whose angles are known before the first of them.
type group []ir.Op

// angles are those of the operations, each once.
func (g group) angles() []ir.Value {
	var out []ir.Value
	for _, op := range g {
		if x := op.Operand(0); !slices.Contains(out, x) {
			out = append(out, x)
		}
	}
	return out
}

// expandTurns expands sine, cosine and tangent of f64 in a function.
func expandTurns(fn ir.Op) int {
	n := 0
	for _, g := range groups(fn) {
		n += len(g)
		e := newExpander(scalar.Before(g[0]), fn.Context().F64(), g[0])
		angles := g.angles()
		turns := e.turns(angles, g.pairs())
		for _, op := range g {
			e := newExpander(scalar.Before(op), e.t, op)
			x := op.Operand(0)
			op.Result(0).ReplaceAllUsesWith(e.wave64(op.Def(), x, turns[slices.Index(angles, x)]))
			op.Erase()
		}
	}
	return n
}

func isWave(op ir.Op) bool {
	return (op.Is(arith.Sin) || op.Is(arith.Cos) || op.Is(arith.Tan)) && op.Result(0).Type() == op.Context().F64()
}

// pairs reports whether the rests have to be sums.
func (g group) pairs() bool {
	return slices.ContainsFunc(g, func(op ir.Op) bool { return op.Is(arith.Tan) })
}

func groups(fn ir.Op) []group {
	var out []group
	for block := fn.Region(0).First(); !block.IsNil(); block = block.Next() {
		var open group
		after := make(map[ir.Op]bool) // what is in the block from the first operation of the group on
		for op := range block.Ops() {
			if isWave(op) {
				grown := append(slices.Clone(open), op)
				if after[op.Operand(0).DefiningOp()] || len(grown.angles()) > mostShared {
					out, grown = append(out, open), group{op}
					clear(after)
				}
				open = grown
			}
			after[op] = len(open) > 0
		}
		if len(open) > 0 {
			out = append(out, open)
		}
	}
	return out
}

// turns reduces angles; the rests are pairs if that is asked for.
func (e expander) turns(xs []ir.Value, pairs bool) []turn {
	var near, far, magnitudes []ir.Value
	var any ir.Value
	width := 0
	for _, x := range xs {
		a := e.abs(x)
		t := e.turnNear(a, pairs)
		values := t.values()
		width = len(values)
		near, magnitudes, far = append(near, values...), append(magnitudes, a), append(far, e.isFar(a))
		if any.IsNil() {
			any = far[0]
		} else {
			any = e.Op(arith.OrI, any, far[len(far)-1])
		}
	}
	results := e.If(any, func() []ir.Value {
		state := slices.Clone(near)
		for i := range xs {
			state[width*i] = e.Select(far[i], magnitudes[i], state[width*i])
		}
		if len(xs) == 1 {
			return e.turnFar(state)
		}
		out := e.While(append(state, e.word(int64(len(xs)))),
			func(args []ir.Value) ir.Value { return e.CmpI("ne", args[len(args)-1], e.word(0)) },
			func(args []ir.Value) []ir.Value {
				last := len(args) - 1
				first := args[:width]
				result := e.If(e.isFar(first[0]), func() []ir.Value { return e.turnFar(first) }, first...)
				return append(append(slices.Clone(args[width:last]), result...), e.Op(arith.SubI, args[last], e.word(1)))
			})
		return out[:len(out)-1]
	}, near...)
	var out []turn
	for part := range slices.Chunk(results, width) {
		t := turn{rest: exact(part[0]), quadrant: part[width-1]}
		if pairs {
			t.rest.lo = part[1]
		}
		out = append(out, t)
	}
	return out
}

func (t turn) values() []ir.Value {
	if t.rest.lo.IsNil() {
		return []ir.Value{t.rest.hi, t.quadrant}
	}
	return []ir.Value{t.rest.hi, t.rest.lo, t.quadrant}
}

// isFar reports whether the magnitude of an angle is that of a large one, infinite or NaN. A rest is none of these.
func (e expander) isFar(x ir.Value) ir.Value {
	_, hi := e.words(x)
	return e.CmpI("sge", hi, e.word(upper(largeAngle64)))
}

// turnNear reduces the magnitude of an angle below the limit.
func (e expander) turnNear(x ir.Value, pairs bool) turn {
	minus, n := e.whole(x, 2/math.Pi)
	// The first difference is exact. The second may cancel as far as to the last bits of its product.
	first := e.fma(minus, e.c(halfPi64[0]), x)
	rest := e.fma(minus, e.c(halfPi64[2]), e.fma(minus, e.c(halfPi64[1]), first))
	if !pairs {
		return turn{exact(rest), n}
	}
	// What rounding took is known where the taken part is the smaller one. Elsewhere only the last step took something.
	taken := e.sub(first, rest)
	lost := e.fma(minus, e.c(halfPi64[2]), e.fma(minus, e.c(halfPi64[1]), taken))
	lo, hi := e.words(lost)
	hi = e.Select(e.CmpF("ogt", e.abs(rest), e.abs(taken)), hi, e.word(0))
	return turn{pair{rest, e.join(lo, hi)}, n}
}

// turnFar reduces the first of a turn's values, a large magnitude. What is infinite or NaN becomes NaN.
func (e expander) turnFar(values []ir.Value) []ir.Value {
	x := values[0]
	a := e.reduceFar(x)
	t := turn{exact(e.fma(x, e.c(0), a.rest.hi)), e.Cast(arith.TruncI, a.quadrant, e.Context().Int(32))}
	if len(values) > 2 {
		t.rest.lo = a.rest.lo
	}
	return t.values()
}

// wave64 is sine, cosine or tangent of x, of which the turn is known.
func (e expander) wave64(def *ir.OpDef, x ir.Value, t turn) ir.Value {
	switch def {
	case arith.Sin:
		return e.flipped(e.circle(t, t.quadrant), t.quadrant, x)
	case arith.Cos:
		next := e.Op(arith.AddI, t.quadrant, e.word(1))
		return e.flipped(e.circle(t, next), next, ir.Value{})
	}
	return e.flipped(e.tangent(t), ir.Value{}, x)
}

// circle is sine or cosine of the rest, as the lowest bit of the quadrant says. Both are computed: two polynomials are
// shorter than a selection of each coefficient, and sine and cosine of one angle share them.
func (e expander) circle(t turn, quadrant ir.Value) ir.Value {
	r := t.rest.hi
	z := e.mul(r, r)
	sine := e.fma(e.mul(z, e.poly(z, sinPoly64)), r, r)
	cosine := e.fma(z, e.poly(z, append([]float64{-0.5}, cosPoly64...)), e.c(1))
	return e.Select(e.odd(quadrant), cosine, sine)
}

// odd reports whether an i32 is.
func (e expander) odd(n ir.Value) ir.Value {
	return e.CmpI("ne", e.Op(arith.AndI, n, e.word(1)), e.word(0))
}

// flipped changes the sign of v if the second bit of the quadrant is set, and if x is negative; either may be nil.
func (e expander) flipped(v, quadrant, x ir.Value) ir.Value {
	lo, hi := e.words(v)
	var sign ir.Value
	if !quadrant.IsNil() {
		sign = e.Op(arith.ShLI, quadrant, e.word(30))
	}
	if !x.IsNil() {
		_, of := e.words(x)
		if sign.IsNil() {
			sign = of
		} else {
			sign = e.Op(arith.XOrI, sign, of)
		}
	}
	return e.join(lo, e.Op(arith.XOrI, hi, e.Op(arith.AndI, sign, e.word(math.MinInt32))))
}

// tangent is that of the rest, or minus its inverse. The reciprocal's error is computed with the tangent as a sum of two.
func (e expander) tangent(t turn) ir.Value {
	r := t.rest
	z := e.mul(r.hi, r.hi)
	// tan(r+d) = tan(r) + d·(1+tan²(r)), of which d·(1+r²) is enough.
	low := e.fma(e.mul(z, e.poly(z, tanPoly64)), r.hi, e.fma(r.lo, z, r.lo))
	v := e.add(r.hi, low)
	u := e.reciprocal(v)
	minus := e.neg(u)
	rest := e.fma(minus, low, e.fma(minus, r.hi, e.c(1)))
	return e.Select(e.odd(t.quadrant), e.fma(minus, e.squared(rest), minus), v)
}
