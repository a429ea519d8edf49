package cudatile

import "github.com/tilewright/tilewright/ir"

// NewModule returns a detached cuda_tile.module with an empty body, in an arena of its own. A nil location is unknown.
func NewModule(c *ir.Context, loc ir.Location, name string) ir.Op {
	b := ir.NewBuilder(c.NewArena())
	st := b.NewState(Module, loc)
	st.SetAttr(ir.SymName, c.String(name))
	st.AddRegion().AddBlock()
	return b.Insert(st)
}

// NewEntry inserts a kernel with arguments of the given types and an empty body; hints may be nil. The caller ends
// the body with a return.
func NewEntry(b *ir.Builder, name string, args []ir.Type, hints *HintsAttr) ir.Op {
	c := b.Context()
	st := b.NewState(Entry, b.Loc)
	st.SetAttr(ir.SymName, c.String(name))
	st.SetAttr("function_type", c.TypeAttr(c.Func(args, nil)))
	if hints != nil {
		st.SetAttr("optimization_hints", hints)
	}
	st.AddRegion().AddBlock(args...)
	return b.Insert(st)
}

// NewFor inserts a for with the given bounds and initial values. Its body has its arguments and no terminator.
func NewFor(b *ir.Builder, lower, upper, step ir.Value, inits []ir.Value) ir.Op {
	st := b.NewState(For, b.Loc)
	st.OperandGroups([]ir.Value{lower}, []ir.Value{upper}, []ir.Value{step}, inits)
	st.Types = ir.TypesOf(inits)
	st.AddRegion().AddBlock(append([]ir.Type{lower.Type()}, st.Types...)...)
	return b.Insert(st)
}

// Splat returns the constant of a tile type all of whose elements have the given bit pattern.
func Splat(t *TileType, bits uint64) *ir.DenseElementsAttr {
	data := make([]byte, ir.DenseElemBytes(t.Elem))
	if w := ir.BitWidth(t.Elem); w < 64 {
		bits &= 1<<w - 1
	}
	for i := range data {
		data[i] = byte(bits >> (8 * i))
	}
	return t.Context().Dense(t, data)
}

// NewConstant inserts a constant.
func NewConstant(b *ir.Builder, value *ir.DenseElementsAttr) ir.Value {
	return b.Create(Constant, nil, []ir.Type{value.Type()}, ir.NamedAttr{Name: "value", Value: value}).Result(0)
}

// NewSplat inserts a constant all of whose elements have the given bit pattern.
func NewSplat(b *ir.Builder, t *TileType, bits uint64) ir.Value {
	return NewConstant(b, Splat(t, bits))
}

// SplatBits returns the bit pattern of a constant all of whose elements are equal.
func SplatBits(v ir.Value) (bits uint64, ok bool) {
	a, ok := ir.ConstantValue(v).(*ir.DenseElementsAttr)
	if !ok || !a.IsSplat(ElemOf(a.Type())) {
		return 0, false
	}
	return a.Bits(ElemOf(a.Type()), 0), true
}

// SplatInt returns the value, as signed, of an integer constant all of whose elements are equal.
func SplatInt(v ir.Value) (int64, bool) {
	a, ok := ir.ConstantValue(v).(*ir.DenseElementsAttr)
	if !ok {
		return 0, false
	}
	it, ok := ElemOf(a.Type()).(*ir.IntegerType)
	if !ok || !a.IsSplat(it) {
		return 0, false
	}
	return int64(a.Bits(it, 0)) << (64 - it.Width) >> (64 - it.Width), true
}
