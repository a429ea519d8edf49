package interp

import (
	"context"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// A machine executes tile blocks, one after the other.
type machine struct {
	pool
	ctx  context.Context
	prog *program
	mem  *memory
	run  *launchState // what all machines of a launch share

	id      [3]uint32
	rank    uint32 // among the CTAs that share the tile block
	unit    uint64 // of the schedule: the CTA, or the tile block where CTAs run together
	number  uint64 // of the CTA: tile blocks in the order of the grid, and in each its CTAs
	turn    *turn  // of an ordered launch
	vals    []*vec
	tensors []tensor
	moved   []*vec // values on their way from a terminator
	win     window
	coords  []int64 // of win
	floats  [3][]float64

	last    *buffer   // of the latest access
	private []*buffer // made by alloca and not global, by address
	shared  []*buffer // made by alloca and global
	// allocated counts what alloca made. Memory whose lifetime has ended may have the address of later one.
	allocated int

	smem     sharedMemory
	tensor   tensorMemory
	flights  flights
	stored   stored
	epoch    epoch
	role     *role // that is running; nil outside roles
	pingpong turns // of the groups of its warps
	cta      *cta  // nil where CTAs hear nothing of each other
	peers    []*machine

	race     *raceState // nil: not looked for
	trace    func(m *machine, op ir.Op)
	steps    uint64
	turns    int  // iterations of loops that touched memory which others may change
	busy     int  // those of them that changed memory
	ordered  bool // the current iteration touched such memory
	changed  bool // the current iteration changed memory
	replaced bool // another tile block was started since this one may be waiting
}

// A tensor is the value of a tensor_view; sizes and strides are in elements.
type tensor struct {
	base           uint64
	sizes, strides []int64
}

func newMachine(ctx context.Context, l *launchState) *machine {
	m := &machine{ctx: ctx, prog: l.prog, mem: l.mem, run: l, vals: make([]*vec, l.prog.vecs)}
	m.scribble = l.engine.scribble
	m.stored = make(stored)
	m.tensors = make([]tensor, len(l.prog.tensors))
	for i, rank := range l.prog.tensors {
		both := make([]int64, 2*rank)
		m.tensors[i] = tensor{sizes: both[:rank], strides: both[rank:]}
	}
	return m
}

// execute executes what the schedule has under a number: a CTA, or all that share a tile block where they use each other's memory.
func (m *machine) execute(unit uint64) error {
	if m.unit = unit; !m.prog.clustered {
		return m.block(unit)
	}
	m.replaced = false
	return m.runCluster(unit)
}

// block executes the CTA of the given number, which is a tile block or shares one. Those that share one have memory of their own; unless they use each other's they hear nothing of each other, but through global memory: they are as tile
// blocks are among themselves.
func (m *machine) block(number uint64) error {
	x, y, ctas := uint64(m.run.grid[0]), uint64(m.run.grid[1]), uint64(m.run.prog.ctas)
	block := number / ctas
	id := [3]uint32{uint32(block % x), uint32(block / x % y), uint32(block / (x * y))}
	m.rank = uint32(number % ctas)
	if m.cta != nil {
		m.unit = block
	}
	m.id, m.number, m.steps, m.turns, m.busy, m.allocated = id, number, 0, 0, 0, 0
	m.ordered, m.changed, m.replaced = false, false, false
	if m.trace = nil; m.rank == 0 {
		m.trace = m.run.traceOf(id)
	}
	if m.run.engine.Races {
		m.race = newRaceState(m.run.races.start(number), m.prog.halves, m.run.engine.OpenOrder)
	}
	for i, s := range m.prog.params {
		m.put(s, m.scalar(m.run.args[i]))
	}
	m.flights, m.tensor, m.epoch.since, m.role = flights{}, tensorMemory{}, m.epoch.since[:0], nil
	_, err := m.exec(m.prog.body)
	if left := m.flights.left(); err == nil && !left.IsNil() {
		err = left.Errorf("is still under way when the kernel ends: nothing has waited for it")
	}
	if err == nil {
		err = m.end()
	}
	if by := m.tensor.left(); err == nil && !by.IsNil() {
		err = by.Errorf("has reserved tensor memory that is not given back when the kernel ends")
	}
	if err != nil {
		return faultOf(id, err)
	}
	for s := range m.vals {
		m.drop(s)
	}
	m.smem.reset(m)
	clear(m.stored)
	m.tensor.reset(m)
	return nil
}

func (m *machine) scalar(x uint64) *vec {
	v := m.alloc(1)
	v.data[0] = x
	return v
}

// put makes v, of which the caller gives up its reference, the value of a slot.
func (m *machine) put(slot int, v *vec) {
	old := m.vals[slot]
	m.vals[slot] = v
	m.release(old)
}

// share makes v, which other slots hold too, the value of a slot.
func (m *machine) share(slot int, v *vec) {
	m.retain(v)
	m.put(slot, v)
}

func (m *machine) drop(slot int) {
	m.release(m.vals[slot])
	m.vals[slot] = nil
}

// Between two looks at the context pass no more operations, and not many more elements, than this.
const (
	contextSteps    = 1 << 8
	contextElements = 1 << 20
)

// step counts an operation, and reports that the tile block must not go on.
func (m *machine) step(op ir.Op) error {
	if m.steps++; m.steps%contextSteps == 0 || m.elements >= contextElements {
		m.elements = 0
		if err := m.ctx.Err(); err != nil {
			return m.stoppedAt(op, err)
		}
		if m.unit > m.run.failed.Load() {
			return errStopped
		}
	}
	if m.steps == m.run.maxSteps {
		return op.Errorf("is operation %d, more than the limit for a tile block", m.steps)
	}
	return nil
}

// exec executes a block to its terminator, and moves the operands of that one to where they go.
func (m *machine) exec(c *code) (exit, error) {
	if c.scoped {
		defer m.leave(len(m.private), len(m.shared))
	}
	for i := range c.instrs {
		in := &c.instrs[i]
		if err := m.step(in.op); err != nil {
			return exitNone, err
		}
		if in.run != nil {
			if err := in.run(m); err != nil {
				return exitNone, err
			}
		} else if e, err := in.nest(m); err != nil || e != exitNone {
			return e, err
		}
		if m.trace != nil {
			m.trace(m, in.op)
		}
		for _, s := range in.drop {
			m.drop(s)
		}
	}
	if err := m.step(c.end); err != nil {
		return exitNone, err
	}
	m.moved = m.moved[:0]
	for _, s := range c.from {
		m.retain(m.vals[s])
		m.moved = append(m.moved, m.vals[s])
	}
	for _, s := range c.drop {
		m.drop(s)
	}
	for i, s := range c.to {
		m.put(s, m.moved[i])
	}
	return c.exit, nil
}

// defined returns an error if an element of the tile in a slot is unspecified.
func (m *machine) defined(op ir.Op, slot int, shape []int64, what string) error {
	if v := m.vals[slot]; v.undef != nil {
		for i, u := range v.undef {
			if u {
				return failf(op, launch.Unspecified, "%s: %s is unspecified (read out of bounds without padding, masked off or never written)", what, place(shape, i)).at(shape, i)
			}
		}
	}
	return nil
}

// stretch returns the elements of v, repeated to n of them if it has one.
func (m *machine) stretch(v *vec, n int) (data []uint64, temp *vec) {
	if len(v.data) == n {
		return v.data, nil
	}
	t := m.alloc(n)
	for i := range t.data {
		t.data[i] = v.data[0]
	}
	return t.data, t
}
