package versionloops

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/rewrite"
)

// A comparison compares a tensor that grows with the counter to one that does not. It has one result for all
// elements in all iterations up to a certain one: the result that it has as long as grows <= bound for all
// elements.
//
//	%m = cmpi ult, %i * 64 + range(64), %columns     a mask, true in all iterations but the last
type comparison struct {
	op           ir.Op
	grows, bound form // bound: of strict orders, one less
	unsigned     bool
	result       bool
	fits         []fit
}

// intOrders has a row for each predicate. It says the result while the left side is small, whether the left side
// must then be strictly less, and whether the order is unsigned. Last comes the predicate with the sides
// exchanged.
var intOrders = map[string]struct {
	result, strict, unsigned bool
	mirrored                 string
}{
	"slt": {true, true, false, "sgt"}, "sle": {true, false, false, "sge"}, "sgt": {false, false, false, "slt"}, "sge": {false, true, false, "sle"},
	"ult": {true, true, true, "ugt"}, "ule": {true, false, true, "uge"}, "ugt": {false, false, true, "ult"}, "uge": {false, true, true, "ule"},
}

// compares finds the comparisons of the loop whose result is the same in all iterations but the last ones.
//
// The other side is one number for all elements, such as an extent. It may differ from element to element, as the
// rows of causal attention do. Then results may differ in every iteration of the loop: the program, or
// loop-split, has made a loop for just these iterations. Such a loop does not begin at a known number, hence the
// condition on the lower bound.
func (v *version) compares() {
	_, known := ir.ConstantValue(v.loop.Operand(0)).(*ir.IntegerAttr)
	for op := range v.loop.Body().Ops() {
		if !op.Is(arith.CmpI) {
			continue
		}
		order, ok := intOrders[op.StringAttr(arith.AttrPredicate)]
		if _, isTensor := op.Result(0).Type().(*ir.TensorType); !ok || !isTensor {
			continue
		}
		f := &former{v: v, left: maxForm}
		x, okX := f.of(op.Operand(0))
		y, okY := f.of(op.Operand(1))
		if !okX || !okY {
			continue
		}
		width := ir.BitWidth(ir.ElementType(op.Operand(0).Type()))
		fits := append(f.fits, fit{x, width}, fit{y, width})
		if y.by != 0 {
			x, y, order = y, x, intOrders[order.mirrored]
		}
		if x.by <= 0 || y.by != 0 || y.lo != y.hi && !known {
			continue
		}
		if order.strict {
			// x < y is x <= y-1 of integers, so one order is left.
			y.lo--
			y.hi--
		}
		c := comparison{op: op, grows: x, bound: y, unsigned: order.unsigned, result: order.result}
		if c.keep(fits) {
			v.comparisons = append(v.comparisons, c)
		}
	}
}

// keep keeps the forms whose fit needs a test; false: one does not fit.
func (c *comparison) keep(fits []fit) bool {
	for _, f := range fits {
		low, high := f.limits()
		switch {
		case f.width >= 64 || f.plain(): // forms are far from 2^63
		// Such a form fits least in the last iteration, which nothing here computes.
		case f.by < 0:
			return false
		// A constant fits or not, without a test.
		case f.by == 0 && len(f.terms) == 0:
			if f.lo < low || f.hi > high {
				return false
			}
		default:
			c.fits = append(c.fits, f)
		}
	}
	return true
}

// limits returns the least and the largest number that a form may be.
func (f fit) limits() (low, high int64) {
	return -1 << (f.width - 1), 1<<(f.width-1) - 1
}

// decided reports whether grows <= bound already implies that a form is not too large: the form is what grows,
// and the bound is a number of 32 bits.
func (c *comparison) decided(f fit) bool {
	b := c.bound
	return f.same(c.grows) && f.hi <= c.grows.hi && f.width >= 32 && b.hi <= 0 && len(b.terms) == 1 && b.terms[0].k == 1
}

// value computes a form for a counter, as 64 bits, without the offsets that differ between elements.
func (t *tester) value(x form, counter ir.Value) ir.Value {
	i64 := t.b.Context().Int(64)
	times := func(v ir.Value, k int64) ir.Value {
		if v = t.wide(v); k != 1 {
			v = t.create(arith.MulI, v, t.constant(i64, k))
		}
		return v
	}
	var sum ir.Value
	add := func(v ir.Value) {
		if sum.IsNil() {
			sum = v
		} else {
			sum = t.create(arith.AddI, sum, v)
		}
	}
	if x.by != 0 {
		add(times(counter, x.by))
	}
	for _, term := range x.terms {
		add(times(term.v, term.k))
	}
	if sum.IsNil() {
		return t.constant(i64, 0)
	}
	return sum
}

// compared requires that a comparison has its first result in the first iteration, and computes up to which
// iteration it has it.
func (t *tester) compared(c *comparison) {
	i64 := t.b.Context().Int(64)
	lower := t.v.loop.Operand(0)
	first := t.value(c.grows, lower)
	limit := t.create(arith.AddI, t.value(c.bound, ir.Value{}), t.constant(i64, c.bound.lo-c.grows.hi))
	t.want("sle", first, limit)
	t.upTo(first, limit, c.grows.by)
	// A negative left side would be a large unsigned number. It grows, so the first iteration is enough.
	if c.unsigned && !t.starts(c.grows, 0) {
		t.want("sge", first, t.constant(i64, -c.grows.lo))
	}
	for _, f := range c.fits {
		low, high := f.limits()
		x := t.value(f.form, lower)
		if !t.starts(f.form, low) {
			t.want("sge", x, t.constant(i64, low-f.lo))
		}
		if c.decided(f) {
			continue
		}
		room := t.constant(i64, high-f.hi)
		t.want("sle", x, room)
		if f.by > 0 {
			t.upTo(x, room, f.by)
		}
	}
}

// starts reports whether a form is known to be at least so large in the first iteration.
func (t *tester) starts(x form, low int64) bool {
	k, ok := ir.ConstantValue(t.v.loop.Operand(0)).(*ir.IntegerAttr)
	return ok && len(x.terms) == 0 && small(k.Value) && x.by*k.Value+x.lo >= low
}

// decide gives the comparisons of a version of the loop their result, and folds what follows from it.
func (v *version) decide(loop ir.Op, copies map[ir.Op]ir.Op) {
	if len(v.comparisons) == 0 {
		return
	}
	for _, c := range v.comparisons {
		op := copies[c.op]
		bit := byte(0)
		if c.result {
			bit = 1
		}
		typ := op.Result(0).Type()
		op.Result(0).ReplaceAllUsesWith(arith.NewConstant(ir.BuilderBefore(op), typ, op.Context().Dense(typ, []byte{bit})))
	}
	// Masks are computed from comparisons, so folding is needed before a mask is seen to be all true.
	rewrite.Apply(loop, rewrite.Canonical(loop.Context()), rewrite.Config{Workers: 1})
	for op := range loop.Body().Ops() {
		if op.Is(tileaa.Level.Load) {
			unmask(op)
		}
	}
}

// unmask takes a mask that masks nothing from a load.
func unmask(op ir.Op) {
	mask := op.OperandNamed("mask")
	if mask.IsNil() {
		return
	}
	if k, ok := ir.ConstantValue(mask).(*ir.DenseElementsAttr); ok && k.IsSplat(ir.ElementType(mask.Type())) && k.Bits(ir.ElementType(mask.Type()), 0) != 0 {
		tile.SetOptional(op, "other", ir.Value{})
		tile.SetOptional(op, "mask", ir.Value{})
	}
}
