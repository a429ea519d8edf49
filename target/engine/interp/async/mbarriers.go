package async

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp/cluster"
	"github.com/tilewright/tilewright/target/engine/interp/core"
	"github.com/tilewright/tilewright/target/engine/interp/inflight"
	"github.com/tilewright/tilewright/target/engine/interp/onchip"
)

// An mbarrier is an extent of shared memory, and ends with the memory: an allocation that is executed again, or a store
// to its bytes, leaves none. Flights that signal it land when a wait for its phase needs their bytes, and no earlier.
// Whoever uses the destination without such a wait finds nothing.

func init() {
	core.Define(core.Table{
		tileas.MbarrierInit: {Run: mbarrierInit}, tileas.MbarrierInval: {Run: mbarrierInval},
		tileas.MbarrierExpect: {Run: mbarrierArrive},
		tileas.MbarrierArrive: {Run: mbarrierArrive}, tileas.MbarrierWait: {Run: mbarrierWait},
		tileas.ClusterBarrier: {Run: clusterBarrier},
	})
}

// Mbarrier returns the mbarrier in a slot.
func Mbarrier(m *core.Machine, op ir.Op, slot int) (*inflight.Mbarrier, error) {
	at, err := m.Address(op, slot)
	if err != nil {
		return nil, err
	}
	return m.Shared.MbarrierAt(op, at)
}

// EvenMbarrier returns the mbarrier at the same place in the even CTA of the pair.
func EvenMbarrier(m *core.Machine, op ir.Op, slot int) (*inflight.Mbarrier, error) {
	at, err := m.Address(op, slot)
	if err != nil {
		return nil, err
	}
	even, err := cluster.EvenOf(m, op)
	if err != nil {
		return nil, err
	}
	return even.Shared.MbarrierAt(op, at)
}

func mbarrierInit(d *core.Decoder, op ir.Op) (core.Action, error) {
	slot := d.Slot(op.Operand(0))
	n, _ := op.IntAttr(tileas.AttrArrivals)
	acc := onchip.AnyThread(op, onchip.BufferType(op.Operand(0)), true)
	return func(m *core.Machine) error {
		at, err := m.Address(op, slot)
		if err != nil {
			return err
		}
		lo := at.Address()
		if err := m.Shared.Alive(op, lo, lo+inflight.MbarrierBytes); err != nil {
			return err
		}
		if err := m.Writable(op, lo, lo+inflight.MbarrierBytes); err != nil {
			return err
		}
		if old, err := Mbarrier(m, op, slot); err == nil {
			if len(old.Copies) > 0 {
				return op.Errorf("initialises an mbarrier that '%s' has yet to signal", old.Copies[0].Op.Name()).Note(old.Copies[0].Op.Loc(), "the copy")
			}
			return op.Errorf("initialises what is an mbarrier already: mbarrier_inval must come in between")
		}
		m.Shared.Clear(&m.Pool, lo, lo+inflight.MbarrierBytes)
		m.Shared.Extents = append(m.Shared.Extents, &onchip.Extent{Lo: lo, Hi: lo + inflight.MbarrierBytes, Owner: at.Owner(), Mbarrier: &inflight.Mbarrier{Arrivals: n, Pending: n}})
		return m.Meets(acc, at)
	}, nil
}

// mbarrierInval ends an mbarrier.
func mbarrierInval(d *core.Decoder, op ir.Op) (core.Action, error) {
	slot, acc := d.Slot(op.Operand(0)), onchip.AnyThread(op, onchip.BufferType(op.Operand(0)), true)
	return func(m *core.Machine) error {
		b, err := Usable(m, op, slot, acc)
		if err != nil {
			return err
		}
		if len(b.Copies) > 0 {
			return op.Errorf("ends an mbarrier that '%s' has yet to signal", b.Copies[0].Op.Name()).Note(b.Copies[0].Op.Loc(), "the copy")
		}
		at, err := m.Address(op, slot)
		if err == nil {
			m.Shared.Clear(&m.Pool, at.Address(), at.Address()+inflight.MbarrierBytes)
		}
		return err
	}, nil
}

