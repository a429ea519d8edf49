package async

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp/access"
	"github.com/tilewright/tilewright/target/engine/interp/cluster"
	"github.com/tilewright/tilewright/target/engine/interp/core"
	"github.com/tilewright/tilewright/target/engine/interp/inflight"
	"github.com/tilewright/tilewright/target/engine/interp/mma"
	"github.com/tilewright/tilewright/target/engine/interp/onchip"
	"github.com/tilewright/tilewright/target/engine/interp/values"
)

// The result of an asynchronous MMA that has started is unspecified, and refers to the MMA. The next MMA of a chain and
// the wait find it there, through whatever loops the value has gone. Buffers are read when the MMA starts or, under
// Adversarial, when a wait lands it, which is the latest legal time.

func init() {
	core.Define(core.Table{tileas.DotAsync: {Run: dotAsync}, tileas.DotWait: {Run: dotWait}})
}

// An OperandSource is an operand of an asynchronous MMA: a tensor in registers, or a buffer.
type OperandSource struct {
	slot, Own int // slots of the operand, and where multiply takes it from
	t         *tileas.BufferType
	address   func(m *core.Machine) (onchip.Location, error)
	access    *onchip.ThreadAccess
}

// NewOperandSource decodes operand i of an MMA.
func NewOperandSource(d *core.Decoder, op ir.Op, i int) (f OperandSource, err error) {
	v := op.Operand(i)
	f = OperandSource{slot: d.Slot(v), Own: d.TempSlot()}
	if _, ok := v.Type().(*tileas.BufferType); ok {
		if f.t, f.address, err = access.Local(d, op, v); err == nil {
			f.access = onchip.AnyThread(op, f.t, false)
		}
	}
	return f, err
}

// start checks a buffer that an MMA begins to read. The MMA does not see stores since the last fence.
func (f *OperandSource) start(m *core.Machine, op ir.Op, l *inflight.Flight) (at onchip.Location, err error) {
	if f.t == nil {
		return 0, nil
	}
	if at, err = f.address(m); err == nil {
		err = m.Meets(f.access, at)
	}
	if err != nil {
		return at, err
	}
	return at, f.Reads(m, op, l, at)
}

// Begin is start for an MMA whose wait shows all threads that it has read the buffer. No barrier is needed after it.
func (f *OperandSource) Begin(m *core.Machine, op ir.Op, l *inflight.Flight) (at onchip.Location, err error) {
	if at, err = f.address(m); err == nil {
		err = m.Starts(f.access, at)
	}
	if err != nil {
		return at, err
	}
	return at, f.Reads(m, op, l, at)
}

// Reads notes that an MMA reads a buffer from now on.
func (f *OperandSource) Reads(m *core.Machine, op ir.Op, l *inflight.Flight, at onchip.Location) error {
	lo, hi := at.Address(), at.Address()+f.access.Bytes
	if by := m.Shared.Unfenced(lo, hi); !by.IsNil() {
		return op.Errorf("reads what '%s' has stored, with no fence_async in between", by.Name()).Note(by.Loc(), "the store")
	}
	m.Shared.Reading = append(m.Shared.Reading, onchip.Reader{Lo: lo, Hi: hi, Flight: l})
	return nil
}

// Take returns the current value of the operand.
func (f *OperandSource) Take(m *core.Machine, at onchip.Location) *values.Vec {
	if f.t != nil {
		return m.Shared.Load(&m.Pool, at, f.t)
	}
	m.Retain(m.Vals[f.slot])
	return m.Vals[f.slot]
}

// An asyncDot is a decoded dot_async.
type asyncDot struct {
	op          ir.Op
	a, b        OperandSource
	scales      []OperandSource
	acc, own    int // slots: of the accumulator operand, and where multiply finds it
	result, out int // slots: where multiply leaves the result, and of the result in flight
	multiply    core.Action
	twoCTA      bool
}

// An asyncDotRun is one execution of an asyncDot.
type asyncDotRun struct {
	*asyncDot
	flight    *inflight.Flight
	atA, atB  onchip.Location // of operands in buffers
	x, y, acc *values.Vec     // operands, when last taken
	scales    []*values.Vec
	mma       *values.AsyncMMA
	half      *cluster.Half // of a two-CTA MMA
}

func dotAsync(d *core.Decoder, op ir.Op) (core.Action, error) {
	t := &asyncDot{op: op, acc: d.Slot(op.Operand(2)), own: d.TempSlot(), result: d.TempSlot(), out: d.Result(op, 0), twoCTA: op.HasUnitAttr(tile.AttrTwoCTAs)}
	var err error
	if t.a, err = NewOperandSource(d, op, 0); err == nil {
		t.b, err = NewOperandSource(d, op, 1)
	}
	if err != nil {
		return nil, err
	}
	var scales []int
	t.scales, scales = scaleSources(d, op)
	t.multiply, err = mma.Multiplying(d, op, t.a.Own, t.b.Own, t.own, t.result, scales...)
	return t.start, err
}

