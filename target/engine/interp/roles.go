package interp

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// Roles are coroutines of one tile block: one runs at a time, and hands over where others may notice what it does, which is at accesses of shared memory, barriers and waits. Which one
// goes on is chosen by the seed, so that a run can be repeated. They share the slots of the machine, since no two define the same value; what belongs to threads, a role has for itself.

// A role is a region that runs beside others.
type role struct {
	tileas.Role
	coroutine
	team  *team
	clock roleClock
	kept  threadState
}

// A threadState is what the threads of a role have for themselves of the machine.
type threadState struct {
	epoch            epoch
	queues           map[*ir.AsyncQueue]*queue
	ordered, changed bool
	turns            turns
}

// swap exchanges what the machine has with what is kept.
func (s *threadState) swap(m *machine) {
	s.epoch, m.epoch = m.epoch, s.epoch
	s.queues, m.flights.queues = m.flights.queues, s.queues
	s.ordered, m.ordered = m.ordered, s.ordered
	s.changed, m.changed = m.changed, s.changed
	s.turns, m.pingpong = m.pingpong, s.turns
}

// A team is the roles of one execution of warp_specialize.
type team struct {
	rota
	op       ir.Op
	roles    []*role
	warps    int64
	barriers [tileas.NamedBarriers + 1]*round
	accesses []roleAccess
}

// errAbandoned ends a role of a tile block that has failed elsewhere.
var errAbandoned = errors.New("another role failed")

func (d *decoder) warpSpecialize(op ir.Op) (nested, error) {
	d.inRole = true
	defer func() { d.inRole = false }()
	bodies := make([]*code, op.NumRegions())
	for i := range bodies {
		var err error
		if bodies[i], err = d.block(op.Region(i).First(), frame{}); err != nil {
			return nil, err
		}
	}
	return func(m *machine) (exit, error) { return exitNone, m.runRoles(op, bodies) }, nil
}

// besideOthers makes an operation in a role hand over before it does what others may notice.
func (d *decoder) besideOthers(in *instr) error {
	op := in.op
	if allocations[op.Def()] {
		return op.Errorf("cannot be interpreted in a role: allocations of several at a time have no order")
	}
	if in.run == nil || !communicates(op) {
		return nil
	}
	run := in.run
	in.run = func(m *machine) error {
		if err := m.pause(op); err != nil {
			return err
		}
		return run(m)
	}
	return nil
}

// communicates reports whether an operation accesses shared memory, now or later, or waits for that.
func communicates(op ir.Op) (yes bool) {
	if _, yes = ir.Asynchrony.Of(op); yes {
		return yes
	}
	if list, ok := ir.MemoryEffects.Of(op); ok {
		list(op, func(e ir.Effect) { yes = yes || e.Resource == tileas.SharedMemory })
	}
	return yes
}

// runRoles runs all roles to their end.
func (m *machine) runRoles(op ir.Op, bodies []*code) error {
	if left := m.flights.leftOfOwn(); !left.IsNil() {
		return op.Errorf("parts the warps while '%s' is under way: nothing has waited for it", left.Name()).Note(left.Loc(), "the asynchronous access")
	}
	t := &team{op: op, rota: newRota(m.run.engine, m.number)}
	for i, body := range bodies {
		r := &role{Role: tileas.RoleAt(op, i), team: t, clock: make(roleClock, len(bodies))}
		r.at = op
		t.add(&r.coroutine)
		r.clock[i] = 1
		t.warps += r.Warps
		t.roles = append(t.roles, r)
		r.start(func() error {
			_, err := m.exec(body)
			return err
		})
		defer r.stop()
	}
	m.epoch.since = m.epoch.since[:0]
	for {
		r, err := t.next()
		if r == nil && err != nil && m.cta != nil && t.waits() { // for other CTAs
			if err := m.cta.handOver(op, t.able, func() string { return err.Error() }); err != nil {
				return err
			}
			continue
		}
		if r == nil {
			return err
		}
		m.role = r
		r.kept.swap(m)
		r.resume()
		left := m.flights.leftInQueues()
		r.kept.swap(m)
		m.role = nil
		if m.cta != nil && r.err == nil {
			if err := m.cta.handOver(op, nil, nil); err != nil {
				return err
			}
		}
		switch {
		case r.err != nil:
			return r.err
		case r.done && !left.IsNil():
			return left.Errorf("is still under way when role \"%s\" ends: nothing has waited for it", r.Name)
		case r.done:
			if err := r.kept.turns.over(); err != nil {
				return err
			}
		}
	}
}

// waits reports whether some role has not ended, and able whether one can go on.
func (t *team) waits() bool {
	return slices.ContainsFunc(t.roles, func(r *role) bool { return !r.done })
}

func (t *team) able() bool {
	return slices.ContainsFunc(t.roles, func(r *role) bool { return r.coroutine.able() })
}

// next chooses the role to go on; nil when all have ended, or none ever will.
func (t *team) next() (*role, error) {
	n, ended := t.rota.next()
	switch {
	case ended:
		return nil, t.open()
	case n < 0:
		return nil, t.deadlock()
	}
	return t.roles[n], nil
}

// deadlock says where each role stands when none can go on.
func (t *team) deadlock() error {
	var where []string
	for _, r := range t.roles {
		if r.done {
			where = append(where, fmt.Sprintf("role \"%s\" has ended", r.Name))
		} else {
			where = append(where, fmt.Sprintf("role \"%s\" stands at '%s' (%s)", r.Name, r.at.Name(), r.why()))
		}
	}
	d := t.op.Errorf("never ends, because no role can go on: %s", strings.Join(where, ", "))
	for _, r := range t.roles {
		if !r.done {
			d.Note(r.at.Loc(), "where role \"%s\" stands", r.Name)
		}
	}
	return d
}

// pause lets another role go on, at an operation that can be carried out. Outside roles it does nothing.
func (m *machine) pause(op ir.Op) error {
	if m.role == nil {
		return nil
	}
	return m.role.handOver(op, nil, nil)
}

// await returns when a condition holds, which it asks for again whenever other roles have gone on. why says what it waits for, for the error when it never will. Every operation that
// waits for other threads waits here, so that all of them share the search for deadlocks.
func (m *machine) await(op ir.Op, ready func() bool, why func() string) error {
	if m.role == nil {
		if ready() {
			return nil
		}
		if m.cta != nil {
			return m.cta.handOver(op, ready, why)
		}
		return op.Errorf("waits for ever: %s", why())
	}
	return m.role.handOver(op, ready, why)
}

func (r *role) handOver(op ir.Op, ready func() bool, why func() string) error {
	return r.coroutine.handOver(errAbandoned, op, ready, why)
}
