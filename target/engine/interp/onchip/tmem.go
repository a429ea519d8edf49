package onchip

import (
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp/values"
)

// TMEMBase is the first address of tensor memory, above all others.
const TMEMBase = 1 << (AddressBits - 1)

// A TMEMTile is the contents of a range of tensor memory.
type TMEMTile struct {
	At     Location
	Hi     uint64
	V      *values.Vec // nil: unspecified
	Flying []ir.Op     // MMAs that will write it, the oldest first
	Read   []ir.Op     // MMAs that read it
}

// TMEM is the tensor memory of one CTA.
type TMEM struct {
	Tiles    []*TMEMTile // disjoint
	Reserved int64       // bytes
	By       ir.Op       // the operation that has reserved them
}

// Reset forgets everything, for the next CTA.
func (t *TMEM) Reset(pool *values.Pool) {
	for _, x := range t.Tiles {
		pool.Release(x.V)
	}
	*t = TMEM{}
}

// Left returns the operation whose reservation is not released, or a zero Op.
func (t *TMEM) Left() ir.Op { return t.By }

// Take returns the tile at a location for a write, and forgets everything else in its range. Nothing else may be in
// flight there. The tile itself may be written by MMAs in flight if the write is inOrder with them.
func (t *TMEM) Take(pool *values.Pool, op ir.Op, at Location, bytes uint64, inOrder bool) (*TMEMTile, error) {
	lo, hi := at.Address(), at.Address()+bytes
	var found *TMEMTile
	kept := t.Tiles[:0]
	for _, x := range t.Tiles {
		same := x.At == at && x.Hi == hi
		switch {
		case x.Hi <= lo || hi <= x.At.Address():
			kept = append(kept, x)
		case len(x.Read) > 0:
			return nil, op.Errorf("writes TMEM that '%s' is still reading: nothing has waited for that", x.Read[0].Name()).Note(x.Read[0].Loc(), "the MMA")
		case len(x.Flying) > 0 && !(same && inOrder):
			return nil, op.Errorf("writes TMEM that '%s' is still writing: nothing has waited for that", x.Flying[0].Name()).Note(x.Flying[0].Loc(), "the MMA")
		case same:
			found = x
			kept = append(kept, x)
		default:
			pool.Release(x.V)
		}
	}
	if t.Tiles = kept; found == nil {
		found = &TMEMTile{At: at, Hi: hi}
		t.Tiles = append(t.Tiles, found)
	}
	return found, nil
}

// Set gives a tile the contents v, which others hold too.
func (x *TMEMTile) Set(pool *values.Pool, v *values.Vec) {
	pool.Retain(v)
	pool.Release(x.V)
	x.V = v
}
