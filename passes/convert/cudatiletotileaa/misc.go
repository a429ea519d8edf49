package cudatiletotileaa

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/ir"
)

func miscRules() map[*ir.OpDef]rule {
	return map[*ir.OpDef]rule{
		cudatile.Constant: (*converter).constant, cudatile.Assume: (*converter).assume,
		cudatile.Reduce: (*converter).reduce, cudatile.Scan: (*converter).scan,
		cudatile.MmaF: (*converter).dot, cudatile.MmaI: (*converter).dot, cudatile.MmaFScaled: to(tileaa.Level.DotScaled),
		cudatile.Assert: (*converter).assert, cudatile.Print: (*converter).print,
	}
}

func (c *converter) scan(op ir.Op) error {
	dim, _ := op.IntAttr("dim")
	attrs := []ir.NamedAttr{{Name: tile.AttrDim, Value: c.ctx.IntAttr(c.i64(), dim)}, {Name: tile.AttrIdentities, Value: op.Attr("identities")}}
	if reverse, _ := op.IntAttr("reverse"); reverse != 0 {
		attrs = append(attrs, ir.NamedAttr{Name: tile.AttrReverse, Value: c.ctx.Unit()})
	}
	return c.Recreate(op, tileaa.Level.Scan, attrs...)
}

func (c *converter) assert(op ir.Op) error {
	return c.Recreate(op, tileaa.Level.Assert, ir.NamedAttr{Name: tile.AttrMessage, Value: c.ctx.String(op.StringAttr("message"))})
}

func (c *converter) print(op ir.Op) error {
	groups := [][]ir.Value{c.Flat(op.OperandsNamed("args")), c.Named(op, "token")}
	return c.insert(op, tileaa.Level.Print, groups, []ir.NamedAttr{{Name: tile.AttrFormat, Value: c.ctx.String(op.StringAttr("str"))}})
}

// alloca: the threads of a CTA share what it allocates.
//
// The alignment and the size are all that is decided here; where in shared memory it lies is
// tileas-allocate-shared's, which knows what lives at the same time. Limits are far above any target's memory:
// what is rejected is what would overflow later arithmetic, and what really does not fit is reported with the
// target's own limit, there.
func (c *converter) alloca(op ir.Op) error {
	limit, global := int64(maxAlloca), op.HasUnitAttr("global")
	if global {
		limit = maxGlobalAlloca
	}
	t := c.typ(op.Result(0).Type())
	// The size is checked by division, since a multiplication of two numbers from the input may overflow.
	n, _ := op.IntAttr("num_elem")
	align, _ := op.IntAttr("alignment")
	elem := t.(*tile.PtrType).Pointee
	size := int64(tile.ElementBytes(elem))
	if n < 0 || n > limit/size {
		return op.Errorf("of %d elements of %d bytes is more than any target has", n, size)
	}
	if align > maxAlign && !global || align > limit {
		return op.Errorf("is not lowered to nv_tileaa yet with an alignment of %d bytes", align)
	}
	if tile.IsHalf(elem) {
		// ElementBytes counts half a byte as one, and two of them share it.
		n = (n + 1) / 2
	}
	attrs := []ir.NamedAttr{{Name: tile.AttrBytes, Value: c.ctx.IntAttr(c.i64(), n*size)},
		{Name: tile.AttrAlignment, Value: c.ctx.IntAttr(c.i64(), align)}}
	if global {
		attrs = append(attrs, ir.NamedAttr{Name: tile.AttrGlobal, Value: c.ctx.Unit()})
	}
	c.Bind(op.Result(0), c.create(tileaa.Level.Alloca, t, nil, attrs...))
	return nil
}

const (
	maxAlloca       = 1 << 24 // more than the shared memory of any target, in bytes
	maxGlobalAlloca = 1 << 40 // more than the global memory of any target
	maxAlign        = 128     // the alignment of a kernel's shared memory
)
