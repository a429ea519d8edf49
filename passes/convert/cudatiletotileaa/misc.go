package cudatiletotileaa

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/ir"
)

func miscRules() map[*ir.OpDef]rule {
	return map[*ir.OpDef]rule{
		cudatile.Scan: (*converter).scan, cudatile.MmaFScaled: to(tileaa.Level.DotScaled), cudatile.Assert: (*converter).assert,
		cudatile.Print:   (*converter).print,
		cudatile.GdcWait: to(tileaa.Level.GridWait), cudatile.GdcLaunchDependents: to(tileaa.Level.GridLaunch),
		cudatile.MemoryFenceAlias: to(tileaa.Level.FenceAlias),
	}
}

func (c *converter) scan(op ir.Op) error {
	dim, _ := op.IntAttr("dim")
	attrs := []ir.NamedAttr{{Name: tile.AttrDim, Value: c.ctx.IntAttr(c.i64(), dim)}, {Name: tile.AttrIdentities, Value: op.Attr("identities")}}
	if reverse, _ := op.IntAttr("reverse"); reverse != 0 {
		attrs = append(attrs, ir.NamedAttr{Name: tile.AttrReverse, Value: c.ctx.Unit()})
	}
	return c.regions(op, tileaa.Level.Scan, attrs...)
}

func (c *converter) assert(op ir.Op) error {
	return c.simple(op, tileaa.Level.Assert, ir.NamedAttr{Name: tile.AttrMessage, Value: c.ctx.String(op.StringAttr("message"))})
}

func (c *converter) print(op ir.Op) error {
	groups := [][]ir.Value{c.mapped(op.OperandsNamed("args")), c.optional(op, "token")}
	return c.insert(op, tileaa.Level.Print, groups, []ir.NamedAttr{{Name: tile.AttrFormat, Value: c.ctx.String(op.StringAttr("str"))}})
}
