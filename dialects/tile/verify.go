package tile

import (
	"slices"

	"github.com/tilewright/tilewright/ir"
)

func (l *Level) verifyFunc(op ir.Op) error {
	if op.Body().IsNil() {
		return op.Errorf("must have a body")
	}
	for i, a := range op.Body().Args() {
		if !isScalar(a.Type()) {
			return op.Errorf("parameter #%d must be a number or a pointer", i)
		}
	}
	if w, ok := op.IntAttr(AttrNumWarps); ok && (w < 1 || w > 32 || w&(w-1) != 0) {
		return op.Errorf("num_warps must be a power of two from 1 to 32, but got %d", w)
	}
	return nil
}

func verifySameElement(op ir.Op) error {
	if ir.ElementType(op.Operand(0).Type()) != ir.ElementType(op.Result(0).Type()) {
		return op.Errorf("requires the same element type for operand and result")
	}
	return nil
}

func tensors(op ir.Op) (src, dst *ir.TensorType) {
	return op.Operand(0).Type().(*ir.TensorType), op.Result(0).Type().(*ir.TensorType)
}

func verifyUnsplat(op ir.Op) error {
	if t := op.Operand(0).Type().(*ir.TensorType); t.NumElements() != 1 {
		return op.Errorf("operand must have one element, but got %d", t.NumElements())
	}
	return verifySameElement(op)
}

func verifyReshape(op ir.Op) error {
	src, dst := tensors(op)
	if src.NumElements() != dst.NumElements() {
		return op.Errorf("changes the number of elements from %d to %d", src.NumElements(), dst.NumElements())
	}
	return verifySameElement(op)
}

func verifyBroadcast(op ir.Op) error {
	src, dst := tensors(op)
	if len(src.Shape) != len(dst.Shape) {
		return op.Errorf("changes the rank from %d to %d", len(src.Shape), len(dst.Shape))
	}
	for i, n := range src.Shape {
		if n != 1 && n != dst.Shape[i] {
			return op.Errorf("dimension %d has size %d, which cannot be broadcast to %d", i, n, dst.Shape[i])
		}
	}
	return verifySameElement(op)
}

func verifyPermute(op ir.Op) error {
	src, dst := tensors(op)
	perm := op.AttrAt(0).(*ir.DenseArrayAttr).Values
	if len(perm) != len(src.Shape) || len(dst.Shape) != len(perm) {
		return op.Errorf("permutation must have one entry per dimension")
	}
	seen := make([]bool, len(perm))
	for i, p := range perm {
		if p < 0 || p >= int64(len(perm)) || seen[p] {
			return op.Errorf("permutation entry %d is out of range or repeated", p)
		}
		seen[p] = true
		if dst.Shape[i] != src.Shape[p] {
			return op.Errorf("result dimension %d has size %d, expected %d", i, dst.Shape[i], src.Shape[p])
		}
	}
	return verifySameElement(op)
}

func verifyRange(op ir.Op) error {
	if t := op.Result(0).Type().(*ir.TensorType); len(t.Shape) != 1 {
		return op.Errorf("result must have one dimension, but got %d", len(t.Shape))
	}
	return nil
}

func verifyAddPtr(op ir.Op) error {
	p, o := op.Operand(0).Type(), op.Operand(1).Type()
	if op.Result(0).Type() != p {
		return op.Errorf("result type must be that of the pointer")
	}
	if !slices.Equal(Shape(p), Shape(o)) {
		return op.Errorf("pointer and offset must have the same shape")
	}
	return nil
}

func verifyReduce(op ir.Op) error {
	n := op.NumOperands()
	if n == 0 || op.NumResults() != n {
		return op.Errorf("needs at least one operand and as many results, but got %d and %d", n, op.NumResults())
	}
	shape := Shape(op.Operand(0).Type())
	dim, _ := op.IntAttr(AttrDim)
	if dim < 0 || dim >= int64(len(shape)) {
		return op.Errorf("dim %d is not in 0..%d", dim, len(shape)-1)
	}
	want := slices.Delete(slices.Clone(shape), int(dim), int(dim)+1)
	for i := range n {
		if !slices.Equal(Shape(op.Operand(i).Type()), shape) {
			return op.Errorf("requires the same shape for all operands")
		}
		if r := op.Result(i).Type(); !slices.Equal(Shape(r), want) || ir.ElementType(r) != ir.ElementType(op.Operand(i).Type()) {
			return op.Errorf("result #%d must have the operand's type without dimension %d", i, dim)
		}
	}
	return nil
}

