package insertbarriers

import (
	"cmp"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow"
)

// barrierIDs hands out named barriers that the kernel does not use. The warps of a role need one of their own:
// the barrier of the CTA would wait for the warps of other roles, which do not come. One is enough for all places
// in a role. Identifier 0 is bar.sync 0, for all threads of the CTA; 1 to 15 are left (PTX ISA, bar, barrier:
// sixteen for each CTA).
type barrierIDs struct {
	used map[int64]bool
	of   map[ir.Region]int64
}

// attrs returns the attributes of a barrier before an operation.
func (b *barrierIDs) attrs(before ir.Op) ([]ir.NamedAttr, error) {
	role, ok := tileas.RoleOf(before)
	if !ok {
		return nil, nil
	}
	region := role.Op.Region(role.Index)
	id, ok := b.of[region]
	if !ok {
		for id = 1; b.used[id]; id++ {
		}
		if id > tileas.NamedBarriers {
			return nil, before.Errorf("needs a barrier of the warps of role \"%s\" in front, but the kernel uses all %d named barriers", role.Name, tileas.NamedBarriers)
		}
		b.used[id], b.of[region] = true, id
	}
	c := before.Context()
	return []ir.NamedAttr{tileas.Number(c, tileas.AttrID, id), tileas.Number(c, tileas.AttrParticipants, role.Warps)}, nil
}

func newBarrierIDs(fn ir.Op) *barrierIDs {
	b := &barrierIDs{make(map[int64]bool), make(map[ir.Region]int64)}
	for op := range fn.All() {
		if id, ok := op.IntAttr(tileas.AttrID); ok && (op.Is(tileas.Barrier) || op.Is(tileas.BarrierArrive)) {
			b.used[id] = true
		}
		if tileas.IsPingPong(op) {
			id, _ := op.IntAttr(tileas.AttrID)
			groups, _ := op.IntAttr(tileas.AttrGroups)
			for i := range groups {
				b.used[id+i] = true
			}
		}
	}
	return b
}

// turns finds for each point the pingpong_wait by which a group of warps has its turn there; a zero Op: it does not have
// it. The result is nil for a kernel without ping-pong: a question costs a walk through its block.
func turns(fn ir.Op) *dataflow.Points[ir.Op] {
	if !fn.Contains(tileas.IsPingPong) {
		return nil
	}
	problem := dataflow.Dense[ir.Op]{
		Join:  func(a, b ir.Op) ir.Op { return cmp.Or(a, b) },
		Equal: func(a, b ir.Op) bool { return a == b },
		Transfer: func(op, held ir.Op) ir.Op {
			switch {
			case !tileas.IsPingPong(op):
				return held
			case op.Is(tileas.PingPongWait) && !op.HasUnitAttr(tileas.AttrClose):
				return op
			}
			return ir.Op{} // it passes the turn on, or ends the ping-pong
		},
	}
	return problem.Forward(fn)
}

// held returns the pingpong_wait by which a group of warps has its turn at an operation, or a zero Op.
func (p *placer) held(op ir.Op) (wait ir.Op) {
	if p.turns != nil {
		wait, _ = p.turns.Before(op)
	}
	return wait
}

// beforeTurn returns where a group of warps takes its turn at an operation, if it has done nothing in between.
func (p *placer) beforeTurn(op ir.Op) ir.Op {
	held := p.held(op)
	if held.IsNil() || held.Block() != op.Block() || !held.IsBeforeInBlock(op) {
		return op
	}
	for at := held.Next(); at != op; at = at.Next() {
		if !ir.IsPure(at) {
			return op
		}
	}
	return held
}
