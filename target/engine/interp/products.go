package interp

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// Asynchronous products. The result of one that has started is a value of which nothing is specified, and which knows its product: the next product of a chain and the wait find it there, through whatever
// loops the value has gone. Buffers are read when the product starts or, with Engine.Adversarial, when it is waited for, which is the latest that is legal; a sum in registers and A there were read by then, since
// the machine owns those registers.

func init() {
	define(map[*ir.OpDef]rule{tileas.DotAsync: (*decoder).dotAsync, tileas.DotWait: (*decoder).dotWait})
}

// An asyncProduct is a product that has started.
type asyncProduct struct {
	op     ir.Op
	result *vec // nil until it has been computed
	mma    *tileas.MMAAttr
}

// A factorSource is what an asynchronous product multiplies: a tensor, or what a buffer holds.
type factorSource struct {
	slot, own int // of the operand, and where the product takes it from
	t         *tileas.BufferType
	address   func(m *machine) (location, error)
	access    *threadAccess
}

func (d *decoder) factorSource(op ir.Op, i int) (f factorSource, err error) {
	v := op.Operand(i)
	f = factorSource{slot: d.slot(v), own: d.tempSlot()}
	if _, ok := v.Type().(*tileas.BufferType); ok {
		if f.t, f.address, err = d.local(op, v); err == nil {
			f.access = anyThread(op, f.t, false)
		}
	}
	return f, err
}

// start looks at a buffer that a product begins to read: what was stored there since the last fence the product does not see.
func (f *factorSource) start(m *machine, op ir.Op, l *flight) (at location, err error) {
	if f.t == nil {
		return 0, nil
	}
	if at, err = f.address(m); err == nil {
		err = m.meets(f.access, at)
	}
	if err != nil {
		return at, err
	}
	return at, f.reads(m, op, l, at)
}

// begin is start for a product of which all threads see that it has read the buffer when they wait for it, so that no barrier is needed then.
func (f *factorSource) begin(m *machine, op ir.Op, l *flight) (at location, err error) {
	if at, err = f.address(m); err == nil {
		_, err = m.clash(f.access, at)
	}
	if err != nil {
		return at, err
	}
	return at, f.reads(m, op, l, at)
}

// reads notes that a product reads a buffer from now on.
func (f *factorSource) reads(m *machine, op ir.Op, l *flight, at location) error {
	lo, hi := at.address(), at.address()+f.access.bytes
	if by := m.smem.unfenced(lo, hi); !by.IsNil() {
		return op.Errorf("reads what '%s' has stored, and no fence_async has stood between them", by.Name()).Note(by.Loc(), "the store")
	}
	m.smem.reading = append(m.smem.reading, reader{lo, hi, l})
	return nil
}

// take returns what the product multiplies now.
func (f *factorSource) take(m *machine, at location) *vec {
	if f.t != nil {
		return m.smem.load(m, at, f.t)
	}
	m.retain(m.vals[f.slot])
	return m.vals[f.slot]
}

