package async

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp/access"
	"github.com/tilewright/tilewright/target/engine/interp/core"
	"github.com/tilewright/tilewright/target/engine/interp/inflight"
	"github.com/tilewright/tilewright/target/engine/interp/memory"
	"github.com/tilewright/tilewright/target/engine/interp/onchip"
	"github.com/tilewright/tilewright/target/engine/interp/values"
)

// A copy that has started is a flight. Until a wait lands it, its destination is unspecified, and neither that nor its
// source may be written. It reads the source when it starts or, under Adversarial, when it lands, which is the latest
// legal time. It writes the destination when it lands, so that a kernel without the wait reads nothing.

func init() {
	core.Define(core.Table{
		tileas.CopyAsync:   {Run: copyAsync},
		tileas.GatherAsync: {Run: copyAsync},
		tileas.CommitGroup: {Run: func(d *core.Decoder, op ir.Op) (core.Action, error) { return commit(d, op, tileas.CopyGroups) }},
		tileas.WaitGroup:   {Run: func(d *core.Decoder, op ir.Op) (core.Action, error) { return wait(d, op, tileas.CopyGroups) }},
	})
}

// takeoff makes the destination of a copy unspecified until it lands.
func takeoff(m *core.Machine, op ir.Op, at onchip.Location, bytes uint64) error {
	lo, hi := at.Address(), at.Address()+bytes
	if err := m.Writable(op, lo, hi); err != nil {
		return err
	}
	m.Shared.Clear(&m.Pool, lo, hi)
	m.Shared.Extents = append(m.Shared.Extents, &onchip.Extent{Lo: lo, Hi: hi, Owner: at.Owner(), Flying: op})
	return nil
}

// arrive stores what a copy has read into its destination.
func arrive(m *core.Machine, by ir.Op, at onchip.Location, t *tileas.BufferType, v *values.Vec) {
	m.Shared.Clear(&m.Pool, at.Address(), at.Address()+uint64(t.TileBytes()))
	m.Shared.Store(&m.Pool, at, t, v, by)
}

// A fetch is the reading side of a copy from global memory. It keeps the operands of the start.
type fetch struct {
	run      func(m *core.Machine) error
	operands []int // slots of the operation's operands
	own      []int // slots from which run reads them
	out      int   // slot where run leaves the tile
}

// fetching decodes the load of the tile that a copy describes. The load reads its operands from slots of its own, so
// that it can run later. The second result returns the memory that it reads.
func fetching(d *core.Decoder, op ir.Op) (*fetch, func(m *core.Machine) ([]inflight.Span, error), error) {
	f := &fetch{out: d.TempSlot()}
	var operands []ir.Value // each once
	for _, v := range op.Operands()[1:] {
		if s, ok := d.Slots[v]; ok && !slices.Contains(operands, v) {
			operands, f.operands, f.own = append(operands, v), append(f.operands, s), append(f.own, d.TempSlot())
		}
	}
	defer d.Replace(operands, f.own)()
	if op.Is(tileas.GatherAsync) {
		load, source, err := fetchGather(d, op, f.out)
		f.run = load
		return f, source, err
	}
	v, window := access.Tiled(d, op)
	pad, padded := paddingOf(op, tile.AccessOf(op))
	load, err := access.LoadTo(d, v, window, f.out, pad, padded)
	if err != nil {
		return nil, nil, err
	}
	f.run = load
	size := uint64(values.ElementBytes(v.Elem))
	return f, func(m *core.Machine) (out []inflight.Span, err error) {
		w, err := window(m)
		if err != nil {
			return nil, err
		}
		step := w.Stride[len(w.Stride)-1]
		err = w.Runs(func(row memory.Run) error {
			if row.Inside > 0 {
				lo := w.Base + uint64(row.Offset)*size
				out = append(out, inflight.Span{Lo: lo, Hi: lo + uint64(int64(row.Inside-1)*step)*size + size})
			}
			return nil
		})
		return out, err
	}, nil
}

// fetchGather is fetching for pointers.
func fetchGather(d *core.Decoder, op ir.Op, out int) (load func(*core.Machine) error, source func(m *core.Machine) ([]inflight.Span, error), err error) {
	elem := op.Operand(0).Type().(*tileas.BufferType).Elem
	if load, err = access.LoadThroughTo(d, op, "ptrs", access.ZerosElsewhere, out, elem); err != nil {
		return nil, nil, err
	}
	k, size := access.Masking(d, op, "ptrs"), uint64(values.ElementBytes(elem))
	return load, func(m *core.Machine) (out []inflight.Span, err error) {
		err = k.Each(m, func(_ int, addr uint64) error {
			if n := len(out); n > 0 && out[n-1].Hi == addr {
				out[n-1].Hi += size
			} else {
				out = append(out, inflight.Span{Lo: addr, Hi: addr + size})
			}
			return nil
		})
		return out, err
	}, nil
}

