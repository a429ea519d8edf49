package warps

import (
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp/core"
	"github.com/tilewright/tilewright/target/engine/interp/sched"
)

// barrier begins an epoch. In a warp role it waits for the other roles that use the barrier.
func barrier(d *core.Decoder, op ir.Op) (core.Action, error) {
	id, _ := op.IntAttr(tileas.AttrID)
	warps, _ := op.IntAttr(tileas.AttrParticipants)
	return func(m *core.Machine) error {
		if m.Role != nil {
			if err := m.Pingpong.Meets(op); err != nil {
				return err
			}
			if err := meet(m, op, id, warps); err != nil {
				return err
			}
		}
		m.Epoch.Since = m.Epoch.Since[:0]
		return nil
	}, nil
}

func barrierArrive(d *core.Decoder, op ir.Op) (core.Action, error) {
	id, _ := op.IntAttr(tileas.AttrID)
	warps, _ := op.IntAttr(tileas.AttrParticipants)
	return func(m *core.Machine) error {
		if m.Role == nil { // the CTA runs as one: all warps have arrived
			return nil
		}
		if err := m.Pause(op); err != nil {
			return err
		}
		_, err := come(m, op, id, warps)
		return err
	}, nil
}

// meet waits at a barrier until so many warps have arrived; 0: all warps of the CTA.
func meet(m *core.Machine, op ir.Op, id, warps int64) error {
	if warps == 0 {
		warps = m.Role.Team.Warps
	}
	b, err := come(m, op, id, warps)
	if err != nil {
		return err
	}
	err = m.Await(op, func() bool { return b.Complete }, func() string { return fmt.Sprintf("barrier %d: %d of %d warps have arrived", id, b.Come, b.Want) })
	m.Observe(b.Clock)
	return err
}

// come adds the warps of the running role to those that have arrived at a barrier.
func come(m *core.Machine, op ir.Op, id, warps int64) (*core.Round, error) {
	r, t := m.Role, m.Role.Team
	b := t.Barriers[id]
	if b == nil {
		b = &core.Round{Want: warps, First: op, Clock: make(sched.Clock, len(t.Roles))}
		t.Barriers[id] = b
	}
	switch {
	case b.Want != warps:
		return nil, op.Errorf("of role \"%s\" arrives as one of %d warps at barrier %d, where '%s' arrived as one of %d", r.Name, warps, id, b.First.Name(), b.Want).
			Note(b.First.Loc(), "the first to arrive")
	case slices.Contains(b.Who, r):
		return nil, op.Errorf("of role \"%s\" arrives at barrier %d again, where only %d of %d warps have arrived since it did", r.Name, id, b.Come, b.Want).Note(b.First.Loc(), "the first to arrive")
	case b.Come+r.Warps > b.Want:
		return nil, op.Errorf("of role \"%s\" arrives with %d warps at barrier %d, where %d of %d have arrived", r.Name, r.Warps, id, b.Come, b.Want).Note(b.First.Loc(), "the first to arrive")
	}
	b.Come += r.Warps
	b.Who = append(b.Who, r)
	b.Clock.Join(m.Publish())
	if b.Come == b.Want {
		b.Complete, t.Barriers[id] = true, nil
	}
	return b, nil
}
