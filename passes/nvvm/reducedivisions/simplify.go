package reducedivisions

import (
	"math"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
	"github.com/tilewright/tilewright/passes/nvvm/scalar"
)

// unsigned are the divisions of numbers that are not negative.
var unsigned = map[*ir.OpDef]*ir.OpDef{
	arith.DivSI: arith.DivUI, arith.RemSI: arith.RemUI, arith.CeilDivSI: arith.CeilDivUI, arith.FloorDiv: arith.DivUI,
	arith.DivUI: arith.DivUI, arith.RemUI: arith.RemUI, arith.CeilDivUI: arith.CeilDivUI,
}

// A division is a division that is being simplified.
type division struct {
	scalar.Builder
	d    *divider
	def  *ir.OpDef
	x, y ir.Value
	// What the operands can be.
	of, by intrange.Range
}

// simplify replaces a division by the simplest one that the known ranges of its operands allow. A division that
// remains is kept for the other steps.
func (d *divider) simplify(op ir.Op) {
	v := &division{scalar.Before(op), d, op.Def(), op.Operand(0), op.Operand(1), d.ranges.At(op, op.Operand(0)), d.ranges.At(op, op.Operand(1))}
	result, changed := v.build()
	switch {
	case changed && d.may("simplify", op):
		d.narrowed++
		op.Result(0).ReplaceAllUsesWith(result)
		op.Erase()
	case ir.ConstantValue(op.Operand(1)) == nil:
		d.left = append(d.left, pending{op, v.of.UMax})
	}
}

// build builds the division, or reports that the operation may stay unchanged.
func (v *division) build() (ir.Value, bool) {
	if v.of.NonNegative() && v.by.NonNegative() || v.def == unsigned[v.def] {
		return v.buildUnsigned()
	}
	t := v.x.Type()
	width := ir.BitWidth(t)
	fits := v.of.SMin >= math.MinInt32 && v.of.SMax <= math.MaxInt32 && v.by.SMin >= math.MinInt32 && v.by.SMax <= math.MaxInt32
	overflows := v.of.SMin == math.MinInt32 && v.by.SMin < 0 // the negation of the least number
	switch {
	case width < 32:
		return v.in32(arith.ExtSI, t), true
	case width == 64 && fits && !overflows:
		narrow := v.resized(arith.TruncI)
		result, _ := narrow.always()
		return v.Cast(arith.ExtSI, result, t), true
	case v.isConstant() || v.def == arith.DivSI || v.def == arith.RemSI:
		return ir.Value{}, false
	case v.def == arith.FloorDiv && v.by.SMin >= 0:
		return v.floor(), true
	}
	return v.corrected(), true
}

// buildUnsigned is build for operands without a sign.
func (v *division) buildUnsigned() (ir.Value, bool) {
	def, t := unsigned[v.def], v.x.Type()
	width := ir.BitWidth(t)
	sum := v.of.UMax + v.by.UMax - 1
	constant, powers := v.constant()
	switch {
	case width < 32:
		return v.in32(arith.ExtUI, t), true
	case width == 64 && v.of.UMax <= math.MaxUint32 && v.by.UMax <= math.MaxUint32:
		v.def = def
		narrow := v.resized(arith.TruncI)
		result, _ := narrow.always()
		return v.Cast(arith.ExtUI, result, t), true
	case def == arith.CeilDivUI && sum >= v.of.UMax && sum <= v.of.W.Mask():
		above := v.Op(arith.AddI, v.x, v.Op(arith.SubI, v.y, v.Int(t, 1)))
		low := v.of.UMin + max(v.by.UMin, 1) - 1
		v.def, v.x, v.of = arith.DivUI, above, intrange.Unsigned(v.of.W, low, sum)
		result, _ := v.always()
		return result, true
	case def == arith.CeilDivUI && !v.isConstant():
		return v.corrected(), true
	case constant && !powers && v.of.UMax < v.of.W.Mask():
		// A dividend that cannot be the largest number may need one bit less of the multiplier. Quotient and remainder
		// share the division, so it is multiplied after that.
		q := v.Op(arith.DivUI, v.x, v.y)
		v.d.scaled = append(v.d.scaled, pending{q.DefiningOp(), v.of.UMax})
		if def == arith.RemUI {
			q = v.Op(arith.SubI, v.x, v.Op(arith.MulI, q, v.y))
		}
		return q, true
	case def != v.def:
		v.def = def
		result, _ := v.always()
		return result, true
	}
	return ir.Value{}, false
}

// always builds the division, unchanged if it may stay.
func (v *division) always() (ir.Value, bool) {
	if result, changed := v.build(); changed {
		return result, true
	}
	result := v.Op(v.def, v.x, v.y)
	if !v.isConstant() {
		v.d.left = append(v.d.left, pending{result.DefiningOp(), v.of.UMax})
	}
	return result, true
}

func (v *division) isConstant() bool { c, _ := v.constant(); return c }

// constant reports whether the divisor is a constant, and a power of two.
func (v *division) constant() (is, power bool) {
	n, known := v.by.IsConst()
	return known && ir.ConstantValue(v.y) != nil, n&(n-1) == 0
}

// resized is the division of the operands in 32 bits.
func (v *division) resized(cast *ir.OpDef) *division {
	w := *v
	i32 := v.Context().Int(32)
	w.x, w.y = v.Cast(cast, v.x, i32), v.operand(cast, i32)
	convert := func(r intrange.Range) intrange.Range {
		if cast == arith.ExtUI || v.def == unsigned[v.def] {
			return intrange.Unsigned(32, r.UMin, r.UMax)
		}
		return intrange.Signed(32, r.SMin, r.SMax)
	}
	w.of, w.by = convert(v.of), convert(v.by)
	return &w
}

// operand resizes the divisor, which stays a constant if it is one.
func (v *division) operand(cast *ir.OpDef, t ir.Type) ir.Value {
	if v.isConstant() {
		if cast == arith.ExtUI {
			return v.Bits(t, v.by.UMin)
		}
		return v.Int(t, v.by.SMin)
	}
	return v.Cast(cast, v.y, t)
}

// in32 divides in 32 bits what has fewer.
func (v *division) in32(ext *ir.OpDef, t ir.Type) ir.Value {
	result, _ := v.resized(ext).always()
	return v.Cast(arith.TruncI, result, t)
}

// floor rounds down for a positive divisor. The complement of a negative number is not negative, and the
// complement of its quotient is the floor.
func (v *division) floor() ir.Value {
	sign := v.Op(arith.ShRSI, v.x, v.Int(v.x.Type(), int64(v.of.W)-1))
	w := *v
	w.def, w.x, w.of = arith.DivUI, v.Op(arith.XOrI, v.x, sign), intrange.Unsigned(v.of.W, 0, v.of.W.MaxSigned())
	result, _ := w.always()
	return v.Op(arith.XOrI, result, sign)
}

// corrected rounds up or down by a division towards zero and its remainder. Other divisions of the same numbers
// share both (shareQuotients).
func (v *division) corrected() ir.Value {
	w := *v
	divide := func(def *ir.OpDef) ir.Value {
		w.def = def
		result, _ := w.always()
		return result
	}
	return v.Corrected(v.def, v.y, func(def *ir.OpDef) (quotient, remainder ir.Value) {
		return divide(def), divide(remainderOf[def])
	})
}
