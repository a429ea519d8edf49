package interp

import (
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// What orders roles, and what nothing orders. Each role counts its own times; its clock holds, for every role, up to which time it has seen what that one did (vector clocks, as in
// Flanagan and Freund, "FastTrack", PLDI 2009). An access that the other role's clock has not reached is a race, in whatever order the two happened to run.

// A roleClock is a time of each role.
type roleClock []uint64

// publish returns what whoever observes it will have seen, and begins the role's next time. Outside roles there is nothing to see.
func (m *machine) publish() roleClock {
	r := m.role
	if r == nil {
		return nil
	}
	seen := slices.Clone(r.clock)
	r.clock[r.Index]++
	return seen
}

// observe makes the running role see what was published.
func (m *machine) observe(c roleClock) {
	if m.role != nil {
		m.role.clock.join(c)
	}
}

// joined returns the join of two clocks, either of which may be nil.
func (c roleClock) joined(d roleClock) roleClock {
	if c == nil {
		return d
	}
	c.join(d)
	return c
}

func (c roleClock) join(d roleClock) {
	for i, t := range d {
		c[i] = max(c[i], t)
	}
}

// A roleAccess is the latest of the same accesses of one role.
type roleAccess struct {
	*threadAccess
	role *role
	at   uint64
	time uint64
}

// crosses notes an access, and reports one of another role that nothing orders before it.
func (r *role) crosses(a *threadAccess, at uint64) error {
	t, now := r.team, r.clock[r.Index]
	again := false
	for i := range t.accesses {
		e := &t.accesses[i]
		switch {
		case e.role == r:
			if e.threadAccess == a && e.at == at {
				e.time, again = now, true
			}
		case (a.writes || e.writes) && at < e.at+e.bytes && e.at < at+a.bytes && r.clock[e.role.Index] < e.time:
			return a.op.Errorf("of role \"%s\" accesses shared memory that role \"%s\" accesses in '%s', and nothing has synchronised the two in between", r.Name, e.role.Name, e.op.Name()).
				Note(e.op.Loc(), "the other access")
		}
	}
	if !again {
		t.accesses = append(t.accesses, roleAccess{a, r, at, now})
	}
	return nil
}

// A round is a barrier while roles come to it.
type round struct {
	want, come int64 // warps
	first      ir.Op
	clock      roleClock
	complete   bool
	who        []*role
}

// barrier begins an epoch. In a role it waits for the others that meet there.
func (d *decoder) barrier(op ir.Op) (func(*machine) error, error) {
	id, _ := op.IntAttr(tileas.AttrID)
	warps, _ := op.IntAttr(tileas.AttrParticipants)
	return func(m *machine) error {
		if m.role != nil {
			if err := m.pingpong.meets(op); err != nil {
				return err
			}
			if err := m.meet(op, id, warps); err != nil {
				return err
			}
		}
		m.epoch.since = m.epoch.since[:0]
		return nil
	}, nil
}

func (d *decoder) barrierArrive(op ir.Op) (func(*machine) error, error) {
	id, _ := op.IntAttr(tileas.AttrID)
	warps, _ := op.IntAttr(tileas.AttrParticipants)
	return func(m *machine) error {
		if m.role == nil { // all warps have come
			return nil
		}
		if err := m.pause(op); err != nil {
			return err
		}
		_, err := m.come(op, id, warps)
		return err
	}, nil
}

// meet waits at a barrier until so many warps have come to it; 0: all of the tile block.
func (m *machine) meet(op ir.Op, id, warps int64) error {
	if warps == 0 {
		warps = m.role.team.warps
	}
	b, err := m.come(op, id, warps)
	if err != nil {
		return err
	}
	err = m.await(op, func() bool { return b.complete }, func() string { return fmt.Sprintf("barrier %d: %d of %d warps have come", id, b.come, b.want) })
	m.observe(b.clock)
	return err
}

// come adds the warps of the running role to those that have come to a barrier.
func (m *machine) come(op ir.Op, id, warps int64) (*round, error) {
	r, t := m.role, m.role.team
	b := t.barriers[id]
	if b == nil {
		b = &round{want: warps, first: op, clock: make(roleClock, len(t.roles))}
		t.barriers[id] = b
	}
	switch {
	case b.want != warps:
		return nil, op.Errorf("of role \"%s\" comes as one of %d warps to barrier %d, where '%s' came as one of %d", r.Name, warps, id, b.first.Name(), b.want).
			Note(b.first.Loc(), "who came first")
	case slices.Contains(b.who, r):
		return nil, op.Errorf("of role \"%s\" comes to barrier %d again, where only %d of %d warps have come since it did", r.Name, id, b.come, b.want).Note(b.first.Loc(), "who came first")
	case b.come+r.Warps > b.want:
		return nil, op.Errorf("of role \"%s\" brings %d warps to barrier %d, where %d of %d have come", r.Name, r.Warps, id, b.come, b.want).Note(b.first.Loc(), "who came first")
	}
	b.come += r.Warps
	b.who = append(b.who, r)
	b.clock.join(m.publish())
	if b.come == b.want {
		b.complete, t.barriers[id] = true, nil
	}
	return b, nil
}

// open reports a barrier to which some have come and others not, when all roles have ended.
func (t *team) open() error {
	for id, b := range t.barriers {
		if b != nil {
			return b.first.Errorf("comes to barrier %d, where only %d of %d warps ever do", id, b.come, b.want)
		}
	}
	return nil
}
