package async

import (
	"math"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
)

// beyond is a coordinate before the first element of any tensor, for each box of a tile.
const beyond = -1 << 30

// coordinates returns the coordinates at which a tile begins, innermost first.
func coordinates(l *core.Lowering, op ir.Op) []ir.Value {
	m := op.OperandNamed(tileas.FieldMap)
	t, offsets := m.Type().(*tileas.TensorMapType), op.OperandsNamed("offsets")
	var out []ir.Value
	for _, d := range t.Order {
		if op.HasUnitAttr(tileas.AttrNarrow) {
			out = append(out, l.Low(offsets[d], core.MaxLow))
		} else {
			out = append(out, coordinate(l, offsets[d]))
		}
	}
	if empty := empty(l, op, m); !isFalse(empty) {
		far := steadiest(l, op, t.Order)
		if !tileas.RowsOf(op).IsNil() {
			far = 0 // rows add numbers of their own to the other one
		}
		out[far] = l.Make(arith.Select, l.I32(), empty, l.Const32(beyond), out[far])
	}
	return out
}

// steadiest returns which of the coordinates of a copy, in an order, changes in the fewest loops around it: what is
// computed from it is loop-invariant.
func steadiest(l *core.Lowering, op ir.Op, order []int64) (best int) {
	least := -1
	for i, d := range order {
		n := 0
		for p := op.ParentOp(); !p.IsNil(); p = p.ParentOp() {
			if _, ok := ir.LoopLike.Of(p); ok && varies(op.OperandsNamed("offsets")[d], p) {
				n++
			}
		}
		if least < 0 || n < least {
			best, least = i, n
		}
	}
	return best
}

// varies reports whether a value is made in an operation.
func varies(v ir.Value, in ir.Op) bool {
	if def := v.DefiningOp(); !def.IsNil() {
		return in.IsAncestorOf(def)
	}
	owner := v.Block().ParentOp()
	return owner == in || in.IsAncestorOf(owner)
}

// empty returns whether the object of a copy has no elements. Loads, which are in loops, use a bit that is computed
// with the map. A store is at the end of the kernel, and keeping the bit until there takes a register for each size:
// attention spilled 44 bytes on sm_90. So a store tests the sizes again, by other instructions, which nothing merges
// with the first ones.
func empty(l *core.Lowering, op ir.Op, m ir.Value) ir.Value {
	def := m.DefiningOp()
	known := l.Values(m)[1]
	if op.Is(tileas.TMALoad) || def.IsNil() || !def.Is(tileas.MakeTensorMap) || isFalse(known) {
		return known
	}
	var least ir.Value
	for _, n := range def.OperandsNamed("sizes") {
		if l.Integers().Of(n).SMin >= 1 {
			continue
		}
		if least.IsNil() {
			least = coordinate(l, n)
		} else {
			least = l.Make(arith.MinSI, l.I32(), least, coordinate(l, n))
		}
	}
	return l.Compare("slt", least, l.Const32(1))
}

// coordinate returns an offset in 32 bits. Objects have fewer than 2^31 elements along a dimension, so an offset that
// does not fit is outside, as is the nearest that fits.
func coordinate(l *core.Lowering, v ir.Value) ir.Value {
	if l.FitsI32(v) {
		return l.Low(v, core.MaxLow)
	}
	r := l.Integers().Of(v)
	if x, by := scaled(v); by > 0 {
		// x*by > most is x > most/by, of 32 bits each.
		at := l.Value(x)
		n := l.Make(arith.MulI, l.I32(), at, l.Const32(by))
		if r.SMin < math.MinInt32 {
			n = l.Make(arith.Select, l.I32(), l.Compare("slt", at, l.Const32(math.MinInt32/by)), l.Const32(math.MinInt32), n)
		}
		if r.SMax > math.MaxInt32 {
			n = l.Make(arith.Select, l.I32(), l.Compare("sgt", at, l.Const32(math.MaxInt32/by)), l.Const32(math.MaxInt32), n)
		}
		return n
	}
	n := l.Value(v)
	if r.SMin < math.MinInt32 {
		n = l.Make(arith.MaxSI, l.I64(), n, l.Const64(math.MinInt32))
	}
	if r.SMax > math.MaxInt32 {
		n = l.Make(arith.MinSI, l.I64(), n, l.Const64(math.MaxInt32))
	}
	return l.Make(arith.TruncI, l.I32(), n)
}

// scaled returns the i32 of which a value is a positive multiple, and the factor; 0 if it is none.
func scaled(v ir.Value) (x ir.Value, by int64) {
	def := v.DefiningOp()
	if def.IsNil() || !def.Is(arith.MulI) {
		return x, 0
	}
	c, constant := ir.ConstantValue(def.Operand(1)).(*ir.IntegerAttr)
	ext := def.Operand(0).DefiningOp()
	if !constant || c.Value <= 0 || c.Value > math.MaxInt32 || ext.IsNil() || !ext.Is(arith.ExtSI) || ir.BitWidth(ext.Operand(0).Type()) != 32 {
		return x, 0
	}
	return ext.Operand(0), c.Value
}

func isFalse(v ir.Value) bool {
	k, ok := core.ConstOf(v)
	return ok && k == 0
}
