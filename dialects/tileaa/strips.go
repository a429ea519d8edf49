package tileaa

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa/strip"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// How operations are cut into parts: one line for each row.
func init() {
	l := Level
	same := strip.Row{Axes: sameAxes}
	for _, def := range arith.Dialect.Ops() {
		if _, ok := arith.Elementwise.OfDef(def); ok {
			def.Attach(strip.Rows.Is(same))
		}
	}
	for def, row := range map[*ir.OpDef]strip.Row{
		arith.Constant: {Axes: constantAxes, Part: constantPart},
		l.Splat:        {Axes: resultAxes},
		l.Range:        {Axes: resultAxes, Part: rangePart},
		Assume:         same, l.AddPtr: same, l.PtrToInt: same, l.IntToPtr: same, l.PtrToPtr: same, l.Load: same, l.Store: same, l.Assert: same,
		l.Pack: same, l.Unpack: same, // along the last dimension the numbers of elements differ, but not those of parts
		l.AtomicRMW: same, l.AtomicCAS: same,
		l.Broadcast:   {Axes: broadcastAxes, Rearranges: true},
		l.Permute:     {Axes: permuteAxes, Rearranges: true},
		l.Reshape:     {Axes: reshapeAxes, Rearranges: true},
		l.Cat:         {Axes: catAxes},
		l.Extract:     {Axes: subtileAxes},
		l.Insert:      {Axes: subtileAxes},
		l.TiledLoad:   {Axes: tiledAxes, Part: tiledPart},
		l.TiledStore:  {Axes: tiledAxes, Part: tiledPart},
		l.TiledAtomic: {Axes: tiledAxes, Part: tiledPart},
		l.Dot:         {Axes: dotAxes},
		l.DotScaled:   {Axes: dotAxes},
		l.Reduce:      {Axes: reduceAxes, Combine: combine},
		l.Scan:        {Axes: scanAxes, Part: scanPart, Combine: combine, Ends: ends},
	} {
		def.Attach(strip.Rows.Is(row))
	}
}

// alike returns an axis for each dimension that all tensors of an operation have in common; along says which kind it
// is.
func alike(op ir.Op, kind func(dim int) (strip.Kind, bool)) []strip.Axis {
	var axes []strip.Axis
	add := func(v ir.Value, result bool, index int) {
		for d := range tile.Shape(v.Type()) {
			for len(axes) <= d {
				axes = append(axes, strip.Axis{})
			}
			axes[d].Dims = append(axes[d].Dims, strip.Dim{Result: result, Index: index, Dim: d})
		}
	}
	for i, v := range op.Operands() {
		add(v, false, i)
	}
	for i, v := range op.Results() {
		add(v, true, i)
	}
	out := axes[:0]
	for d, a := range axes {
		k, ok := kind(d)
		if a.Kind = k; ok {
			out = append(out, a)
		}
	}
	return out
}

func always(int) (strip.Kind, bool) { return strip.Parallel, true }

func sameAxes(op ir.Op) []strip.Axis { return alike(op, always) }

// resultAxes are those of an operation that makes its result from scalars.
func resultAxes(op ir.Op) []strip.Axis { return alike(op, always) }

func constantAxes(op ir.Op) []strip.Axis {
	if a, ok := ir.ConstantOf(op).(*ir.DenseElementsAttr); !ok || !isSplat(a) {
		return nil // elements that differ would have to be chosen at run time
	}
	return alike(op, always)
}

func isSplat(a *ir.DenseElementsAttr) bool {
	return len(a.Data) == tile.ElementBytes(ir.ElementType(a.Type()))
}

func constantPart(p *strip.Part, op ir.Op) []ir.Value {
	t := p.Type(op, 0)
	a := p.Context().Dense(t, []byte(ir.ConstantOf(op).(*ir.DenseElementsAttr).Data))
	return []ir.Value{arith.NewConstant(p.Builder, t, a)}
}

// start returns the number of the first element of the part along a dimension of so many elements, as an integer of
// type t.
func start(p *strip.Part, size int64, t ir.Type) ir.Value {
	n := p.Number
	switch have, want := ir.BitWidth(n.Type()), ir.BitWidth(t); {
	case want > have:
		n = p.Create(arith.ExtSI, []ir.Value{n}, []ir.Type{t}).Result(0)
	case want < have:
		n = p.Create(arith.TruncI, []ir.Value{n}, []ir.Type{t}).Result(0)
	}
	each := arith.NewInt(p.Builder, t, size/p.Count)
	return p.Create(arith.MulI, []ir.Value{n, each}, []ir.Type{t}).Result(0)
}

func rangePart(p *strip.Part, op ir.Op) []ir.Value {
	t := p.Type(op, 0)
	first := start(p, tile.Shape(op.Result(0).Type())[0], ir.ElementType(t))
	counted := p.Create(Level.Range, nil, []ir.Type{t}).Result(0)
	return p.Create(arith.AddI, []ir.Value{counted, p.Create(Level.Splat, []ir.Value{first}, []ir.Type{t}).Result(0)}, []ir.Type{t}).Results()
}

