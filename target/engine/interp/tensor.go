package interp

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// Tensor memory, and the products that go on there. A tile in it is unspecified while a product that writes it is under way; products land in their order, when a wait for one of them asks for that, and read their
// factors then or, without Engine.Adversarial, when they start.

func init() {
	define(map[*ir.OpDef]rule{
		tileas.ReserveTensor: (*decoder).reserveTensor, tileas.ReleaseTensor: (*decoder).releaseTensor, tileas.AllocTensor: (*decoder).allocTensor,
		tileas.TensorLoad: (*decoder).tensorLoad, tileas.TensorStore: (*decoder).tensorStore, tileas.TensorMul: (*decoder).tensorMul,
		tileas.TensorDot: (*decoder).tensorDot, tileas.TensorCommit: (*decoder).tensorCommit, tileas.TensorWait: (*decoder).tensorWait,
	})
}

// tensorBase is where the addresses of tensor memory begin, above all others.
const tensorBase = 1 << (addressBits - 1)

// A tensorTile is what is in a range of tensor memory.
type tensorTile struct {
	at     location
	hi     uint64
	v      *vec    // nil: unspecified
	flying []ir.Op // products that are writing it, the oldest first
	read   []ir.Op // products that are reading it
}

// A tensorMemory is that of one tile block.
type tensorMemory struct {
	tiles    []*tensorTile // disjoint
	reserved int64         // bytes
	by       ir.Op         // what has reserved them
}

// reset forgets everything, for the next tile block.
func (t *tensorMemory) reset(m *machine) {
	for _, x := range t.tiles {
		m.release(x.v)
	}
	*t = tensorMemory{}
}

// left returns what has reserved tensor memory that nothing has given back, or a zero Op.
func (t *tensorMemory) left() ir.Op { return t.by }

// take returns the tile at a place, after what else was in its range is forgotten. Nothing else may be under way there, nor, unless in order, to the tile itself.
func (t *tensorMemory) take(m *machine, op ir.Op, at location, bytes uint64, inOrder bool) (*tensorTile, error) {
	lo, hi := at.address(), at.address()+bytes
	var found *tensorTile
	kept := t.tiles[:0]
	for _, x := range t.tiles {
		same := x.at == at && x.hi == hi
		switch {
		case x.hi <= lo || hi <= x.at.address():
			kept = append(kept, x)
		case len(x.read) > 0:
			return nil, op.Errorf("writes tensor memory that '%s' is still reading: nothing has waited for that", x.read[0].Name()).Note(x.read[0].Loc(), "the product")
		case len(x.flying) > 0 && !(same && inOrder):
			return nil, op.Errorf("writes tensor memory that '%s' is still writing: nothing has waited for that", x.flying[0].Name()).Note(x.flying[0].Loc(), "the product")
		case same:
			found = x
			kept = append(kept, x)
		default:
			m.release(x.v)
		}
	}
	if t.tiles = kept; found == nil {
		found = &tensorTile{at: at, hi: hi}
		t.tiles = append(t.tiles, found)
	}
	return found, nil
}

// set makes v, which others hold too, what a tile has.
func (x *tensorTile) set(m *machine, v *vec) {
	m.retain(v)
	m.release(x.v)
	x.v = v
}

// unspecified returns a value of which nothing is.
func (m *machine) unspecified(n int) *vec {
	v := m.alloc(n)
	v.undef = make([]bool, n)
	for i := range v.data {
		v.data[i], v.undef[i] = 0, true
	}
	return v
}

func (d *decoder) reserveTensor(op ir.Op) (func(*machine) error, error) {
	t, address, err := d.local(op, op.Operand(0))
	if err != nil {
		return nil, err
	}
	n, _ := op.IntAttr(tileas.AttrColumns)
	return func(m *machine) error {
		if !m.tensor.by.IsNil() {
			return op.Errorf("reserves tensor memory, of which '%s' has reserved some that was not given back", m.tensor.by.Name()).Note(m.tensor.by.Loc(), "the other")
		}
		at, err := address(m)
		if err == nil {
			err = m.writable(op, at.address(), at.address()+uint64(t.TileBytes()))
		}
		if err != nil {
			return err
		}
		m.smem.clear(m, at.address(), at.address()+uint64(t.TileBytes()))
		m.tensor.by, m.tensor.reserved = op, n*tileas.TensorColumnBytes
		return nil
	}, nil
}

