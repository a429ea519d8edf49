package interp

import (
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// What CTAs of a cluster read of each other: tiles that they gather, and, below, the shared memory of another one. That memory has no epochs of threads here, but rounds between barriers of the cluster: what a CTA stores in one
// round no other may read in it, and what another one has read in it the CTA may not store to. Both are noted where they happen, so that they show whichever of the CTAs comes first.

// An exchange is one all_gather, while CTAs come to it.
type exchange struct {
	op    ir.Op
	parts []*vec
	left  int // CTAs that have not taken the result
}

func init() { define(map[*ir.OpDef]rule{tileas.RemoteLoad: (*decoder).remoteLoad}) }

// allGather waits until all CTAs have brought their parts.
func (d *decoder) allGather(op ir.Op) (func(*machine) error, error) {
	dim, _ := op.IntAttr(tile.AttrDim)
	part, whole := shapeOf(op.Operand(0)), shapeOf(op.Result(0))
	in, out := d.slot(op.Operand(0)), d.result(op, 0)
	inner, n := count(part[dim:]), count(whole)
	return func(m *machine) error {
		peers, err := m.peersOf(op)
		if err != nil {
			return err
		}
		x, err := m.cta.bring(op, m.vals[in])
		if err != nil {
			return err
		}
		all := func() bool { return !slices.Contains(x.parts, nil) }
		if err := m.cta.handOver(op, all, func() string { return fmt.Sprintf("CTA %d has not come", slices.Index(x.parts, nil)) }); err != nil {
			return err
		}
		v := m.alloc(n)
		for i := range v.data {
			row, at := i/(inner*len(peers)), i%(inner*len(peers))
			from := x.parts[at/inner]
			k := row*inner + at%inner
			if v.data[i] = from.data[k]; from.isUndef(k) {
				v.markUndef(i)
			}
		}
		m.put(out, v)
		x.left--
		return nil
	}, nil
}

// bring hands the part of a CTA over to the exchange that it comes to.
func (t *cta) bring(op ir.Op, v *vec) (*exchange, error) {
	c, n := t.cluster, len(t.cluster.ctas)
	if t.exchanges == c.made {
		c.open, c.made = append(c.open, &exchange{op: op, parts: make([]*vec, n), left: n}), c.made+1
	}
	x := c.open[len(c.open)-(c.made-t.exchanges)]
	if t.exchanges++; x.op != op {
		return nil, op.Errorf("is where CTA %d stands while another one stands at '%s': all come to the same", t.rank, x.op.Name()).Note(x.op.Loc(), "the other one")
	}
	x.parts[t.rank] = &vec{data: append([]uint64(nil), v.data...), undef: append([]bool(nil), v.undef...)}
	for len(c.open) > 0 && c.open[0].left == 0 {
		c.open = c.open[1:]
	}
	return x, nil
}

// A remoteAccess is of a CTA's shared memory, in a round between barriers of the cluster.
type remoteAccess struct {
	op     ir.Op
	lo, hi uint64
}

// remoteLoad loads from another CTA's memory.
func (d *decoder) remoteLoad(op ir.Op) (func(*machine) error, error) {
	t, address, err := d.local(op, op.Operand(0))
	if err != nil {
		return nil, err
	}
	d.p.remote = true
	out, number, acc := d.result(op, 0), d.slot(op.Operand(1)), localAccess(op, t, op.Result(0).Type(), false)
	return func(m *machine) error {
		peers, err := m.peersOf(op)
		if err == nil {
			err = m.defined(op, number, nil, "number of a CTA")
		}
		if err != nil {
			return err
		}
		i := uint64(uint32(m.vals[number].data[0]))
		if i >= uint64(len(peers)) {
			return op.Errorf("number of a CTA must be from 0 to %d, but is %d", len(peers)-1, i)
		}
		at, err := address(m)
		if err != nil {
			return err
		}
		peer := peers[i]
		if err := peer.alive(op); err != nil {
			return err
		}
		lo, hi := at.address(), at.address()+acc.bytes
		if peer != m.cta {
			for _, w := range peer.stored {
				if w.lo < hi && lo < w.hi {
					return op.Errorf("loads what CTA %d has stored in '%s', and no barrier of the cluster has stood between them", i, w.op.Name()).Note(w.op.Loc(), "the store")
				}
			}
			peer.readBy = note(peer.readBy, remoteAccess{op, lo, hi})
		}
		v := peer.smem.load(peer.machine, at, t)
		m.put(out, m.copyOf(v))
		peer.release(v)
		if err := m.meets(acc, at); err != nil {
			return err
		}
		return m.letOthers(op)
	}, nil
}

// copyOf returns a tile of the machine's own with what one of another machine has in it.
func (m *machine) copyOf(v *vec) *vec {
	out := m.alloc(len(v.data))
	copy(out.data, v.data)
	for i := range v.data {
		if v.isUndef(i) {
			out.markUndef(i)
		}
	}
	return out
}

// writable reports a write of shared memory that something else may still be using, and notes it.
func (m *machine) writable(op ir.Op, lo, hi uint64) error {
	if err := m.smem.writable(op, lo, hi); err != nil || !m.prog.remote || m.cta == nil {
		return err
	}
	t := m.cta
	for _, r := range t.readBy {
		if r.lo < hi && lo < r.hi {
			return op.Errorf("writes what another CTA has read in '%s', and no barrier of the cluster has stood between them", r.op.Name()).Note(r.op.Loc(), "the load")
		}
	}
	t.stored = note(t.stored, remoteAccess{op, lo, hi})
	return nil
}

// note adds an access to those since the last barrier of the cluster, once.
func note(list []remoteAccess, a remoteAccess) []remoteAccess {
	if slices.Contains(list, a) {
		return list
	}
	return append(list, a)
}

// endsUnread reports the end of a CTA of which another one has read, and that no barrier of the cluster has stood behind: it might have ended before.
func (t *cta) endsUnread() error {
	if len(t.readBy) == 0 {
		return nil
	}
	r := t.readBy[0].op
	return faultOf(t.id, r.Errorf("reads the shared memory of CTA %d of the cluster, which ends with no barrier of the cluster behind that", t.rank))
}
