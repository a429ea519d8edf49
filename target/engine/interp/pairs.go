package interp

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// Products of two CTAs. Each executes the operation, and gives half of the columns of B. Whichever needs the product first takes both halves as they are then, since for both it is done at once: what one has waited for the other may
// find done before it waits, and no memory that it reads may change until then.

// A pairedProduct is one of them, from when the first of the two CTAs starts it until both have it.
type pairedProduct struct {
	take [2]func() *vec // the halves of the CTA of that parity; nil: it has not started
	b    [2]*vec        // when they were taken
	done int
}

// A pairKey names one: CTAs execute an operation as often as each other.
type pairKey struct {
	pair int
	op   ir.Op
	n    uint64
}

// A half is what one CTA has to do with a product of two.
type half struct {
	*pairedProduct
	key  pairKey
	mine int // parity of the CTA
}

// halfOf starts a product of two CTAs in one of them, which gives its half of B by take.
func (m *machine) halfOf(op ir.Op, take func() *vec) (*half, error) {
	peers, err := m.peersOf(op)
	if err != nil {
		return nil, err
	}
	if len(peers)%2 != 0 {
		return nil, op.Errorf("needs pairs of CTAs, but %d share the tile block", len(peers))
	}
	c := m.cta
	if c.started == nil {
		c.started = make(map[ir.Op]uint64)
	}
	h := &half{key: pairKey{c.rank / 2, op, c.started[op]}, mine: c.rank % 2}
	c.started[op]++
	all := c.cluster
	if all.paired == nil {
		all.paired = make(map[pairKey]*pairedProduct)
	}
	if all.paired[h.key] == nil {
		all.paired[h.key] = &pairedProduct{}
	}
	h.pairedProduct = all.paired[h.key]
	h.take[h.mine] = take
	return h, nil
}

// columns returns all of B, of so many rows and of half so many columns in each CTA, when the other one has started the product too.
func (h *half) columns(m *machine, op ir.Op, shape []int64) (*vec, error) {
	other := 1 - h.mine
	if h.take[other] == nil {
		err := m.await(op, func() bool { return h.take[other] != nil }, func() string { return "the product that the other CTA of the pair has not started" })
		if err != nil {
			return nil, err
		}
	}
	if h.b[0] == nil {
		h.b = [2]*vec{h.take[0](), h.take[1]()}
	}
	n := int(shape[len(shape)-1])
	out := m.alloc(2 * len(h.b[0].data))
	for i := range h.b {
		for at, x := range h.b[i].data {
			to := at/n*2*n + i*n + at%n
			out.data[to] = x
			if h.b[i].isUndef(at) {
				if out.undef == nil {
					out.undef = make([]bool, len(out.data))
				}
				out.undef[to] = true
			}
		}
	}
	if h.done++; h.done == 2 {
		delete(m.cta.cluster.paired, h.key)
	}
	return out, nil
}

// dotOfPair is a product that both CTAs wait for.
func (d *decoder) dotOfPair(op ir.Op) (func(*machine) error, error) {
	b, own := d.slot(op.Operand(1)), d.tempSlot()
	multiply, err := d.multiplying(op, d.slot(op.Operand(0)), own, d.slot(op.Operand(2)), d.result(op, 0))
	if err != nil {
		return nil, err
	}
	shape := tile.Shape(op.Operand(1).Type())
	return func(m *machine) error {
		v := m.vals[b]
		m.retain(v)
		h, err := m.halfOf(op, func() *vec { return v })
		if err != nil {
			return err
		}
		all, err := h.columns(m, op, shape)
		if err != nil {
			return err
		}
		m.put(own, all)
		return multiply(m)
	}, nil
}

// A handshake is how the odd CTA of a pair lets the even one start a product.
type handshake struct {
	ready, phase int // slots
	access       *threadAccess
}

func (d *decoder) handshake(op ir.Op) *handshake {
	ready := op.OperandNamed(tileas.FieldReady)
	if ready.IsNil() {
		return nil
	}
	return &handshake{d.slot(ready), d.slot(op.OperandNamed(tileas.FieldPhase)), anyThread(op, bufferType(ready), false)}
}

// before is what a CTA does in front of a product: the even one waits for the other one.
func (h *handshake) before(m *machine, op ir.Op) error {
	if h == nil || m.cta == nil || m.cta.rank%2 != 0 {
		return nil
	}
	b, err := m.usable(op, h.ready, h.access)
	if err == nil {
		err = m.defined(op, h.phase, nil, "phase")
	}
	if err != nil {
		return err
	}
	if p := m.vals[h.phase].data[0]; p > 1 {
		return op.Errorf("parity must be 0 or 1, but is %d", int32(p))
	} else if b.phase&1 == p {
		return m.finish(op, b)
	}
	return nil
}

// after is what a CTA does when its half is there: the odd one says so.
func (h *handshake) after(m *machine, op ir.Op, of *half) error {
	if of.mine == 0 {
		if of.take[1] == nil {
			return op.Errorf("starts a product of two CTAs before the other one has said that it may")
		}
		return nil
	}
	even := m.cta.cluster.ctas[m.cta.rank-1]
	if err := even.alive(op); err != nil {
		return err
	}
	at, err := m.address(op, h.ready)
	if err != nil {
		return err
	}
	b, err := even.mbarrierAt(op, at)
	if err == nil {
		err = b.arrive(op, 1, 0, nil)
	}
	if err != nil {
		return err
	}
	return m.letOthers(op)
}
