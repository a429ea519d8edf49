package core

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
)

// I8, I32 and I64 are the integer types of that width.
func (l *Lowering) I8() ir.Type  { return l.Ctx.Int(8) }
func (l *Lowering) I32() ir.Type { return l.Ctx.Int(32) }
func (l *Lowering) I64() ir.Type { return l.Ctx.Int(64) }

type constKey struct{ a ir.Attribute }

// Const returns a scalar constant; equal ones are made once.
//
// They are created in the entry block and not where they are used. Constants are immediates in most instructions,
// and emit-ptx creates a register for one only in the block that needs it.
func (l *Lowering) Const(a ir.Attribute) ir.Value {
	return l.Once(constKey{a}, func(b *ir.Builder) ir.Value {
		return arith.NewConstant(b, a.(ir.TypedAttribute).Type(), a)
	})
}

// Const8, Const32 and Const64 return an integer constant of that width.
func (l *Lowering) Const8(v int64) ir.Value  { return l.Const(l.Ctx.IntAttr(l.I8(), v)) }
func (l *Lowering) Const32(v int64) ir.Value { return l.Const(l.Ctx.IntAttr(l.I32(), v)) }
func (l *Lowering) Const64(v int64) ir.Value { return l.Const(l.Ctx.IntAttr(l.I64(), v)) }

// ConstOf returns the value of an integer constant.
func ConstOf(v ir.Value) (int64, bool) {
	a, ok := ir.ConstantValue(v).(*ir.IntegerAttr)
	if !ok {
		return 0, false
	}
	return a.Value, true
}
