package interp

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// Asynchronous copies. One that has started is a flight: its destination is unspecified and may not be written, nor may its source, until a wait lands it. The source is read when the copy starts or, with
// Engine.Adversarial, when it lands, which is the latest that is legal; the destination is written when it lands in both cases, so that what does not wait reads nothing.

func init() {
	define(map[*ir.OpDef]rule{
		tileas.CopyAsync:   (*decoder).copyAsync,
		tileas.GatherAsync: (*decoder).copyAsync,
		tileas.CommitGroup: func(d *decoder, op ir.Op) (func(*machine) error, error) { return d.commit(op, tileas.CopyGroups) },
		tileas.WaitGroup:   func(d *decoder, op ir.Op) (func(*machine) error, error) { return d.wait(op, tileas.CopyGroups) },
	})
}

// A flight is a copy that is under way.
type flight struct {
	op     ir.Op
	source []span    // in global memory, which must not be written
	bytes  int64     // that an mbarrier is told
	tells  *mbarrier // at which it arrives when it lands
	// untilEnd says that the end of the kernel waits for it.
	untilEnd bool
	land     func(m *machine) error
	// shared says that other CTAs have started it, or may have.
	shared bool
}

// A span is a range of addresses in global memory.
type span struct{ lo, hi uint64 }

// A queue is what the tile block has started in an ir.AsyncQueue.
type queue struct {
	open    []*flight
	batches [][]*flight // committed, the oldest first
	landed  uint64      // batches so far
}

// flights is all that is under way in a tile block.
type flights struct {
	queues map[*ir.AsyncQueue]*queue
	copies []*flight // the oldest first
}

func (f *flights) queue(q *ir.AsyncQueue) *queue {
	if f.queues == nil {
		f.queues = make(map[*ir.AsyncQueue]*queue)
	}
	if f.queues[q] == nil {
		f.queues[q] = &queue{}
	}
	return f.queues[q]
}

// leftOfOwn is left, but for what all CTAs of a cluster do together: others may have begun it.
func (f *flights) leftOfOwn() ir.Op {
	for _, c := range f.copies {
		if !c.untilEnd && !c.shared {
			return c.op
		}
	}
	return ir.Op{}
}

// left returns an operation whose access has not landed when the kernel ends, or a zero Op.
func (f *flights) left() ir.Op {
	for _, c := range f.copies {
		if !c.untilEnd {
			return c.op
		}
	}
	return ir.Op{}
}

// end lands what the end of the kernel waits for.
func (m *machine) end() error {
	for len(m.flights.copies) > 0 {
		if err := m.landOne(m.flights.copies[0]); err != nil {
			return err
		}
	}
	return nil
}

// leftInQueues returns an operation whose access a wait for one of the queues would land, or a zero Op. What an mbarrier tells of, others may wait for.
func (f *flights) leftInQueues() ir.Op {
	for _, q := range f.queues {
		for _, l := range slices.Concat(append(slices.Clone(q.batches), q.open)...) {
			if l.tells == nil && !l.untilEnd && slices.Contains(f.copies, l) {
				return l.op
			}
		}
	}
	return ir.Op{}
}

// reads reports a write of what an asynchronous copy accesses in global memory.
func (f *flights) reads(addr, size uint64) error {
	for _, c := range f.copies {
		for _, s := range c.source {
			if addr < s.hi && s.lo < addr+size {
				return &busyError{c.op}
			}
		}
	}
	return nil
}

// A busyError is a write of the source of a copy that is under way.
type busyError struct{ op ir.Op }

func (e *busyError) Error() string {
	return "writes what '" + e.op.Name() + "' is still " + e.verb() + ": nothing has waited for that"
}

func (e *busyError) verb() string {
	if e.op.Is(tileas.BulkStore) || e.op.Is(tileas.TMAStore) || e.op.Is(tileas.TMAReduce) {
		return "writing"
	}
	return "reading"
}

// landOne lands a flight.
func (m *machine) landOne(l *flight) error {
	for i, c := range m.flights.copies {
		if c == l {
			m.flights.copies = append(m.flights.copies[:i], m.flights.copies[i+1:]...)
			break
		}
	}
	return l.land(m)
}

