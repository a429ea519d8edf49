package property

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/target/sm"
)

// threadsFixed asks for the number of warps, without which no layout fits.
func threadsFixed(fn ir.Op, _ *passes.Target) *ir.Diagnostic {
	n, ok := fn.IntAttr(tile.AttrNumWarps)
	if !ok {
		return fn.Errorf("has no '%s', which layouts distribute tensors among", tile.AttrNumWarps)
	}
	if n < 1 || n&(n-1) != 0 {
		return fn.Errorf("has %d warps, but layouts distribute tensors among a power of two of them", n)
	}
	return nil
}

// layoutsAssigned looks at the layouts of the values that an operation makes, and at what it does to those of its operands.
func layoutsAssigned(fn ir.Op, _ *passes.Target) func(ir.Op) *ir.Diagnostic {
	warps, _ := fn.IntAttr(tile.AttrNumWarps)
	c := &layoutCheck{warps: warps, fits: make(map[ir.Type]string)}
	return func(op ir.Op) *ir.Diagnostic {
		for i := range op.NumRegions() {
			for b := range op.Region(i).Blocks() {
				if inReduce(op) {
					continue // works on elements
				}
				for k := range b.NumArgs() {
					if why := c.misfit(b.Arg(k).Type()); why != "" {
						return op.Errorf("has argument #%d of a block that %s", k, why)
					}
				}
			}
		}
		for i := range op.NumResults() {
			if why := c.misfit(op.Result(i).Type()); why != "" {
				return op.Errorf("has result #%d that %s", i, why)
			}
		}
		return transfers(op)
	}
}

func inReduce(op ir.Op) bool { return op.Is(tileas.Level.Reduce) || op.Is(tileas.Level.Scan) }

// A layoutCheck knows the types that it has seen, of which a kernel has few.
type layoutCheck struct {
	warps int64
	fits  map[ir.Type]string
}

// misfit says what is wrong with the layout of a type; "" when nothing is.
func (c *layoutCheck) misfit(t ir.Type) string {
	tensor, ok := t.(*ir.TensorType)
	if !ok {
		return ""
	}
	why, seen := c.fits[t]
	if !seen {
		why = c.look(tensor)
		c.fits[t] = why
	}
	return why
}

func (c *layoutCheck) look(t *ir.TensorType) string {
	l, ok := tileas.LayoutOf(t)
	switch {
	case !ok:
		return "is a tensor without a layout"
	case !slices.Equal(l.Shape(), extents(t)):
		return "has a layout of another shape"
	case l.Bits(linear.Offset) != 0 || l.Bits(linear.Element) != 0:
		return "has a layout of a buffer, which has no threads"
	case l.Size(linear.Lane) != sm.WarpSize:
		return "has a layout over lanes of which a warp has another number"
	case int64(l.Size(linear.Warp)) != c.warps:
		return "has a layout over another number of warps than the kernel has"
	case l.Size(linear.Block) != 1:
		return "has a layout over several blocks, but a tile block is one"
	case !l.IsSurjective():
		return "has a layout in which no thread holds some of its elements"
	}
	return ""
}

func extents(t *ir.TensorType) []int {
	out := make([]int, len(t.Shape))
	for i, n := range t.Shape {
		out[i] = int(n)
	}
	return out
}
