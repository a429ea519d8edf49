package async

import (
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp/core"
	"github.com/tilewright/tilewright/target/engine/interp/inflight"
	"github.com/tilewright/tilewright/target/engine/interp/onchip"
	"github.com/tilewright/tilewright/target/engine/interp/sched"
	"github.com/tilewright/tilewright/target/engine/interp/values"
)

// arriveEverywhere arrives at the mbarrier at a location, in every CTA of the cluster.
func arriveEverywhere(m *core.Machine, op ir.Op, at onchip.Location, n int64) error {
	peers, err := m.PeersOf(op)
	if err != nil {
		return err
	}
	for _, t := range peers {
		if err := t.Alive(op); err != nil {
			return err
		}
		b, err := t.Shared.MbarrierAt(op, at)
		if err != nil {
			return err
		}
		seen := sched.Clock(nil) // roles of different CTAs have clocks of their own
		if t.Machine == m {
			seen = m.Publish()
		}
		if err := b.Arrive(op, n, 0, seen); err != nil {
			return err
		}
	}
	return m.LetOthers(op)
}

// multicast starts the copies of some boxes of a tile to all CTAs: each CTA brings its share of the boxes.
func (c *tmaCopy) multicast(m *core.Machine, at, bar onchip.Location, w *tmaWindow) error {
	peers, err := m.PeersOf(c.op)
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
	for k := m.CTA.Rank; k < len(places) && m.CTA.Rank < together; k += together {
		for _, t := range peers {
			if err := t.Alive(c.op); err != nil {
				return err
			}
			b, err := t.Shared.MbarrierAt(c.op, bar)
			if err == nil {
				err = takeoff(t.Machine, c.op, at+onchip.Location(uint64(places[k].Offset)*size), bytes)
			}
			if err != nil {
				return err
			}
			if err := c.fly(t.Machine, b, at, w, k, int64(bytes)); err != nil {
				return err
			}
		}
	}
	return m.LetOthers(c.op)
}

// fly starts the copy of one box to one CTA. It lands when that CTA waits for it.
func (c *tmaCopy) fly(m *core.Machine, bar *inflight.Mbarrier, at onchip.Location, w *tmaWindow, k int, bytes int64) error {
	read := func(m *core.Machine) (*values.Vec, error) { return c.read(m, w) }
	value, err := read(m)
	if err != nil {
		return err
	}
	l := &inflight.Flight{Op: c.op, Source: c.spans(w), Bytes: bytes, Shared: true}
	late := m.Launch.Options.Adversarial
	l.Land = func() error {
		if late {
			m.Release(value)
			if value, err = read(m); err != nil {
				return err
			}
		}
		c.arriveBox(m, at, k, uint64(bytes), value)
		m.Release(value)
		return nil
	}
	m.Flights.Copies = append(m.Flights.Copies, l)
	bar.Copies = append(bar.Copies, l)
	return nil
}

// arriveBox stores a box of a tile into a buffer.
func (c *tmaCopy) arriveBox(m *core.Machine, at onchip.Location, k int, bytes uint64, v *values.Vec) {
	size := uint64(c.t.ElementBytes())
	first := uint64(c.boxes.Places[k].Offset) * size
	lo := at.Address() + first
	e := &onchip.Extent{Lo: lo, Hi: lo + bytes, Owner: at.Owner(), Bytes: make([]byte, bytes), Undef: make([]bool, bytes)}
	layout := c.t.Layout.Shared
	for i, x := range v.Data {
		off := layout.Offset(uint64(i)) * size
		if off < first || off >= first+bytes {
			continue
		}
		values.ToBytes(e.Bytes[off-first:off-first+size], x)
		for b := range size {
			e.Undef[off-first+b] = v.IsUndef(i)
		}
	}
	m.Shared.Clear(&m.Pool, lo, lo+bytes)
	m.Shared.Extents = append(m.Shared.Extents, e)
}
