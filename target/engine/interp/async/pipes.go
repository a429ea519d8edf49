package async

import (
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp/cluster"
	"github.com/tilewright/tilewright/target/engine/interp/core"
	"github.com/tilewright/tilewright/target/engine/interp/inflight"
	"github.com/tilewright/tilewright/target/engine/interp/onchip"
)

// A pipe counts how often each end has opened a stage, and so knows no parity. Stages are undetermined when they are
// acquired and again when they are released, so that an access outside of both shows in the result. A stage that comes
// back keeps its contents.

func init() {
	core.Define(core.Table{
		tileas.PipeCreate: {Run: pipeCreate}, tileas.PipeAcquire: {Run: pipeAcquire}, tileas.PipeCommit: {Run: pipeCommit},
		tileas.PipeWait: {Run: pipeWait}, tileas.PipeRelease: {Run: pipeRelease}, tileas.PipeDrain: {Run: pipeDrain},
	})
}

func pipeCreate(d *core.Decoder, op ir.Op) (core.Action, error) {
	t := op.Result(0).Type().(*tileas.PipeType)
	if d.Buffers++; d.Buffers > onchip.MaxBuffers || onchip.PipeBytes(t) > onchip.Apart {
		return nil, op.Errorf("cannot be interpreted: is one of more than %d allocations, or has very many stages", onchip.MaxBuffers)
	}
	at := onchip.Unplaced + onchip.Apart*d.Buffers
	buffers, out, value := d.SlotsOf(op.Operands()), d.Result(op, 0), onchip.Location(d.Buffers<<onchip.AddressBits|at)
	return func(m *core.Machine) error {
		p := &onchip.Pipe{Type: t, At: value}
		for _, slot := range buffers {
			at, err := m.Address(op, slot)
			if err != nil {
				return err
			}
			p.Buffers = append(p.Buffers, at)
		}
		m.Shared.Clear(&m.Pool, at, at+onchip.PipeBytes(t))
		m.Shared.AddPipe(p)
		m.Put(out, m.Scalar(uint64(value)))
		return nil
	}, nil
}

// pipeIn returns the pipe in a slot.
func pipeIn(m *core.Machine, op ir.Op, slot int) (*onchip.Pipe, error) {
	at, err := m.Address(op, slot)
	if err != nil {
		return nil, err
	}
	p := m.Shared.Pipes[at]
	if p == nil {
		return nil, op.Errorf("uses a pipe that has not been created")
	}
	return p, nil
}

// arrived waits until a phase of an mbarrier is over.
func arrived(m *core.Machine, op ir.Op, b *inflight.Mbarrier, phase uint64) error {
	for b.Phase <= phase {
		if err := Finish(m, op, b); err != nil {
			return err
		}
	}
	m.Observe(b.Over)
	return nil
}

// forget makes the contents of a stage undetermined.
func forget(m *core.Machine, op ir.Op, p *onchip.Pipe, n uint64) error {
	for i, at := range p.Stage(n) {
		t := p.Type.Buffers[i].WithStages(1)
		if t.Space == tileas.TMEMSpace {
			x, err := m.Tmem.Take(&m.Pool, op, at, uint64(t.Bytes()), false)
			if err != nil {
				return err
			}
			m.Release(x.V)
			x.V = nil
			continue
		}
		lo, hi := at.Address(), at.Address()+uint64(t.TileBytes())
		if err := m.Writable(op, lo, hi); err != nil {
			return err
		}
		m.Shared.Clear(&m.Pool, lo, hi)
	}
	return nil
}

// yieldStage puts the places of a stage into the slots of results: its buffers, and the mbarrier that an asynchronous
// end signals.
func yieldStage(m *core.Machine, out []int, p *onchip.Pipe, n uint64, fills bool) {
	places := append(p.Stage(n), p.Signal(n, fills))
	for i, slot := range out {
		m.Put(slot, m.Scalar(uint64(places[i])))
	}
}

func results(d *core.Decoder, op ir.Op) (out []int) {
	for i := range op.NumResults() {
		out = append(out, d.Result(op, i))
	}
	return out
}

