package cudatiletotileaa

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/ir"
)

func (c *converter) forOp(op ir.Op) error {
	// The comparison of the counter is the only thing about a for that has a sign; the increment has none.
	if op.HasUnitAttr("unsignedCmp") {
		return c.Recreate(op, scf.For, ir.NamedAttr{Name: "unsigned", Value: c.ctx.Unit()})
	}
	return c.Recreate(op, scf.For)
}

// yield: scf has its own, as the bodies of reductions have.
func (c *converter) yield(op ir.Op) error {
	if op.ParentOp().Is(cudatile.If) {
		return c.Recreate(op, scf.Yield)
	}
	return c.Recreate(op, tileaa.Level.Yield)
}

// reduce: the body's block moves over as it is, and its operations are converted like all others; its arguments
// are tiles of rank 0 and become scalars.
func (c *converter) reduce(op ir.Op) error {
	dim, _ := op.IntAttr("dim")
	return c.Recreate(op, tileaa.Level.Reduce,
		ir.NamedAttr{Name: tile.AttrDim, Value: c.ctx.IntAttr(c.i64(), dim)},
		ir.NamedAttr{Name: tile.AttrIdentities, Value: op.Attr("identities")})
}

// dot: an operand without an attribute is signed, so that MMAs of floats and of signed integers look alike
// to whoever matches them.
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
	return c.Recreate(op, tileaa.Level.Dot, attrs...)
}

func rank(t ir.Type) int { return len(t.(*cudatile.TileType).Shape) }

// reshape between a tile of rank 0, which is a scalar here, and one of one element is a splat or its inverse.
func (c *converter) reshape(op ir.Op) error {
	from, to := rank(op.Operand(0).Type()), rank(op.Result(0).Type())
	switch {
	case from == 0 && to == 0:
		c.Bind(op.Result(0), c.Value(op.Operand(0)))
		return nil
	case from == 0:
		return c.Recreate(op, tileaa.Level.Splat)
	case to == 0:
		return c.Recreate(op, tileaa.Level.Unsplat)
	}
	return c.Recreate(op, tileaa.Level.Reshape)
}

func (c *converter) broadcast(op ir.Op) error {
	if rank(op.Result(0).Type()) == 0 {
		c.Bind(op.Result(0), c.Value(op.Operand(0)))
		return nil
	}
	return c.Recreate(op, tileaa.Level.Broadcast)
}

func (c *converter) permute(op ir.Op) error {
	perm, ok := op.Attr("permutation").(*ir.DenseArrayAttr)
	if !ok {
		return op.Errorf("has no permutation")
	}
	return c.Recreate(op, tileaa.Level.Permute, ir.NamedAttr{Name: tile.AttrPerm, Value: c.ctx.DenseI64(perm.Values...)})
}
