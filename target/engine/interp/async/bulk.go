package async

import (
	"errors"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp/access"
	"github.com/tilewright/tilewright/target/engine/interp/core"
	"github.com/tilewright/tilewright/target/engine/interp/inflight"
	"github.com/tilewright/tilewright/target/engine/interp/onchip"
	"github.com/tilewright/tilewright/target/engine/interp/values"
)

// Bulk copies read their source when they start or, under Adversarial, when they land. They write their destination
// when they land.

func init() {
	core.Define(core.Table{
		tileas.BulkLoad: {Run: bulkLoad}, tileas.BulkStore: {Run: bulkStore}, tileas.FenceAsync: {Run: fenceAsync},
		tileas.BulkCommit: {Run: func(d *core.Decoder, op ir.Op) (core.Action, error) {
			return commit(d, op, tileas.BulkReads, tileas.BulkGroups)
		}},
		tileas.BulkWait: {Run: func(d *core.Decoder, op ir.Op) (core.Action, error) {
			if op.HasUnitAttr(tileas.AttrRead) {
				return wait(d, op, tileas.BulkReads)
			}
			return wait(d, op, tileas.BulkReads, tileas.BulkGroups)
		}},
	})
}

// fenceAsync makes stores to shared memory visible to the async proxy.
func fenceAsync(*core.Decoder, ir.Op) (core.Action, error) {
	return func(m *core.Machine) error {
		for _, e := range m.Shared.Extents {
			e.Unfenced = ir.Op{}
		}
		return nil
	}, nil
}

// A bulk is a decoded bulk copy.
type bulk struct {
	op      ir.Op
	t       *tileas.BufferType
	cell    access.Cell
	pointer int
	address func(m *core.Machine) (onchip.Location, error)
}

func newBulk(d *core.Decoder, op ir.Op) (*bulk, error) {
	t, address, err := access.Local(d, op, op.Operand(0))
	if err != nil {
		return nil, err
	}
	c, err := access.NewCell(d, op, t.Elem)
	if err != nil {
		return nil, err
	}
	access.Proxy(d, &c)
	return &bulk{op: op, t: t, cell: c, pointer: d.Slot(op.Operand(1)), address: address}, nil
}

// places returns where the two sides of the copy begin.
func (b *bulk) places(m *core.Machine) (at onchip.Location, global uint64, err error) {
	if at, err = b.address(m); err == nil {
		err = m.Defined(b.op, b.pointer, nil, "address")
	}
	if err != nil {
		return at, 0, err
	}
	global = m.Vals[b.pointer].Data[0]
	for _, a := range []struct {
		what string
		addr uint64
	}{{"buffer", at.Address()}, {"global memory", global}} {
		if a.addr%tile.BulkUnit != 0 {
			return at, 0, b.op.Errorf("%s at 0x%x is not aligned to %d bytes", a.what, a.addr, tile.BulkUnit)
		}
	}
	return at, global, nil
}

func (b *bulk) span(global uint64) inflight.Span {
	return inflight.Span{Lo: global, Hi: global + uint64(b.t.TileBytes())}
}

// each calls f with each element of the tile and its address in global memory.
func (b *bulk) each(global uint64, f func(addr uint64, i int) error) error {
	layout, size := b.t.Layout.Shared, uint64(b.t.ElementBytes())
	for i := range values.Count(b.t.Shape) {
		if err := f(global+layout.Offset(uint64(i))*size, i); err != nil {
			return b.op.Errorf("%s: %v", values.Place(b.t.Shape, i), err)
		}
	}
	return nil
}

// read returns the tile in global memory.
func (b *bulk) read(m *core.Machine, global uint64) (*values.Vec, error) {
	v := m.Alloc(values.Count(b.t.Shape))
	return v, b.each(global, func(addr uint64, i int) error { return b.cell.Load(m, addr, v, i) })
}

var errUnspecified = errors.New("stores an unspecified value (never written, or in flight)")

// write stores a tile to global memory.
func (b *bulk) write(m *core.Machine, global uint64, v *values.Vec) error {
	return b.each(global, func(addr uint64, i int) error {
		if v.IsUndef(i) {
			return errUnspecified
		}
		return b.cell.Store(m, addr, v.Data[i])
	})
}

