package price

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/transfer"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes/machine/cost"
	"github.com/tilewright/tilewright/target/sm"
)

// classes says which class of instructions does an operation; those that are not here are additions.
var classes = map[*ir.OpDef]sm.Class{
	arith.MulI: sm.IntMul, arith.MulHSI: sm.IntMul, arith.MulHUI: sm.IntMul,
	arith.AndI: sm.IntLogic, arith.OrI: sm.IntLogic, arith.XOrI: sm.IntLogic, arith.ShLI: sm.IntLogic, arith.ShRSI: sm.IntLogic, arith.ShRUI: sm.IntLogic,
	arith.Exp: sm.Special, arith.Exp2: sm.Special, arith.Log: sm.Special, arith.Log2: sm.Special, arith.Sin: sm.Special, arith.Cos: sm.Special, arith.Tan: sm.Special,
	arith.SinH: sm.Special, arith.CosH: sm.Special, arith.TanH: sm.Special, arith.Sqrt: sm.Special, arith.RSqrt: sm.Special, arith.DivF: sm.Special, arith.RemF: sm.Special,
	arith.PowF: sm.Special, arith.Atan2: sm.Special, arith.DivSI: sm.Special, arith.DivUI: sm.Special, arith.RemSI: sm.Special, arith.RemUI: sm.Special,
	arith.CeilDivSI: sm.Special, arith.CeilDivUI: sm.Special, arith.FloorDiv: sm.Special,
	arith.FToF: sm.Convert, arith.SIToFP: sm.Convert, arith.UIToFP: sm.Convert, arith.FPToSI: sm.ConvertToInt, arith.FPToUI: sm.ConvertToInt,
	arith.CmpI: sm.IntAdd, arith.CmpF: sm.IntAdd, arith.Select: sm.IntAdd, arith.MaximumF: sm.IntAdd, arith.MaxNumF: sm.IntAdd, arith.MinimumF: sm.IntAdd, arith.MinNumF: sm.IntAdd,
}

// classOf returns the class of an elementwise operation: by what it does, and else by its element type.
func classOf(op ir.Op) sm.Class {
	elem := ir.ElementType(op.Result(0).Type())
	_, isFloat := elem.(*ir.FloatType)
	width := ir.BitWidth(elem)
	c, named := classes[op.Def()]
	switch {
	case (c == sm.Convert || c == sm.ConvertToInt) && named && (width == 64 || ir.BitWidth(ir.ElementType(op.Operand(0).Type())) == 64):
		return sm.Convert64
	case named:
		return c
	case !isFloat:
		return sm.IntAdd
	case width == 64:
		return sm.F64Arith
	case width == 16:
		return sm.F16Arith
	}
	return sm.F32Arith
}

// elementwise counts an instruction for each element of a thread, and the further steps that layout assignment knows
// of.
func (m *Model) elementwise(op ir.Op) (t cost.Timing) {
	if op.NumResults() == 0 || op.Is(arith.Constant) {
		return t
	}
	n := registers(op.Result(0))
	c := classOf(op)
	if c == sm.F16Arith || c == sm.Convert && bits(op.Result(0)) == 16 && op.Is(arith.FToF) {
		n = (n + 1) / 2 // two elements share an instruction
	}
	m.Class(&t, c, n)
	if more, ok := transfer.Transfers.Of(op); ok && more.Work != nil {
		m.Class(&t, sm.F32Arith, more.Work(op, signature(op)))
	}
	return t
}

func signature(op ir.Op) transfer.Signature {
	layout := func(v ir.Value) linear.Layout {
		l, _ := tileas.LayoutOf(v.Type())
		return l
	}
	return transfer.Signature{Operands: ir.Map(op.Operands(), layout), Results: ir.Map(op.Results(), layout)}
}

// extract takes the registers of a part, or chooses among those of all parts where only the run tells which it is.
func (m *Model) extract(op ir.Op) cost.Timing {
	if slices.ContainsFunc(op.Operands()[1:], func(v ir.Value) bool { return ir.ConstantValue(v) == nil }) {
		return m.elementwise(op)
	}
	return cost.Timing{}
}
