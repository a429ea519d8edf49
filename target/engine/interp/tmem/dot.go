package tmem

import (
	"slices"

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
	pair           *handshake // of a two-CTA MMA to which both CTAs come; nil: none
	forBoth        bool       // a two-CTA MMA that the even CTA executes alone

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
	on       *core.Machine // the CTA whose rows it computes
}

func tmemDot(d *core.Decoder, op ir.Op) (core.Action, error) {
	t := &dot{op: op, t: onchip.BufferType(op.Operand(2)), acc: d.Slot(op.Operand(2)), flag: d.Slot(op.Operand(3)), bar: d.Slot(op.Operand(4)),
		pair: newHandshake(d, op)}
	t.forBoth = t.pair == nil && op.HasUnitAttr(tile.AttrTwoCTAs)
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
	r := &dotRun{dot: t, flight: &inflight.Flight{Op: t.op}, on: m}
	bar, err := r.begin(m)
	if err != nil {
		return err
	}
	if t.forBoth {
		return r.startBoth(m, bar)
	}
	r.take()
	if t.pair != nil {
		if r.half, err = cluster.HalfOf(m, t.op, r.columns); err != nil {
			return err
		}
	}
	r.flight.Land = r.land
	all, err := signal{t.op, t.bar}.everywhere(m, bar)
	if err == nil {
		err = enqueue(m, r.flight, all...)
	}
	if err != nil || t.pair == nil {
		return err
	}
	return t.pair.after(m, t.op, r.half)
}

// startBoth starts an MMA in both CTAs of a pair.
func (r *dotRun) startBoth(m *core.Machine, bar *inflight.Mbarrier) error {
	odd, err := oddOf(m, r.op)
	if err != nil {
		return err
	}
	o := &dotRun{dot: r.dot, flight: r.flight, on: odd.Machine, atA: r.atA, atB: r.atB, add: r.add}
	theirs, err := o.beginAt(onchip.Location(m.Vals[r.dot.acc].Data[0]), onchip.Location(m.Vals[r.bar].Data[0]))
	if err != nil {
		return err
	}
	r.take()
	o.take()
	halves := cluster.HalvesOf([2]func() *values.Vec{r.columns, o.columns})
	r.half, o.half = halves[0], halves[1]
	r.flight.Land = func() error {
		if err := odd.Alive(r.op); err != nil {
			return err
		}
		if err := r.land(); err != nil {
			return err
		}
		return o.land()
	}
	return enqueue(m, r.flight, bar, theirs)
}

// oddOf returns the other CTA of the pair, for what the even one executes alone.
func oddOf(m *core.Machine, op ir.Op) (*core.CTA, error) {
	pair, err := cluster.PairOf(m, op)
	if err != nil {
		return nil, err
	}
	if pair[0] != m.CTA {
		return nil, op.Errorf("is executed by the odd CTA of a pair, for which the even one does it")
	}
	return pair[1], pair[1].Alive(op)
}

// take takes the operands in shared memory.
func (r *dotRun) take() {
	r.y = r.b.Take(r.on, r.atB)
	if r.sharedA {
		r.x = r.a.Take(r.on, r.atA)
	}
}

// columns returns the CTA's half of B.
func (r *dotRun) columns() *values.Vec {
	r.retakeB()
	return r.y
}

// beginAt is begin in the CTA that does not execute the MMA, at the places that the other one gives. Its threads are
// not those that start it.
func (r *dotRun) beginAt(acc, bar onchip.Location) (*inflight.Mbarrier, error) {
	if r.sharedA {
		if err := r.a.Reads(r.on, r.op, r.flight, r.atA); err != nil {
			return nil, err
		}
	} else {
		return nil, r.op.Errorf("cannot be interpreted: has an operand in TMEM of two CTAs that one of them starts")
	}
	if err := r.b.Reads(r.on, r.op, r.flight, r.atB); err != nil {
		return nil, err
	}
	signals, err := r.on.Shared.MbarrierAt(r.op, bar)
	if err == nil {
		r.acc, err = r.on.Tmem.Take(&r.on.Pool, r.op, acc, uint64(r.t.Bytes()), true)
	}
	if err == nil {
		r.acc.Flying = append(r.acc.Flying, r.op)
	}
	return signals, err
}