func pipeAcquire(d *core.Decoder, op ir.Op) (core.Action, error) {
	slot, out := d.Slot(op.Operand(0)), results(d, op)
	return func(m *core.Machine) error {
		p, err := pipeIn(m, op, slot)
		if err != nil {
			return err
		}
		if p.Kept { // it has been free since
			p.Acquired--
		}
		n, stages := p.Acquired, uint64(p.Type.Stages())
		if n >= stages {
			if err := arrived(m, op, p.Empty[n%stages], n/stages-1); err != nil {
				return err
			}
		}
		p.Acquired++
		if p.Kept = p.Type.Back; !p.Kept {
			if err := forget(m, op, p, n); err != nil {
				return err
			}
		}
		yieldStage(m, out, p, n, true)
		bytes := p.Type.StageBytes()
		switch {
		case p.Type.From != tileas.ByTMA, p.Type.TwoCTAs && m.CTA.Rank%2 != 0: // the even CTA expects the bytes of both
			return nil
		case p.Type.TwoCTAs:
			bytes *= 2
		}
		return p.Full[n%stages].Arrive(op, 1, bytes, m.Publish())
	}, nil
}

func pipeCommit(d *core.Decoder, op ir.Op) (core.Action, error) {
	slot := d.Slot(op.Operand(0))
	return func(m *core.Machine) error {
		p, err := pipeIn(m, op, slot)
		if err != nil || p.Type.From.Async() {
			return err
		}
		p.Kept = false
		full := p.Full[(p.Acquired-1)%uint64(p.Type.Stages())]
		if p.Type.From == tileas.ByCopies {
			m.Flights.ArriveAfter(m.Flights.Queue(tileas.CopyGroups), op, full, 1, m.Publish())
			return nil
		}
		return full.Arrive(op, 1, 0, m.Publish())
	}, nil
}

func pipeWait(d *core.Decoder, op ir.Op) (core.Action, error) {
	slot, out := d.Slot(op.Operand(0)), results(d, op)
	return func(m *core.Machine) error {
		p, err := pipeIn(m, op, slot)
		if err != nil {
			return err
		}
		n, stages := p.Waited, uint64(p.Type.Stages())
		if err := arrived(m, op, p.Full[n%stages], n/stages); err != nil {
			return err
		}
		p.Waited++
		yieldStage(m, out, p, n, false)
		return nil
	}, nil
}

func pipeRelease(d *core.Decoder, op ir.Op) (core.Action, error) {
	slot, lag := d.Slot(op.Operand(0)), uint64(tileas.Lag(op))
	return func(m *core.Machine) error {
		p, err := pipeIn(m, op, slot)
		if err != nil || p.Type.To.Async() {
			return err
		}
		n := p.Released
		if p.Released++; n < lag {
			return nil
		}
		n -= lag
		if err := forget(m, op, p, n); err != nil {
			return err
		}
		seen := m.Publish()
		if p.Type.TwoCTAs && m.CTA.Rank%2 != 0 {
			even, err := cluster.EvenOf(m, op)
			if err != nil {
				return err
			}
			p, seen = even.Shared.Pipes[p.At], nil // roles of different CTAs have clocks of their own
		}
		return p.Empty[n%uint64(p.Type.Stages())].Arrive(op, 1, 0, seen)
	}, nil
}

func pipeDrain(d *core.Decoder, op ir.Op) (core.Action, error) {
	slots, landed := d.SlotsOf(op.Operands()), op.HasUnitAttr(tileas.AttrLanded)
	return func(m *core.Machine) error {
		for _, slot := range slots {
			p, err := pipeIn(m, op, slot)
			if err != nil {
				return err
			}
			n, mbarriers, stages := p.Acquired, p.Full, uint64(p.Type.Stages())
			switch {
			case p.Type.Back:
				n, mbarriers = p.Waited, p.Empty
			case p.Type.To == tileas.ByMMAs && !landed:
				mbarriers = p.Empty
			}
			for k := n - min(n, stages); k < n; k++ {
				if err := arrived(m, op, mbarriers[k%stages], k/stages); err != nil {
					return err
				}
			}
		}
		return nil
	}, nil
}
