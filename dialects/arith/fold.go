package arith

import (
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// fold folds an element-wise operation whose operands are scalar constants or splats, and the identities of integer arithmetic.
func fold(op ir.Op, operands []ir.Attribute) []ir.FoldResult {
	if v := identity(op, operands); !v.IsNil() {
		return []ir.FoldResult{{Value: v}}
	}
	scalars := make([]ir.Attribute, len(operands))
	for i, a := range operands {
		if scalars[i] = Splat(a); scalars[i] == nil {
			return nil
		}
	}
	result := op.Result(0).Type()
	a := foldScalar(op, ir.ElementType(result), scalars)
	if a == nil {
		return nil
	}
	return []ir.FoldResult{{Attr: OfType(a, result)}}
}

// Splat returns the scalar that a constant consists of, or nil.
func Splat(a ir.Attribute) ir.Attribute {
	switch a := a.(type) {
	case *ir.IntegerAttr, *ir.FloatAttr:
		return a
	case *ir.DenseElementsAttr:
		t := a.Type().(*ir.TensorType)
		if !a.IsSplat(t.Elem) {
			return nil
		}
		return FromBits(t.Elem, a.Bits(t.Elem, 0))
	}
	return nil
}

// FromBits returns the scalar constant of an integer or floating-point type with the given bit pattern.
func FromBits(t ir.Type, bits uint64) ir.Attribute {
	switch t := t.(type) {
	case *ir.IntegerType:
		return t.Context().IntAttr(t, int64(bits))
	case *ir.IndexType:
		return t.Context().IntAttr(t, int64(bits))
	case *ir.FloatType:
		return t.Context().FloatAttr(t, bits)
	}
	return nil
}

// Bits returns the bit pattern of a scalar constant, zero-extended.
func Bits(a ir.Attribute) uint64 {
	switch a := a.(type) {
	case *ir.IntegerAttr:
		return a.Unsigned()
	case *ir.FloatAttr:
		return a.Bits
	}
	return 0
}

// OfType returns the constant of type t (a scalar or tensor type) all of whose elements are the scalar a.
func OfType(a ir.Attribute, t ir.Type) ir.Attribute {
	tt, ok := t.(*ir.TensorType)
	if !ok {
		return a
	}
	bits := Bits(a)
	data := make([]byte, ir.DenseElemBytes(tt.Elem))
	for i := range data {
		data[i] = byte(bits >> (8 * i))
	}
	c := tt.Context()
	return c.Dense(c.Tensor(tt.Shape, tt.Elem, nil), data)
}

func isSplatOf(a ir.Attribute, v int64) bool {
	i, ok := Splat(a).(*ir.IntegerAttr)
	return ok && i.Value == v
}

// identity returns the operand that an integer operation reduces to, or a zero Value.
func identity(op ir.Op, operands []ir.Attribute) ir.Value {
	if len(operands) != 2 || operands[1] == nil {
		return ir.Value{}
	}
	switch {
	case op.Is(AddI), op.Is(SubI), op.Is(OrI), op.Is(XOrI), op.Is(ShLI), op.Is(ShRSI), op.Is(ShRUI):
		if isSplatOf(operands[1], 0) {
			return op.Operand(0)
		}
	case op.Is(MulI), op.Is(DivSI), op.Is(DivUI), op.Is(CeilDivSI), op.Is(CeilDivUI), op.Is(FloorDiv):
		if isSplatOf(operands[1], 1) && ir.BitWidth(ir.ElementType(op.Result(0).Type())) > 1 {
			return op.Operand(0)
		}
		if op.Is(MulI) && isSplatOf(operands[1], 0) {
			return op.Operand(1)
		}
	case op.Is(AndI):
		if isSplatOf(operands[1], 0) {
			return op.Operand(1)
		}
		if isSplatOf(operands[1], -1) {
			return op.Operand(0)
		}
	}
	return ir.Value{}
}

type intFold func(w numeric.Int, a, b uint64) (uint64, bool)

var intFolds = map[*ir.OpDef]intFold{}

func init() {
	foldHook = fold
	Dialect.Materialize = materialize
	total := func(f func(w numeric.Int, a, b uint64) uint64) intFold {
		return func(w numeric.Int, a, b uint64) (uint64, bool) { return f(w, a, b), true }
	}
	shift := func(f func(w numeric.Int, a, b uint64) uint64) intFold {
		return func(w numeric.Int, a, b uint64) (uint64, bool) { return f(w, a, b), b < uint64(w) }
	}
	div := func(signed bool, r numeric.Rounding) intFold {
		return func(w numeric.Int, a, b uint64) (uint64, bool) { return w.Div(a, b, signed, r) }
	}
	for def, f := range map[*ir.OpDef]intFold{
		AddI: total(numeric.Int.Add), SubI: total(numeric.Int.Sub), MulI: total(numeric.Int.Mul),
		AndI: total(numeric.Int.And), OrI: total(numeric.Int.Or), XOrI: total(numeric.Int.Xor),
		ShLI:      shift(numeric.Int.Shl),
		ShRSI:     shift(func(w numeric.Int, a, b uint64) uint64 { return w.Shr(a, b, true) }),
		ShRUI:     shift(func(w numeric.Int, a, b uint64) uint64 { return w.Shr(a, b, false) }),
		MulHSI:    total(func(w numeric.Int, a, b uint64) uint64 { return w.MulHigh(a, b, true) }),
		MulHUI:    total(func(w numeric.Int, a, b uint64) uint64 { return w.MulHigh(a, b, false) }),
		MaxSI:     total(func(w numeric.Int, a, b uint64) uint64 { return w.Max(a, b, true) }),
		MaxUI:     total(func(w numeric.Int, a, b uint64) uint64 { return w.Max(a, b, false) }),
		MinSI:     total(func(w numeric.Int, a, b uint64) uint64 { return w.Min(a, b, true) }),
		MinUI:     total(func(w numeric.Int, a, b uint64) uint64 { return w.Min(a, b, false) }),
		DivSI:     div(true, numeric.Zero),
		DivUI:     div(false, numeric.Zero),
		CeilDivSI: div(true, numeric.PosInf),
		CeilDivUI: div(false, numeric.PosInf),
		FloorDiv:  div(true, numeric.NegInf),
		RemSI:     func(w numeric.Int, a, b uint64) (uint64, bool) { return w.Rem(a, b, true) },
		RemUI:     func(w numeric.Int, a, b uint64) (uint64, bool) { return w.Rem(a, b, false) },
	} {
		intFolds[def] = f
	}
}

func foldScalar(op ir.Op, t ir.Type, in []ir.Attribute) ir.Attribute {
	c := op.Context()
	def := op.Def()
	if f := intFolds[def]; f != nil {
		v, ok := f(numeric.Int(ir.BitWidth(t)), Bits(in[0]), Bits(in[1]))
		if !ok {
			return nil
		}
		return FromBits(t, v)
	}
	switch def {
	case CmpI:
		return c.BoolAttr(compareInts(op.StringAttr(AttrPredicate), in[0].(*ir.IntegerAttr), in[1].(*ir.IntegerAttr)))
	case Select:
		if in[0].(*ir.IntegerAttr).Bool() {
			return in[1]
		}
		return in[2]
	case ExtSI:
		return FromBits(t, uint64(in[0].(*ir.IntegerAttr).Value))
	case ExtUI, TruncI, Bitcast:
		return FromBits(t, Bits(in[0]))
	case FToF:
		if op.Attr(AttrRounding) != nil {
			return nil
		}
		to, from := t.(*ir.FloatType), in[0].(*ir.FloatAttr)
		return c.FloatAttr(to, to.Format.Convert(from.FloatType().Format, from.Bits, numeric.Env{}))
	case SIToFP, UIToFP:
		if op.Attr(AttrRounding) != nil {
			return nil
		}
		to, from := t.(*ir.FloatType), in[0].(*ir.IntegerAttr)
		return c.FloatAttr(to, to.Format.FromInt(numeric.Int(ir.BitWidth(from.Type())), from.Unsigned(), def == SIToFP, numeric.Env{}))
	}
	return nil
}

func compareInts(pred string, a, b *ir.IntegerAttr) bool {
	switch pred {
	case "eq":
		return a.Value == b.Value
	case "ne":
		return a.Value != b.Value
	case "slt":
		return a.Value < b.Value
	case "sle":
		return a.Value <= b.Value
	case "sgt":
		return a.Value > b.Value
	case "sge":
		return a.Value >= b.Value
	case "ult":
		return a.Unsigned() < b.Unsigned()
	case "ule":
		return a.Unsigned() <= b.Unsigned()
	case "ugt":
		return a.Unsigned() > b.Unsigned()
	}
	return a.Unsigned() >= b.Unsigned()
}

func materialize(b *ir.Builder, v ir.Attribute, t ir.Type, loc ir.Location) ir.Op {
	if !constantFits(v, t) {
		return ir.Op{}
	}
	st := b.NewState(Constant, loc)
	st.Types = []ir.Type{t}
	st.SetAttr(AttrValue, v)
	return b.Insert(st)
}
