package interp

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// CTAs that use each other's shared memory run together: each is a machine, and a coroutine as roles are. One runs at a time, and hands over at operations that others may notice or that wait for others, so that everything about the
// memory of one may be touched by the one that runs. Which goes on is chosen by the seed. Under Adversarial one runs as far as it gets, so that a CTA that is far ahead meets memory of one far behind.

// A cluster is the CTAs that share a tile block, while they run.
type cluster struct {
	rota
	ctas []*cta

	// The barrier of the cluster: who has come, and how often all have.
	come   int
	rounds uint64

	open []*exchange // the last of all that were made
	made int

	paired map[pairKey]*pairedProduct // products that two CTAs do together
}

// A cta is one of them.
type cta struct {
	*machine
	coroutine
	cluster *cluster
	rank    int

	exchanges      int            // to which it has come
	stored, readBy []remoteAccess // since the last barrier of the cluster: what it has stored to its shared memory, and what others have read of it

	started map[ir.Op]uint64 // how often it has started a product of two CTAs
}

func init() {
	define(map[*ir.OpDef]rule{tileas.ClusterBarrier: (*decoder).clusterBarrier})
}

// runCluster executes the CTAs of a tile block.
func (m *machine) runCluster(block uint64) error {
	e, n := m.run.engine, m.prog.ctas
	for len(m.peers) < n {
		m.peers = append(m.peers, newMachine(m.ctx, m.run))
	}
	c := &cluster{rota: newRota(e, block)}
	for i, peer := range m.peers {
		t := &cta{machine: peer, cluster: c, rank: i}
		c.add(&t.coroutine)
		peer.cta, peer.turn = t, m.turn
		c.ctas = append(c.ctas, t)
		t.start(func() error { return peer.block(block*uint64(n) + uint64(i)) })
		defer t.stop()
	}
	for {
		next, ended := c.next()
		switch {
		case ended:
			return nil
		case next < 0:
			return c.deadlock()
		}
		t := c.ctas[next]
		t.resume()
		m.replaced = m.replaced || t.replaced
		if t.err == nil && t.done {
			t.err = t.endsUnread()
		}
		if t.err != nil {
			return t.err
		}
	}
}

// deadlock says where each CTA stands when none can go on.
func (c *cluster) deadlock() error {
	var where []string
	var first *cta
	for _, t := range c.ctas {
		if t.done {
			where = append(where, fmt.Sprintf("CTA %d has ended", t.rank))
			continue
		}
		if first == nil {
			first = t
		}
		where = append(where, fmt.Sprintf("CTA %d stands at '%s' (%s)", t.rank, t.at.Name(), t.why()))
	}
	return faultOf(first.id, first.at.Errorf("never ends, because no CTA of the cluster can go on: %s", strings.Join(where, ", ")))
}

// errLeft ends a CTA whose tile block has failed in another one.
var errLeft = errors.New("another CTA of the cluster failed")

// handOver lets other CTAs go on, until a condition holds.
func (t *cta) handOver(op ir.Op, ready func() bool, why func() string) error {
	return t.coroutine.handOver(errLeft, op, ready, why)
}

// letOthers is where a CTA hands over for no need. In a role the team does so.
func (m *machine) letOthers(op ir.Op) error {
	if m.cta == nil || m.role != nil {
		return nil
	}
	return m.cta.handOver(op, nil, nil)
}

// peersOf returns the CTAs that share the tile block, in the order of their numbers.
func (m *machine) peersOf(op ir.Op) ([]*cta, error) {
	if m.cta == nil {
		return nil, op.Errorf("needs a tile block that several CTAs share, but it has one")
	}
	return m.cta.cluster.ctas, nil
}

// clusterBarrier waits for the other CTAs. What they do to the memory of this one needs no epochs: only asynchronous copies write it, which mbarriers count.
func (d *decoder) clusterBarrier(op ir.Op) (func(*machine) error, error) {
	return func(m *machine) error {
		if _, err := m.peersOf(op); err != nil {
			return err
		}
		c := m.cta.cluster
		round := c.rounds
		c.come++
		over := func() bool {
			if c.rounds == round && c.come+c.ended() == len(c.ctas) {
				c.rounds, c.come = c.rounds+1, 0
				c.learn()
				for _, t := range c.ctas {
					t.stored, t.readBy = t.stored[:0], t.readBy[:0]
				}
			}
			return c.rounds != round
		}
		m.epoch.since = m.epoch.since[:0]
		return m.cta.handOver(op, over, func() string { return fmt.Sprintf("%d of %d CTAs have come", c.come+c.ended(), len(c.ctas)) })
	}, nil
}

