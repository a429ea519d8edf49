package tmem

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp/async"
	"github.com/tilewright/tilewright/target/engine/interp/cluster"
	"github.com/tilewright/tilewright/target/engine/interp/core"
	"github.com/tilewright/tilewright/target/engine/interp/inflight"
	"github.com/tilewright/tilewright/target/engine/interp/mma"
	"github.com/tilewright/tilewright/target/engine/interp/onchip"
	"github.com/tilewright/tilewright/target/engine/interp/values"
)

// A dot is a decoded tmem_dot: an MMA whose accumulators are in tensor memory.
type dot struct {
	op             ir.Op
	t              *tileas.BufferType // of the accumulators
	acc, flag, bar int                // slots: the accumulators, whether the MMA adds to them, the mbarrier
	a, b           async.OperandSource
	sharedA        bool         // A is in shared memory, and not the first of tmem
	tmem           []tmemSource // operands in tensor memory: perhaps A, and scales
	own            int          // the slot where multiply finds the accumulators and leaves the result
	multiply       core.Action
	pair           *handshake // of a two-CTA MMA; nil: none

	access, signals *onchip.ThreadAccess
}

// A dotRun is one execution of a dot.
type dotRun struct {
	*dot
	flight   *inflight.Flight
	atA, atB onchip.Location
	x, y     *values.Vec // A and B in shared memory, when last taken
	tiles    []*onchip.TMEMTile
	acc      *onchip.TMEMTile
	add      bool
	half     *cluster.Half
}

func tmemDot(d *core.Decoder, op ir.Op) (core.Action, error) {
	t := &dot{op: op, t: onchip.BufferType(op.Operand(2)), acc: d.Slot(op.Operand(2)), flag: d.Slot(op.Operand(3)), bar: d.Slot(op.Operand(4)),
		pair: newHandshake(d, op)}
	t.access, t.signals = onchip.AnyThread(op, t.t, true), onchip.AnyThread(op, onchip.BufferType(op.Operand(4)), true)
	var err error
	if t.sharedA = !tileas.InTMEM(op.Operand(0)); t.sharedA {
		t.a, err = async.NewOperandSource(d, op, 0)
	} else {
		t.tmem = tmemSources(d, op, op.Operands()[:1])
		t.a.Own = t.tmem[0].own
	}
	if err == nil {
		t.b, err = async.NewOperandSource(d, op, 1)
	}
	if err != nil {
		return nil, err
	}
	t.own = d.TempSlot()
	var scales []int
	for _, s := range tmemSources(d, op, tileas.TMEMScales(op)) {
		t.tmem, scales = append(t.tmem, s), append(scales, s.own)
	}
	t.multiply, err = mma.Multiplying(d, op, t.a.Own, t.b.Own, t.own, t.own, scales...)
	return t.start, err
}

// start checks an MMA and puts it in flight.
func (t *dot) start(m *core.Machine) error {
	if err := t.pair.before(m, t.op); err != nil {
		return err
	}
	r := &dotRun{dot: t, flight: &inflight.Flight{Op: t.op}}
	if err := r.begin(m); err != nil {
		return err
	}
	r.y = t.b.Take(m, r.atB)
	if t.sharedA {
		r.x = t.a.Take(m, r.atA)
	}
	if t.pair != nil {
		var err error
		if r.half, err = cluster.HalfOf(m, t.op, func() *values.Vec { r.retakeB(m); return r.y }); err != nil {
			return err
		}
	}
	r.flight.Land = func() error { return r.land(m) }
	if err := enqueue(m, r.flight); err != nil || t.pair == nil {
		return err
	}
	return t.pair.after(m, t.op, r.half)
}

