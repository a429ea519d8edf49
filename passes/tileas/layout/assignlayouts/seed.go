package assignlayouts

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/transfer"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes/tileas/analysis/layouts"
	"github.com/tilewright/tilewright/target/sm"
)

// seed gives layouts to the classes that have a reason of their own. The reasons are a layout that the IR came
// with, the accumulator of an MMA, and otherwise the access to global memory that moves most bytes.
//
// The order is by how much a change would cost. What the IR states cannot be changed. Fragments are what the
// instruction takes, and converting an accumulator in each iteration costs more than anything around. An access
// in a bad layout still works.
func (c *chooser) seed() error {
	for _, v := range c.values {
		if l, ok := tileas.LayoutOf(v.Type()); ok {
			if class := c.classes.Find(v); !c.fixed[class] {
				c.homes[class], c.fixed[class] = l, true
			}
		}
	}
	if err := ir.Try(ir.Filter(c.ops, tileas.IsMMA), c.seedDot); err != nil {
		return err
	}
	heaviest := make(map[int]int64)
	for _, op := range c.ops {
		a, ok := transfer.AccessOf(op)
		if !ok {
			continue
		}
		bytes := tile.Bytes(a.Value.Type())
		// The pointers of a store have a class of their own. With a home for the value alone, the search would find the
		// pointers elsewhere, and take the value to where they are.
		for _, v := range ir.Filter(append(tied(op), a.Value), c.classed) {
			class := c.classes.Find(v)
			// Of accesses that move as much the first in the program counts, so that the choice is stable.
			if c.fixed[class] || bytes <= heaviest[class] {
				continue
			}
			l, err := c.memoryLayout(a)
			if err != nil {
				return op.Errorf("cannot be distributed: %v", err)
			}
			c.homes[class], heaviest[class] = l, bytes
		}
	}
	return nil
}

// memoryLayout returns the coalesced layout for an access. Take 64 x 64 halves in four warps, adjacent along rows
// and aligned to 16 bytes. Vectors have 8 elements, 8 lanes read a row, and a warp reads 4 rows:
//
//	lane 0..7     row 0, columns 0-7, 8-15, ..., 56-63      one line of 128 bytes
//	lane 8..15    row 1 ...                                 an instruction of a warp touches 4 lines, all of each
func (c *chooser) memoryLayout(a transfer.Access) (linear.Layout, error) {
	t := a.Value.Type().(*ir.TensorType)
	rank, vector := len(t.Shape), a.Vector
	order := linear.ContiguousFirst(rank, rank-1)
	if a.Contiguous >= 0 {
		order = linear.ContiguousFirst(rank, a.Contiguous)
	}
	if tile.IsHalf(t.Elem) {
		return c.packedLayout(a.Value, order, max(vector, 2))
	}
	bits := layouts.Bits(t)
	// A vector that leaves threads without work costs more than it saves.
	for vector > 1 && t.NumElements()/int64(vector) < int64(sm.WarpSize*c.warps) {
		vector /= 2
	}
	return linear.Coalesced(transfer.Shape(a.Value), bits, vector*bits, sm.WarpSize, c.warps, order)
}

// packedLayout returns the coalesced layout for elements of half a byte that are packed along order[0]. It is the
// layout of the bytes, with both halves of a byte in one thread.
func (c *chooser) packedLayout(v ir.Value, order []int, vector int) (linear.Layout, error) {
	shape := transfer.Shape(v)
	shape[order[0]] /= 2
	// A layout of bytes that is widened has both halves of each in one thread by construction; one of halves would
	// have to be checked for it.
	bytes, err := linear.Coalesced(shape, 8, vector/2*8, sm.WarpSize, c.warps, order)
	if err != nil {
		return linear.Layout{}, err
	}
	return bytes.WidenAlong(order[0], 2)
}