// learn makes what each CTA did so far known to all.
func (c *cluster) learn() {
	if c.ctas[0].race == nil {
		return
	}
	all := make(clock)
	for _, t := range c.ctas {
		b := t.race.blocks
		all.join(b.known)
		all[b.block] = b.now
		b.now++
	}
	for _, t := range c.ctas {
		t.race.blocks.known.join(all)
	}
}

func (c *cluster) ended() (n int) {
	for _, t := range c.ctas {
		if t.done {
			n++
		}
	}
	return n
}

// alive reports the use of the memory of a CTA that has ended.
func (t *cta) alive(op ir.Op) error {
	if t.done {
		return op.Errorf("uses the shared memory of CTA %d of the cluster, which has ended", t.rank)
	}
	return nil
}

// arriveEverywhere arrives at the mbarrier in a place of every CTA.
func (m *machine) arriveEverywhere(op ir.Op, at location, n int64) error {
	peers, err := m.peersOf(op)
	if err != nil {
		return err
	}
	for _, t := range peers {
		if err := t.alive(op); err != nil {
			return err
		}
		b, err := t.mbarrierAt(op, at)
		if err != nil {
			return err
		}
		seen := roleClock(nil) // what another CTA's roles have seen is nothing to those of this one
		if t.machine == m {
			seen = m.publish()
		}
		if err := b.arrive(op, n, 0, seen); err != nil {
			return err
		}
	}
	return m.letOthers(op)
}

// multicast starts the copy of some boxes of a tile to all CTAs: of those that this one brings.
func (c *tensorCopy) multicast(m *machine, at, bar location, w *tensorWindow) error {
	peers, err := m.peersOf(c.op)
	if err != nil {
		return err
	}
	places := c.boxes.Places
	together := min(len(peers), len(places))
	size := uint64(c.t.ElementBytes())
	bytes := size
	for _, n := range c.boxes.Box {
		bytes *= uint64(n)
	}
	for k := m.cta.rank; k < len(places) && m.cta.rank < together; k += together {
		for _, t := range peers {
			if err := t.alive(c.op); err != nil {
				return err
			}
			b, err := t.mbarrierAt(c.op, bar)
			if err == nil {
				err = t.takeoff(c.op, at+location(uint64(places[k].Offset)*size), bytes)
			}
			if err != nil {
				return err
			}
			if err := c.fly(t.machine, b, at, w, k, int64(bytes)); err != nil {
				return err
			}
		}
	}
	return m.letOthers(c.op)
}

// fly starts the copy of one box to one CTA, which lands when that one waits for it.
func (c *tensorCopy) fly(m *machine, bar *mbarrier, at location, w *tensorWindow, k int, bytes int64) error {
	read := func(m *machine) (*vec, error) { return c.read(m, w) }
	value, err := read(m)
	if err != nil {
		return err
	}
	l := &flight{op: c.op, source: c.spans(w), bytes: bytes, shared: true}
	late := m.run.engine.Adversarial
	l.land = func(m *machine) error {
		if late {
			m.release(value)
			if value, err = read(m); err != nil {
				return err
			}
		}
		c.arriveBox(m, at, k, uint64(bytes), value)
		m.release(value)
		return nil
	}
	m.flights.copies = append(m.flights.copies, l)
	bar.copies = append(bar.copies, l)
	return nil
}

// arriveBox puts a box of a tile into a buffer.
func (c *tensorCopy) arriveBox(m *machine, at location, k int, bytes uint64, v *vec) {
	size := uint64(c.t.ElementBytes())
	first := uint64(c.boxes.Places[k].Offset) * size
	lo := at.address() + first
	e := &extent{lo: lo, hi: lo + bytes, owner: at.owner(), bytes: make([]byte, bytes), undef: make([]bool, bytes)}
	layout := c.t.Layout.Shared
	for i, x := range v.data {
		off := layout.Offset(uint64(i)) * size
		if off < first || off >= first+bytes {
			continue
		}
		set(e.bytes[off-first:off-first+size], x)
		for b := range size {
			e.undef[off-first+b] = v.isUndef(i)
		}
	}
	m.smem.clear(m, lo, lo+bytes)
	m.smem.extents = append(m.smem.extents, e)
}
