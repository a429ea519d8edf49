package transfers

import (
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes/analysis/gathers"
	"github.com/tilewright/tilewright/passes/analysis/tma"
	"github.com/tilewright/tilewright/passes/tileas/machine/instr"
)

// A Copy is a load that can go to shared memory without passing registers.
//
// For %b = load, permuted on the way to an MMA, Ends is one value with one step:
//
//	%b = tiled_load ... ; %t = permute %b [1, 0] ; %f = convert_layout %t ; dot %a, %f, %c       End{%f, [permute]}
type Copy struct {
	Load    ir.Op
	Staging // without a map it is a copy by threads
	Ends    []End
	// Rounds says that the machine converts elements of f32 to tf32 on the way, as Ends ask for it.
	Rounds bool
	// Threads says that threads compute with the tile, and no MMA takes it but from them. Views are then what stands
	// between the load and Ends, users first.
	Threads bool
	Views   []ir.Op
	// Shared says that threads compute with the tile beside MMAs: they load it from the buffer.
	Shared bool
	Rows   *gathers.Rows // that a TMA load gathers; nil: its rows are neighbours
	Built  *tma.Site     // where the kernel makes the map; nil: it is known before the kernel begins
	warps  int
	from   linear.Layout // which thread copies which element
}

// An End is a value that MMAs take, which comes from the load.
type End struct {
	Value ir.Value
	Steps []ir.Op // the permutations, reshapes and conversions of elements on the way to it
}

// Plan plans the copy of what a load loads, of a view or through pointers. Where it says why not, the load feeds
// MMAs, but must pass registers; with neither, it is no load for them.
//
// The order of tests gives the most useful reason: what the load feeds first, then what the copy cannot do. A load
// that feeds no MMA has no reason at all, and a dump does not carry one for each load of a kernel.
func Plan(load ir.Op, warps int) (c *Copy, why string) {
	if c, why = feeds(load, warps); c == nil {
		return nil, why
	}
	t := load.Result(0).Type().(*ir.TensorType)
	if load.Is(tileas.Level.Load) {
		c.from, why = gathered(load)
	} else {
		c.from, why = tileas.CopyLayout(tile.AccessOf(load), warps)
	}
	if why != "" {
		return nil, why
	}
	// Where the best buffer keeps no chunk of the copy together, the best of those that do is the second choice.
	for _, store := range []linear.AccessOptions{{}, {InOrder: true}} {
		for _, read := range c.reads() {
			layout, err := c.swizzle(t, store, read)
			if err != nil {
				return nil, err.Error()
			}
			c.Buffer = tileas.Buffer(load.Context(), t.Shape, t.Elem, tileas.SharedLayout(load.Context(), layout))
			if load.Is(tileas.Level.Load) {
				_, why = tileas.PlanGather(load, c.Buffer)
			} else {
				_, why = tileas.PlanCopy(tile.AccessOf(load), c.Buffer, warps)
			}
			if why == "" {
				return c, ""
			}
		}
	}
	return nil, why
}

// feeds returns a copy of a load for MMAs, without a buffer yet, or says why there is none; with neither, it is no
// load for MMAs.
func feeds(load ir.Op, warps int) (c *Copy, why string) {
	if _, ok := load.Result(0).Type().(*ir.TensorType); !ok {
		return nil, ""
	}
	c = &Copy{Load: load, warps: warps}
	other := c.follow(load.Result(0), nil, make(map[ir.Value]bool))
	switch {
	case len(c.Ends) == 0 || !c.moves():
		return nil, ""
	case slices.ContainsFunc(c.Ends, End.Converted) && !ir.InLoop(load):
		return nil, "" // with nothing to overlap it, a copy is one more way through shared memory
	case !other.IsNil() && c.shareable(false):
		c.Shared = true
	case !other.IsNil() && c.shareable(true) && !slices.ContainsFunc(c.Ends, End.Converted):
		return nil, "" // threads hand the tile to the MMA warp, so it is one of theirs
	case !other.IsNil():
		return nil, fmt.Sprintf("'%s' takes the tile too", other.Name())
	}
	if tile.IsOrdered(load) {
		return nil, "the load is ordered, and copies are weak"
	}
	return c, ""
}

// shareable reports whether threads may load from the buffer what they compute with beside MMAs, in TMEM or in registers.
// In a loop the copy is prefetched, and MMAs want the tile in shared memory anyway: threads would store it there.
func (c *Copy) shareable(tmem bool) bool {
	return c.Load.Is(tileas.Level.TiledLoad) && ir.InLoop(c.Load) && !slices.ContainsFunc(c.Ends, func(e End) bool {
		use, ok := e.described()
		return (ok && instr.InTMEM(use.Owner())) != tmem
	})
}

