package core

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp/inflight"
	"github.com/tilewright/tilewright/target/engine/interp/onchip"
	"github.com/tilewright/tilewright/target/engine/interp/sched"
)

// A threadState is the part of a machine that each warp role has for itself.
type threadState struct {
	epoch            onchip.Epoch
	queues           map[*ir.AsyncQueue]*inflight.Queue
	ordered, changed bool
	pingpong         sched.PingPong
}

// swap exchanges the state of the machine with the kept one.
func (s *threadState) swap(m *Machine) {
	s.epoch, m.Epoch = m.Epoch, s.epoch
	s.queues, m.Flights.Queues = m.Flights.Queues, s.queues
	s.ordered, m.Ordered = m.Ordered, s.ordered
	s.changed, m.Changed = m.Changed, s.changed
	s.pingpong, m.Pingpong = m.Pingpong, s.pingpong
}

// A team is the warp roles of one execution of warp_specialize.
//
// Roles are coroutines of one CTA, of which one runs at a time. A role hands over where others may notice what it does:
// at accesses of shared memory, barriers and waits. The seed chooses who goes on, so that a run can be repeated. Roles
// share the slots of the machine, since no two define the same value.
type team struct {
	sched.Rota
	op       ir.Op
	Roles    []*Role
	Warps    int64
	Barriers [tileas.NamedBarriers + 1]*Round
	accesses []roleAccess
}

// errAbandoned ends a role when another one of its CTA has failed.
var errAbandoned = errors.New("another role failed")

// cooperate makes an operation in a role hand over before it does what others may notice.
func (d *Decoder) cooperate(in *instr, r Row) error {
	op := in.op
	if r.Allocates {
		return op.Errorf("cannot be interpreted in a role: allocations of several at a time have no order")
	}
	if in.run == nil || !communicates(op) {
		return nil
	}
	run := in.run
	in.run = func(m *Machine) error {
		if err := m.Pause(op); err != nil {
			return err
		}
		return run(m)
	}
	return nil
}

// communicates reports whether an operation accesses shared memory, now or later, waits for such an access, or meets
// another role at a pipe.
func communicates(op ir.Op) (yes bool) {
	if _, yes = ir.Asynchrony.Of(op); yes {
		return yes
	}
	if list, ok := ir.MemoryEffects.Of(op); ok {
		list(op, func(e ir.Effect) { yes = yes || e.Resource == tileas.SharedMemory || e.Resource == tileas.Pipes })
	}
	return yes
}

// RunRoles runs all roles to their end.
func (m *Machine) RunRoles(op ir.Op, bodies []*Code) error {
	if left := m.Flights.LeftOfOwn(); !left.IsNil() {
		return op.Errorf("splits the warps while '%s' is in flight: nothing has waited for it", left.Name()).Note(left.Loc(), "the asynchronous access")
	}
	t := &team{op: op, Rota: sched.NewRota(m.Launch.Options.Seed, m.Launch.Options.Adversarial, m.Number)}
	for i, body := range bodies {
		r := &Role{Role: tileas.RoleAt(op, i), Team: t, clock: make(sched.Clock, len(bodies))}
		r.At = op
		t.Add(&r.Coroutine)
		r.clock[i] = 1
		t.Warps += r.Warps
		t.Roles = append(t.Roles, r)
		r.Start(func() error {
			_, err := m.Exec(body)
			return err
		})
		defer r.Stop()
	}
	m.Epoch.Since = m.Epoch.Since[:0]
	for {
		r, err := t.next()
		if r == nil && err != nil && m.CTA != nil && t.waits() { // it waits for other CTAs
			if err := m.CTA.HandOver(op, t.able, func() string { return err.Error() }); err != nil {
				return err
			}
			continue
		}
		if r == nil {
			return err
		}
		m.Role = r
		r.kept.swap(m)
		r.Resume()
		left := m.Flights.LeftInQueues()
		r.kept.swap(m)
		m.Role = nil
		if m.CTA != nil && r.Err == nil {
			if err := m.CTA.HandOver(op, nil, nil); err != nil {
				return err
			}
		}
		switch {
		case r.Err != nil:
			return r.Err
		case r.Done && !left.IsNil():
			return left.Errorf("is still in flight when role \"%s\" ends: nothing has waited for it", r.Name)
		case r.Done:
			if err := r.kept.pingpong.Over(); err != nil {
				return err
			}
		}
	}
}

// waits reports whether some role has not ended; able, whether one can go on.
func (t *team) waits() bool {
	return slices.ContainsFunc(t.Roles, func(r *Role) bool { return !r.Done })
}

func (t *team) able() bool {
	return slices.ContainsFunc(t.Roles, func(r *Role) bool { return r.Coroutine.Able() })
}

// next chooses the role that goes on. It is nil when all have ended, and with an error when none ever will.
func (t *team) next() (*Role, error) {
	n, ended := t.Rota.Next()
	switch {
	case ended:
		return nil, t.open()
	case n < 0:
		return nil, t.deadlock()
	}
	return t.Roles[n], nil
}

// deadlock says where each role waits when none can go on.
func (t *team) deadlock() error {
	var where []string
	for _, r := range t.Roles {
		if r.Done {
			where = append(where, fmt.Sprintf("role \"%s\" has ended", r.Name))
		} else {
			where = append(where, fmt.Sprintf("role \"%s\" waits at '%s' (%s)", r.Name, r.At.Name(), r.Why()))
		}
	}
	d := t.op.Errorf("never ends, because no role can go on: %s", strings.Join(where, ", "))
	for _, r := range t.Roles {
		if !r.Done {
			d.Note(r.At.Loc(), "where role \"%s\" waits", r.Name)
		}
	}
	return d
}

// Pause lets another role run before an operation that does not wait. Outside roles it does nothing.
func (m *Machine) Pause(op ir.Op) error {
	if m.Role == nil {
		return nil
	}
	return m.Role.handOver(op, nil, nil)
}

// Await returns when a condition holds, which it checks whenever others have run. why says what it waits for, for the
// error if that never happens. All operations that wait for other threads call it, so that they share the search for
// deadlocks.
func (m *Machine) Await(op ir.Op, ready func() bool, why func() string) error {
	if m.Role == nil {
		if ready() {
			return nil
		}
		if m.CTA != nil {
			return m.CTA.HandOver(op, ready, why)
		}
		return op.Errorf("waits forever: %s", why())
	}
	return m.Role.handOver(op, ready, why)
}

func (r *Role) handOver(op ir.Op, ready func() bool, why func() string) error {
	return r.Coroutine.HandOver(errAbandoned, op, ready, why)
}

// A Round is one use of a named barrier, while roles arrive.
type Round struct {
	Want, Come int64 // of warps
	First      ir.Op
	Clock      sched.Clock
	Complete   bool
	Who        []*Role
}

// open rejects a barrier at which only some have arrived when all roles have ended.
func (t *team) open() error {
	for id, b := range t.Barriers {
		if b != nil {
			return b.First.Errorf("arrives at barrier %d, where only %d of %d warps ever do", id, b.Come, b.Want)
		}
	}
	return nil
}
