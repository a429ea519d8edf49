package interp

import (
	"context"
	"fmt"

	"github.com/tilewright/tilewright/ir"
)

// A machine executes one tile block.
type machine struct {
	ctx  context.Context
	mem  *memory
	id   [3]uint32
	grid [3]uint32
	vals []value // by the number of the SSA value

	steps int
}

// An exit is how a block ended: with which terminator, and the values that it passes on.
type exit struct {
	op     ir.Op
	values []value
}

type rule func(m *machine, op ir.Op) error

// rules says how each operation that has no regions and is no terminator is executed.
var rules = map[*ir.OpDef]rule{}

// define adds rules; it is called by init functions.
func define(more map[*ir.OpDef]rule) {
	for def, r := range more {
		if rules[def] != nil {
			panic("interp: two rules for " + def.FullName())
		}
		rules[def] = r
	}
}

func (m *machine) run(entry ir.Op, args []uint64) error {
	for i, p := range entry.Body().Args() {
		m.set(p, value{tile: scalar(elemOf(p.Type()), args[i])})
	}
	_, err := m.block(entry.Body())
	return err
}

// fail returns an error about an operation, with its location.
func fail(op ir.Op, format string, args ...any) error { return op.Errorf(format, args...) }

func (m *machine) set(v ir.Value, x value) {
	for len(m.vals) <= v.ID() {
		m.vals = append(m.vals, make([]value, v.ID()+64-len(m.vals))...)
	}
	m.vals[v.ID()] = x
}

func (m *machine) get(v ir.Value) value { return m.vals[v.ID()] }

// tile returns the tile that a value is.
func (m *machine) tile(v ir.Value) *tile { return m.vals[v.ID()].tile }

func (m *machine) operand(op ir.Op, i int) *tile { return m.tile(op.Operand(i)) }

func (m *machine) result(op ir.Op, i int, t *tile) { m.set(op.Result(i), value{tile: t}) }

// block executes the operations of a block to its terminator.
func (m *machine) block(b ir.Block) (exit, error) {
	for op := range b.Ops() {
		if m.steps++; m.steps&1023 == 0 {
			if err := m.ctx.Err(); err != nil {
				return exit{}, err
			}
		}
		if op.HasTrait(ir.Terminator) {
			values := make([]value, op.NumOperands())
			for i := range values {
				values[i] = m.get(op.Operand(i))
			}
			return exit{op, values}, nil
		}
		if s, ok := structured[op.Def()]; ok {
			e, leave, err := s(m, op)
			if err != nil || leave {
				return e, err
			}
			continue
		}
		r, ok := rules[op.Def()]
		if !ok {
			return exit{}, fail(op, "is not executed by the interpreter yet")
		}
		if err := r(m, op); err != nil {
			return exit{}, err
		}
	}
	return exit{}, fmt.Errorf("block without a terminator")
}
