package copies

import (
	"fmt"
	"math"
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/target/tensormap"
)

// PlanTensor plans the copy of what a load of a view loads for matrix products by the tensor memory accelerator, or says why it cannot be; with neither, it is no load for them.
//
// What a copy by threads needs to know, that bounds do not split what an instruction moves, this one need not: the machine looks at each element. It needs a map that describes the object, which is made of
// what is known before the kernel begins.
func PlanTensor(load ir.Op, warps int, ranges *intrange.Ranges) (c *Copy, why string) {
	c, why = feeds(load, warps)
	if c == nil {
		return nil, why
	}
	order, why := c.describe(ranges)
	if why != "" {
		return nil, why
	}
	inner := order[0]
	if c.canRound() {
		if c.Rounds = true; c.box(inner, order) == "" {
			return c, ""
		}
		c.Rounds = false
	}
	if why := c.box(inner, order); why != "" {
		return nil, why
	}
	return c, ""
}

// describe finds the map of a copy, and which thread would copy which element, and returns the dimensions of the object, those first whose elements are neighbours; or it says why there is no map.
func (c *Copy) describe(ranges *intrange.Ranges) (order []int, why string) {
	if c.Load.Is(tileas.Level.Load) {
		return c.describeRows(ranges)
	}
	acc := tile.AccessOf(c.Load)
	why, hosted := describable(acc, ranges, false)
	if why == "" {
		why = countable(c.Load)
	}
	if why == "" && !pastOf(c.Load).known {
		why = unknownPast
	}
	if why == "" && !hosted {
		c.Built, why = siteOf(acc)
	}
	if why != "" {
		return nil, why
	}
	t := c.Load.Result(0).Type().(*ir.TensorType)
	size := tile.ElementBytes(t.Elem)
	order = dimensions(acc.ContiguousDim(), len(t.Shape))
	chunk := min(int(t.Shape[order[0]])*size, tileas.BulkUnit)
	var err error
	if c.from, err = linear.Coalesced(extents(t.Shape), 8*size, 8*chunk, 32, c.warps, order); err != nil {
		return nil, err.Error()
	}
	return order, ""
}

// dimensions returns n dimensions, the inner one first and the others from the last one on.
func dimensions(inner, n int) []int {
	order := []int{inner}
	for d := n - 1; d >= 0; d-- {
		if d != inner {
			order = append(order, d)
		}
	}
	return order
}

// box finds the buffer of a tensor copy and the boxes that fill it, or says why there are none.
func (c *Copy) box(inner int, order []int) (why string) {
	t := c.Load.Result(0).Type().(*ir.TensorType)
	size := tile.ElementBytes(t.Elem)
	layouts := []func() (linear.Shared, error){func() (linear.Shared, error) { return c.swizzle(t, c.reads()[0]) }}
	if _, described := c.Ends[0].described(); !described && !c.InThreads() { // descriptors know few layouts, and threads read words at places of their own
		layouts = append(layouts, func() (linear.Shared, error) {
			return linear.SharedTMA(extents(t.Shape), 8*size, rowSwizzle(int(t.Shape[inner])*size), order)
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
			if c.Map, c.Boxes, err = tileas.TensorMapFor(c.Buffer, inner); err == nil {
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

// describable says why no tensor map describes the object of an access, if perhaps its address and strides are multiples of 16 bytes, or whether all that the map is made of is known before the kernel begins.
func describable(a tile.Access, ranges *intrange.Ranges, aligned bool) (why string, known bool) {
	if why := undescribed(a, ranges, aligned); why != "" {
		return why, false
	}
	return "", !slices.ContainsFunc(parts(a), func(v ir.Value) bool { return !isHosted(v) })
}

// parts are the values that the map of an object is made of.
func parts(a tile.Access) []ir.Value {
	out := append([]ir.Value{a.Base}, a.Sizes...)
	for d, v := range a.Strides {
		if d != a.ContiguousDim() {
			out = append(out, v)
		}
	}
	return out
}

// undescribed says why an object has no tensor map, whoever makes it.
func undescribed(a tile.Access, ranges *intrange.Ranges, aligned bool) string {
	elem := ir.ElementType(a.Tile)
	size := int64(tile.ElementBytes(elem))
	inner := a.ContiguousDim()
	base, _ := a.Op.IntAttr(tile.AttrBaseDiv)
	switch pad := a.Op.StringAttr(tile.AttrPadding); {
	case a.Op.HasUnitAttr(tile.AttrNoTMA):
		return "the hint allow_tma is false"
	case len(a.Sizes) < 1 || len(a.Sizes) > 5:
		return fmt.Sprintf("it has %d dimensions, and a tensor map has from 1 to 5", len(a.Sizes))
	case tile.IsHalf(elem) || ir.BitWidth(elem) < 8:
		return fmt.Sprintf("elements of type '%s' are not copied as they are", ir.TypeString(elem))
	case pad != "" && pad != "zero" && leaves(a):
		return fmt.Sprintf("elements outside become %s, and a tensor map has zeros", pad)
	case inner < 0:
		return "no dimension is known to have stride 1"
	case !aligned && (base == 0 || base%tileas.BulkUnit != 0):
		return fmt.Sprintf("the base is not known to be aligned to %d bytes", tileas.BulkUnit)
	}
	for d := range a.Sizes {
		if r := ranges.Of(a.Sizes[d]); r.SMax > math.MaxInt32 {
			return fmt.Sprintf("the size of dimension %d may be 2^31 or more", d)
		}
		if d == inner {
			continue
		}
		switch r := ranges.Of(a.Strides[d]); {
		case !aligned && a.StrideDivisor(d)*size%tileas.BulkUnit != 0:
			return fmt.Sprintf("the stride of dimension %d is not known to be a multiple of %d bytes", d, tileas.BulkUnit)
		case r.SMax >= 1<<40/size:
			return fmt.Sprintf("the stride of dimension %d may be 2^40 bytes or more", d)
		}
	}
	return ""
}

// leaves reports whether some element of an access may be outside of its object.
func leaves(a tile.Access) bool {
	for d := range a.Sizes {
		if a.Checked(d) {
			return true
		}
	}
	return false
}

// maxHosted is how many operations a launcher computes for a number; what is used twice is computed twice. The 11 numbers of a map have fewer than emit-ptx takes.
const maxHosted = 32

// assume is the name of nv_tileaa's promise, of which nothing is left at nv_tileas.
const assume = "assume"

// isHosted reports whether a value follows from parameters of the kernel in a way that a launcher can go (package tensormap).
func isHosted(v ir.Value) bool {
	left := maxHosted
	return hosted(v, &left)
}

func hosted(v ir.Value, left *int) bool {
	def := v.DefiningOp()
	switch {
	case def.IsNil():
		return v.Block().ParentOp().HasTrait(ir.IsolatedFromAbove)
	case *left == 0:
		return false
	case def.Is(arith.Constant):
		return true
	case def.Def().Name == tileas.Level.AddPtr.Name: // as a sum and a product
	case def.Def().Name == assume:
		*left++
	case def.Dialect() != arith.Dialect || !tensormap.Computes(def.Def().Name):
		return false
	}
	*left--
	for _, o := range def.Operands() {
		if !hosted(o, left) {
			return false
		}
	}
	return true
}