// mbarrierArrive decodes an arrival, with or without bytes to expect.
func mbarrierArrive(d *core.Decoder, op ir.Op) (core.Action, error) {
	slot, n, bytes := d.Slot(op.Operand(0)), int64(1), int64(0)
	if op.Is(tileas.MbarrierExpect) {
		bytes, _ = op.IntAttr(tileas.AttrBytes)
	} else {
		n, _ = op.IntAttr(tileas.AttrArrivals)
	}
	acc := onchip.AnyThread(op, onchip.BufferType(op.Operand(0)), false)
	everywhere, pair := op.Is(tileas.MbarrierArrive) && op.HasUnitAttr(tileas.AttrCluster), op.HasUnitAttr(tile.AttrTwoCTAs)
	copies := op.HasUnitAttr(tileas.AttrCopies)
	holds := condition(d, op)
	return func(m *core.Machine) error {
		if yes, err := holds(m); !yes {
			return err
		}
		b, err := Usable(m, op, slot, acc)
		if err != nil {
			return err
		}
		if pair && m.CTA.Rank%2 != 0 {
			if op.Is(tileas.MbarrierExpect) {
				return nil // the even CTA expects the bytes of both
			}
			if b, err = EvenMbarrier(m, op, slot); err == nil {
				err = b.Arrive(op, n, bytes, nil) // roles of different CTAs have clocks of their own
			}
			return err
		}
		if everywhere {
			at, err := m.Address(op, slot)
			if err == nil {
				err = arriveEverywhere(m, op, at, n)
			}
			return err
		}
		if copies {
			m.Flights.ArriveAfter(m.Flights.Queue(tileas.CopyGroups), op, b, n, m.Publish())
			return nil
		}
		return b.Arrive(op, n, bytes, m.Publish())
	}, nil
}

// Usable returns the mbarrier in a slot. A barrier must have made its initialisation visible.
func Usable(m *core.Machine, op ir.Op, slot int, acc *onchip.ThreadAccess) (*inflight.Mbarrier, error) {
	b, err := Mbarrier(m, op, slot)
	if err != nil {
		return nil, err
	}
	at, err := m.Address(op, slot)
	if err == nil {
		err = m.Meets(acc, at)
	}
	return b, err
}

func mbarrierWait(d *core.Decoder, op ir.Op) (core.Action, error) {
	slot, parity := d.Slot(op.Operand(0)), d.Slot(op.Operand(1))
	acc := onchip.AnyThread(op, onchip.BufferType(op.Operand(0)), false)
	return func(m *core.Machine) error {
		b, err := Usable(m, op, slot, acc)
		if err == nil {
			err = m.Defined(op, parity, nil, "parity")
		}
		if err != nil {
			return err
		}
		p := m.Vals[parity].Data[0]
		if p > 1 {
			return op.Errorf("parity must be 0 or 1, but is %d", int32(p))
		}
		if b.Phase&1 != p {
			if len(b.Copies) > 0 {
				c := b.Copies[0].Op
				return op.Errorf("waits for parity %d, but the current phase is %d, of parity %d, and '%s' signals it", p, b.Phase, b.Phase&1, c.Name()).Note(c.Loc(), "the copy")
			}
			if len(b.MMAs) > 0 {
				c := b.MMAs[0].Op
				return op.Errorf("waits for parity %d, but the current phase is %d, of parity %d, and '%s' signals it", p, b.Phase, b.Phase&1, c.Name()).Note(c.Loc(), "the MMA")
			}
			m.Observe(b.Over)
			return nil
		}
		if err := Finish(m, op, b); err != nil {
			return err
		}
		m.Observe(b.Over)
		return nil
	}, nil
}

// clusterBarrier decodes a barrier of the cluster. Where the warps of a role meet, they arrive at the mbarriers of all CTAs
// and wait for their own.
func clusterBarrier(d *core.Decoder, op ir.Op) (core.Action, error) {
	role, in := tileas.RoleOf(op)
	if !in {
		return cluster.Barrier(d, op)
	}
	slot := d.Slot(op.Operand(0))
	wait, err := mbarrierWait(d, op)
	if err != nil {
		return nil, err
	}
	return func(m *core.Machine) error {
		at, err := m.Address(op, slot)
		if err == nil {
			err = arriveEverywhere(m, op, at, role.Warps)
		}
		if err == nil {
			err = wait(m)
		}
		if err == nil {
			m.Epoch.Since = m.Epoch.Since[:0] // the warps of the role have met
			m.CTA.Cluster.Learn()
		}
		return err
	}, nil
}

// Finish lands flights that signal the current phase until it ends. The running role has made all its arrivals before
// the wait. Others may go on and arrive.
func Finish(m *core.Machine, op ir.Op, b *inflight.Mbarrier) error {
	for phase := b.Phase; b.Phase == phase; {
		if len(b.MMAs) > 0 {
			if err := m.Flights.LandMMA(b); err != nil {
				return err
			}
			continue
		}
		if len(b.Copies) == 0 {
			why := func() string {
				return fmt.Sprintf("phase %d, which never ends: %d of %d arrivals are missing, and %d bytes", phase, b.Pending, b.Arrivals, b.Bytes)
			}
			if m.Role == nil && m.CTA == nil { // nobody else can arrive
				return op.Errorf("waits for %s", why())
			}
			if err := m.Await(op, func() bool { return b.Phase != phase || len(b.Copies) > 0 || len(b.MMAs) > 0 }, why); err != nil {
				return err
			}
			continue
		}
		l := b.Copies[0]
		b.Copies = b.Copies[1:]
		if err := m.Flights.LandOne(l); err != nil {
			return err
		}
		b.Bytes -= l.Bytes
		b.Step()
	}
	return nil
}
