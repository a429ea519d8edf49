package cudatiletotileaa

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/ir"
)

// mode keeps the spelling of cuda_tile (add, addf, and, xchg, ...). PTX's is given where PTX is near, in
// convert-tileas-to-nvvm: until there the two floating-point and integer additions need different names, as the
// type of an element does not show in the name of the operation.
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

func (c *converter) atomicRedView(op ir.Op) error {
	v := c.tileView(op.OperandNamed("view"))
	value := []ir.Value{c.Value(op.OperandNamed("value"))}
	if v.sparse < 0 {
		// Tiled, as stores of views are: the addresses of consecutive elements are known to be neighbours, and
		// bounds are checked by dimension.
		groups, attrs := c.access(op, v)
		return c.insert(op, tileaa.Level.TiledAtomic, append([][]ir.Value{value}, groups...), c.withoutPadding(append(attrs, c.mode(op))))
	}
	// The reduction of a gather_scatter_view becomes an atomic with a result, the only kind that takes
	// pointers; emit-ptx writes red for one whose result nobody reads.
	ptrs, inside := c.pointers(op, v)
	st := c.NewState(tileaa.Level.AtomicRMW, op.Loc())
	st.OperandGroups([]ir.Value{ptrs}, value, group(inside), c.Named(op, "token"))
	st.Attrs = append(st.Attrs, append(c.order(op), c.mode(op))...)
	st.Types = []ir.Type{value[0].Type(), tileaa.Level.Token(c.ctx)}
	c.Bind(op.Result(0), c.Insert(st).Result(1))
	return nil
}

// withoutPadding drops the attribute that only loads have.
func (c *converter) withoutPadding(attrs []ir.NamedAttr) (out []ir.NamedAttr) {
	for _, a := range attrs {
		if a.Name != tile.AttrPadding {
			out = append(out, a)
		}
	}
	return out
}
