package core

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// Sum32 adds numbers of 32 bits.
func (l *Lowering) Sum32(v, w ir.Value, promised numeric.Wraps) ir.Value {
	if k, ok := ConstOf(v); ok && k == 0 {
		return w
	}
	if k, ok := ConstOf(w); ok && k == 0 {
		return v
	}
	return l.Int32(arith.AddI, v, w, promised)
}

// Int32 computes an operation on numbers of 32 bits, and promises that it does not wrap, so that nvvm-reduce-strength
// sees through extensions.
func (l *Lowering) Int32(def *ir.OpDef, v, w ir.Value, promised numeric.Wraps) ir.Value {
	return l.Create(def, []ir.Value{v, w}, []ir.Type{l.I32()}, arith.Promise(l.Ctx, promised)...).Result(0)
}

// Plus adds two i32. The result is a constant where both are.
func (l *Lowering) Plus(a, b ir.Value) ir.Value {
	x, xok := ConstOf(a)
	y, yok := ConstOf(b)
	switch {
	case xok && yok:
		return l.Const32(x + y)
	case xok && x == 0:
		return b
	case yok && y == 0:
		return a
	}
	return l.Make(arith.AddI, l.I32(), a, b)
}

// Compare compares two integers.
func (l *Lowering) Compare(predicate string, a, b ir.Value) ir.Value {
	return arith.NewCmpI(l.Builder, predicate, a, b)
}

// Resize makes a non-negative i32 another integer type.
func (l *Lowering) Resize(v ir.Value, t ir.Type) ir.Value {
	switch w := ir.BitWidth(t); {
	case w > 32:
		return l.Make(arith.ExtUI, t, v)
	case w < 32:
		return l.Make(arith.TruncI, t, v)
	}
	return v
}

// Scale multiplies an i64 by a constant.
func (l *Lowering) Scale(v ir.Value, k int64) ir.Value {
	if k == 1 {
		return v
	}
	return l.Make(arith.MulI, l.I64(), v, l.Const64(k))
}

// Sum64 adds a non-negative i32 to an i64.
func (l *Lowering) Sum64(v, w ir.Value) ir.Value {
	if k, ok := ConstOf(w); ok && k == 0 {
		return v
	}
	// A coordinate inside a tile is never negative, and the zero extension says so to the analysis of ranges.
	return l.Make(arith.AddI, l.I64(), v, l.Make(arith.ExtUI, l.I64(), w))
}

// And returns the conjunction of two conditions, either of which may be a zero Value.
func (l *Lowering) And(a, b ir.Value) ir.Value {
	if a.IsNil() {
		return b
	}
	if b.IsNil() {
		return a
	}
	return l.Make(arith.AndI, l.Ctx.Int(1), a, b)
}

// Predicate returns the optional operand that a condition is; a zero Value always holds and is none.
func Predicate(cond ir.Value) []ir.Value {
	if cond.IsNil() {
		return nil
	}
	return []ir.Value{cond}
}

// Choice selects between two lists.
func (l *Lowering) Choice(cond ir.Value, yes, no []ir.Value) []ir.Value {
	out := make([]ir.Value, len(yes))
	for i := range out {
		out[i] = l.Make(arith.Select, yes[i].Type(), cond, yes[i], no[i])
	}
	return out
}
