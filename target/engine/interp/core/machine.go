package core

import (
	"context"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp/fault"
	"github.com/tilewright/tilewright/target/engine/interp/inflight"
	"github.com/tilewright/tilewright/target/engine/interp/memory"
	"github.com/tilewright/tilewright/target/engine/interp/onchip"
	"github.com/tilewright/tilewright/target/engine/interp/races"
	"github.com/tilewright/tilewright/target/engine/interp/sched"
	"github.com/tilewright/tilewright/target/engine/interp/values"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// A Machine executes CTAs, one after another.
type Machine struct {
	values.Pool
	Ctx     context.Context
	Program *Program
	Mem     memory.Reach
	Launch  *Launch // shared by all machines of a launch

	Vals   []*values.Vec
	moved  []*values.Vec // operands of a terminator, on their way to other slots
	Views  memory.Views
	floats [3][]float64
	kept   []decoded
	// Addresses is scratch of accesses.
	Addresses []uint64

	blockID
	onchip.Chip
	Flights inflight.Flights
	threads
	CTA   *CTA // nil where CTAs do not use each other's memory
	peers []*Machine

	Race  *races.State // nil: not checked
	trace func(m *Machine, op ir.Op)
	debug Debugger // nil: none
	state State    // for debug
	steps uint64
	progress
}

// A blockID says which CTA runs.
type blockID struct {
	ID     [3]uint32
	Rank   uint32 // among the CTAs that share the tile block
	Unit   uint64 // the schedule's unit: the CTA, or the tile block if its CTAs run together
	Number uint64 // of the CTA: by tile block in the order of the grid, then by rank
}

func newMachine(ctx context.Context, l *Launch) *Machine {
	m := &Machine{Ctx: ctx, Program: l.prog, Mem: memory.Reach{Memory: l.mem}, Launch: l, Vals: make([]*values.Vec, l.prog.vecs)}
	m.Scribble, m.debug, m.state.m = l.scribble, l.Options.Debug, m
	m.Mem.Stored = make(memory.Stored)
	m.Views.Tensors = make([]memory.Tensor, len(l.prog.Tensors))
	for i, rank := range l.prog.Tensors {
		both := make([]int64, 2*rank)
		m.Views.Tensors[i] = memory.Tensor{Sizes: both[:rank], Strides: both[rank:]}
	}
	return m
}

// execute executes a unit of the schedule: a CTA, or all CTAs of a tile block if they use each other's memory.
func (m *Machine) execute(unit uint64) error {
	if m.Unit = unit; !m.Program.clustered {
		return m.block(unit)
	}
	m.replaced = false
	return m.runCluster(unit)
}

// block executes the CTA of the given number, which is a tile block or shares one. Unless the CTAs of a tile block use
// each other's memory, they are to each other as tile blocks are: they meet in global memory only.
func (m *Machine) block(number uint64) error {
	x, y, ctas := uint64(m.Launch.Grid[0]), uint64(m.Launch.Grid[1]), uint64(m.Launch.prog.ctas)
	block := number / ctas
	id := [3]uint32{uint32(block % x), uint32(block / x % y), uint32(block / (x * y))}
	m.Rank = uint32(number % ctas)
	if m.CTA != nil {
		m.Unit = block
	}
	m.ID, m.Number, m.steps, m.Mem.Allocated, m.progress = id, number, 0, 0, progress{turn: m.turn}
	if m.trace = nil; m.Rank == 0 {
		m.trace = m.Launch.traceOf(id)
	}
	if m.Launch.Options.Races {
		if m.Race == nil {
			m.Race = races.NewState(m.Program.Halves, m.Launch.Options.OpenOrder, m.Mem.Bounds)
		}
		m.Race.Start(m.Launch.races.Start(number))
	}
	for i, s := range m.Program.params {
		m.Put(s, m.Scalar(m.Launch.Args[i]))
	}
	m.Flights, m.Tmem, m.Epoch.Since, m.Role = inflight.Flights{}, onchip.TMEM{}, m.Epoch.Since[:0], nil
	_, err := m.Exec(m.Program.body)
	if left := m.Flights.Left(); err == nil && !left.IsNil() {
		err = left.Errorf("is still in flight when the kernel ends: nothing has waited for it")
	}
	if err == nil {
		err = m.Flights.End()
	}
	if by := m.Tmem.Left(); err == nil && !by.IsNil() {
		err = by.Errorf("has reserved TMEM that is not released when the kernel ends")
	}
	if err != nil {
		err = fault.OfBlock(id, err)
		if m.debug != nil {
			m.debug.Failed(&m.state, err)
		}
		return err
	}
	if m.debug != nil {
		m.debug.Ended(&m.state)
	}
	for s := range m.Vals {
		m.Drop(s)
	}
	m.Shared.Reset(&m.Pool)
	clear(m.Mem.Stored)
	m.Tmem.Reset(&m.Pool)
	return nil
}

// Put stores v in a slot. The slot takes over the caller's reference.
func (m *Machine) Put(slot int, v *values.Vec) {
	old := m.Vals[slot]
	m.Vals[slot] = v
	m.Release(old)
}

// Share stores v, which others hold too, in a slot.
func (m *Machine) Share(slot int, v *values.Vec) {
	m.Retain(v)
	m.Put(slot, v)
}

// Drop empties a slot.
func (m *Machine) Drop(slot int) {
	m.Release(m.Vals[slot])
	m.Vals[slot] = nil
}

// A machine checks its context after so many operations, or about so many elements.
const (
	contextSteps    = 1 << 8
	contextElements = 1 << 20
)

// step counts an operation. It returns an error if the tile block must not go on.
func (m *Machine) step(op ir.Op) error {
	if m.steps++; m.steps%contextSteps == 0 || m.Elements >= contextElements {
		m.Elements = 0
		if err := m.Ctx.Err(); err != nil {
			return fault.StoppedAt(m.Ctx, op, err)
		}
		// A tile block after the failed one need not go on. One before it must: its error would be the launch's.
		if m.Unit > m.Launch.Failed.Load() {
			return sched.ErrStopped
		}
	}
	if m.steps == m.Launch.maxSteps {
		return op.Errorf("is operation %d, more than the limit for a tile block", m.steps)
	}
	if m.debug != nil {
		m.state.op = op
		return m.debug.Before(&m.state)
	}
	return nil
}

// Watched reports whether someone follows the operations one by one.
func (m *Machine) Watched() bool { return m.debug != nil || m.trace != nil }

// Exec executes a block to its terminator, and moves the operands of the terminator to their slots.
func (m *Machine) Exec(c *Code) (Exit, error) {
	if c.scoped {
		defer m.Mem.Leave(len(m.Mem.Private), len(m.Mem.Shared))
	}
	for i := range c.instrs {
		in := &c.instrs[i]
		if err := m.step(in.op); err != nil {
			return ExitNone, err
		}
		if in.run != nil {
			if err := in.run(m); err != nil {
				return ExitNone, err
			}
		} else if e, err := in.nest(m); err != nil || e != ExitNone {
			return e, err
		}
		if m.trace != nil {
			m.trace(m, in.op)
		}
		for _, s := range in.drop {
			m.Drop(s)
		}
	}
	if err := m.step(c.end); err != nil {
		return ExitNone, err
	}
	// Operands are collected before any slot is written: a loop may swap two of its arguments.
	m.moved = m.moved[:0]
	for _, s := range c.from {
		m.Retain(m.Vals[s])
		m.moved = append(m.moved, m.Vals[s])
	}
	for _, s := range c.drop {
		m.Drop(s)
	}
	for i, s := range c.to {
		m.Put(s, m.moved[i])
	}
	return c.exit, nil
}

// Defined returns an error if an element of the tile in a slot is unspecified.
func (m *Machine) Defined(op ir.Op, slot int, shape []int64, what string) error {
	if v := m.Vals[slot]; v.Undef != nil {
		for i, u := range v.Undef {
			if u {
				return fault.Errorf(op, launch.Unspecified, "%s: %s is unspecified (read out of bounds without padding, masked off or never written)", what, values.Place(shape, i)).At(shape, i)
			}
		}
	}
	return nil
}

// Address returns where the buffer in a slot begins.
func (m *Machine) Address(op ir.Op, slot int) (onchip.Location, error) {
	if err := m.Defined(op, slot, nil, "buffer"); err != nil {
		return 0, err
	}
	return onchip.Location(m.Vals[slot].Data[0]), nil
}

// Scratch returns one of three lists of n numbers. It is valid until the next call for the same one.
func (m *Machine) Scratch(which, n int) []float64 {
	if cap(m.floats[which]) < n {
		m.floats[which] = make([]float64, n)
	}
	return m.floats[which][:n]
}

// A decoded is numbers of a tile, which it holds so that nothing else gets its memory.
type decoded struct {
	of      *values.Vec
	numbers []float64
}

// Kept returns the numbers of a tile, decoded unless the last call with this number was for the same tile.
func (m *Machine) Kept(number int, v *values.Vec, decode func(dst []float64, src []uint64)) []float64 {
	for len(m.kept) <= number {
		m.kept = append(m.kept, decoded{})
	}
	k := &m.kept[number]
	if k.of == v {
		return k.numbers
	}
	m.Retain(v)
	m.Release(k.of)
	if k.of = v; cap(k.numbers) < len(v.Data) {
		k.numbers = make([]float64, len(v.Data))
	}
	k.numbers = k.numbers[:len(v.Data)]
	decode(k.numbers, v.Data)
	return k.numbers
}

// hasSlot reports whether values of a type are kept at run time: tiles, locations of buffers, and descriptions of
// memory.
func hasSlot(t ir.Type) bool {
	switch t.(type) {
	case *tileas.BufferType, *tileas.PipeType, *tileas.GroupType, *tileas.TensorMapType:
		return true
	}
	return values.IsTile(t)
}