func (d *decoder) releaseTensor(op ir.Op) (func(*machine) error, error) {
	n, _ := op.IntAttr(tileas.AttrColumns)
	return func(m *machine) error {
		for _, x := range m.tensor.tiles {
			if len(x.flying) > 0 {
				return op.Errorf("gives back tensor memory that '%s' is still writing", x.flying[0].Name()).Note(x.flying[0].Loc(), "the product")
			}
			if len(x.read) > 0 {
				return op.Errorf("gives back tensor memory that '%s' is still reading", x.read[0].Name()).Note(x.read[0].Loc(), "the product")
			}
		}
		if got := m.tensor.reserved; got != n*tileas.TensorColumnBytes {
			return op.Errorf("gives back %d columns of tensor memory, but %d are reserved", n, got/tileas.TensorColumnBytes)
		}
		m.tensor.reset(m)
		return nil
	}, nil
}

func (d *decoder) allocTensor(op ir.Op) (func(*machine) error, error) {
	if d.buffers++; d.buffers > maxBuffers {
		return nil, op.Errorf("cannot be interpreted: is one of more than %d allocations", maxBuffers)
	}
	at, bytes := tensorBase+unplaced+apart*d.buffers, uint64(bufferType(op.Result(0)).Bytes())
	place, placed := op.IntAttr(tileas.AttrOffset)
	if placed {
		at = tensorBase + uint64(place)
	}
	if at >= 1<<addressBits {
		return nil, op.Errorf("cannot be interpreted: is one of very many allocations")
	}
	out, value := d.result(op, 0), d.buffers<<addressBits|at
	return func(m *machine) error {
		if placed && uint64(place)+bytes > uint64(m.tensor.reserved) {
			return op.Errorf("needs column %d of tensor memory, but %d are reserved", (uint64(place)+bytes)/tileas.TensorColumnBytes-1, m.tensor.reserved/tileas.TensorColumnBytes)
		}
		x, err := m.tensor.take(m, op, location(value), bytes, false)
		if err != nil {
			return err
		}
		m.release(x.v)
		x.v = nil
		m.put(out, m.scalar(value))
		return nil
	}, nil
}

func (d *decoder) tensorLoad(op ir.Op) (func(*machine) error, error) {
	t, buf, out := bufferType(op.Operand(0)), d.slot(op.Operand(0)), d.result(op, 0)
	acc := localAccess(op, t, op.Result(0).Type(), false)
	return func(m *machine) error {
		at, err := m.address(op, buf)
		if err != nil {
			return err
		}
		v := (*vec)(nil)
		for _, x := range m.tensor.tiles {
			if x.at == at && x.v != nil && len(x.flying) == 0 {
				m.retain(x.v)
				v = x.v
			}
		}
		if v == nil {
			v = m.unspecified(count(t.Shape))
		}
		m.put(out, v)
		return m.meets(acc, at)
	}, nil
}

func (d *decoder) tensorStore(op ir.Op) (func(*machine) error, error) {
	t, buf, value := bufferType(op.Operand(1)), d.slot(op.Operand(1)), d.slot(op.Operand(0))
	acc := localAccess(op, t, op.Operand(0).Type(), true)
	return func(m *machine) error {
		at, err := m.address(op, buf)
		if err != nil {
			return err
		}
		x, err := m.tensor.take(m, op, at, uint64(t.Bytes()), false)
		if err != nil {
			return err
		}
		x.set(m, m.vals[value])
		return m.meets(acc, at)
	}, nil
}

func (d *decoder) tensorMul(op ir.Op) (func(*machine) error, error) {
	t, buf, factors := bufferType(op.Operand(1)), d.slot(op.Operand(1)), d.slot(op.Operand(0))
	acc := localAccess(op, t, op.Operand(0).Type(), true)
	return func(m *machine) error {
		at, err := m.address(op, buf)
		if err != nil {
			return err
		}
		x, err := m.tensor.take(m, op, at, uint64(t.Bytes()), false)
		if err != nil {
			return err
		}
		old, by := x.v, m.vals[factors]
		made := m.unspecified(count(t.Shape))
		for i := range made.data {
			if old == nil || old.undef != nil && old.undef[i] || by.undef != nil && by.undef[i] {
				continue
			}
			made.data[i], made.undef[i] = numeric.F32.Mul(old.data[i], by.data[i], numeric.Env{}), false
		}
		x.set(m, made)
		m.release(made)
		return m.meets(acc, at)
	}, nil
}

