package cudatiletotileaa

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/ir"
)

func partRules() map[*ir.OpDef]rule {
	return map[*ir.OpDef]rule{
		cudatile.Extract: (*converter).extract, cudatile.Insert: (*converter).insertPart, cudatile.Cat: (*converter).cat,
		cudatile.Pack: to(tileaa.Level.Pack), cudatile.Unpack: to(tileaa.Level.Unpack),
		cudatile.PtrToInt: to(tileaa.Level.PtrToInt), cudatile.IntToPtr: to(tileaa.Level.IntToPtr), cudatile.PtrToPtr: to(tileaa.Level.PtrToPtr),
		cudatile.Reshape: (*converter).reshape, cudatile.Broadcast: (*converter).broadcast, cudatile.Permute: (*converter).permute,
		cudatile.Iota: to(tileaa.Level.Range),
	}
}

func (c *converter) extract(op ir.Op) error {
	// A tile of rank 0 is a scalar here, and the only part of it is itself.
	if rank(op.Result(0).Type()) == 0 {
		c.Bind(op.Result(0), c.Value(op.Operand(0)))
		return nil
	}
	return c.Recreate(op, tileaa.Level.Extract)
}

func (c *converter) insertPart(op ir.Op) error {
	// Likewise the part is all of it, so that nothing of the destination is left.
	if rank(op.Result(0).Type()) == 0 {
		c.Bind(op.Result(0), c.Value(op.Operand(0)))
		return nil
	}
	return c.Recreate(op, tileaa.Level.Insert)
}

func (c *converter) cat(op ir.Op) error {
	dim, _ := op.IntAttr("dim")
	return c.Recreate(op, tileaa.Level.Cat, ir.NamedAttr{Name: tile.AttrDim, Value: c.ctx.IntAttr(c.i64(), dim)})
}

func (c *converter) getGlobal(op ir.Op) error {
	ref, ok := op.Attr("name").(*ir.SymbolRefAttr)
	if !ok {
		return op.Errorf("names no global")
	}
	return c.Recreate(op, tileaa.Level.GetGlobal, ir.NamedAttr{Name: tile.AttrName, Value: c.ctx.String(ref.Root)})
}

// convertGlobal makes a variable of the module.
func convertGlobal(op ir.Op, b *ir.Builder) error {
	dense, ok := op.Attr("value").(*ir.DenseElementsAttr)
	if !ok {
		return op.Errorf("has no dense value")
	}
	shaped, ok := dense.Type().(ir.ShapedType)
	if !ok {
		return op.Errorf("has a value without a shape")
	}
	c := op.Context()
	st := b.NewState(tileaa.Level.Global, op.Loc())
	st.SetAttr(ir.SymName, c.String(op.SymbolName()))
	st.SetAttr(tile.AttrValue, c.Dense(c.Tensor(shaped.Dims(), shaped.ElemType(), nil), []byte(dense.Data)))
	if n, ok := op.IntAttr("alignment"); ok && n > 0 {
		st.SetAttr(tile.AttrAlignment, c.IntAttr(c.Int(64), n))
	}
	if op.HasUnitAttr("constant") {
		st.SetAttr(tile.AttrConstant, c.Unit())
	}
	b.Insert(st)
	return nil
}