// begin notes what the MMA reads and writes from now on, and rejects what conflicts with that.
func (r *dotRun) begin(m *core.Machine) (err error) {
	if r.sharedA {
		if r.atA, err = r.a.Begin(m, r.op, r.flight); err != nil {
			return err
		}
	}
	if r.atB, err = r.b.Begin(m, r.op, r.flight); err == nil {
		err = m.Defined(r.op, r.flag, nil, "flag")
	}
	if err != nil {
		return err
	}
	at, err := m.Address(r.op, r.dot.acc)
	if err == nil {
		_, err = m.Clash(r.access, at)
	}
	if err == nil && m.Role != nil { // another role may still load the accumulators
		err = m.Role.Crosses(r.access, at.Address())
	}
	if err == nil {
		r.flight.Signals, err = async.Mbarrier(m, r.op, r.bar)
	}
	// The arrival is not noted as an access: it comes when the MMA lands, and who waits for it is ordered after it.
	if err == nil {
		_, err = m.Clash(r.signals, onchip.Location(m.Vals[r.bar].Data[0]))
	}
	if err == nil {
		r.acc, err = m.Tmem.Take(&m.Pool, r.op, at, uint64(r.t.Bytes()), true)
	}
	if err != nil {
		return err
	}
	r.acc.Flying = append(r.acc.Flying, r.op)
	for _, s := range r.tmem {
		tile, err := s.begin(m, r.op)
		if err != nil {
			return err
		}
		r.tiles = append(r.tiles, tile)
	}
	r.add = m.Vals[r.flag].Data[0] != 0
	return nil
}

// retakeB takes B again in an adversarial run: the buffer must not have changed, and if it has the result shows it.
func (r *dotRun) retakeB(m *core.Machine) {
	if m.Launch.Options.Adversarial {
		m.Release(r.y)
		r.y = r.b.Take(m, r.atB)
	}
}

// land multiplies. Operands in tensor memory cannot have changed since the start (Take rejects that), so that they are
// read now in every run.
func (r *dotRun) land(m *core.Machine) (err error) {
	if r.half == nil {
		r.retakeB(m)
	} else if r.y, err = r.half.Columns(m, r.op, tile.Shape(onchip.BufferType(r.op.Operand(1)).HeldTile())); err != nil {
		return err
	}
	if r.sharedA {
		if m.Launch.Options.Adversarial {
			m.Release(r.x)
			r.x = r.a.Take(m, r.atA)
		}
		m.Put(r.a.Own, r.x)
	}
	m.Shared.Done(r.flight)
	m.Put(r.b.Own, r.y)
	for i, s := range r.tmem {
		s.end(m, r.tiles[i])
	}
	switch n := values.Count(r.t.Shape); {
	case !r.add:
		m.Put(r.own, m.Zeros(n))
	case r.acc.V == nil:
		m.Put(r.own, m.Unspecified(n))
	default:
		m.Share(r.own, r.acc.V)
	}
	if err := r.multiply(m); err != nil {
		return err
	}
	r.acc.Set(&m.Pool, m.Vals[r.own])
	r.acc.Flying = r.acc.Flying[1:]
	return nil
}

// enqueue puts an MMA in flight. It arrives at its mbarrier when it has landed. Who waits for that has seen what the
// starting role had seen.
func enqueue(m *core.Machine, l *inflight.Flight) error {
	q, land, seen := m.Flights.Queue(tileas.TMEMDots), l.Land, m.Publish()
	l.Land = func() error {
		b := l.Signals
		b.MMAs = b.MMAs[1:]
		if err := land(); err != nil {
			return err
		}
		return b.Arrive(l.Op, 1, 0, seen)
	}
	m.Flights.Copies = append(m.Flights.Copies, l)
	q.Batches = append(q.Batches, []*inflight.Flight{l})
	l.Signals.MMAs = append(l.Signals.MMAs, inflight.PendingMMA{Flight: l, Queue: q})
	return nil
}

// mmaCommit is a flight that does nothing and lands in the order of the MMAs.
func mmaCommit(d *core.Decoder, op ir.Op) (core.Action, error) {
	bar, signals := d.Slot(op.Operand(0)), onchip.AnyThread(op, onchip.BufferType(op.Operand(0)), true)
	return func(m *core.Machine) error {
		b, err := async.Mbarrier(m, op, bar)
		if err == nil {
			_, err = m.Clash(signals, onchip.Location(m.Vals[bar].Data[0]))
		}
		if err != nil {
			return err
		}
		return enqueue(m, &inflight.Flight{Op: op, Signals: b, Land: func() error { return nil }})
	}, nil
}
