package tmem

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/target/engine/interp/access"
	"github.com/tilewright/tilewright/target/engine/interp/async"
	"github.com/tilewright/tilewright/target/engine/interp/core"
	"github.com/tilewright/tilewright/target/engine/interp/inflight"
	"github.com/tilewright/tilewright/target/engine/interp/onchip"
	"github.com/tilewright/tilewright/target/engine/interp/values"
)

func init() {
	core.Define(core.Table{
		tileas.ReserveTMEM: {Run: reserveTMEM}, tileas.ReleaseTMEM: {Run: releaseTMEM}, tileas.AllocTMEM: {Run: allocTMEM},
		tileas.TMEMLoad: {Run: tmemLoad}, tileas.TMEMStore: {Run: tmemStore}, tileas.TMEMScale: {Run: tmemScale},
		tileas.TMEMDot: {Run: tmemDot}, tileas.MMACommit: {Run: mmaCommit}, tileas.TMEMWait: {Run: mmaWait},
	})
}

func reserveTMEM(d *core.Decoder, op ir.Op) (core.Action, error) {
	t, address, err := access.Local(d, op, op.Operand(0))
	if err != nil {
		return nil, err
	}
	n, _ := op.IntAttr(tileas.AttrColumns)
	return func(m *core.Machine) error {
		if !m.Tmem.By.IsNil() {
			return op.Errorf("reserves TMEM, of which '%s' has reserved some that is not released", m.Tmem.By.Name()).Note(m.Tmem.By.Loc(), "the other")
		}
		at, err := address(m)
		if err == nil {
			err = m.Writable(op, at.Address(), at.Address()+uint64(t.TileBytes()))
		}
		if err != nil {
			return err
		}
		m.Shared.Clear(&m.Pool, at.Address(), at.Address()+uint64(t.TileBytes()))
		m.Tmem.By, m.Tmem.Reserved = op, n*tileas.TMEMColumnBytes
		return nil
	}, nil
}

func releaseTMEM(d *core.Decoder, op ir.Op) (core.Action, error) {
	n, _ := op.IntAttr(tileas.AttrColumns)
	return func(m *core.Machine) error {
		for _, x := range m.Tmem.Tiles {
			if len(x.Flying) > 0 {
				return op.Errorf("releases TMEM that '%s' is still writing", x.Flying[0].Name()).Note(x.Flying[0].Loc(), "the MMA")
			}
			if len(x.Read) > 0 {
				return op.Errorf("releases TMEM that '%s' is still reading", x.Read[0].Name()).Note(x.Read[0].Loc(), "the MMA")
			}
		}
		if got := m.Tmem.Reserved; got != n*tileas.TMEMColumnBytes {
			return op.Errorf("releases %d columns of TMEM, but %d are reserved", n, got/tileas.TMEMColumnBytes)
		}
		m.Tmem.Reset(&m.Pool)
		return nil
	}, nil
}

func allocTMEM(d *core.Decoder, op ir.Op) (core.Action, error) {
	if d.Buffers++; d.Buffers > onchip.MaxBuffers {
		return nil, op.Errorf("cannot be interpreted: is one of more than %d allocations", onchip.MaxBuffers)
	}
	at, bytes := onchip.TMEMBase+onchip.Unplaced+onchip.Apart*d.Buffers, uint64(onchip.BufferType(op.Result(0)).Bytes())
	place, placed := op.IntAttr(tileas.AttrOffset)
	if placed {
		at = onchip.TMEMBase + uint64(place)
	}
	if at >= 1<<onchip.AddressBits {
		return nil, op.Errorf("cannot be interpreted: is one of very many allocations")
	}
	out, value := d.Result(op, 0), d.Buffers<<onchip.AddressBits|at
	return func(m *core.Machine) error {
		if placed && uint64(place)+bytes > uint64(m.Tmem.Reserved) {
			return op.Errorf("needs column %d of TMEM, but %d are reserved", (uint64(place)+bytes)/tileas.TMEMColumnBytes-1, m.Tmem.Reserved/tileas.TMEMColumnBytes)
		}
		x, err := m.Tmem.Take(&m.Pool, op, onchip.Location(value), bytes, false)
		if err != nil {
			return err
		}
		m.Release(x.V)
		x.V = nil
		m.Put(out, m.Scalar(value))
		return nil
	}, nil
}

func tmemLoad(d *core.Decoder, op ir.Op) (core.Action, error) {
	t, buf, out := onchip.BufferType(op.Operand(0)), d.Slot(op.Operand(0)), d.Result(op, 0)
	acc := onchip.LocalAccess(op, t, op.Result(0).Type(), false)
	return func(m *core.Machine) error {
		at, err := m.Address(op, buf)
		if err != nil {
			return err
		}
		v := (*values.Vec)(nil)
		for _, x := range m.Tmem.Tiles {
			if x.At == at && x.V != nil && len(x.Flying) == 0 {
				m.Retain(x.V)
				v = x.V
			}
		}
		if v == nil {
			v = m.Unspecified(values.Count(t.Shape))
		}
		m.Put(out, v)
		return m.Meets(acc, at)
	}, nil
}

