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
		if tileas.IsTurn(op) {
			id, _ := op.IntAttr(tileas.AttrID)
			groups, _ := op.IntAttr(tileas.AttrGroups)
			for i := range groups {
				b.used[id+i] = true
			}
		}
		return ir.Advance
	})
}

// heldAt returns what takes the turn that a group of warps has where an operation stands; a zero Op if it has none. A turn may be passed in the next iteration, so what comes first in a loop follows what comes last, and else what is in front of it.
func heldAt(op ir.Op) ir.Op {
	role, in := tileas.RoleOf(op)
	if !in {
		return ir.Op{}
	}
	for {
		for at := op.Prev(); !at.IsNil(); at = at.Prev() {
			if turn := lastTurn(at); !turn.IsNil() {
				return taken(turn)
			}
		}
		around := op.ParentOp()
		if around == role.Op {
			return ir.Op{}
		}
		if _, loop := ir.LoopLike.Of(around); loop {
			if turn := lastTurn(around); !turn.IsNil() {
				return taken(turn)
			}
		}
		op = around
	}
}

// taken returns a turn that is taken, and a zero Op for one that is passed or at an end.
func taken(turn ir.Op) ir.Op {
	if turn.Is(tileas.TakeTurn) && !turn.HasUnitAttr(tileas.AttrClose) {
		return turn
	}
	return ir.Op{}
}

// lastTurn returns the last in the text of an operation that takes or passes a turn.
func lastTurn(op ir.Op) (out ir.Op) {
	op.Walk(func(inner ir.Op) ir.WalkResult {
		if tileas.IsTurn(inner) {
			out = inner
		}
		return ir.Advance
	})
	return out
}
