package access

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
)

// A Tile computes the addresses and masks of a tiled_load or tiled_store.
//
// The address of element (i, j) is base + size * ((off0 + i) * stride0 + (off1 + j) * stride1). Both i and j
// consist of a part from the register's number, known here, and a part from the thread's. What is computed once,
// and where:
//
//	thread's i, j                         in the entry block, for all tiles of the layout
//	base + size * sum (off + thread) * stride   once for an access (threadBase)
//	register's i * run-time stride        once for each different i (address)
//	register's j * known stride           in the instruction's immediate offset: no code
//
// The tables are keyed by what differs, so that a tile of 64 registers in 8 rows with a run-time row stride
// takes 8 additions of addresses and not 64.
type Tile struct {
	l           *core.Lowering
	Access      tile.Access
	Coordinates *core.Coordinates
	dim         int // along which vectors run; -1: none
	Vector      int // registers of one access
	size        int64
	Order       []ir.NamedAttr
	Halves      bool // elements of half a byte: an address counts elements from the base

	bytes  []ir.Value // stride of each dimension in bytes; a zero Value where stride is constant
	stride []int64    // the constant ones, in bytes
	index  []ir.Value // offset plus the thread's contribution, for each dimension, when the layout is additive
	narrow []ir.Value // the same as an i32, where it provably fits; else a zero Value

	address  map[string]ir.Value
	steps    map[[2]int64]ir.Value // bytes of so many elements along a dimension of run-time stride
	left     []ir.Value            // how many coordinates are inside from the offset on, as i32, where leftOf made it
	pointers map[ir.Value]ir.Value // of addresses in halves
	inside   map[[2]int64]ir.Value
	gate     ir.Value // see Gate
	gateDim  int
	masks    map[string]ir.Value
}

// Of returns the access of a tiled load, store or atomic operation.
func Of(l *core.Lowering, op ir.Op) (*Tile, error) {
	acc := tile.AccessOf(op)
	value := acc.Value
	if value.IsNil() {
		value = op.Result(0)
	}
	lay, err := l.Layout(value)
	if err != nil {
		return nil, err
	}
	return In(l, op, acc, lay)
}

// In returns the access of a tile that threads share as a layout says.
func In(l *core.Lowering, op ir.Op, acc tile.Access, lay linear.Layout) (*Tile, error) {
	a := &Tile{l: l, Access: acc, Coordinates: l.CoordinatesOf(lay), dim: acc.ContiguousDim(), Vector: 1, Order: l.OrderOf(op),
		size:   int64(tile.ElementBytes(ir.ElementType(acc.Tile))),
		Halves: tile.IsHalf(ir.ElementType(acc.Tile)), pointers: make(map[ir.Value]ir.Value),
		address: make(map[string]ir.Value), steps: make(map[[2]int64]ir.Value), left: make([]ir.Value, len(acc.Sizes)), inside: make(map[[2]int64]ir.Value), masks: make(map[string]ir.Value)}
	// A vector needs a layout that gives a thread that many neighbours, and facts about base, strides and sizes.
	// By these it is aligned, and its elements are all inside or all outside. So the mask of the first is that of
	// all.
	if a.dim >= 0 {
		a.Vector = min(acc.VectorElements(), lay.Contiguity(a.dim))
	}
	if a.Halves && a.Vector < 2 {
		return nil, op.Errorf("of elements of half a byte has a layout that leaves the two of a byte to different threads")
	}
	for d, s := range acc.Strides {
		k, known := core.ConstOf(s)
		var bytes ir.Value
		if !known {
			bytes = l.Scale(l.Value(s), a.size)
		}
		a.bytes = append(a.bytes, bytes)
		a.stride = append(a.stride, k*a.size)
		// Where register and thread contribute different bits, coordinates are sums, so the thread's part is added to
		// the offset once for all registers.
		if a.Coordinates.Additive {
			a.narrow = append(a.narrow, a.narrowIndex(d))
			a.index = append(a.index, a.wideIndex(d))
		}
	}
	return a, nil
}