func bulkLoad(d *core.Decoder, op ir.Op) (core.Action, error) {
	b, err := newBulk(d, op)
	if err != nil {
		return nil, err
	}
	slot := d.Slot(op.Operand(2))
	acc, signals := onchip.AnyThread(op, b.t, true), onchip.AnyThread(op, onchip.BufferType(op.Operand(2)), false)
	return func(m *core.Machine) error {
		at, global, err := b.places(m)
		if err == nil {
			_, err = m.Clash(acc, at) // not noted: who waits for the phase sees the bytes
		}
		if err != nil {
			return err
		}
		return startBulkLoad(m, op, at, b.t, slot, signals, []inflight.Span{b.span(global)}, func(m *core.Machine) (*values.Vec, error) { return b.read(m, global) })
	}, nil
}

// startBulkLoad starts a copy from global memory to a buffer. It signals the mbarrier in a slot.
func startBulkLoad(m *core.Machine, op ir.Op, at onchip.Location, t *tileas.BufferType, slot int, signals *onchip.ThreadAccess, source []inflight.Span, read func(m *core.Machine) (*values.Vec, error)) error {
	bytes := t.TileBytes()
	bar, err := Usable(m, op, slot, signals)
	if err == nil && op.HasUnitAttr(tile.AttrTwoCTAs) {
		bar, err = EvenMbarrier(m, op, slot)
	}
	if err == nil {
		err = takeoff(m, op, at, uint64(bytes))
	}
	if err != nil {
		return err
	}
	l := &inflight.Flight{Op: op, Source: source, Bytes: bytes}
	// An access outside of memory is an error at the start, also under Adversarial.
	value, err := read(m)
	if err != nil {
		return err
	}
	late := m.Launch.Options.Adversarial
	l.Land = func() error {
		m.Flights.Remove(l) // the even CTA of a pair may land it
		if late {
			m.Release(value)
			if value, err = read(m); err != nil {
				return err
			}
		}
		arrive(m, op, at, t, value)
		m.Release(value)
		m.Shared.Fenced(at.Address(), at.Address()+uint64(bytes))
		return nil
	}
	m.Flights.Copies = append(m.Flights.Copies, l)
	bar.Copies = append(bar.Copies, l)
	return nil
}

func bulkStore(d *core.Decoder, op ir.Op) (core.Action, error) {
	b, err := newBulk(d, op)
	if err != nil {
		return nil, err
	}
	acc := onchip.AnyThread(op, b.t, false)
	return func(m *core.Machine) error {
		at, global, err := b.places(m)
		if err == nil {
			err = m.Meets(acc, at)
		}
		if err != nil {
			return err
		}
		return startBulkStore(m, op, at, b.t, acc, []inflight.Span{b.span(global)}, func(m *core.Machine, v *values.Vec) error { return b.write(m, global, v) })
	}, nil
}

// startBulkStore starts a copy from a buffer to global memory, in the open bulk group.
func startBulkStore(m *core.Machine, op ir.Op, at onchip.Location, t *tileas.BufferType, acc *onchip.ThreadAccess, destination []inflight.Span, write func(m *core.Machine, v *values.Vec) error) error {
	lo, hi := at.Address(), at.Address()+uint64(t.TileBytes())
	if by := m.Shared.Unfenced(lo, hi); !by.IsNil() {
		return op.Errorf("reads what '%s' has stored, with no fence_async in between", by.Name()).Note(by.Loc(), "the store")
	}
	value := m.Shared.Load(&m.Pool, at, t)
	reads := &inflight.Flight{Op: op}
	m.Shared.Reading = append(m.Shared.Reading, onchip.Reader{Lo: lo, Hi: hi, Flight: reads})
	late := m.Launch.Options.Adversarial
	reads.Land = func() error {
		m.Shared.Done(reads)
		if late {
			m.Release(value)
			value = m.Shared.Load(&m.Pool, at, t)
		}
		return m.Meets(acc, at)
	}
	// The destination is a Source too: nobody else may write it meanwhile.
	writes := &inflight.Flight{Op: op, Source: destination, UntilEnd: true}
	writes.Land = func() error {
		err := write(m, value)
		m.Release(value)
		return err
	}
	for _, x := range []struct {
		queue  *ir.AsyncQueue
		flight *inflight.Flight
	}{{tileas.BulkReads, reads}, {tileas.BulkGroups, writes}} {
		m.Flights.Copies = append(m.Flights.Copies, x.flight)
		q := m.Flights.Queue(x.queue)
		q.Open = append(q.Open, x.flight)
	}
	return nil
}