// paddingOf returns the pattern of elements outside the tensor, and whether it is specified.
func paddingOf(op ir.Op, a tile.Access) (pad uint64, padded bool) {
	keyword := op.StringAttr(tile.AttrPadding)
	if elem := ir.ElementType(a.Tile); keyword != "" {
		if _, isFloat := elem.(*ir.FloatType); isFloat {
			pad = arith.Bits(tile.Padding(op.Context(), elem, keyword))
		}
	}
	return pad, keyword != ""
}

// operandsOf returns the current operands; set stores them for run.
func (f *fetch) operandsOf(m *core.Machine) []*values.Vec {
	out := make([]*values.Vec, len(f.operands))
	for i, s := range f.operands {
		out[i] = m.Vals[s]
		m.Retain(out[i])
	}
	return out
}

func (f *fetch) set(m *core.Machine, operands []*values.Vec) {
	for i, v := range operands {
		m.Put(f.own[i], v)
	}
}

// A groupCopy is a decoded copy_async or gather_async, which a commit group counts.
type groupCopy struct {
	op      ir.Op
	t       *tileas.BufferType
	address func(m *core.Machine) (onchip.Location, error)
	holds   func(m *core.Machine) (bool, error)
	fetch   *fetch
	source  func(m *core.Machine) ([]inflight.Span, error)
	access  *onchip.ThreadAccess
}

func copyAsync(d *core.Decoder, op ir.Op) (core.Action, error) {
	t, address, err := access.Local(d, op, op.Operand(0))
	if err != nil {
		return nil, err
	}
	c := &groupCopy{op: op, t: t, address: address, holds: condition(d, op), access: onchip.AnyThread(op, t, true)}
	c.fetch, c.source, err = fetching(d, op)
	return c.start, err
}

// start checks a copy and puts it in flight, in the open group.
func (c *groupCopy) start(m *core.Machine) error {
	yes, err := c.holds(m)
	if err != nil {
		return err
	}
	at, err := c.address(m)
	if err == nil && !yes { // a copy that does not happen loses the destination's contents
		m.Shared.Clear(&m.Pool, at.Address(), at.Address()+uint64(c.t.TileBytes()))
		return nil
	}
	if err == nil {
		err = m.Meets(c.access, at)
	}
	if err == nil {
		err = takeoff(m, c.op, at, uint64(c.t.TileBytes()))
	}
	if err != nil {
		return err
	}
	operands := c.fetch.operandsOf(m)
	l := &inflight.Flight{Op: c.op}
	var value *values.Vec
	if m.Launch.Options.Adversarial { // the operands only: landing reads the tile
		c.fetch.set(m, c.fetch.operandsOf(m))
	} else if value, err = c.read(m, operands); err != nil {
		return err
	}
	if l.Source, err = c.source(m); err != nil {
		return err
	}
	l.Land = func() error {
		if value == nil {
			if value, err = c.read(m, operands); err != nil {
				return err
			}
		}
		arrive(m, c.op, at, c.t, value)
		m.Release(value)
		if l.Signals != nil { // another role lands it: what this one had seen when it arrived orders the two
			return nil
		}
		return m.Meets(c.access, at)
	}
	m.Flights.Copies = append(m.Flights.Copies, l)
	q := m.Flights.Queue(tileas.CopyGroups)
	q.Open = append(q.Open, l)
	return nil
}

// read returns the tile in global memory, with a reference for the caller. It takes over the references of operands.
func (c *groupCopy) read(m *core.Machine, operands []*values.Vec) (*values.Vec, error) {
	c.fetch.set(m, operands)
	if err := c.fetch.run(m); err != nil {
		return nil, err
	}
	v := m.Vals[c.fetch.out]
	m.Retain(v)
	return v, nil
}

// commit closes a batch of each queue. Queues that are always committed together number their batches alike.
func commit(d *core.Decoder, op ir.Op, queues ...*ir.AsyncQueue) (core.Action, error) {
	out := d.Result(op, 0)
	return func(m *core.Machine) error {
		for _, queue := range queues {
			q := m.Flights.Queue(queue)
			q.Batches = append(q.Batches, q.Open)
			q.Open = nil
			m.Put(out, m.Scalar(q.Landed+uint64(len(q.Batches))))
		}
		return nil
	}, nil
}

func wait(d *core.Decoder, op ir.Op, queues ...*ir.AsyncQueue) (core.Action, error) {
	groups := d.SlotsOf(op.Operands())
	pending, _ := op.IntAttr(tileas.AttrPending)
	return func(m *core.Machine) error {
		var q *inflight.Queue
		for _, of := range queues {
			q = m.Flights.Queue(of)
			if err := m.Flights.Complete(q, pending); err != nil {
				return err
			}
		}
		for i, g := range groups {
			if err := m.Defined(op, g, nil, "group"); err != nil {
				return err
			}
			if n := m.Vals[g].Data[0]; n > q.Landed {
				return op.Errorf("returns while group #%d that it waits for is in flight: it leaves the latest %d pending, and only %d were committed since", i, pending,
					q.Landed+uint64(len(q.Batches))-n)
			}
		}
		return nil
	}, nil
}
