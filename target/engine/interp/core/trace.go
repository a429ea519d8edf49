package core

import (
	"slices"
	"strconv"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/target/engine/interp/values"
)

// An Event is the execution of an operation of a traced tile block, with the tiles that are its results. It has no
// views and no tokens.
type Event struct {
	Step  uint64
	Op    ir.Op
	Tiles []Tile
}

// An Access is an access of consecutive bytes by a tile block.
type Access struct {
	Op         ir.Op
	Block      uint64 // the number of the CTA
	Addr, Size uint64
	Allocation int // which allocation of the CTA made the memory, from 1 on; 0: none
	Write      bool
}

// A Tile is the run-time value of an SSA value.
type Tile struct {
	Value ir.Value
	Bits  []uint64 // of each element, in row-major order
	Undef []bool   // which elements are unspecified; nil: none
}

// Traceable reports whether values of a type are in events: whether they are tiles.
func Traceable(t ir.Type) bool { return values.IsTile(t) }

// Text returns an element in decimal; a pointer in hexadecimal; "?" where it is unspecified.
func (t Tile) Text(i int) string {
	if t.Undef != nil && t.Undef[i] {
		return "?"
	}
	if f, ok := t.Format(); ok {
		size := 32
		if f == numeric.F64 {
			size = 64
		}
		return strconv.FormatFloat(f.Decode(t.Bits[i]), 'g', -1, size)
	}
	return values.Piece{Verb: 'd'}.Format(values.ElemOf(t.Value), t.Bits[i])
}

// Format returns the format of the elements if they are floating-point numbers.
func (t Tile) Format() (numeric.Format, bool) {
	f, ok := values.ElemOf(t.Value).(*ir.FloatType)
	if !ok {
		return 0, false
	}
	return f.Format, true
}

// traceOf returns the function that reports the operations of a tile block, or nil.
func (l *Launch) traceOf(id [3]uint32) func(*Machine, ir.Op) {
	if l.Options.Trace == nil || id != l.Options.TraceBlock {
		return nil
	}
	slots := l.prog.slots
	return func(m *Machine, op ir.Op) {
		e := Event{Step: m.steps, Op: op}
		for _, r := range op.Results() {
			if !values.IsTile(r.Type()) || m.Vals[slots[r]] == nil {
				continue
			}
			v := m.Vals[slots[r]]
			e.Tiles = append(e.Tiles, Tile{r, slices.Clone(v.Data), slices.Clone(v.Undef)})
		}
		l.Options.Trace(e)
	}
}
