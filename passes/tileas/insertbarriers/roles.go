package insertbarriers

import (
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// barrierIDs hands out named barriers that the kernel does not use. A role needs one at which its own warps meet, for all places in it: the barrier of the tile block would wait for
// roles that do not come.
//
// Identifier 0 is bar.sync 0, at which the whole block meets; 1 to 15 are left (PTX ISA, "bar, barrier":
// sixteen for each CTA).
type barrierIDs struct {
	used map[int64]bool
	of   map[ir.Region]int64
}

// attrs returns the attributes of a barrier in front of an operation.
func (b *barrierIDs) attrs(fn, before ir.Op) ([]ir.NamedAttr, error) {
	role, ok := tileas.RoleOf(before)
	if !ok {
		return nil, nil
	}
	region := role.Op.Region(role.Index)
	id, ok := b.of[region]
	if !ok {
		b.look(fn)
		for id = 1; b.used[id]; id++ {
		}
		if id > tileas.NamedBarriers {
			return nil, before.Errorf("needs a barrier of the warps of role \"%s\" in front, but the kernel uses all %d named barriers", role.Name, tileas.NamedBarriers)
		}
		b.used[id], b.of[region] = true, id
	}
	c := before.Context()
	number := func(n int64) ir.Attribute { return c.IntAttr(c.Int(32), n) }
	return []ir.NamedAttr{{Name: tileas.AttrID, Value: number(id)}, {Name: tileas.AttrParticipants, Value: number(role.Warps)}}, nil
}

func (b *barrierIDs) look(fn ir.Op) {
	if b.used != nil {
		return
	}
	b.used, b.of = make(map[int64]bool), make(map[ir.Region]int64)
	fn.Walk(func(op ir.Op) ir.WalkResult {
		if id, ok := op.IntAttr(tileas.AttrID); ok && (op.Is(tileas.Barrier) || op.Is(tileas.BarrierArrive)) {
			b.used[id] = true
		}
		return ir.Advance
	})
}
