package core

import (
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp/memory"
	"github.com/tilewright/tilewright/target/engine/interp/values"
)

// A Debugger follows a launch operation by operation. Tile blocks then run one after another, in the order of their
// numbers, so that operation n of a launch is the same one in each run. Values are kept until their tile block ends.
type Debugger interface {
	// Before is called before each operation, on the goroutine that executes it. It may take its time. An error ends
	// the launch.
	Before(s *State) error
	// Failed is called when a tile block has failed, with the state in which it did.
	Failed(s *State, err error)
	// Ended is called when a CTA has ended as it should.
	Ended(s *State)
}

// A State is a CTA as a debugger sees it. It may be read during a call only, and while the debugger holds that call. A
// CTA that waits for another tile block may be read too. Each CTA that runs has a State of its own.
type State struct {
	m  *Machine
	op ir.Op
}

// Op returns the next operation, or the one that has failed.
func (s *State) Op() ir.Op { return s.op }

// Block returns the tile block.
func (s *State) Block() [3]uint32 { return s.m.ID }

// Number returns the number of the CTA: by tile block in the order of the grid, then by rank.
func (s *State) Number() uint64 { return s.m.Number }

// Tile returns the latest value of a tile. The bits are those of the machine, so the caller must not change them.
func (s *State) Tile(v ir.Value) (Tile, bool) {
	slot, ok := s.m.Program.slots[v]
	if !ok || !values.IsTile(v.Type()) || s.m.Vals[slot] == nil {
		return Tile{}, false
	}
	x := s.m.Vals[slot]
	return Tile{v, x.Data, x.Undef}, true
}

// Tensor returns the tensor that a tensor_view, or a view of one, describes.
func (s *State) Tensor(v ir.Value) (memory.Tensor, bool) {
	i, ok := s.m.Program.views[v]
	if !ok {
		return memory.Tensor{}, false
	}
	return s.m.Views.Tensors[i], true
}

// Memory returns up to n bytes of memory from an address on, as it is now: fewer where the buffer ends, none where there
// is none. The caller must not change them.
func (s *State) Memory(addr, n uint64) []byte {
	b := s.m.Mem.BufferAt(addr)
	if b == nil || addr-b.Addr >= uint64(len(b.Data)) {
		return nil
	}
	rest := b.Data[addr-b.Addr:]
	return rest[:min(n, uint64(len(rest)))]
}