func (d *decoder) tensorDot(op ir.Op) (func(*machine) error, error) {
	var a factorSource
	var err error
	var tensorA []tensorSource // a, where it is in tensor memory
	if tileas.InTensor(op.Operand(0)) {
		tensorA = d.tensorSources(op, op.Operands()[:1])
		a.own = tensorA[0].own
	} else if a, err = d.factorSource(op, 0); err != nil {
		return nil, err
	}
	b, err := d.factorSource(op, 1)
	if err != nil {
		return nil, err
	}
	t, buf, flag, bar := bufferType(op.Operand(2)), d.slot(op.Operand(2)), d.slot(op.Operand(3)), d.slot(op.Operand(4))
	sum := d.tempSlot()
	scales := d.tensorSources(op, tileas.TensorScales(op))
	var own []int
	for _, f := range scales {
		own = append(own, f.own)
	}
	multiply, err := d.multiplying(op, a.own, b.own, sum, sum, own...)
	if err != nil {
		return nil, err
	}
	fromTensor := append(tensorA, scales...)
	acc, tells := anyThread(op, t, true), anyThread(op, bufferType(op.Operand(4)), true)
	pair := d.handshake(op)
	return func(m *machine) error {
		if err := pair.before(m, op); err != nil {
			return err
		}
		l := &flight{op: op}
		var atA location
		var err error
		if tensorA == nil {
			atA, err = a.begin(m, op, l)
		}
		if err != nil {
			return err
		}
		atB, err := b.begin(m, op, l)
		if err == nil {
			err = m.defined(op, flag, nil, "flag")
		}
		if err != nil {
			return err
		}
		at, err := m.address(op, buf)
		if err == nil {
			_, err = m.clash(acc, at)
		}
		if err == nil && m.role != nil { // another role may still load what was there
			err = m.role.crosses(acc, at.address())
		}
		if err == nil {
			l.tells, err = m.mbarrier(op, bar)
		}
		if err == nil { // nothing to note, as for bulk copies
			_, err = m.clash(tells, location(m.vals[bar].data[0]))
		}
		if err != nil {
			return err
		}
		x, err := m.tensor.take(m, op, at, uint64(t.Bytes()), true)
		if err != nil {
			return err
		}
		x.flying = append(x.flying, op)
		var factors []*tensorTile
		for _, f := range fromTensor {
			tile, err := f.begin(m, op)
			if err != nil {
				return err
			}
			factors = append(factors, tile)
		}
		add, late := m.vals[flag].data[0] != 0, m.run.engine.Adversarial
		v := b.take(m, atB)
		var u *vec
		if tensorA == nil {
			u = a.take(m, atA)
		}
		var mine *half
		if pair != nil {
			mine, err = m.halfOf(op, func() *vec {
				if late {
					m.release(v)
					v = b.take(m, atB)
				}
				return v
			})
			if err != nil {
				return err
			}
		}
		l.land = func(m *machine) error {
			switch {
			case pair != nil:
				if v, err = mine.columns(m, op, tile.Shape(bufferType(op.Operand(1)).HeldTile())); err != nil {
					return err
				}
			case late:
				m.release(v)
				v = b.take(m, atB)
			}
			if late && tensorA == nil {
				m.release(u)
				u = a.take(m, atA)
			}
			m.smem.done(l)
			if tensorA == nil {
				m.put(a.own, u)
			}
			m.put(b.own, v)
			for i, f := range fromTensor {
				f.end(m, factors[i])
			}
			switch {
			case !add:
				m.put(sum, zeroVec(m, count(t.Shape)))
			case x.v == nil:
				m.put(sum, m.unspecified(count(t.Shape)))
			default:
				m.share(sum, x.v)
			}
			if err := multiply(m); err != nil {
				return err
			}
			x.set(m, m.vals[sum])
			x.flying = x.flying[1:]
			return nil
		}
		if err := m.product(l); err != nil || pair == nil {
			return err
		}
		return pair.after(m, op, mine)
	}, nil
}

// product puts a product under way, whose mbarrier is told when it has landed. Who waits for that has seen what its role had when it started it.
func (m *machine) product(l *flight) error {
	q, land, seen := m.flights.queue(tileas.TensorProducts), l.land, m.publish()
	l.land = func(m *machine) error {
		b := l.tells
		b.products = b.products[1:]
		if err := land(m); err != nil {
			return err
		}
		return b.arrive(l.op, 1, 0, seen)
	}
	m.flights.copies = append(m.flights.copies, l)
	q.batches = append(q.batches, []*flight{l})
	l.tells.products = append(l.tells.products, underWay{l, q})
	return nil
}