// start checks an MMA and puts it in flight.
func (t *asyncDot) start(m *core.Machine) error {
	r := &asyncDotRun{asyncDot: t, flight: &inflight.Flight{Op: t.op}, acc: m.Vals[t.acc]}
	var err error
	if r.atA, err = t.a.start(m, t.op, r.flight); err == nil {
		r.atB, err = t.b.start(m, t.op, r.flight)
	}
	if err != nil {
		return err
	}
	if of := r.acc.MMA; of != nil && of.Mma != tileas.MMAOf(t.op) {
		return t.op.Errorf("accumulates onto the result of '%s', which is in flight and uses another instruction, %s: a wait must come in between", of.Op.Name(), ir.AttrString(of.Mma)).
			Note(of.Op.Loc(), "the MMA")
	}
	// Accumulators and A in registers are taken now in every run: the machine owns those registers.
	m.Retain(r.acc)
	r.x, r.y = t.a.Take(m, r.atA), t.b.Take(m, r.atB)
	for i := range t.scales {
		r.scales = append(r.scales, t.scales[i].Take(m, 0))
	}
	if t.twoCTA {
		if r.half, err = cluster.HalfOf(m, t.op, func() *values.Vec { r.retake(m, &t.b, r.atB, &r.y); return r.y }); err != nil {
			return err
		}
	}
	r.mma = &values.AsyncMMA{Op: t.op, Mma: tileas.MMAOf(t.op)}
	r.flight.Land = func() error { return r.land(m) }
	q := m.Flights.Queue(tileas.MatrixGroups)
	m.Flights.Copies = append(m.Flights.Copies, r.flight)
	q.Batches = append(q.Batches, append(q.Open, r.flight))
	q.Open = nil
	m.Put(t.out, m.InFlight(values.Count(values.ShapeOf(t.op.Result(0))), r.mma))
	return nil
}

// retake takes an operand in a buffer again in an adversarial run: what changed since the start shows in the result.
func (r *asyncDotRun) retake(m *core.Machine, f *OperandSource, at onchip.Location, v **values.Vec) {
	if f.t != nil && m.Launch.Options.Adversarial {
		m.Release(*v)
		*v = f.Take(m, at)
	}
}

func (r *asyncDotRun) land(m *core.Machine) (err error) {
	r.retake(m, &r.a, r.atA, &r.x)
	if r.half == nil {
		r.retake(m, &r.b, r.atB, &r.y)
	} else if r.y, err = r.half.Columns(m, r.op, tile.Shape(tile.HeldType(r.op.Operand(1)))); err != nil {
		return err
	}
	m.Shared.Done(r.flight)
	m.Put(r.a.Own, r.x)
	m.Put(r.b.Own, r.y)
	for i, v := range r.scales {
		m.Put(r.asyncDot.scales[i].Own, v)
	}
	// A chain adds to the result of its previous MMA. That one has landed: groups land in order.
	if from := r.acc.MMA; from != nil {
		m.Share(r.own, from.Result)
	} else {
		m.Share(r.own, r.acc)
	}
	m.Release(r.acc)
	if err := r.multiply(m); err != nil {
		return err
	}
	r.mma.Result = m.Vals[r.result]
	m.Retain(r.mma.Result)
	// The threads that wait have read the buffers from now on: stores before the next barrier race with that.
	for _, f := range []struct {
		*OperandSource
		at onchip.Location
	}{{&r.a, r.atA}, {&r.b, r.atB}} {
		if f.t != nil {
			if err := m.Meets(f.access, f.at); err != nil {
				return err
			}
		}
	}
	return nil
}

// scaleSources returns the scales of an MMA, and the slots where multiply takes them from.
func scaleSources(d *core.Decoder, op ir.Op) (list []OperandSource, own []int) {
	for _, v := range mma.ScalesOf(op) {
		f := OperandSource{slot: d.Slot(v), Own: d.TempSlot()}
		list, own = append(list, f), append(own, f.Own)
	}
	return list, own
}

func dotWait(d *core.Decoder, op ir.Op) (core.Action, error) {
	operands, results := d.SlotsOf(op.Operands()), d.SlotsOf(op.Results())
	pending, _ := op.IntAttr(tileas.AttrPending)
	return func(m *core.Machine) error {
		if err := m.Flights.Complete(m.Flights.Queue(tileas.MatrixGroups), pending); err != nil {
			return err
		}
		for i, s := range operands {
			v := m.Vals[s]
			if p := v.MMA; p != nil {
				if p.Result == nil {
					return op.Errorf("returns while MMA #%d that it waits for is in flight: it leaves the latest %d pending", i, pending).Note(p.Op.Loc(), "the MMA")
				}
				v = p.Result
			}
			m.Share(results[i], v)
		}
		return nil
	}, nil
}
