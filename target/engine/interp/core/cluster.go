package core

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp/fault"
	"github.com/tilewright/tilewright/target/engine/interp/onchip"
	"github.com/tilewright/tilewright/target/engine/interp/races"
	"github.com/tilewright/tilewright/target/engine/interp/sched"
	"github.com/tilewright/tilewright/target/engine/interp/values"
)

// CTAs that use each other's shared memory run together. Each is a machine and a coroutine, of which one runs at a
// time. So the running one may touch everything of the others without locks. It hands over at operations that others
// may notice, or that wait for others. The seed chooses who goes on. Under Adversarial one CTA runs as far as it gets,
// so that a fast CTA meets the memory of a slow one.

// A Cluster is the CTAs that share a tile block, while they run.
type Cluster struct {
	sched.Rota
	Ctas []*CTA

	// The barrier of the cluster: how many CTAs have arrived, and how often all have.
	Come   int
	Rounds uint64

	Open []*Exchange // those that some CTA has not left
	Made int

	Paired map[PairKey]*PairedMMA // two-CTA MMAs that have started
}

// A CTA is one of them.
type CTA struct {
	*Machine
	sched.Coroutine
	Cluster *Cluster
	Rank    int

	Exchanges      int                   // how many it has joined
	Stored, ReadBy []onchip.RemoteAccess // since the last barrier of the cluster: its stores to its shared memory, and the loads of others from it

	Started map[ir.Op]uint64 // how often it has started each two-CTA MMA
}

// CTAs read each other's tiles (all_gather) and shared memory (remote_load). Barriers of the cluster divide those
// accesses into rounds. In one round, no CTA may load what another has stored, nor store what another has loaded. Both
// are noted where they happen, so that the error does not depend on who comes first.

// An Exchange is one all_gather, from the first CTA that joins to the last that leaves.
type Exchange struct {
	Op    ir.Op
	Parts []*values.Vec
	Left  int // CTAs that have not taken the result
}

// Both CTAs of a two-CTA MMA execute it, and each provides half of the columns of B. The tensor core computes it once
// for both. Whichever CTA needs the MMA first takes both halves as they are then. So one may find it done that the
// other has waited for, and neither may change its half until then.

// A PairedMMA is a two-CTA MMA, from its first start until both CTAs have it.
type PairedMMA struct {
	Take [2]func() *values.Vec // the halves of B, by the parity of the CTA; nil: not started
	B    [2]*values.Vec        // when taken
	Done int
}

// A PairKey identifies a PairedMMA: the n-th execution of an operation by a pair.
type PairKey struct {
	Pair int
	Op   ir.Op
	N    uint64
}

// runCluster executes the CTAs of a tile block.
func (m *Machine) runCluster(block uint64) error {
	o, n := m.Launch.Options, m.Program.ctas
	for len(m.peers) < n {
		m.peers = append(m.peers, newMachine(m.Ctx, m.Launch))
	}
	c := &Cluster{Rota: sched.NewRota(o.Seed, o.Adversarial, block)}
	for i, peer := range m.peers {
		// A fresh CTA for each tile block: its machine, with its pool and slots, is used again.
		t := &CTA{Machine: peer, Cluster: c, Rank: i}
		c.Add(&t.Coroutine)
		peer.CTA, peer.turn = t, m.turn
		c.Ctas = append(c.Ctas, t)
		t.Start(func() error { return peer.block(block*uint64(n) + uint64(i)) })
		defer t.Stop()
	}
	for {
		next, ended := c.Next()
		switch {
		case ended:
			return nil
		case next < 0:
			return c.deadlock()
		}
		t := c.Ctas[next]
		t.Resume()
		m.replaced = m.replaced || t.replaced
		if t.Err == nil && t.Done {
			t.Err = t.endsUnread()
		}
		if t.Err != nil {
			return t.Err
		}
	}
}

// deadlock says where each CTA waits when none can go on.
func (c *Cluster) deadlock() error {
	var where []string
	var first *CTA
	for _, t := range c.Ctas {
		if t.Done {
			where = append(where, fmt.Sprintf("CTA %d has ended", t.Rank))
			continue
		}
		if first == nil {
			first = t
		}
		where = append(where, fmt.Sprintf("CTA %d waits at '%s' (%s)", t.Rank, t.At.Name(), t.Why()))
	}
	return fault.OfBlock(first.ID, first.At.Errorf("never ends, because no CTA of the cluster can go on: %s", strings.Join(where, ", ")))
}

// errLeft ends a CTA when another one of its tile block has failed.
var errLeft = errors.New("another CTA of the cluster failed")

// HandOver lets other CTAs go on, until a condition holds.
func (t *CTA) HandOver(op ir.Op, ready func() bool, why func() string) error {
	return t.Coroutine.HandOver(errLeft, op, ready, why)
}

// LetOthers hands over although the CTA could go on, so that others can come between. In a warp role the team does
// that.
func (m *Machine) LetOthers(op ir.Op) error {
	if m.CTA == nil || m.Role != nil {
		return nil
	}
	return m.CTA.HandOver(op, nil, nil)
}

// PeersOf returns the CTAs that share the tile block, in the order of their numbers.
func (m *Machine) PeersOf(op ir.Op) ([]*CTA, error) {
	if m.CTA == nil {
		return nil, op.Errorf("needs a tile block that several CTAs share, but it has one")
	}
	return m.CTA.Cluster.Ctas, nil
}

// Learn makes the accesses of all CTAs so far happen before what follows in any.
func (c *Cluster) Learn() {
	if c.Ctas[0].Race == nil {
		return
	}
	states := make([]*races.State, len(c.Ctas))
	for i, t := range c.Ctas {
		states[i] = t.Race
	}
	races.Meet(states)
}

// Ended returns how many CTAs have ended.
func (c *Cluster) Ended() (n int) {
	for _, t := range c.Ctas {
		if t.Done {
			n++
		}
	}
	return n
}

// Alive rejects the use of the memory of a CTA that has ended.
func (t *CTA) Alive(op ir.Op) error {
	if t.Done {
		return op.Errorf("uses the shared memory of CTA %d of the cluster, which has ended", t.Rank)
	}
	return nil
}

// Writable rejects a write to shared memory that something else may still use, and notes the write.
func (m *Machine) Writable(op ir.Op, lo, hi uint64) error {
	if err := m.Shared.Writable(op, lo, hi); err != nil || !m.Program.Remote || m.CTA == nil {
		return err
	}
	t := m.CTA
	for _, r := range t.ReadBy {
		if r.Lo < hi && lo < r.Hi {
			return op.Errorf("writes what another CTA has read in '%s', with no cluster barrier in between", r.Op.Name()).Note(r.Op.Loc(), "the load")
		}
	}
	t.Stored = onchip.Note(t.Stored, onchip.RemoteAccess{Op: op, Lo: lo, Hi: hi})
	return nil
}

// endsUnread rejects the end of a CTA that another one has read from, without a barrier of the cluster after that: it
// might have ended before.
func (t *CTA) endsUnread() error {
	if len(t.ReadBy) == 0 {
		return nil
	}
	r := t.ReadBy[0].Op
	return fault.OfBlock(t.ID, r.Errorf("reads the shared memory of CTA %d of the cluster, which ends without a cluster barrier after that", t.Rank))
}