// begin notes what the MMA reads and writes from now on, and rejects what conflicts with that.
func (r *dotRun) begin(m *core.Machine) (signals *inflight.Mbarrier, err error) {
	if r.sharedA {
		if r.atA, err = r.a.Begin(m, r.op, r.flight); err != nil {
			return nil, err
		}
	}
	if r.atB, err = r.b.Begin(m, r.op, r.flight); err == nil {
		err = m.Defined(r.op, r.flag, nil, "flag")
	}
	if err != nil {
		return nil, err
	}
	at, err := m.Address(r.op, r.dot.acc)
	if err == nil {
		err = m.Starts(r.access, at) // another role may still load the accumulators
	}
	if err == nil {
		signals, err = async.Mbarrier(m, r.op, r.bar)
	}
	// The arrival is not noted as an access: it comes when the MMA lands, and who waits for it is ordered after it.
	if err == nil {
		_, err = m.Clash(r.signals, onchip.Location(m.Vals[r.bar].Data[0]))
	}
	if err == nil {
		r.acc, err = m.Tmem.Take(&m.Pool, r.op, at, uint64(r.t.Bytes()), true)
	}
	if err != nil {
		return nil, err
	}
	r.acc.Flying = append(r.acc.Flying, r.op)
	for _, s := range r.tmem {
		tile, err := s.begin(m, r.op)
		if err != nil {
			return nil, err
		}
		r.tiles = append(r.tiles, tile)
	}
	r.add = m.Vals[r.flag].Data[0] != 0
	return signals, nil
}

// retakeB takes B again in an adversarial run: the buffer must not have changed, and if it has the result shows it.
func (r *dotRun) retakeB() {
	if r.on.Launch.Options.Adversarial {
		r.on.Release(r.y)
		r.y = r.b.Take(r.on, r.atB)
	}
}

// land multiplies. Operands in tensor memory cannot have changed since the start (Take rejects that), so that they are
// read now in every run.
func (r *dotRun) land() (err error) {
	m := r.on
	if r.half == nil {
		r.retakeB()
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

// A signal is the mbarrier that an MMA signals.
type signal struct {
	op  ir.Op
	bar int // slot
}

// everywhere returns the mbarriers to signal: that of the CTA, and with `cluster` those of all other CTAs too.
func (s signal) everywhere(m *core.Machine, own *inflight.Mbarrier) ([]*inflight.Mbarrier, error) {
	all := []*inflight.Mbarrier{own}
	if !s.op.HasUnitAttr(tileas.AttrCluster) {
		return all, nil
	}
	peers, err := m.PeersOf(s.op)
	if err != nil {
		return nil, err
	}
	for _, t := range peers {
		if t.Machine == m {
			continue
		}
		if err := t.Alive(s.op); err != nil {
			return nil, err
		}
		b, err := t.Shared.MbarrierAt(s.op, onchip.Location(m.Vals[s.bar].Data[0]))
		if err != nil {
			return nil, err
		}
		all = append(all, b)
	}
	return all, nil
}

// enqueue puts an MMA in flight. It arrives at its mbarriers when it has landed: at that of its CTA, and perhaps at that
// of the other CTA of the pair. Who waits for that has seen what the starting role had seen.
func enqueue(m *core.Machine, l *inflight.Flight, signals ...*inflight.Mbarrier) error {
	q, land, seen := m.Flights.Queue(tileas.TMEMDots), l.Land, m.Publish()
	l.Signals = signals[0]
	l.Land = func() error {
		m.Flights.Remove(l) // the other CTA may land it
		for _, b := range signals {
			b.MMAs = slices.DeleteFunc(b.MMAs, func(p inflight.PendingMMA) bool { return p.Flight == l })
		}
		if err := land(); err != nil {
			return err
		}
		for i, b := range signals {
			if i > 0 {
				seen = nil // roles of different CTAs have clocks of their own
			}
			if err := b.Arrive(l.Op, 1, 0, seen); err != nil {
				return err
			}
		}
		return nil
	}
	m.Flights.Copies = append(m.Flights.Copies, l)
	q.Batches = append(q.Batches, []*inflight.Flight{l})
	for _, b := range signals {
		b.MMAs = append(b.MMAs, inflight.PendingMMA{Flight: l, Queue: q})
	}
	return nil
}

// mmaCommit is a flight that does nothing and lands in the order of the MMAs.
func mmaCommit(d *core.Decoder, op ir.Op) (core.Action, error) {
	bar, signals := d.Slot(op.Operand(0)), onchip.AnyThread(op, onchip.BufferType(op.Operand(0)), true)
	both, s := op.HasUnitAttr(tile.AttrTwoCTAs), signal{op, bar}
	return func(m *core.Machine) error {
		b, err := async.Mbarrier(m, op, bar)
		if err == nil {
			_, err = m.Clash(signals, onchip.Location(m.Vals[bar].Data[0]))
		}
		if err != nil {
			return err
		}
		all, err := s.everywhere(m, b)
		if err != nil {
			return err
		}
		if both {
			odd, err := oddOf(m, op)
			if err == nil {
				b, err = odd.Shared.MbarrierAt(op, onchip.Location(m.Vals[bar].Data[0]))
			}
			if err != nil {
				return err
			}
			all = append(all, b)
		}
		return enqueue(m, &inflight.Flight{Op: op, Land: func() error { return nil }}, all...)
	}, nil
}
