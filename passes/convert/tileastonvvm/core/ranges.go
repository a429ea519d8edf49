package core

import (
	"math"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// MaxLow is how long a chain of operations Low rematerializes.
const MaxLow = 3

// Low returns the lower half of an i64 of the source. It is computed from the lower halves of the operands where
// these are available, through a chain of at most so many operations.
func (l *Lowering) Low(v ir.Value, most int) ir.Value {
	if k, ok := ConstOf(l.Value(v)); ok {
		return l.Const32(int64(int32(k)))
	}
	switch def := v.DefiningOp(); {
	case def.IsNil():
	case (def.Is(arith.ExtSI) || def.Is(arith.ExtUI)) && def.Operand(0).Type() == l.I32():
		return l.Value(def.Operand(0))
	case most > 0 && (def.Is(arith.MulI) || def.Is(arith.AddI) || def.Is(arith.SubI)):
		x, y := def.Operand(0), def.Operand(1)
		signed := l.FitsI32(v) && l.FitsI32(x) && l.FitsI32(y)
		unsigned := l.FitsU32(v) && l.FitsU32(x) && l.FitsU32(y)
		return l.Int32(def.Def(), l.Low(x, most-1), l.Low(y, most-1), numeric.Wraps{Signed: signed, Unsigned: unsigned})
	}
	return l.Make(arith.TruncI, l.I32(), l.Value(v))
}

// FitsI32 reports whether an i64 of the source provably fits an i32.
func (l *Lowering) FitsI32(v ir.Value) bool { return l.within(v, math.MinInt32, math.MaxInt32) }

// FitsU32 reports whether an i64 of the source provably fits an unsigned i32.
func (l *Lowering) FitsU32(v ir.Value) bool { return l.within(v, 0, math.MaxUint32) }

func (l *Lowering) within(v ir.Value, least, most int64) bool {
	if k, ok := ConstOf(l.Value(v)); ok {
		return k >= least && k <= most
	}
	r := l.Integers().Of(v)
	return r.SMin >= least && r.SMax <= most
}
