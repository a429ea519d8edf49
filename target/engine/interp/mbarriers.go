package interp

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// Mbarriers. An object is an extent of shared memory, so that it ends with the memory: an allocation that is executed again, or a store to its bytes, leaves none. Copies that report to one
// land when a wait for its phase needs their bytes, and no earlier: what uses the destination without such a wait finds nothing in it.

func init() {
	define(map[*ir.OpDef]rule{
		tileas.MbarrierInit: (*decoder).mbarrierInit, tileas.MbarrierInval: (*decoder).mbarrierInval,
		tileas.MbarrierExpect: (*decoder).mbarrierArrive,
		tileas.MbarrierArrive: (*decoder).mbarrierArrive, tileas.MbarrierWait: (*decoder).mbarrierWait,
	})
}

// mbarrierBytes is the size of an mbarrier.
const mbarrierBytes = 8

// An mbarrier is the state of an object.
type mbarrier struct {
	arrivals int64 // of each phase
	pending  int64 // arrivals that the phase under way still waits for
	bytes    int64 // that it expects and that have not landed; negative: landed and not expected yet
	phase    uint64
	copies   []*flight // under way, the oldest first
	products []underWay
	// seen is what a role that waits for the phase under way will have seen of those that arrived at it, over what one sees that waits for an earlier phase.
	seen, over roleClock
}

// step ends the phase if nothing is left of it.
func (b *mbarrier) step() {
	if b.pending == 0 && b.bytes == 0 {
		b.phase++
		b.pending = b.arrivals
		b.over, b.seen = b.over.joined(b.seen), nil
	}
}

// mbarrier returns the object in a slot.
func (m *machine) mbarrier(op ir.Op, slot int) (*mbarrier, error) {
	at, err := m.address(op, slot)
	if err != nil {
		return nil, err
	}
	return m.mbarrierAt(op, at)
}

// mbarrierAt returns the object in a place.
func (m *machine) mbarrierAt(op ir.Op, at location) (*mbarrier, error) {
	if err := m.smem.alive(op, at.address(), at.address()+mbarrierBytes); err != nil {
		return nil, err
	}
	for _, e := range m.smem.extents {
		if e.lo == at.address() && e.mbarrier != nil && e.owner == at.owner() {
			return e.mbarrier, nil
		}
	}
	return nil, op.Errorf("uses an mbarrier that has not been initialised")
}

func (d *decoder) mbarrierInit(op ir.Op) (func(*machine) error, error) {
	slot := d.slot(op.Operand(0))
	n, _ := op.IntAttr(tileas.AttrArrivals)
	acc := anyThread(op, bufferType(op.Operand(0)), true)
	return func(m *machine) error {
		at, err := m.address(op, slot)
		if err != nil {
			return err
		}
		lo := at.address()
		if err := m.smem.alive(op, lo, lo+mbarrierBytes); err != nil {
			return err
		}
		if err := m.writable(op, lo, lo+mbarrierBytes); err != nil {
			return err
		}
		if old, err := m.mbarrier(op, slot); err == nil {
			if len(old.copies) > 0 {
				return op.Errorf("initialises an mbarrier to which '%s' is still to report", old.copies[0].op.Name()).Note(old.copies[0].op.Loc(), "the copy")
			}
			return op.Errorf("initialises what is an mbarrier already: mbarrier_inval must stand in between")
		}
		m.smem.clear(m, lo, lo+mbarrierBytes)
		m.smem.extents = append(m.smem.extents, &extent{lo: lo, hi: lo + mbarrierBytes, owner: at.owner(), mbarrier: &mbarrier{arrivals: n, pending: n}})
		return m.meets(acc, at)
	}, nil
}

// mbarrierInval ends an object.
func (d *decoder) mbarrierInval(op ir.Op) (func(*machine) error, error) {
	slot, acc := d.slot(op.Operand(0)), anyThread(op, bufferType(op.Operand(0)), true)
	return func(m *machine) error {
		b, err := m.usable(op, slot, acc)
		if err != nil {
			return err
		}
		if len(b.copies) > 0 {
			return op.Errorf("ends an mbarrier to which '%s' is still to report", b.copies[0].op.Name()).Note(b.copies[0].op.Loc(), "the copy")
		}
		at, err := m.address(op, slot)
		if err == nil {
			m.smem.clear(m, at.address(), at.address()+mbarrierBytes)
		}
		return err
	}, nil
}

