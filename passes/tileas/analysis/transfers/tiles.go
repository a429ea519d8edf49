package transfers

import (
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
	"github.com/tilewright/tilewright/ir/linear"
)

// TMA may load tiles that threads compute with as well, and that MMAs take from threads at most. Threads then load them
// from the buffer, each in the layout that its users have. TMA computes the addresses and tests the bounds, which threads
// would do for each register. A layout conversion on the way costs nothing more, since the load from the buffer does it.

// maxEnds is how many values may be loaded from one buffer. Where there are more, one is loaded and the others follow
// from it as they follow from the load today.
const maxEnds = 2

// PlanTile plans the TMA load of a tile that threads compute with, or says why there is none; with neither, no thread
// takes the tile.
func PlanTile(load ir.Op, warps int, ranges *intrange.Ranges) (c *Copy, why string) {
	t, ok := load.Result(0).Type().(*ir.TensorType)
	if !ok {
		return nil, ""
	}
	c = &Copy{Load: load, warps: warps, Threads: true}
	if !c.followTile(load.Result(0), nil) {
		return nil, "" // no thread takes it
	}
	if len(c.Ends) > maxEnds {
		c.Ends, c.Views = []End{{Value: load.Result(0)}}, nil
	}
	if tile.IsOrdered(load) {
		return nil, "the load is ordered, and copies are weak"
	}
	order, why := c.describe(ranges)
	if why != "" {
		return nil, why
	}
	if c.Staging, why = staged(t, order, []int{0, 32, 64, 128}, true, c.taken); why == "" && c.Rows != nil {
		why = c.gathers()
	}
	if why != "" {
		return nil, why
	}
	return c, ""
}

// followTile finds the values that threads take: after conversions and views, which loads from the buffer do on the
// way. It reports whether there is one.
func (c *Copy) followTile(v ir.Value, steps []ir.Op) bool {
	taken := false
	for u := range v.Uses() {
		op, next := u.Owner(), steps
		switch {
		case op.Is(tileas.Level.Permute), op.Is(tileas.Level.Reshape):
			next = append(slices.Clip(steps), op)
		case !op.Is(tileas.ConvertLayout): // which is no step, since the load has the layout of its result
			taken = true
			continue
		}
		c.followTile(op.Result(0), next)
		c.Views = append(c.Views, op)
	}
	if taken {
		c.Ends = append(c.Ends, End{v, steps})
	}
	return len(c.Ends) > 0
}

// taken returns what threads do to load all ends from a buffer of the layout.
func (c *Copy) taken(layout linear.Shared) (sum linear.Cost, err error) {
	bits := 8 * tile.ElementBytes(c.Load.Result(0).Type().(*ir.TensorType).Elem)
	for _, e := range c.Ends {
		_, cost, err := linear.BestAccess(e.layout(), layout, bits, linear.AccessOptions{})
		if err != nil {
			return sum, fmt.Errorf("threads cannot load it from a buffer: %w", err)
		}
		sum.Instructions += cost.Instructions
		sum.Wavefronts += cost.Wavefronts
	}
	return sum, nil
}
