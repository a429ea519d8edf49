package mma

import (
	"github.com/tilewright/tilewright/target/engine/emu/machine"
)

// scratch is the working space that the matrix instructions keep with a warp. An MMA needs up to 150 KiB. Most kernels
// have none, and those that do have thousands.
type scratch struct {
	floats *tile
	ints   *intTile
	wide   *wideTile
}

func scratchOf(w *machine.Warp) *scratch {
	s, ok := w.Scratch.(*scratch)
	if !ok {
		s = new(scratch)
		w.Scratch = s
	}
	return s
}

func (s *scratch) tile() *tile {
	if s.floats == nil {
		s.floats = new(tile)
	}
	return s.floats
}

func (s *scratch) intTile() *intTile {
	if s.ints == nil {
		s.ints = new(intTile)
	}
	return s.ints
}

func (s *scratch) wideTile() *wideTile {
	if s.wide == nil {
		s.wide = new(wideTile)
	}
	return s.wide
}