// mbarrierArrive is the rule of arrivals, with or without bytes to expect.
func (d *decoder) mbarrierArrive(op ir.Op) (func(*machine) error, error) {
	slot, n, bytes := d.slot(op.Operand(0)), int64(1), int64(0)
	if op.Is(tileas.MbarrierExpect) {
		bytes, _ = op.IntAttr(tileas.AttrBytes)
	} else {
		n, _ = op.IntAttr(tileas.AttrArrivals)
	}
	acc := anyThread(op, bufferType(op.Operand(0)), false)
	cluster := op.Is(tileas.MbarrierArrive) && op.HasUnitAttr(tileas.AttrCluster)
	holds := d.condition(op)
	return func(m *machine) error {
		if yes, err := holds(m); !yes {
			return err
		}
		b, err := m.usable(op, slot, acc)
		if err != nil {
			return err
		}
		if cluster {
			at, err := m.address(op, slot)
			if err == nil {
				err = m.arriveEverywhere(op, at, n)
			}
			return err
		}
		return b.arrive(op, n, bytes, m.publish())
	}, nil
}

// arrive makes arrivals, by who has seen what.
func (b *mbarrier) arrive(op ir.Op, n, bytes int64, seen roleClock) error {
	if n > b.pending {
		return op.Errorf("makes %d arrivals, but the phase under way waits for %d more only", n, b.pending)
	}
	b.seen = b.seen.joined(seen)
	b.bytes += bytes
	b.pending -= n
	b.step()
	return nil
}

// usable returns the object in a slot, which a barrier must have let the others see since its init.
func (m *machine) usable(op ir.Op, slot int, acc *threadAccess) (*mbarrier, error) {
	b, err := m.mbarrier(op, slot)
	if err != nil {
		return nil, err
	}
	at, err := m.address(op, slot)
	if err == nil {
		err = m.meets(acc, at)
	}
	return b, err
}

func (d *decoder) mbarrierWait(op ir.Op) (func(*machine) error, error) {
	slot, parity := d.slot(op.Operand(0)), d.slot(op.Operand(1))
	acc := anyThread(op, bufferType(op.Operand(0)), false)
	return func(m *machine) error {
		b, err := m.usable(op, slot, acc)
		if err == nil {
			err = m.defined(op, parity, nil, "parity")
		}
		if err != nil {
			return err
		}
		p := m.vals[parity].data[0]
		if p > 1 {
			return op.Errorf("parity must be 0 or 1, but is %d", int32(p))
		}
		if b.phase&1 != p {
			if len(b.copies) > 0 {
				c := b.copies[0].op
				return op.Errorf("waits for parity %d, but phase %d is under way, of parity %d, and '%s' reports to that", p, b.phase, b.phase&1, c.Name()).Note(c.Loc(), "the copy")
			}
			if len(b.products) > 0 {
				c := b.products[0].op
				return op.Errorf("waits for parity %d, but phase %d is under way, of parity %d, and '%s' tells of that", p, b.phase, b.phase&1, c.Name()).Note(c.Loc(), "the product")
			}
			m.observe(b.over)
			return nil
		}
		if err := m.finish(op, b); err != nil {
			return err
		}
		m.observe(b.over)
		return nil
	}, nil
}

// finish lands what reports to the phase under way until it is over. What the role itself could add has been added, since it comes behind the wait; others may go on and arrive.
func (m *machine) finish(op ir.Op, b *mbarrier) error {
	for phase := b.phase; b.phase == phase; {
		if len(b.products) > 0 {
			if err := m.landProduct(b); err != nil {
				return err
			}
			continue
		}
		if len(b.copies) == 0 {
			why := func() string {
				return fmt.Sprintf("phase %d, which never ends: %d of %d arrivals are missing, and %d bytes", phase, b.pending, b.arrivals, b.bytes)
			}
			if m.role == nil && m.cta == nil { // nobody else can arrive
				return op.Errorf("waits for %s", why())
			}
			if err := m.await(op, func() bool { return b.phase != phase || len(b.copies) > 0 || len(b.products) > 0 }, why); err != nil {
				return err
			}
			continue
		}
		l := b.copies[0]
		b.copies = b.copies[1:]
		if err := m.landOne(l); err != nil {
			return err
		}
		b.bytes -= l.bytes
		b.step()
	}
	return nil
}
