package reducedivisions

import (
	"math"
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/cf"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
	"github.com/tilewright/tilewright/passes/analysis/loops"
	"github.com/tilewright/tilewright/passes/nvvm/scalar"
)

// Instructions, counted in loops that ptxas 13.5 compiled for sm_80.
const (
	// computing is what a multiplier takes: the division of 64 bits and what is around it.
	computing = 90
	// The rest is what each division saves: what ptxas leaves of it in a loop, less the sequence of the
	// multiplication.
	savesPositive = 10 - 3
	savesUnsigned = 10 - 5
	savesSigned   = 13 - 6
	// expected is the trip count of a loop of which nothing is known.
	expected = 16
)

// A method is how numbers are divided by an invariant one.
type method uint8

const (
	positive    method = iota // numbers below 2^31
	anyUnsigned               // numbers below 2^32
	anySigned
)

var saves = [...]int{positive: savesPositive, anyUnsigned: savesUnsigned, anySigned: savesSigned}

// A group is the divisions by one number with one method.
type group struct {
	by  ir.Value
	how method
}

// multiply replaces divisions by invariant numbers by multiplications, and returns how many.
func (d *divider) multiply(region ir.Region) (n int) {
	if len(d.left) == 0 {
		return 0
	}
	dom := ir.NewDominance()
	p := &planner{d.ranges, dom, loops.Find(region, dom)}
	members := make(map[group][]ir.Op)
	var order []group
	for _, l := range d.left {
		if !p.suits(l.op) {
			continue
		}
		g := group{l.op.Operand(1), anySigned}
		if l.op.Def() == unsigned[l.op.Def()] {
			if g.how = anyUnsigned; l.most <= math.MaxInt32 {
				g.how = positive
			}
		}
		if members[g] == nil {
			order = append(order, g)
		}
		members[g] = append(members[g], l.op)
	}
	for _, g := range order {
		ops := members[g]
		at := p.place(g.by, ops)
		saved := 0.0
		for _, op := range ops {
			saved += float64(saves[g.how]) * p.times(op.Block(), at.Block())
		}
		// The multiplier costs a 64-bit division, once. Below that, the original divisions are cheaper.
		if saved < computing || !d.may("multiply", ops[0]) {
			continue
		}
		r := g.reciprocal(scalar.Before(at), p.ranges.Of(g.by).NonNegative())
		for _, op := range ops {
			b := scalar.Before(op)
			q := r.divide(b, op.Operand(0))
			if quotientOf[op.Def()] != nil {
				q = b.Op(arith.SubI, op.Operand(0), b.Op(arith.MulI, q, op.Operand(1)))
			}
			op.Result(0).ReplaceAllUsesWith(q)
			op.Erase()
			n++
		}
	}
	return n
}

// suits reports whether a division is of 32 bits, and not in a loop that contains others. There it is a small
// part of an iteration, while what is kept for it takes registers from the inner loop.
func (p *planner) suits(op ir.Op) bool {
	l := p.nest.Innermost(op.Block())
	return ir.BitWidth(op.Result(0).Type()) == 32 && p.dom.Reachable(op.Block()) && (l == nil || len(l.Inner) == 0)
}

// A planner finds places for what is computed once.
type planner struct {
	ranges *intrange.Ranges
	dom    *ir.Dominance
	nest   *loops.Nest
}

// place returns the operation before which something is computed once for all operations. It is the last place
// that dominates them, and is in no loop but those that contain the definition of the value.
func (p *planner) place(v ir.Value, ops []ir.Op) ir.Op {
	b := ops[0].Block()
	for _, op := range ops[1:] {
		b = p.dom.CommonDominator(b, op.Block())
	}
	for l := p.nest.Innermost(b); l != nil && !p.nest.Contains(l, v.Block()); l = l.Parent {
		entry := p.nest.Preheader(l, p.dom)
		if entry.IsNil() {
			// Without a preheader there is no block that runs once before the loop, so the place stays inside.
			break
		}
		b = entry.Block()
	}
	at := b.Last()
	for _, op := range ops {
		if op.Block() == b && op.IsBeforeInBlock(at) {
			at = op
		}
	}
	return at
}

// times returns how often inner is expected to run for each execution of outer, which is in some of the loops
// around inner.
func (p *planner) times(inner, outer ir.Block) float64 {
	n := 1.0
	for l := p.nest.Innermost(inner); l != nil && !p.nest.Contains(l, outer); l = l.Parent {
		n *= p.trips(l)
	}
	return n
}

// trips returns the expected trip count of a loop: at most what its bounds allow.
//
//	^head(%i: i32):                              from a number on, in constant steps
//	  %more = arith.cmpi slt, %i, %n : i32       as convert-tileas-to-nvvm writes loops that count
//	  cf.cond_br %more, ^body, ^end
func (p *planner) trips(l *loops.Loop) float64 {
	entry, branch, latch := p.nest.Preheader(l, p.dom), l.Header.Last(), l.Latches[0].Last()
	if entry.IsNil() || !entry.Is(cf.Br) || !branch.Is(cf.CondBr) || !latch.Is(cf.Br) || len(l.Latches) > 1 {
		return expected
	}
	more := branch.Operand(0).DefiningOp()
	if more.IsNil() || !more.Is(arith.CmpI) {
		return expected
	}
	i := slices.Index(l.Header.Args(), more.Operand(0))
	if pred := more.StringAttr(arith.AttrPredicate); i < 0 || pred != "slt" && pred != "ult" {
		return expected
	}
	next := latch.Operand(i).DefiningOp()
	if next.IsNil() || !next.Is(arith.AddI) || next.Operand(0) != more.Operand(0) {
		return expected
	}
	step, first, last := p.ranges.Of(next.Operand(1)), p.ranges.Of(entry.Operand(i)), p.ranges.Of(more.Operand(1))
	return max(1, min(expected, (float64(last.SMax)-float64(first.SMin))/max(1, float64(step.SMin))))
}