// reads returns how the buffer may be read, the best first.
func (c *Copy) reads() []linear.AccessOptions {
	if !c.InThreads() {
		// ldmatrix delivers elements packed as the instructions want them; wider plain loads would have to be repacked.
		return []linear.AccessOptions{{Matrix: true, MaxBits: 32}}
	}
	// Threads take elements as they come. Where the widest accesses want the buffer in another order than memory, as
	// along K where a thread has few columns, narrower ones leave the order to the copy.
	return []linear.AccessOptions{{}, {MaxBits: 64}, {MaxBits: 32}}
}

// gathered returns how threads share a copy from where the pointers of a load point. Elements that are masked off
// must be zeros.
func gathered(load ir.Op) (from linear.Layout, why string) {
	if other := load.OperandNamed("other"); !other.IsNil() && !load.OperandNamed("mask").IsNil() && !instr.IsZero(other) {
		return from, "elements that are masked off are not all zero, and cp.async fills with zeros only"
	}
	from, _, why = tileas.GatherLayout(load)
	return from, why
}

// follow finds the ends that a value leads to, and returns an operation that takes it for something else, if there is
// one.
//
// A value that also goes elsewhere stays in registers, unless it is shareable. The elements would have to come back from
// shared memory in the layout of the other use, which is the load's layout and has them already.
func (c *Copy) follow(v ir.Value, steps []ir.Op, seen map[ir.Value]bool) (other ir.Op) {
	for u := range v.Uses() {
		op := u.Owner()
		next := steps
		switch {
		case tileas.IsMMAOperand(u):
			if !seen[v] {
				seen[v] = true
				c.Ends = append(c.Ends, End{v, steps})
			}
			continue
		case op.Is(tileas.ConvertLayout):
		case op.Is(tileas.Level.Permute), op.Is(tileas.Level.Reshape), tma.Converts(op):
			next = append(slices.Clip(steps), op)
		default:
			other = op
			continue
		}
		if o := c.follow(op.Result(0), next, seen); !o.IsNil() {
			other = o
		}
	}
	return other
}

// moves reports whether some element leaves its thread on the way: else registers are the shortest way.
func (c *Copy) moves() bool {
	if slices.ContainsFunc(c.Ends, func(e End) bool { _, ok := e.async(); return ok }) {
		return true
	}
	src, _ := tileas.LayoutOf(c.Load.Result(0).Type())
	for _, e := range c.Ends {
		if conv, err := linear.Convert(src, e.layout()); err != nil || conv.Class > linear.RegisterMove {
			return err == nil
		}
	}
	return false
}

// layout returns the layout of an end by the dimensions of what is loaded.
func (e End) layout() linear.Layout {
	l, _ := tileas.LayoutOf(e.Value.Type())
	return e.loaded(l)
}

// loaded returns a layout of the end, of whatever kind, by the dimensions of what is loaded.
func (e End) loaded(l linear.Layout) linear.Layout {
	for _, step := range slices.Backward(e.Steps) {
		l = across(l, step, true)
	}
	return l
}

// InThreads reports whether what the copy brings is multiplied without a matrix instruction.
func (c *Copy) InThreads() bool {
	return c.Ends[0].Value.UsedBy(func(op ir.Op) bool { return tileas.IsMMA(op) && instr.InThreads(op) })
}

// View returns the buffer as the operand's dimensions have it.
func (e End) View(b *ir.Builder, buffer ir.Value) ir.Value {
	return viewAcross(b, buffer, e.Steps, false)
}

// swizzle returns the layout of the buffer: for chunks that come in, and for what the first end reads.
//
// Only the first end counts. With two, say a tile that is multiplied by itself transposed, the other reads with
// what conflicts there are.
func (c *Copy) swizzle(t *ir.TensorType, store, read linear.AccessOptions) (linear.Shared, error) {
	if c.converts(c.Ends[0]) && !c.Ends[0].passes() { // chunks come in and are read again, by neighbours as they lie in memory
		var order []int
		for i := range c.from.Bits(linear.Register) {
			for d, x := range c.from.Base(linear.Register, i) {
				if x == 1 {
					order = append(order, d)
				}
			}
		}
		left := ir.Filter(linear.ContiguousFirst(c.from.Dims(), c.from.Dims()-1), func(d int) bool { return !slices.Contains(order, d) })
		order = append(order, left...)
		return linear.SharedRowMajor(c.from.Shape(), order)
	}
	if use, ok := c.Ends[0].described(); ok {
		return c.forDescriptors(use)
	}
	return linear.OptimalSwizzleFor(c.from.Shape(), 8*tile.ElementBytes(t.Elem), c.from, c.Ends[0].layout(), store, read)
}
