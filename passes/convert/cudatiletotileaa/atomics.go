package cudatiletotileaa

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/ir"
)

// mode keeps the spelling of cuda_tile (add, addf, and, xchg, ...). The PTX name is chosen in
// convert-tileas-to-nvvm. Until there, floating-point and integer additions need different names, since the name
// of the operation does not show the element type.
func (c *converter) mode(op ir.Op) ir.NamedAttr {
	return ir.NamedAttr{Name: tile.AttrMode, Value: c.ctx.String(cudatile.AtomicModeOf(op).String())}
}

func (c *converter) atomicRMW(op ir.Op) error {
	groups := [][]ir.Value{{c.Value(op.OperandNamed("pointers"))}, {c.Value(op.OperandNamed("arg"))}, c.Named(op, "mask"), c.Named(op, "token")}
	return c.insert(op, tileaa.Level.AtomicRMW, groups, append(c.order(op), c.mode(op)))
}

func (c *converter) atomicCAS(op ir.Op) error {
	groups := [][]ir.Value{{c.Value(op.OperandNamed("pointers"))}, {c.Value(op.OperandNamed("cmp"))}, {c.Value(op.OperandNamed("val"))},
		c.Named(op, "mask"), c.Named(op, "token")}
	return c.insert(op, tileaa.Level.AtomicCAS, groups, c.order(op))
}

// atomicRedView is tiled, as stores of views are: the addresses of consecutive elements are known to be neighbours,
// and bounds are checked by dimension. The verifier rejects gather_scatter_views and padding here, so there are no
// pointers and no padding to pass on.
func (c *converter) atomicRedView(op ir.Op) error {
	groups, attrs := c.access(op, c.tileView(op.OperandNamed("view")))
	value := []ir.Value{c.Value(op.OperandNamed("value"))}
	return c.insert(op, tileaa.Level.TiledAtomic, append([][]ir.Value{value}, groups...), append(attrs, c.mode(op)))
}
