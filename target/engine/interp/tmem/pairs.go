package tmem

import (
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp/async"
	"github.com/tilewright/tilewright/target/engine/interp/cluster"
	"github.com/tilewright/tilewright/target/engine/interp/core"
	"github.com/tilewright/tilewright/target/engine/interp/onchip"
)

// A handshake is how the odd CTA of a pair lets the even one start a two-CTA MMA.
type handshake struct {
	ready, phase int // slots
	access       *onchip.ThreadAccess
}

func newHandshake(d *core.Decoder, op ir.Op) *handshake {
	ready := op.OperandNamed(tileas.FieldReady)
	if ready.IsNil() {
		return nil
	}
	return &handshake{d.Slot(ready), d.Slot(op.OperandNamed(tileas.FieldPhase)), onchip.AnyThread(op, onchip.BufferType(ready), false)}
}

// before runs before the MMA: the even CTA waits for the odd one.
func (h *handshake) before(m *core.Machine, op ir.Op) error {
	if h == nil || m.CTA == nil || m.CTA.Rank%2 != 0 {
		return nil
	}
	b, err := async.Usable(m, op, h.ready, h.access)
	if err == nil {
		err = m.Defined(op, h.phase, nil, "phase")
	}
	if err != nil {
		return err
	}
	if p := m.Vals[h.phase].Data[0]; p > 1 {
		return op.Errorf("parity must be 0 or 1, but is %d", int32(p))
	} else if b.Phase&1 == p {
		return async.Finish(m, op, b)
	}
	return nil
}

// after runs when the CTA has provided its half: the odd CTA signals the even one.
func (h *handshake) after(m *core.Machine, op ir.Op, of *cluster.Half) error {
	if of.Mine == 0 {
		if of.Take[1] == nil {
			return op.Errorf("starts a two-CTA MMA before the other CTA has signaled that it may")
		}
		return nil
	}
	even := m.CTA.Cluster.Ctas[m.CTA.Rank-1]
	if err := even.Alive(op); err != nil {
		return err
	}
	at, err := m.Address(op, h.ready)
	if err != nil {
		return err
	}
	b, err := even.Shared.MbarrierAt(op, at)
	if err == nil {
		err = b.Arrive(op, 1, 0, nil)
	}
	if err != nil {
		return err
	}
	return m.LetOthers(op)
}