func tmemStore(d *core.Decoder, op ir.Op) (core.Action, error) {
	t, buf, value := onchip.BufferType(op.Operand(1)), d.Slot(op.Operand(1)), d.Slot(op.Operand(0))
	acc := onchip.LocalAccess(op, t, op.Operand(0).Type(), true)
	return func(m *core.Machine) error {
		at, err := m.Address(op, buf)
		if err != nil {
			return err
		}
		x, err := m.Tmem.Take(&m.Pool, op, at, uint64(t.Bytes()), false)
		if err != nil {
			return err
		}
		x.Set(&m.Pool, m.Vals[value])
		return m.Meets(acc, at)
	}, nil
}

func tmemScale(d *core.Decoder, op ir.Op) (core.Action, error) {
	t, buf, scale := onchip.BufferType(op.Operand(1)), d.Slot(op.Operand(1)), d.Slot(op.Operand(0))
	acc := onchip.LocalAccess(op, t, op.Operand(0).Type(), true)
	return func(m *core.Machine) error {
		at, err := m.Address(op, buf)
		if err != nil {
			return err
		}
		x, err := m.Tmem.Take(&m.Pool, op, at, uint64(t.Bytes()), false)
		if err != nil {
			return err
		}
		old, by := x.V, m.Vals[scale]
		made := m.Unspecified(values.Count(t.Shape))
		for i := range made.Data {
			if old == nil || old.Undef != nil && old.Undef[i] || by.Undef != nil && by.Undef[i] {
				continue
			}
			made.Data[i], made.Undef[i] = numeric.F32.Mul(old.Data[i], by.Data[i], numeric.Env{}), false
		}
		x.Set(&m.Pool, made)
		m.Release(made)
		return m.Meets(acc, at)
	}, nil
}

// A tmemSource is an operand of an MMA in tensor memory.
type tmemSource struct {
	t        *tileas.BufferType
	buf, own int // slots: the buffer, and its contents
	access   *onchip.ThreadAccess
}

func tmemSources(d *core.Decoder, op ir.Op, buffers []ir.Value) (list []tmemSource) {
	for _, v := range buffers {
		t := onchip.BufferType(v)
		list = append(list, tmemSource{t: t, buf: d.Slot(v), own: d.TempSlot(), access: onchip.AnyThread(op, t, false)})
	}
	return list
}

// begin notes that an MMA reads a tile from now on. Nothing may change the tile until the MMA has landed.
func (f *tmemSource) begin(m *core.Machine, op ir.Op) (*onchip.TMEMTile, error) {
	at, err := m.Address(op, f.buf)
	if err == nil {
		err = m.Starts(f.access, at)
	}
	if err != nil {
		return nil, err
	}
	lo, hi := at.Address(), at.Address()+uint64(f.t.Bytes())
	for _, x := range m.Tmem.Tiles {
		switch {
		case x.Hi <= lo || hi <= x.At.Address():
		case len(x.Flying) > 0:
			return nil, op.Errorf("reads TMEM that '%s' is still writing", x.Flying[0].Name()).Note(x.Flying[0].Loc(), "the MMA")
		case x.At == at && x.Hi == hi && x.V != nil:
			x.Read = append(x.Read, op)
			return x, nil
		}
	}
	return nil, op.Errorf("reads TMEM that nothing has stored as '%s'", ir.TypeString(f.t))
}

// end hands the contents of the tile to the MMA.
func (f *tmemSource) end(m *core.Machine, x *onchip.TMEMTile) {
	x.Read = x.Read[1:]
	m.Share(f.own, x.V)
}

func mmaWait(d *core.Decoder, op ir.Op) (core.Action, error) {
	slot, parity := d.Slot(op.Operand(0)), d.Slot(op.Operand(1))
	pending, _ := op.IntAttr(tileas.AttrPending)
	acc := onchip.AnyThread(op, onchip.BufferType(op.Operand(0)), false)
	return func(m *core.Machine) error {
		b, err := async.Usable(m, op, slot, acc)
		if err == nil {
			err = m.Defined(op, parity, nil, "parity")
		}
		if err != nil {
			return err
		}
		q, p := m.Flights.Queue(tileas.TMEMDots), m.Vals[parity].Data[0]
		if p > 1 {
			return op.Errorf("parity must be 0 or 1, but is %d", int32(p))
		}
		if phase := b.Phase; phase&1 == p {
			for b.Phase == phase {
				if !slices.ContainsFunc(q.Batches, func(batch []*inflight.Flight) bool { return batch[0].Signals == b }) {
					return op.Errorf("waits for phase %d, which never ends: no MMA in flight signals the mbarrier", phase)
				}
				if err := m.Flights.Complete(q, int64(len(q.Batches))-1); err != nil {
					return err
				}
			}
		}
		if n := int64(len(q.Batches)); n > pending {
			return op.Errorf("leaves %d MMAs in flight, where the program counts on at most %d", n, pending).Note(q.Batches[0][0].Op.Loc(), "the oldest of them")
		}
		return nil
	}, nil
}