// takeoff makes the destination of a copy unspecified until it lands.
func (m *machine) takeoff(op ir.Op, at location, bytes uint64) error {
	lo, hi := at.address(), at.address()+bytes
	if err := m.writable(op, lo, hi); err != nil {
		return err
	}
	m.smem.clear(m, lo, hi)
	m.smem.extents = append(m.smem.extents, &extent{lo: lo, hi: hi, owner: at.owner(), flying: op})
	return nil
}

// arrive puts what a copy has read into its destination.
func (m *machine) arrive(by ir.Op, at location, t *tileas.BufferType, v *vec) {
	m.smem.clear(m, at.address(), at.address()+uint64(t.TileBytes()))
	m.smem.store(m, at, t, v, by)
}

// A fetch is the reading side of a copy from global memory, with the operands that it had when it started.
type fetch struct {
	run      func(m *machine) error
	operands []int // the slots of the operation's operands
	own      []int // those that run reads them from
	out      int   // that run leaves the tile in
}

// fetching decodes the load of the tile that a copy describes. It has slots of its own for its operands, so that it can be done later. The second result says where it reads, with the operands that it has then.
func (d *decoder) fetching(op ir.Op) (*fetch, func(m *machine) ([]span, error), error) {
	f := &fetch{out: d.tempSlot()}
	kept := make(map[ir.Value]int)
	for _, v := range op.Operands()[1:] {
		s, ok := d.slots[v]
		if _, seen := kept[v]; !ok || seen {
			continue
		}
		kept[v] = s
		f.operands = append(f.operands, s)
		f.own = append(f.own, d.tempSlot())
	}
	i := 0
	for _, v := range op.Operands()[1:] {
		if s, ok := kept[v]; ok && i < len(f.operands) && f.operands[i] == s {
			d.slots[v] = f.own[i]
			i++
		}
	}
	defer func() {
		for v, s := range kept {
			d.slots[v] = s
		}
	}()
	if op.Is(tileas.GatherAsync) {
		load, source, err := d.fetchGather(op, f.out)
		f.run = load
		return f, source, err
	}
	v, window := d.tiled(op)
	pad, padded := paddingOf(op, tile.AccessOf(op))
	load, err := d.loadTo(v, window, f.out, pad, padded)
	if err != nil {
		return nil, nil, err
	}
	f.run = load
	size := uint64(elementBytes(v.elem))
	return f, func(m *machine) (out []span, err error) {
		w, err := window(m)
		if err != nil {
			return nil, err
		}
		step := w.stride[len(w.stride)-1]
		err = w.runs(func(row run) error {
			if row.inside > 0 {
				lo := w.base + uint64(row.offset)*size
				out = append(out, span{lo, lo + uint64(int64(row.inside-1)*step)*size + size})
			}
			return nil
		})
		return out, err
	}, nil
}

// fetchGather is fetching for pointers.
func (d *decoder) fetchGather(op ir.Op, out int) (load func(*machine) error, source func(m *machine) ([]span, error), err error) {
	elem := op.Operand(0).Type().(*tileas.BufferType).Elem
	if load, err = d.loadThroughTo(op, "ptrs", zerosElsewhere, out, elem); err != nil {
		return nil, nil, err
	}
	k, size := d.masking(op, "ptrs"), uint64(elementBytes(elem))
	return load, func(m *machine) (out []span, err error) {
		err = k.each(m, func(_ int, addr uint64) error {
			if n := len(out); n > 0 && out[n-1].hi == addr {
				out[n-1].hi += size
			} else {
				out = append(out, span{addr, addr + size})
			}
			return nil
		})
		return out, err
	}, nil
}

// paddingOf returns the pattern of elements outside, and whether it is specified.
func paddingOf(op ir.Op, a tile.Access) (pad uint64, padded bool) {
	keyword := op.StringAttr(tile.AttrPadding)
	if elem := ir.ElementType(a.Tile); keyword != "" {
		if _, isFloat := elem.(*ir.FloatType); isFloat {
			pad = arith.Bits(tile.Padding(op.Context(), elem, keyword))
		}
	}
	return pad, keyword != ""
}

