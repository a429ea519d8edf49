package core

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/target/engine/interp/onchip"
	"github.com/tilewright/tilewright/target/engine/interp/sched"
)

// threads is the state of the threads that run: those of one warp role, or of the entire CTA.
type threads struct {
	Epoch    onchip.Epoch
	Role     *Role          // nil outside roles
	Pingpong sched.PingPong // between the groups of its warps
}

// A Role is a warp role while it runs.
//
// Each role counts its own times, and its clock holds what it has seen of every role (vector clocks, as in Flanagan and
// Freund, "FastTrack", PLDI 2009). An access that another role's clock has not reached is a race, whichever of the two
// happened to run first.
type Role struct {
	tileas.Role
	sched.Coroutine
	Team  *team
	clock sched.Clock
	kept  threadState
}

// Publish returns what an observer of the running role will have seen, and begins the role's next time. Outside roles
// it returns nil.
func (m *Machine) Publish() sched.Clock {
	r := m.Role
	if r == nil {
		return nil
	}
	seen := slices.Clone(r.clock)
	r.clock[r.Index]++
	return seen
}

// Observe makes the running role see what was published.
func (m *Machine) Observe(c sched.Clock) {
	if m.Role != nil {
		m.Role.clock.Join(c)
	}
}

// A roleAccess is the latest execution of an access by a role.
type roleAccess struct {
	*onchip.ThreadAccess
	role *Role
	at   uint64
	time uint64
}

// Crosses notes an access. It returns an error if one of another role conflicts with it and nothing orders the two.
func (r *Role) Crosses(a *onchip.ThreadAccess, at uint64) error {
	t, now := r.Team, r.clock[r.Index]
	again := false
	for i := range t.accesses {
		e := &t.accesses[i]
		switch {
		case e.role == r:
			if e.ThreadAccess == a && e.at == at {
				e.time, again = now, true
			}
		case (a.Writes || e.Writes) && at < e.at+e.Bytes && e.at < at+a.Bytes && r.clock[e.role.Index] < e.time:
			return a.Op.Errorf("of role \"%s\" accesses shared memory that role \"%s\" accesses in '%s', and nothing has synchronised the two in between", r.Name, e.role.Name, e.Op.Name()).
				Note(e.Op.Loc(), "the other access")
		}
	}
	if !again {
		t.accesses = append(t.accesses, roleAccess{a, r, at, now})
	}
	return nil
}

// Meets notes an access. It returns an error if one since the last barrier clashes with it.
func (m *Machine) Meets(a *onchip.ThreadAccess, p onchip.Location) error {
	again, err := m.meets(a, p)
	if err == nil && !again && m.Launch.Options.Threads {
		m.Epoch.Since = append(m.Epoch.Since, onchip.EpochAccess{ThreadAccess: a, At: p.Address()})
	}
	return err
}

// Starts is Meets for an access that goes on until somebody waits for its end. Who does that is ordered after it, so that
// no barrier is needed.
func (m *Machine) Starts(a *onchip.ThreadAccess, p onchip.Location) error {
	_, err := m.meets(a, p)
	return err
}

func (m *Machine) meets(a *onchip.ThreadAccess, p onchip.Location) (again bool, err error) {
	if m.Role != nil {
		if err := m.Role.Crosses(a, p.Address()); err != nil {
			return false, err
		}
	}
	return m.Clash(a, p)
}

// Clash is Starts for what roles need not be ordered after. again reports that the access itself was noted already.
func (m *Machine) Clash(a *onchip.ThreadAccess, p onchip.Location) (again bool, err error) {
	if !m.Launch.Options.Threads {
		return false, nil
	}
	at := p.Address()
	for i := len(m.Epoch.Since) - 1; i >= 0; i-- {
		e := m.Epoch.Since[i]
		if e.ThreadAccess == a && e.At == at { // each thread repeats its own access
			return true, nil
		}
		if (a.Writes || e.Writes) && at < e.At+e.Bytes && e.At < at+a.Bytes && m.Epoch.Clashes(e, a, at) {
			return false, a.Op.Errorf("accesses shared memory that another thread accesses in '%s', with no barrier in between", e.Op.Name()).
				Note(e.Op.Loc(), "the earlier access")
		}
	}
	return false, nil
}