// A reciprocal is what is computed of a divisor once.
type reciprocal struct {
	how        method
	multiplier ir.Value
	shift      ir.Value
	half       ir.Value // anyUnsigned: 1, but 0 for a divisor of 1
	sign       ir.Value // anySigned: that of the divisor; none if it is not negative
}

// reciprocal builds what division needs: with l = ⌈log2 d⌉,
//
//	positive      m = ⌈2^(31+l) / d⌉                    x / d = (2x · m) >> 32 >> l
//	anyUnsigned   m = ⌊2^32 · (2^l - d) / d⌋ + 1        x / d = (((x - t) >> min(l, 1)) + t) >> max(l - 1, 0)
//	                                                    with t = x · m >> 32
//	anySigned     m = ⌊2^(31+l) / |d|⌋ + 1, l > 0       x / d = (x + (x · (m - 2^32) >> 32)) >> (l - 1),
//	                                                    plus 1 for a negative x; negated for a negative d
//
// The second and the third are figures 4.1 and 5.1 of Granlund and Montgomery. In the first, m is too high by
// less than d, and (2^31 - 1) times that is less than 2^(31+l), as such a division needs (package scalar). That
// holds for all d, including 1 and those from 2^31 on. Divisors are at least 1 here, since the code may run where
// no division follows.
func (g group) reciprocal(b scalar.Builder, natural bool) reciprocal {
	i32, i64 := b.Context().Int(32), b.Context().Int(64)
	one, d := b.Int(i32, 1), g.by
	if g.how == anySigned && !natural {
		d = b.Op(arith.AbsI, d)
	}
	// The reciprocal may be computed on a path that divides by nothing, where the divisor may be 0.
	d = b.Op(arith.MaxUI, d, one)
	r := reciprocal{how: g.how}
	long := b.Cast(arith.ExtUI, d, i64)
	power := func(of ir.Value) ir.Value { return b.Op(arith.ShLI, b.Int(i64, 1), b.Cast(arith.ExtUI, of, i64)) }
	log := ceilLog2(b, d)
	var quotient ir.Value // m is one more
	switch g.how {
	case positive:
		r.shift = log
		all := b.Op(arith.SubI, power(b.Op(arith.AddI, log, b.Int(i32, 31))), b.Int(i64, 1))
		quotient = b.Op(arith.DivUI, all, long)
	case anyUnsigned:
		r.half = b.Op(arith.MinUI, log, one)
		r.shift = b.Op(arith.SubI, log, r.half)
		quotient = b.Op(arith.DivUI, b.Op(arith.ShLI, b.Op(arith.SubI, power(log), long), b.Int(i64, 32)), long)
	case anySigned:
		r.shift = b.Op(arith.SubI, b.Op(arith.MaxSI, log, one), one)
		quotient = b.Op(arith.DivUI, power(b.Op(arith.AddI, r.shift, b.Int(i32, 32))), long)
		if !natural {
			r.sign = b.Op(arith.ShRSI, g.by, b.Int(i32, 31))
		}
	}
	r.multiplier = b.Op(arith.AddI, b.Cast(arith.TruncI, quotient, i32), one)
	return r
}

// ceilLog2 returns ⌈log2 d⌉ of a number that is not 0: one more than the exponent of d - 1 as a float, which is
// rounded towards zero.
func ceilLog2(b scalar.Builder, d ir.Value) ir.Value {
	const man, bias = 23, 127 // of f32
	t := d.Type()
	below := b.CastRounded("zero", arith.UIToFP, b.Op(arith.SubI, d, b.Int(t, 1)), b.Context().F32())
	exponent := b.Op(arith.ShRUI, b.Cast(arith.Bitcast, below, t), b.Int(t, man))
	return b.Op(arith.MaxSI, b.Op(arith.SubI, exponent, b.Int(t, bias-1)), b.Int(t, 0)) // zero has the exponent 0
}

// divide builds the quotient.
func (r reciprocal) divide(b scalar.Builder, x ir.Value) ir.Value {
	switch r.how {
	case positive:
		return b.Op(arith.ShRUI, b.Op(arith.MulHUI, b.Op(arith.AddI, x, x), r.multiplier), r.shift)
	case anyUnsigned:
		high := b.Op(arith.MulHUI, x, r.multiplier)
		return b.Op(arith.ShRUI, b.Op(arith.AddI, b.Op(arith.ShRUI, b.Op(arith.SubI, x, high), r.half), high), r.shift)
	}
	floor := b.Op(arith.ShRSI, b.Op(arith.AddI, b.Op(arith.MulHSI, x, r.multiplier), x), r.shift)
	q := b.Op(arith.AddI, floor, b.Op(arith.ShRUI, x, b.Int(x.Type(), 31)))
	if r.sign.IsNil() {
		return q
	}
	return b.Op(arith.SubI, b.Op(arith.XOrI, q, r.sign), r.sign)
}
