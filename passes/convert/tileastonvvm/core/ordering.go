package core

import (
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
)

// scopes gives the scopes of tiles their names in PTX. A tile block is a CTA, or a cluster if CTAs share it.
//
// nv_tileas keeps cuda_tile's spelling, which has no word for a cluster.
var scopes = map[string]string{"tl_blk": "cta", "device": "gpu", "sys": "sys"}

// OrderOf returns the attributes of an access for the ordering and scope of a tile operation. Earlier passes have put
// in the barriers that make it hold for all threads.
func (l *Lowering) OrderOf(op ir.Op) []ir.NamedAttr {
	def := op.Def()
	if def.AttrSlot(tile.AttrOrdering) < 0 {
		return nil
	}
	ordering := op.StringAttr(tile.AttrOrdering)
	// PTX takes ld and st without .sem as weak (PTX ISA, ld). Left out, they are also equal to the accesses that the
	// compiler makes itself.
	if ordering == "" || ordering == "weak" {
		return nil
	}
	scope := scopes[op.StringAttr(tile.AttrScope)]
	if scope == "cta" && l.Partitioned() {
		scope = "cluster"
	}
	return []ir.NamedAttr{{Name: nvvm.AttrOrdering, Value: l.Ctx.String(ordering)}, {Name: nvvm.AttrScope, Value: l.Ctx.String(scope)}}
}

// kinds gives the modes of tiles their names in nvvm, where they differ.
var kinds = map[string]string{"addf": "add", "xchg": "exch"}

// KindOf returns the attributes for the mode of an atomic operation.
func (l *Lowering) KindOf(op ir.Op) []ir.NamedAttr {
	mode := op.StringAttr(tile.AttrMode)
	if mode == "" {
		return nil
	}
	if k, ok := kinds[mode]; ok {
		mode = k
	}
	return []ir.NamedAttr{{Name: nvvm.AttrKind, Value: l.Ctx.String(mode)}}
}
