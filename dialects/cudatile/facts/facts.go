package facts

import (
	"math"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/divisibility"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
	"github.com/tilewright/tilewright/ir/dataflow/provenance"
)

// What the operations that are not element-wise say about integers: their ranges, and what divides them. For
// element-wise ones, see fold.go.

// MaxGrid is how many blocks a grid may have along each axis: the specification of get_tile_block_id allows no more.
const MaxGrid = 1<<24 - 1

// AttachAll gives the rows what analyses ask them.
func Attach() {
	attachRanges()
	attachProvenance()
	attachSpeculation()
	attachSymbols()
}

func attachRanges() {
	cudatile.If.Attach(intrange.GuardedRegions)

	ranges := func(def *ir.OpDef, f func(op ir.Op, in []intrange.Range) []intrange.Range) {
		def.Attach(intrange.Infer.Is(f))
	}
	for _, def := range []*ir.OpDef{cudatile.Broadcast, cudatile.Reshape, cudatile.Permute, cudatile.Extract} {
		ranges(def, intrange.Elements(1))
	}
	ranges(cudatile.Reduce, func(op ir.Op, in []intrange.Range) []intrange.Range {
		dim, _ := op.IntAttr("dim")
		if shape := cudatile.ShapeOf(op.Operand(0).Type()); len(in) == 1 && dim < int64(len(shape)) {
			if r, ok := intrange.Reduce(op.Body(), shape[dim], in[0]); ok {
				return []intrange.Range{r}
			}
		}
		return nil
	})
	cudatile.Assert.Attach(intrange.Asserts.Is(func(op ir.Op) ir.Value { return op.Operand(0) }))
	ranges(cudatile.Select, intrange.Choose)
	ranges(cudatile.Cat, intrange.Elements(2))
	ranges(cudatile.Insert, intrange.Elements(2))
	ranges(cudatile.Iota, func(op ir.Op, _ []intrange.Range) []intrange.Range {
		t := op.Result(0).Type().(*cudatile.TileType)
		return []intrange.Range{intrange.Unsigned(intrange.Width(op.Result(0)), 0, uint64(t.NumElements()-1))}
	})
	ranges(cudatile.GetTileBlockID, each(intrange.Unsigned(32, 0, MaxGrid-1)))
	ranges(cudatile.GetNumTileBlocks, each(intrange.Unsigned(32, 1, MaxGrid)))
	ranges(cudatile.GetTensorShape, func(op ir.Op, _ []intrange.Range) []intrange.Range {
		return sizeRanges(op, op.Operand(0).Type().(*cudatile.TensorViewType).Shape)
	})
	ranges(cudatile.GetIndexSpaceShape, func(op ir.Op, _ []intrange.Range) []intrange.Range {
		return sizeRanges(op, indexSpace(op.Operand(0).Type().(cudatile.ViewType)))
	})
	ranges(cudatile.Assume, func(op ir.Op, in []intrange.Range) []intrange.Range {
		p, ok := op.Attr("predicate").(*cudatile.BoundedAttr)
		if !ok || !in[0].IsInt() {
			return in
		}
		lower, upper := int64(math.MinInt64), int64(math.MaxInt64)
		if p.Lower.Given {
			lower = p.Lower.Value
		}
		if p.Upper.Given {
			upper = p.Upper.Value
		}
		// An assumption that contradicts what is known makes the program undefined from there on; nothing is learned
		// from it.
		if r, ok := intrange.Meet(in[0], intrange.Signed(in[0].W, lower, upper)); ok {
			return []intrange.Range{r}
		}
		return in
	})
	attachDivisibility()
}

func each(r intrange.Range) func(ir.Op, []intrange.Range) []intrange.Range {
	return func(op ir.Op, _ []intrange.Range) []intrange.Range {
		out := make([]intrange.Range, op.NumResults())
		for i := range out {
			out[i] = r
		}
		return out
	}
}

// sizeRanges returns the ranges of results that are sizes. Those known only at run time are not negative as numbers
// of 64 bits; in a narrower type they may have its sign bit, because they count as unsigned.
func sizeRanges(op ir.Op, sizes []int64) []intrange.Range {
	out := make([]intrange.Range, op.NumResults())
	for i := range out {
		w := intrange.Width(op.Result(i))
		out[i] = intrange.Unsigned(w, 0, math.MaxInt64)
		if i < len(sizes) && sizes[i] >= 0 {
			out[i] = intrange.Const(w, uint64(sizes[i]))
		}
	}
	return out
}

// indexSpace returns how many tiles a view has along each dimension; Dynamic where it is known only at run time.
func indexSpace(t cudatile.ViewType) []int64 {
	parts := t.View()
	out := make([]int64, len(parts.TileShape))
	for d := range out {
		size, step := parts.TensorView.Shape[parts.DimMap[d]], parts.TileShape[d]
		switch t := t.(type) {
		case *cudatile.StridedViewType:
			step = t.TraversalStrides[d]
		case *cudatile.GatherScatterViewType:
			step = 1
		}
		// Not (size + step - 1) / step, which a size near 2^63 would make overflow.
		if out[d] = size; size > 0 && step > 0 {
			out[d] = (size-1)/step + 1
		}
	}
	return out
}