// operandsOf keeps what the operands are now; set makes them those of run.
func (f *fetch) operandsOf(m *machine) []*vec {
	out := make([]*vec, len(f.operands))
	for i, s := range f.operands {
		out[i] = m.vals[s]
		m.retain(out[i])
	}
	return out
}

func (f *fetch) set(m *machine, operands []*vec) {
	for i, v := range operands {
		m.put(f.own[i], v)
	}
}

func (d *decoder) copyAsync(op ir.Op) (func(*machine) error, error) {
	t, address, err := d.local(op, op.Operand(0))
	if err != nil {
		return nil, err
	}
	f, source, err := d.fetching(op)
	if err != nil {
		return nil, err
	}
	acc := anyThread(op, t, true)
	predicate := -1
	if p := op.OperandNamed(tile.FieldPredicate); !p.IsNil() {
		predicate = d.slot(p)
	}
	return func(m *machine) error {
		if predicate >= 0 {
			if err := m.defined(op, predicate, nil, "predicate"); err != nil {
				return err
			}
			if m.vals[predicate].data[0] == 0 { // what the place held is lost
				at, err := address(m)
				if err == nil {
					m.smem.clear(m, at.address(), at.address()+uint64(t.TileBytes()))
				}
				return err
			}
		}
		at, err := address(m)
		if err == nil {
			err = m.meets(acc, at)
		}
		if err == nil {
			err = m.takeoff(op, at, uint64(t.TileBytes()))
		}
		if err != nil {
			return err
		}
		operands := f.operandsOf(m)
		read := func(m *machine) error {
			f.set(m, operands)
			return f.run(m)
		}
		l := &flight{op: op}
		late := m.run.engine.Adversarial
		var value *vec
		if late {
			f.set(m, f.operandsOf(m)) // for the source's place
		} else if err := read(m); err != nil {
			return err
		} else {
			value = m.vals[f.out]
			m.retain(value)
		}
		if l.source, err = source(m); err != nil {
			return err
		}
		l.land = func(m *machine) error {
			if late {
				if err := read(m); err != nil {
					return err
				}
				value = m.vals[f.out]
				m.retain(value)
			}
			m.arrive(op, at, t, value)
			m.release(value)
			return m.meets(acc, at)
		}
		m.flights.copies = append(m.flights.copies, l)
		q := m.flights.queue(tileas.CopyGroups)
		q.open = append(q.open, l)
		return nil
	}, nil
}

// commit closes a batch of each queue. Queues that are always committed together number their batches alike.
func (d *decoder) commit(op ir.Op, queues ...*ir.AsyncQueue) (func(*machine) error, error) {
	out := d.result(op, 0)
	return func(m *machine) error {
		for _, queue := range queues {
			q := m.flights.queue(queue)
			q.batches = append(q.batches, q.open)
			q.open = nil
			m.put(out, m.scalar(q.landed+uint64(len(q.batches))))
		}
		return nil
	}, nil
}

// complete lands what is not among the latest batches of a queue.
func (m *machine) complete(q *queue, pending int64) error {
	for int64(len(q.batches)) > pending {
		batch := q.batches[0]
		q.batches = q.batches[1:]
		q.landed++
		for _, l := range batch {
			if err := m.landOne(l); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d *decoder) wait(op ir.Op, queues ...*ir.AsyncQueue) (func(*machine) error, error) {
	groups := d.slotsOf(op.Operands())
	pending, _ := op.IntAttr(tileas.AttrPending)
	return func(m *machine) error {
		var q *queue
		for _, of := range queues {
			q = m.flights.queue(of)
			if err := m.complete(q, pending); err != nil {
				return err
			}
		}
		for i, g := range groups {
			if err := m.defined(op, g, nil, "group"); err != nil {
				return err
			}
			if n := m.vals[g].data[0]; n > q.landed {
				return op.Errorf("returns while group #%d that it waits for is under way: it leaves the latest %d pending, and only %d were committed since", i, pending,
					q.landed+uint64(len(q.batches))-n)
			}
		}
		return nil
	}, nil
}
