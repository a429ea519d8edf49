package tileasprop

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
)

// transfers checks that an operation leaves elements with the threads that have them. Only convert_layout, a load
// and what every thread computes by itself may give a tensor another layout. The verifiers cannot check this,
// since a tensor has no layout before this level.
//
// The switch names operations, while the passes ask the capability of the row (dialects/tileas/transfer). So a
// wrong capability is found here, and not believed twice. Operations of plugins pass.
func transfers(op ir.Op) *ir.Diagnostic {
	l := tileas.Level
	switch {
	case op.Is(l.AddPtr), op.Is(l.Load), op.Is(l.Store), op.Is(l.PtrToInt), op.Is(l.IntToPtr), op.Is(l.PtrToPtr), op.Is(l.AtomicRMW), op.Is(l.AtomicCAS),
		op.Is(l.Scan):
		return sameLayout(op, op.Operands(), op.Results())
	case op.Is(l.Dot), op.Is(l.DotScaled), op.Is(tileas.DotAsync):
		return sameLayout(op, op.Operands()[2:3], op.Results())
	case op.Is(l.Reduce):
		dim, _ := op.IntAttr(tile.AttrDim)
		return follows(op, op.Operands(), op.Results(), func(src linear.Layout, _ *ir.TensorType) (linear.Layout, error) { return src.Slice(int(dim)) })
	case op.Is(l.Reshape):
		return follows(op, op.Operands(), op.Results(), func(src linear.Layout, t *ir.TensorType) (linear.Layout, error) { return src.Reshape(extents(t)) })
	case op.Is(l.Permute):
		return follows(op, op.Operands(), op.Results(), func(src linear.Layout, _ *ir.TensorType) (linear.Layout, error) { return src.Permute(permutation(op)) })
	case op.Is(l.Broadcast):
		// The result decides: repeated elements exist only there.
		return follows(op, op.Results(), op.Operands(), func(dst linear.Layout, t *ir.TensorType) (linear.Layout, error) {
			return dst.BroadcastSource(extents(t))
		})
	}
	if _, ok := arith.Elementwise.Of(op); ok {
		return sameLayout(op, op.Operands(), op.Results())
	}
	return transfersParts(op)
}

// transfersParts is transfers for operations on parts of a tensor and on the bytes of its elements. A thread that
// holds an element of one part must hold the same element of all parts.
func transfersParts(op ir.Op) *ir.Diagnostic {
	l := tileas.Level
	whole := func(part linear.Layout, t *ir.TensorType) (linear.Layout, error) { return part.Whole(extents(t)) }
	switch {
	case op.Is(l.Extract):
		if takesLine(op) {
			return nil
		}
		return follows(op, op.Results(), op.Operands()[:1], whole)
	case op.Is(l.Insert):
		if d := follows(op, op.Operands()[:1], op.Results(), whole); d != nil {
			return d
		}
		return sameLayout(op, op.Operands()[1:2], op.Results())
	case op.Is(l.Cat), op.Is(l.AllGather):
		return follows(op, op.Operands(), op.Results(), whole)
	case op.Is(l.Pack), op.Is(l.Unpack):
		from, to := op.Operands(), op.Results()
		wide, narrow := ir.BitWidth(ir.ElementType(from[0].Type())), ir.BitWidth(ir.ElementType(to[0].Type()))
		if wide < narrow { // the side of the wider elements decides, because a thread needs all that makes one up
			from, to, wide, narrow = to, from, narrow, wide
		}
		if narrow == 0 {
			return op.Errorf("has elements of no width")
		}
		return follows(op, from, to, func(src linear.Layout, _ *ir.TensorType) (linear.Layout, error) { return src.Widen(wide / narrow) })
	}
	return nil
}

// takesLine reports whether an extract takes single elements along a dimension that lies in a warp. A shuffle
// passes them to the lanes along it, which then hold copies.
func takesLine(op ir.Op) bool {
	whole, ok1 := tileas.LayoutOf(op.Operand(0).Type())
	part, ok2 := tileas.LayoutOf(op.Result(0).Type())
	if !ok1 || !ok2 || whole.Dims() != part.Dims() {
		return false
	}
	dim := -1
	for d, n := range part.Shape() {
		if n == whole.Shape()[d] {
			continue
		}
		if n != 1 || dim >= 0 {
			return false
		}
		dim = d
	}
	if dim < 0 || whole.DimBits(linear.Warp, dim) != 0 {
		return false
	}
	line, err := whole.Slice(dim)
	if err == nil {
		line, err = line.ExpandDim(dim)
	}
	return err == nil && line.Equal(part)
}

// sameLayout checks that all tensors among some values have one layout.
func sameLayout(op ir.Op, lists ...[]ir.Value) *ir.Diagnostic {
	var first *tileas.LayoutAttr
	for _, vs := range lists {
		for _, v := range vs {
			t, ok := v.Type().(*ir.TensorType)
			if !ok {
				continue
			}
			a, ok := t.Encoding.(*tileas.LayoutAttr)
			switch {
			case !ok:
				return op.Errorf("uses a tensor without a layout")
			case first == nil:
				first = a
			case a != first && !a.Layout.Equal(first.Layout):
				return op.Errorf("has operands or results of different layouts, which only a convert_layout may relate: %s and %s", ir.AttrString(first), ir.AttrString(a))
			}
		}
	}
	return nil
}

// follows checks that the layouts of some tensors are what others determine.
//
//	%b = permute %a [1, 0], %a in layout A:      %b must be in A with its dimensions exchanged
//	%b = broadcast %a, %b in layout B:           %a must be in B without the repeated dimensions (from result to operand)
func follows(op ir.Op, from, to []ir.Value, rule func(src linear.Layout, t *ir.TensorType) (linear.Layout, error)) *ir.Diagnostic {
	if len(from) == 0 {
		return nil
	}
	src, ok := tileas.LayoutOf(from[0].Type())
	if !ok {
		return op.Errorf("uses a tensor without a layout")
	}
	if d := sameLayout(op, from); d != nil {
		return d
	}
	for _, v := range to {
		t, ok := v.Type().(*ir.TensorType)
		if !ok {
			continue
		}
		got, ok := tileas.LayoutOf(t)
		if !ok {
			return op.Errorf("uses a tensor without a layout")
		}
		want, err := rule(src, t)
		if err != nil {
			return op.Errorf("cannot be done inside threads with its layout: %v", err)
		}
		if !got.Equal(want) {
			return op.Errorf("relates the layouts %s and %s, but leaves elements where they are: to the first belongs %s", src, got, want)
		}
	}
	return nil
}

func permutation(op ir.Op) []int {
	a, ok := op.Attr(tile.AttrPerm).(*ir.DenseArrayAttr)
	if !ok {
		return nil
	}
	out := make([]int, len(a.Values))
	for i, v := range a.Values {
		out[i] = int(v)
	}
	return out
}
