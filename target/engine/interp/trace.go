package interp

import (
	"slices"
	"strconv"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// An Event is an operation that a traced tile block has executed, with the tiles that are its results. Views and tokens are left out.
type Event struct {
	Step  uint64
	Op    ir.Op
	Tiles []Tile
}

// An Access is what an operation of a tile block does to consecutive bytes.
type Access struct {
	Op         ir.Op
	Block      uint64 // the number of the tile block
	Addr, Size uint64
	Allocation int // which allocation of the tile block made the memory, from 1 on; 0: it was there before
	Write      bool
}

// A Tile is the value of an SSA value, which is a tile.
type Tile struct {
	Value ir.Value
	Bits  []uint64 // of each element, in row-major order
	Undef []bool   // which elements are unspecified; nil: none
}

// Traceable reports whether values of a type are tiles, which events have.
func Traceable(t ir.Type) bool { return isTile(t) }

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
	return piece{verb: 'd'}.format(elemOf(t.Value), t.Bits[i])
}

// Format returns the format of the elements if they are floating-point numbers.
func (t Tile) Format() (numeric.Format, bool) {
	f, ok := elemOf(t.Value).(*ir.FloatType)
	if !ok {
		return 0, false
	}
	return f.Format, true
}

// traceOf returns what to call after each operation of a tile block, or nil.
func (l *launchState) traceOf(id [3]uint32) func(*machine, ir.Op) {
	if l.engine.Trace == nil || id != l.engine.TraceBlock {
		return nil
	}
	slots := l.prog.slots
	return func(m *machine, op ir.Op) {
		e := Event{Step: m.steps, Op: op}
		for _, r := range op.Results() {
			if !isTile(r.Type()) || m.vals[slots[r]] == nil {
				continue
			}
			v := m.vals[slots[r]]
			e.Tiles = append(e.Tiles, Tile{r, slices.Clone(v.data), slices.Clone(v.undef)})
		}
		l.engine.Trace(e)
	}
}