func attachDivisibility() {
	divides := func(def *ir.OpDef, f func(op ir.Op, in []divisibility.Operand) divisibility.Fact) {
		def.Attach(divisibility.Infer.Is(func(op ir.Op, in []divisibility.Operand) []divisibility.Fact {
			return []divisibility.Fact{f(op, in)}
		}))
	}
	divides(cudatile.Iota, func(op ir.Op, _ []divisibility.Operand) divisibility.Fact {
		return divisibility.Count(op.Result(0).Type())
	})
	divides(cudatile.Broadcast, func(op ir.Op, in []divisibility.Operand) divisibility.Fact {
		return divisibility.Repeat(in[0].Fact, op.Operand(0).Type(), op.Result(0).Type())
	})
	divides(cudatile.Reshape, func(op ir.Op, in []divisibility.Operand) divisibility.Fact {
		return divisibility.Reshape(in[0].Fact, op.Result(0).Type())
	})
	divides(cudatile.Permute, func(op ir.Op, in []divisibility.Operand) divisibility.Fact {
		return divisibility.Permute(in[0].Fact, op.Operand(0).Type(), op.Result(0).Type(), op.Attr("permutation").(*ir.DenseArrayAttr).Values)
	})
	divides(cudatile.Cat, func(op ir.Op, in []divisibility.Operand) divisibility.Fact {
		dim, _ := op.IntAttr("dim")
		return divisibility.Concatenate(in[0].Fact, in[1].Fact, op.Operand(0).Type(), op.Result(0).Type(), int(dim))
	})
	divides(cudatile.Extract, func(op ir.Op, in []divisibility.Operand) divisibility.Fact {
		return divisibility.Part(in[0].Fact, op.Operand(0).Type(), op.Result(0).Type())
	})
	cudatile.Select.Attach(divisibility.Infer.Is(divisibility.Choose))
	divides(cudatile.Offset, func(op ir.Op, in []divisibility.Operand) divisibility.Fact {
		return divisibility.Address(in[0], in[1], op.Result(0).Type())
	})
	for _, def := range []*ir.OpDef{cudatile.IntToPtr, cudatile.PtrToInt, cudatile.PtrToPtr} {
		divides(def, func(_ ir.Op, in []divisibility.Operand) divisibility.Fact { return in[0].Fact })
	}
	divides(cudatile.Alloca, func(op ir.Op, _ []divisibility.Operand) divisibility.Fact {
		n, _ := op.IntAttr("alignment")
		return divisibility.Unknown(op.Result(0).Type()).DivisibleBy(uint64(n))
	})
	divides(cudatile.Assume, func(op ir.Op, in []divisibility.Operand) divisibility.Fact { return assumed(op, in[0].Fact) })
}

// assumed adds what the predicate of an assume says.
func assumed(op ir.Op, f divisibility.Fact) divisibility.Fact {
	t := op.Result(0).Type()
	if f.Width == 0 {
		return f
	}
	switch p := op.Attr("predicate").(type) {
	case *cudatile.DivByAttr:
		if !p.Every.Given {
			return f.DivisibleBy(p.Divisor)
		}
		step := int64(1)
		if ptr, ok := cudatile.ElemOf(t).(*cudatile.PtrType); ok {
			step = int64(ptr.PointeeBytes())
		}
		if step > 0 {
			f = f.Grouped(t, p.Divisor, p.Every.Value, int(p.Along.Value), step)
		}
	case *cudatile.SameElementsAttr:
		for d, n := range p.Values {
			f = f.SameWithin(t, n, d)
		}
	}
	return f
}

func attachProvenance() {
	for _, def := range []*ir.OpDef{cudatile.Broadcast, cudatile.Reshape, cudatile.Permute, cudatile.Extract, cudatile.Offset, cudatile.PtrToPtr, cudatile.PtrToInt, cudatile.Assume, cudatile.MakeTensorView, cudatile.MakePartitionView,
		cudatile.MakeStridedView, cudatile.MakeGatherScatterView} {
		def.Attach(provenance.Passes(1)) // an offset, index or size takes no part
	}
	for _, def := range []*ir.OpDef{cudatile.Cat, cudatile.Insert} {
		def.Attach(provenance.Passes(2))
	}
	// An xor is none of these: a ^ b ^ a is b, so what comes out need not point into the object that went in. Without
	// an Infer it lets its operands escape.
	for _, def := range []*ir.OpDef{cudatile.AddI, cudatile.AndI, cudatile.OrI} {
		def.Attach(provenance.Sum)
	}
	cudatile.SubI.Attach(provenance.Difference)
	cudatile.Select.Attach(provenance.Chosen)
	cudatile.IntToPtr.Attach(provenance.FromInt)
	cudatile.Alloca.Attach(provenance.Source.Is(func(ir.Op) provenance.Object { return provenance.Object{Kind: provenance.Alloca} }))
	cudatile.GetGlobal.Attach(provenance.Source.Is(func(op ir.Op) provenance.Object {
		o := provenance.Object{Kind: provenance.Global}
		if ref, ok := op.Attr("name").(*ir.SymbolRefAttr); ok {
			o.Name = ref.Root
		}
		return o
	}))
}