func broadcastAxes(op ir.Op) (axes []strip.Axis) {
	src := tile.Shape(op.Operand(0).Type())
	for d, n := range tile.Shape(op.Result(0).Type()) {
		dims := []strip.Dim{{Result: true, Dim: d}}
		if src[d] == n {
			dims = append(dims, strip.Dim{Dim: d})
		}
		axes = append(axes, strip.Axis{Dims: dims})
	}
	return axes
}

func permuteAxes(op ir.Op) (axes []strip.Axis) {
	for d, from := range op.Attr(tile.AttrPerm).(*ir.DenseArrayAttr).Values {
		axes = append(axes, strip.Axis{Dims: []strip.Dim{{Result: true, Dim: d}, {Dim: int(from)}}})
	}
	return axes
}

// reshapeAxes joins the outermost dimensions of the shortest runs of dimensions that have as many elements before as
// after. The inner ones of a run of several are cut only once the outermost has become 1.
func reshapeAxes(op ir.Op) (axes []strip.Axis) {
	src, dst := tile.Shape(op.Operand(0).Type()), tile.Shape(op.Result(0).Type())
	for i, k := 0, 0; i < len(src) && k < len(dst); {
		switch {
		case src[i] == 1:
			i++
			continue
		case dst[k] == 1:
			k++
			continue
		}
		axes = append(axes, strip.Axis{Dims: []strip.Dim{{Dim: i}, {Result: true, Dim: k}}})
		a, b := src[i], dst[k]
		i, k = i+1, k+1
		for a != b {
			if a < b && i < len(src) {
				a *= src[i]
				i++
			} else if k < len(dst) {
				b *= dst[k]
				k++
			} else {
				return axes
			}
		}
	}
	return axes
}

func catAxes(op ir.Op) []strip.Axis {
	dim, _ := op.IntAttr(tile.AttrDim)
	return alike(op, func(d int) (strip.Kind, bool) { return strip.Parallel, int64(d) != dim })
}

// subtileAxes are the dimensions along which a subtile is as large as the tile: there its index is 0, before a cut and
// after it.
func subtileAxes(op ir.Op) []strip.Axis {
	part, tiled := tile.Shape(op.Operand(0).Type()), tile.Shape(op.Result(0).Type())
	return alike(op, func(d int) (strip.Kind, bool) { return strip.Parallel, part[d] == tiled[d] })
}

// tiledAxes: elements that share a byte stay together.
func tiledAxes(op ir.Op) []strip.Axis {
	packed, ok := op.IntAttr(tile.AttrPacked)
	return alike(op, func(d int) (strip.Kind, bool) { return strip.Parallel, !ok || int64(d) != packed })
}

// tiledPart moves the offset along the dimension. Bounds stay those of the memory object, so that the same elements
// are left out or padded.
func tiledPart(p *strip.Part, op ir.Op) []ir.Value {
	a := tile.AccessOf(op)
	dim := p.Axis.Dims[0].Dim
	size := tile.Shape(a.Tile)[dim]
	lo, _ := op.OperandRange(op.Def().OperandField("offsets"))
	t := a.Offsets[dim].Type()
	p.Operands[lo+dim] = p.Create(arith.AddI, []ir.Value{p.Operands[lo+dim], start(p, size, t)}, []ir.Type{t}).Result(0)
	part := p.Copy(op)
	if facts, ok := op.Attr(tile.AttrOffsetDiv).(*ir.DenseArrayAttr); ok {
		values := append([]int64(nil), facts.Values...)
		values[dim] = numeric.GCD(values[dim], size/p.Count)
		part.SetAttr(tile.AttrOffsetDiv, p.Context().DenseI64(values...))
	}
	return part.Results()
}

// dotAxes are rows, columns, the batch, and K, along which an MMA is a sum. Parts along K that follow each other add
// up an element in the same order as one MMA.
func dotAxes(op ir.Op) (axes []strip.Axis) {
	rank := len(tile.Shape(op.Operand(2).Type()))
	axis := func(dim int, operands ...int) {
		a := strip.Axis{Dims: []strip.Dim{{Index: 2, Dim: dim}, {Result: true, Dim: dim}}}
		for _, i := range operands {
			if i < op.NumOperands() { // operands 3 and 4 are the scales of 0 and 1
				a.Dims = append(a.Dims, strip.Dim{Index: i, Dim: dim})
			}
		}
		axes = append(axes, a)
	}
	for d := range rank - 2 {
		axis(d, 0, 1, 3, 4)
	}
	axis(rank-2, 0, 3)
	axis(rank-1, 1, 4)
	kExtent := strip.Axis{Kind: strip.Summed, Dims: []strip.Dim{{Dim: rank - 1}, {Index: 1, Dim: rank - 2}}}
	if op.NumOperands() > 3 {
		kExtent.Dims = append(kExtent.Dims, strip.Dim{Index: 3, Dim: rank - 1}, strip.Dim{Index: 4, Dim: rank - 2})
	}
	return append(axes, kExtent)
}
