package transfers

import (
	"cmp"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/passes/analysis/tma"
)

// PlanTMA plans a TMA load in the place of a load of a view for MMAs, or says why there is none; with neither, it is no
// load for MMAs.
//
// Threads copy several elements at once, and bounds must not split those. TMA tests each element, so bounds do not
// matter. But it needs a map of the object, made of values that are known before the kernel begins.
func PlanTMA(load ir.Op, warps int, ranges *intrange.Ranges) (c *Copy, why string) {
	c, why = feeds(load, warps)
	if c == nil {
		return nil, why
	}
	order, why := c.describe(ranges)
	if why != "" {
		return nil, why
	}
	if c.Rounds = c.canRound(); c.Rounds && c.box(order) == "" {
		return c, ""
	}
	c.Rounds = false
	if why = c.box(order); why != "" {
		return nil, why
	}
	return c, ""
}

// describe finds the map of a copy, and which thread would copy which element, or says why there is no map. It returns
// the dimensions of the object, the contiguous one first.
func (c *Copy) describe(ranges *intrange.Ranges) (order []int, why string) {
	if c.Load.Is(tileas.Level.Load) {
		return c.describeRows(ranges)
	}
	acc := tile.AccessOf(c.Load)
	why, hosted := tma.Describable(acc, ranges, false)
	if why = cmp.Or(why, tma.Uncounted(c.Load)); why == "" && !pastOf(c.Load).known {
		why = unknownPast
	}
	if why == "" && !hosted {
		c.Built, why = tma.SiteOf(acc)
	}
	if why != "" {
		return nil, why
	}
	return c.inChunks(linear.ContiguousFirst(len(acc.Sizes), acc.ContiguousDim())), ""
}

// inChunks notes which thread would copy which element, if threads copied in the units of TMA, and returns the order.
func (c *Copy) inChunks(order []int) []int {
	t := c.Load.Result(0).Type().(*ir.TensorType)
	size := tile.ElementBytes(t.Elem)
	chunk := min(int(t.Shape[order[0]])*size, tile.BulkUnit)
	c.from, _ = linear.Coalesced(linear.Ints(t.Shape), 8*size, 8*chunk, 32, c.warps, order) // of a shape with another layout
	return order
}

// box finds the buffer of a TMA load and the boxes that fill it, or says why there are none.
func (c *Copy) box(order []int) (why string) {
	t := c.Load.Result(0).Type().(*ir.TensorType)
	size := tile.ElementBytes(t.Elem)
	layouts := []func() (linear.Shared, error){func() (linear.Shared, error) { return c.swizzle(t, linear.AccessOptions{}, c.reads()[0]) }}
	if _, described := c.Ends[0].described(); !described && !c.InThreads() { // descriptors know few layouts, and threads read words at places of their own
		layouts = append(layouts, func() (linear.Shared, error) {
			return linear.SharedTMA(linear.Ints(t.Shape), 8*size, rowSwizzle(int(t.Shape[order[0]])*size), order)
		})
	}
	for _, make := range layouts {
		layout, err := make()
		if err == nil {
			elem := t.Elem
			if c.Rounds {
				elem = c.Load.Context().Float(numeric.TF32)
			}
			c.Buffer = tileas.Buffer(c.Load.Context(), t.Shape, elem, tileas.SharedLayout(c.Load.Context(), layout))
			if c.Map, c.Boxes, err = tileas.TensorMapFor(c.Buffer, order[0]); err == nil {
				if c.Rounds {
					c.Map = c.Map.Rounding(c.Load.Context())
				}
				c.Align = int64(c.Boxes.Align())
				if c.Rows == nil {
					return ""
				}
				if why = c.gathers(); why == "" {
					return ""
				}
				continue
			}
		}
		why = err.Error()
	}
	return why
}

// rowSwizzle returns the widest swizzle for rows of so many bytes.
func rowSwizzle(bytes int) int {
	for _, n := range []int{128, 64, 32} {
		if bytes >= n {
			return n
		}
	}
	return 0
}

// A Staging is a buffer, and the boxes in which TMA fills or empties it.
type Staging struct {
	Buffer *tileas.BufferType
	Align  int64 // that the buffer needs
	Map    *tileas.TensorMapType
	Boxes  linear.Boxes
	Cost   linear.Cost // what threads do on their side of the buffer
}

// staged returns the buffer of a tile that costs threads the fewest wavefronts, of those with the given swizzles, or says
// why there is none. Of equal ones it is the first, or that with the fewest boxes.
func staged(t *ir.TensorType, order, swizzles []int, fewBoxes bool, cost func(linear.Shared) (linear.Cost, error)) (best Staging, why string) {
	why = "no layout of a buffer fits"
	for _, swizzle := range swizzles {
		layout, err := linear.SharedTMA(linear.Ints(t.Shape), 8*tile.ElementBytes(t.Elem), swizzle, order)
		if err != nil {
			continue
		}
		s := Staging{Buffer: tileas.Buffer(t.Context(), t.Shape, t.Elem, tileas.SharedLayout(t.Context(), layout))}
		if s.Map, s.Boxes, err = tileas.TensorMapFor(s.Buffer, order[0]); err == nil {
			s.Cost, err = cost(layout)
		}
		if err != nil {
			why = err.Error()
			continue
		}
		s.Align = int64(s.Boxes.Align())
		if n, most := s.Cost.Wavefronts, best.Cost.Wavefronts; best.Buffer == nil || n < most || fewBoxes && n == most && len(s.Boxes.Places) < len(best.Boxes.Places) {
			best = s
		}
	}
	if best.Buffer != nil {
		why = ""
	}
	return best, why
}