// An underWay is a product that tells an mbarrier, and the queue of its role, whose order it keeps whoever waits for it.
type underWay struct {
	*flight
	queue *queue
}

// landProduct lands the oldest product that tells an mbarrier, behind all that were started before.
func (m *machine) landProduct(b *mbarrier) error {
	p := b.products[0]
	left := int64(len(p.queue.batches))
	for _, batch := range p.queue.batches {
		if left--; batch[0] == p.flight {
			break
		}
	}
	return m.complete(p.queue, left)
}

// tensorCommit is a product of nothing: it lands in their order.
func (d *decoder) tensorCommit(op ir.Op) (func(*machine) error, error) {
	bar, tells := d.slot(op.Operand(0)), anyThread(op, bufferType(op.Operand(0)), true)
	return func(m *machine) error {
		b, err := m.mbarrier(op, bar)
		if err == nil {
			_, err = m.clash(tells, location(m.vals[bar].data[0]))
		}
		if err != nil {
			return err
		}
		return m.product(&flight{op: op, tells: b, land: func(*machine) error { return nil }})
	}, nil
}

// A tensorSource is what a product takes from tensor memory.
type tensorSource struct {
	t        *tileas.BufferType
	buf, own int // slots of the buffer and of its contents
	access   *threadAccess
}

func (d *decoder) tensorSources(op ir.Op, buffers []ir.Value) (list []tensorSource) {
	for _, v := range buffers {
		t := bufferType(v)
		list = append(list, tensorSource{t: t, buf: d.slot(v), own: d.tempSlot(), access: anyThread(op, t, false)})
	}
	return list
}

// begin notes that a product reads a tile from now on. Nothing changes it until the product is done, so that it does not matter when it is read.
func (f *tensorSource) begin(m *machine, op ir.Op) (*tensorTile, error) {
	at, err := m.address(op, f.buf)
	if err == nil {
		_, err = m.clash(f.access, at)
	}
	if err != nil {
		return nil, err
	}
	lo, hi := at.address(), at.address()+uint64(f.t.Bytes())
	for _, x := range m.tensor.tiles {
		switch {
		case x.hi <= lo || hi <= x.at.address():
		case len(x.flying) > 0:
			return nil, op.Errorf("reads tensor memory that '%s' is still writing", x.flying[0].Name()).Note(x.flying[0].Loc(), "the product")
		case x.at == at && x.hi == hi && x.v != nil:
			x.read = append(x.read, op)
			return x, nil
		}
	}
	return nil, op.Errorf("reads tensor memory that nothing has stored as '%s'", ir.TypeString(f.t))
}

// end gives the product what the tile has.
func (f *tensorSource) end(m *machine, x *tensorTile) {
	x.read = x.read[1:]
	m.share(f.own, x.v)
}

func zeroVec(m *machine, n int) *vec {
	v := m.alloc(n)
	clear(v.data)
	return v
}

func (d *decoder) tensorWait(op ir.Op) (func(*machine) error, error) {
	slot, parity := d.slot(op.Operand(0)), d.slot(op.Operand(1))
	pending, _ := op.IntAttr(tileas.AttrPending)
	acc := anyThread(op, bufferType(op.Operand(0)), false)
	return func(m *machine) error {
		b, err := m.usable(op, slot, acc)
		if err == nil {
			err = m.defined(op, parity, nil, "parity")
		}
		if err != nil {
			return err
		}
		q, p := m.flights.queue(tileas.TensorProducts), m.vals[parity].data[0]
		if p > 1 {
			return op.Errorf("parity must be 0 or 1, but is %d", int32(p))
		}
		if phase := b.phase; phase&1 == p {
			for b.phase == phase {
				if !slices.ContainsFunc(q.batches, func(batch []*flight) bool { return batch[0].tells == b }) {
					return op.Errorf("waits for phase %d, which never ends: no product that is under way tells the mbarrier", phase)
				}
				if err := m.complete(q, int64(len(q.batches))-1); err != nil {
					return err
				}
			}
		}
		if n := int64(len(q.batches)); n > pending {
			return op.Errorf("leaves %d products under way, where the program counts on at most %d", n, pending).Note(q.batches[0][0].op.Loc(), "the oldest of them")
		}
		return nil
	}, nil
}
