package cudatiletotileaa

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/ir"
)

// structuredOps maps operations with regions.
var structuredOps = map[*ir.OpDef]*ir.OpDef{cudatile.For: scf.For, cudatile.Loop: scf.Loop, cudatile.If: scf.If}

func (c *converter) forOp(op ir.Op) error {
	if op.HasUnitAttr("unsignedCmp") {
		return c.regions(op, scf.For, ir.NamedAttr{Name: "unsigned", Value: c.ctx.Unit()})
	}
	return c.structured(op)
}

func (c *converter) structured(op ir.Op) error { return c.regions(op, structuredOps[op.Def()]) }

// regions converts an operation together with its regions.
func (c *converter) regions(op ir.Op, def *ir.OpDef, attrs ...ir.NamedAttr) error {
	types, err := c.types(op, op.Results())
	if err != nil {
		return err
	}
	st := c.NewState(def, op.Loc())
	st.Operands, st.Types, st.Attrs = c.mapped(op.Operands()), types, attrs
	for range op.NumRegions() {
		st.AddRegion()
	}
	for len(st.Regions) < len(def.Regions) {
		st.AddRegion()
	}
	to := c.Insert(st)
	outer := c.Builder
	for i := range op.NumRegions() {
		for b := range op.Region(i).Blocks() {
			argTypes, err := c.types(op, b.Args())
			if err != nil {
				return err
			}
			blk := to.Region(i).AddBlock(argTypes...)
			for k, a := range b.Args() {
				c.bind(a, blk.Arg(k))
			}
			c.Builder = ir.BuilderAtEnd(blk)
			if err := c.block(b); err != nil {
				return err
			}
		}
	}
	c.Builder = outer
	for i, r := range op.Results() {
		c.bind(r, to.Result(i))
	}
	return nil
}

func (c *converter) terminator(op ir.Op) error {
	def := map[*ir.OpDef]*ir.OpDef{cudatile.Continue: scf.Continue, cudatile.Break: scf.Break, cudatile.Yield: scf.Yield,
		cudatile.Return: tileaa.Level.Return}[op.Def()]
	if op.Is(cudatile.Yield) && !op.ParentOp().Is(cudatile.If) {
		def = tileaa.Level.Yield
	}
	return c.simple(op, def)
}

func (c *converter) reduce(op ir.Op) error {
	dim, _ := op.IntAttr("dim")
	return c.regions(op, tileaa.Level.Reduce,
		ir.NamedAttr{Name: tile.AttrDim, Value: c.ctx.IntAttr(c.i64(), dim)},
		ir.NamedAttr{Name: tile.AttrIdentities, Value: op.Attr("identities")})
}

func (c *converter) dot(op ir.Op) error {
	var attrs []ir.NamedAttr
	if op.Is(cudatile.MmaI) {
		lhs, rhs := cudatile.MmaSignednessOf(op)
		for name, s := range map[string]cudatile.Signedness{tile.AttrUnsignedA: lhs, tile.AttrUnsignedB: rhs} {
			if s == cudatile.Unsigned {
				attrs = append(attrs, ir.NamedAttr{Name: name, Value: c.ctx.Unit()})
			}
		}
	}
	return c.simple(op, tileaa.Level.Dot, attrs...)
}

func rank(t ir.Type) int { return len(t.(*cudatile.TileType).Shape) }

// reshape between a tile of rank 0, which is a scalar here, and one of one element is a splat or its inverse.
func (c *converter) reshape(op ir.Op) error {
	from, to := rank(op.Operand(0).Type()), rank(op.Result(0).Type())
	switch {
	case from == 0 && to == 0:
		c.values[op.Result(0)] = c.values[op.Operand(0)]
		return nil
	case from == 0:
		return c.simple(op, tileaa.Level.Splat)
	case to == 0:
		return c.simple(op, tileaa.Level.Unsplat)
	}
	return c.simple(op, tileaa.Level.Reshape)
}

func (c *converter) broadcast(op ir.Op) error {
	if rank(op.Result(0).Type()) == 0 {
		c.values[op.Result(0)] = c.values[op.Operand(0)]
		return nil
	}
	return c.simple(op, tileaa.Level.Broadcast)
}

func (c *converter) permute(op ir.Op) error {
	perm, ok := op.Attr("permutation").(*ir.DenseArrayAttr)
	if !ok {
		return op.Errorf("has no permutation")
	}
	return c.simple(op, tileaa.Level.Permute, ir.NamedAttr{Name: tile.AttrPerm, Value: c.ctx.DenseI64(perm.Values...)})
}

func (c *converter) iota(op ir.Op) error { return c.simple(op, tileaa.Level.Range) }