func verifyReduceBody(op ir.Op) error {
	b := op.Body()
	n := op.NumOperands()
	if b.IsNil() || b.NumArgs() != 2*n {
		return op.Errorf("region needs two arguments per operand")
	}
	for i := range n {
		elem := ir.ElementType(op.Operand(i).Type())
		if b.Arg(2*i).Type() != elem || b.Arg(2*i+1).Type() != elem {
			return op.Errorf("region arguments of operand #%d must have its element type", i)
		}
	}
	term := b.Last()
	if term.IsNil() || term.NumOperands() != n {
		return op.Errorf("region must yield one value per operand")
	}
	return nil
}

func verifyDot(op ir.Op) error {
	a, b, c := Shape(op.Operand(0).Type()), Shape(op.Operand(1).Type()), Shape(op.Operand(2).Type())
	r := len(a)
	if r < 2 || r > 3 || len(b) != r || len(c) != r || op.Result(0).Type() != op.Operand(2).Type() {
		return op.Errorf("operands must all be matrices or batches of matrices")
	}
	if a[r-1] != b[r-2] || a[r-2] != c[r-2] || b[r-1] != c[r-1] || r == 3 && (a[0] != b[0] || a[0] != c[0]) {
		return op.Errorf("shapes %v x %v do not give %v", a, b, c)
	}
	return nil
}

// Access is a tiled_load or tiled_store, taken apart.
type Access struct {
	Op                      ir.Op
	Base                    ir.Value
	Offsets, Sizes, Strides []ir.Value
	Token                   ir.Value // none: a zero Value
	Tile                    ir.Type  // of the loaded or stored value
	Value                   ir.Value // what is stored; a zero Value for a load
}

// AccessOf takes a tiled_load or tiled_store apart.
func AccessOf(op ir.Op) Access {
	a := Access{Op: op, Base: op.OperandNamed("base"), Offsets: op.OperandsNamed("offsets"), Sizes: op.OperandsNamed("sizes"),
		Strides: op.OperandsNamed("strides"), Token: op.OperandNamed("token")}
	if op.Def().OperandField("value") >= 0 {
		a.Value = op.OperandNamed("value")
		a.Tile = a.Value.Type()
	} else {
		a.Tile = op.Result(0).Type()
	}
	return a
}

func verifyTiled(op ir.Op) error {
	a := AccessOf(op)
	rank := len(Shape(a.Tile))
	if len(a.Offsets) != rank || len(a.Sizes) != rank || len(a.Strides) != rank {
		return op.Errorf("needs an offset, a size and a stride for each of %d dimensions, but got %d, %d and %d",
			rank, len(a.Offsets), len(a.Sizes), len(a.Strides))
	}
	if p := a.Base.Type().(*PtrType); p.Pointee != ir.ElementType(a.Tile) {
		return op.Errorf("base must point to the element type of the tile")
	}
	for _, name := range []string{AttrBounds, AttrOffsetDiv, AttrSizeDiv, AttrStrideDiv} {
		if d, ok := op.Attr(name).(*ir.DenseArrayAttr); ok && len(d.Values) != rank {
			return op.Errorf("'%s' needs one entry per dimension, but got %d", name, len(d.Values))
		}
	}
	return nil
}

func verifyLoad(op ir.Op) error {
	ptrs, result := op.OperandNamed("ptrs").Type(), op.Result(0).Type()
	if err := verifyPointee(op, ptrs, result); err != nil {
		return err
	}
	if other := op.OperandNamed("other"); !other.IsNil() && other.Type() != result {
		return op.Errorf("'other' must have the result type")
	}
	return nil
}

func verifyStore(op ir.Op) error {
	return verifyPointee(op, op.OperandNamed("ptrs").Type(), op.OperandNamed("value").Type())
}

func verifyPointee(op ir.Op, ptrs, value ir.Type) error {
	if ir.ElementType(ptrs).(*PtrType).Pointee != ir.ElementType(value) || !slices.Equal(Shape(ptrs), Shape(value)) {
		return op.Errorf("pointers must have the shape of the value and point to its element type")
	}
	if m := op.OperandNamed("mask"); !m.IsNil() && !slices.Equal(Shape(m.Type()), Shape(value)) {
		return op.Errorf("mask must have the shape of the value")
	}
	return nil
}