func (d *decoder) dotAsync(op ir.Op) (func(*machine) error, error) {
	a, err := d.factorSource(op, 0)
	if err != nil {
		return nil, err
	}
	b, err := d.factorSource(op, 1)
	if err != nil {
		return nil, err
	}
	c, own := d.slot(op.Operand(2)), d.tempSlot()
	out, sum := d.result(op, 0), d.tempSlot()
	scales, at := d.scaleSources(op)
	multiply, err := d.multiplying(op, a.own, b.own, own, sum, at...)
	if err != nil {
		return nil, err
	}
	two := op.HasUnitAttr(tile.AttrTwoCTAs)
	return func(m *machine) error {
		l := &flight{op: op}
		atA, err := a.start(m, op, l)
		var atB location
		if err == nil {
			atB, err = b.start(m, op, l)
		}
		if err != nil {
			return err
		}
		acc := m.vals[c]
		if acc.product != nil && acc.product.mma != tileas.MMAOf(op) {
			return op.Errorf("adds to what '%s' computes by another instruction, %s: the wait for that must stand in between", acc.product.op.Name(), ir.AttrString(acc.product.mma)).
				Note(acc.product.op.Loc(), "the product")
		}
		q := m.flights.queue(tileas.MatrixGroups)
		p := &asyncProduct{op: op, mma: tileas.MMAOf(op)}
		m.retain(acc)
		x, y := a.take(m, atA), b.take(m, atB)
		var factors []*vec
		for i := range scales {
			factors = append(factors, scales[i].take(m, 0))
		}
		late := m.run.engine.Adversarial
		var mine *half
		if two {
			mine, err = m.halfOf(op, func() *vec {
				if late && b.t != nil {
					m.release(y)
					y = b.take(m, atB)
				}
				return y
			})
			if err != nil {
				return err
			}
		}
		l.land = func(m *machine) error {
			if late && a.t != nil {
				m.release(x)
				x = a.take(m, atA)
			}
			switch {
			case two:
				if y, err = mine.columns(m, op, tile.Shape(tileas.HeldType(op.Operand(1)))); err != nil {
					return err
				}
			case late && b.t != nil:
				m.release(y)
				y = b.take(m, atB)
			}
			m.smem.done(l)
			m.put(a.own, x)
			m.put(b.own, y)
			for i, v := range factors {
				m.put(scales[i].own, v)
			}
			if from := acc.product; from != nil { // it has landed: groups do in their order
				m.share(own, from.result)
			} else {
				m.share(own, acc)
			}
			m.release(acc)
			if err := multiply(m); err != nil {
				return err
			}
			p.result = m.vals[sum]
			m.retain(p.result)
			for _, f := range []struct {
				*factorSource
				at location
			}{{&a, atA}, {&b, atB}} {
				if f.t != nil {
					if err := m.meets(f.access, f.at); err != nil {
						return err
					}
				}
			}
			return nil
		}
		m.flights.copies = append(m.flights.copies, l)
		q.batches = append(q.batches, append(q.open, l))
		q.open = nil
		m.put(out, m.underWay(count(shapeOf(op.Result(0))), p))
		return nil
	}, nil
}

// multiplying decodes a product whose operands, result and scales are in the given slots.
func (d *decoder) multiplying(op ir.Op, a, b, c, out int, scales ...int) (func(*machine) error, error) {
	kept := make(map[ir.Value]int)
	slots := append([]int{a, b, c, out}, scales...)
	for i, v := range append([]ir.Value{op.Operand(0), op.Operand(1), op.Operand(2), sumOf(op)}, scalesOf(op)...) {
		if _, twice := kept[v]; !twice {
			kept[v] = d.slots[v]
		}
		d.slots[v] = slots[i]
	}
	defer func() {
		for v, s := range kept {
			d.slots[v] = s
		}
	}()
	if len(scales) > 0 {
		return d.mmaFScaled(op)
	}
	return d.dotOfOne(op)
}

// scalesOf returns the scales of a product, or none.
func scalesOf(op ir.Op) []ir.Value {
	if op.Is(tileas.TensorDot) {
		return tileas.TensorScales(op)
	}
	return op.Operands()[3:]
}

// scaleSources returns what a product takes its scales from, and the slots in which it finds them.
func (d *decoder) scaleSources(op ir.Op) (list []factorSource, own []int) {
	for _, v := range scalesOf(op) {
		f := factorSource{slot: d.slot(v), own: d.tempSlot()}
		list, own = append(list, f), append(own, f.own)
	}
	return list, own
}

// underWay returns the value of a product that has only started.
func (m *machine) underWay(n int, p *asyncProduct) *vec {
	v := m.alloc(n)
	v.undef, v.product = make([]bool, n), p
	for i := range v.data {
		v.data[i], v.undef[i] = 0, true
	}
	return v
}

func (d *decoder) dotWait(op ir.Op) (func(*machine) error, error) {
	products, results := d.slotsOf(op.Operands()), d.slotsOf(op.Results())
	pending, _ := op.IntAttr(tileas.AttrPending)
	return func(m *machine) error {
		if err := m.complete(m.flights.queue(tileas.MatrixGroups), pending); err != nil {
			return err
		}
		for i, s := range products {
			v := m.vals[s]
			if p := v.product; p != nil {
				if p.result == nil {
					return op.Errorf("returns while product #%d that it waits for is under way: it leaves the latest %d pending", i, pending).Note(p.op.Loc(), "the product")
				}
				v = p.result
			}
			m.share(results[i], v)
		}
		return nil
	}, nil
}
