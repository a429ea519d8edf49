package interp

import (
	"errors"
	"slices"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// Bulk copies. As those in groups, they read their source when they start or, with Engine.Adversarial, when they land, and write their destination when they land.

func init() {
	define(map[*ir.OpDef]rule{
		tileas.BulkLoad: (*decoder).bulkLoad, tileas.BulkStore: (*decoder).bulkStore, tileas.FenceAsync: fenceAsync, tileas.FenceGlobal: fenceGlobal,
		tileas.BulkCommit: func(d *decoder, op ir.Op) (func(*machine) error, error) {
			return d.commit(op, tileas.BulkReads, tileas.BulkGroups)
		},
		tileas.BulkWait: func(d *decoder, op ir.Op) (func(*machine) error, error) {
			if op.HasUnitAttr(tileas.AttrRead) {
				return d.wait(op, tileas.BulkReads)
			}
			return d.wait(op, tileas.BulkReads, tileas.BulkGroups)
		},
	})
}

// fenceAsync lets bulk copies see what was stored.
func fenceAsync(*decoder, ir.Op) (func(*machine) error, error) {
	return func(m *machine) error {
		for _, e := range m.smem.extents {
			e.unfenced = ir.Op{}
		}
		return nil
	}, nil
}

// A bulk is a decoded bulk copy.
type bulk struct {
	op      ir.Op
	t       *tileas.BufferType
	cell    cell
	pointer int
	address func(m *machine) (location, error)
}

func (d *decoder) bulk(op ir.Op) (*bulk, error) {
	t, address, err := d.local(op, op.Operand(0))
	if err != nil {
		return nil, err
	}
	c, err := d.cell(op, t.Elem)
	if err != nil {
		return nil, err
	}
	d.proxy(&c)
	return &bulk{op: op, t: t, cell: c, pointer: d.slot(op.Operand(1)), address: address}, nil
}

// places returns where the two sides of the copy begin.
func (b *bulk) places(m *machine) (at location, global uint64, err error) {
	if at, err = b.address(m); err == nil {
		err = m.defined(b.op, b.pointer, nil, "address")
	}
	if err != nil {
		return at, 0, err
	}
	global = m.vals[b.pointer].data[0]
	for _, a := range []struct {
		what string
		addr uint64
	}{{"buffer", at.address()}, {"global memory", global}} {
		if a.addr%tileas.BulkUnit != 0 {
			return at, 0, b.op.Errorf("%s at 0x%x is not aligned to %d bytes", a.what, a.addr, tileas.BulkUnit)
		}
	}
	return at, global, nil
}

func (b *bulk) span(global uint64) span { return span{global, global + uint64(b.t.TileBytes())} }

// each calls f with each element of the tile and its address in global memory.
func (b *bulk) each(global uint64, f func(addr uint64, i int) error) error {
	layout, size := b.t.Layout.Shared, uint64(b.t.ElementBytes())
	for i := range count(b.t.Shape) {
		if err := f(global+layout.Offset(uint64(i))*size, i); err != nil {
			return b.op.Errorf("%s: %v", place(b.t.Shape, i), err)
		}
	}
	return nil
}

// read returns the tile in global memory.
func (b *bulk) read(m *machine, global uint64) (*vec, error) {
	v := m.alloc(count(b.t.Shape))
	return v, b.each(global, func(addr uint64, i int) error { return b.cell.load(m, addr, v, i) })
}

var errUnspecified = errors.New("stores an unspecified value (never written, or under way)")

// write stores a tile to global memory.
func (b *bulk) write(m *machine, global uint64, v *vec) error {
	return b.each(global, func(addr uint64, i int) error {
		if v.isUndef(i) {
			return errUnspecified
		}
		return b.cell.store(m, addr, v.data[i])
	})
}

func (d *decoder) bulkLoad(op ir.Op) (func(*machine) error, error) {
	b, err := d.bulk(op)
	if err != nil {
		return nil, err
	}
	slot := d.slot(op.Operand(2))
	acc, tells := anyThread(op, b.t, true), anyThread(op, bufferType(op.Operand(2)), false)
	return func(m *machine) error {
		at, global, err := b.places(m)
		if err == nil {
			_, err = m.clash(acc, at) // nothing to note: whoever waits for the phase sees the bytes
		}
		if err != nil {
			return err
		}
		return m.bulkLoad(op, at, b.t, slot, tells, []span{b.span(global)}, func(m *machine) (*vec, error) { return b.read(m, global) })
	}, nil
}

// bulkLoad starts a copy from global memory to a buffer that the mbarrier in a slot counts.
func (m *machine) bulkLoad(op ir.Op, at location, t *tileas.BufferType, slot int, tells *threadAccess, source []span, read func(m *machine) (*vec, error)) error {
	bytes := t.TileBytes()
	bar, err := m.usable(op, slot, tells)
	if err == nil {
		err = m.takeoff(op, at, uint64(bytes))
	}
	if err != nil {
		return err
	}
	l := &flight{op: op, source: source, bytes: bytes}
	// Outside of all memory is an error at the start in both orders.
	value, err := read(m)
	if err != nil {
		return err
	}
	late := m.run.engine.Adversarial
	l.land = func(m *machine) error {
		if late {
			m.release(value)
			if value, err = read(m); err != nil {
				return err
			}
		}
		m.arrive(op, at, t, value)
		m.release(value)
		m.smem.fenced(at.address(), at.address()+uint64(bytes))
		return nil
	}
	m.flights.copies = append(m.flights.copies, l)
	bar.copies = append(bar.copies, l)
	return nil
}

func (d *decoder) bulkStore(op ir.Op) (func(*machine) error, error) {
	b, err := d.bulk(op)
	if err != nil {
		return nil, err
	}
	acc := anyThread(op, b.t, false)
	return func(m *machine) error {
		at, global, err := b.places(m)
		if err == nil {
			err = m.meets(acc, at)
		}
		if err != nil {
			return err
		}
		return m.bulkStore(op, at, b.t, acc, []span{b.span(global)}, func(m *machine, v *vec) error { return b.write(m, global, v) })
	}, nil
}

// bulkStore starts a copy of a buffer to global memory, in the open bulk group.
func (m *machine) bulkStore(op ir.Op, at location, t *tileas.BufferType, acc *threadAccess, destination []span, write func(m *machine, v *vec) error) error {
	lo, hi := at.address(), at.address()+uint64(t.TileBytes())
	if by := m.smem.unfenced(lo, hi); !by.IsNil() {
		return op.Errorf("reads what '%s' has stored, and no fence_async has stood between them", by.Name()).Note(by.Loc(), "the store")
	}
	value := m.smem.load(m, at, t)
	reads := &flight{op: op}
	m.smem.reading = append(m.smem.reading, reader{lo, hi, reads})
	late := m.run.engine.Adversarial
	reads.land = func(m *machine) error {
		m.smem.done(reads)
		if late {
			m.release(value)
			value = m.smem.load(m, at, t)
		}
		return m.meets(acc, at)
	}
	// Its destination is listed with the sources of others: nothing else may write it either.
	writes := &flight{op: op, source: destination, untilEnd: true}
	writes.land = func(m *machine) error {
		err := write(m, value)
		m.release(value)
		return err
	}
	for _, x := range []struct {
		queue  *ir.AsyncQueue
		flight *flight
	}{{tileas.BulkReads, reads}, {tileas.BulkGroups, writes}} {
		m.flights.copies = append(m.flights.copies, x.flight)
		q := m.flights.queue(x.queue)
		q.open = append(q.open, x.flight)
	}
	return nil
}

// A reader is an asynchronous copy from shared memory that is under way.
type reader struct {
	lo, hi uint64
	flight *flight
}

// done forgets what a flight was reading.
func (s *sharedMemory) done(l *flight) {
	s.reading = slices.DeleteFunc(s.reading, func(r reader) bool { return r.flight == l })
}

// unfenced returns what has stored to a range since the last fence, or a zero Op.
func (s *sharedMemory) unfenced(lo, hi uint64) ir.Op {
	for _, e := range s.extents {
		if e.meets(lo, hi) && !e.unfenced.IsNil() {
			return e.unfenced
		}
	}
	return ir.Op{}
}

// fenced says that a range was written by what needs no fence.
func (s *sharedMemory) fenced(lo, hi uint64) {
	for _, e := range s.extents {
		if e.lo >= lo && e.hi <= hi {
			e.unfenced = ir.Op{}
		}
	}
}
