package tile

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/ir"
)

// ownTypes checks that the pointers and tokens of an operation are those of its level: the custom syntax and the
// lowering count on it.
func (l *Level) ownTypes(op ir.Op) error {
	for i, v := range op.Operands() {
		if !l.owns(v.Type()) {
			return op.Errorf("operand #%d must be of dialect '%s', but got '%s'", i, l.Dialect.Name, ir.TypeString(v.Type()))
		}
	}
	for i, v := range op.Results() {
		if !l.owns(v.Type()) {
			return op.Errorf("result #%d must be of dialect '%s', but got '%s'", i, l.Dialect.Name, ir.TypeString(v.Type()))
		}
	}
	return nil
}

func (l *Level) owns(t ir.Type) bool {
	switch t := ir.ElementType(t).(type) {
	case *PtrType, *TokenType:
		return ir.TypeDialect(t) == l.Dialect
	}
	return true
}

// partsWarps reports whether groups of the warps run regions of their own: then each group is a power of two of them,
// and their sum need not be.
func partsWarps(fn ir.Op) bool {
	return !fn.Walk(func(op ir.Op) ir.WalkResult {
		if _, ok := ir.ConcurrentRegions.Of(op); ok {
			return ir.Interrupt
		}
		return ir.Advance
	})
}

func (l *Level) verifyFunc(op ir.Op) error {
	if op.Body().IsNil() {
		return op.Errorf("must have a body")
	}
	for i, a := range op.Body().Args() {
		if t := a.Type(); !isScalar(t) || !l.owns(t) {
			return op.Errorf("parameter #%d must be a number or a pointer of the level, but got '%s'", i, ir.TypeString(t))
		}
	}
	return contract.CheckKernelSpec(op, func() bool { return partsWarps(op) })
}

// verifyReturn checks that nothing but control flow stands between a return and its kernel.
func (l *Level) verifyReturn(op ir.Op) error {
	for p := op.ParentOp(); !p.IsNil(); p = p.ParentOp() {
		if l.Func.Is(p) {
			return nil
		}
		if _, ok := ir.RegionBranch.Of(p); !ok {
			return op.Errorf("must stand in '%s' or in control flow there, but stands in '%s'", l.Func.FullName(), p.Name())
		}
	}
	return op.Errorf("must stand in '%s'", l.Func.FullName())
}

func verifySameElement(op ir.Op) error {
	a, b := ir.ElementType(op.Operand(0).Type()), ir.ElementType(op.Result(0).Type())
	if a != b {
		return op.Errorf("requires the same element type for operand and result, but got '%s' and '%s'", ir.TypeString(a), ir.TypeString(b))
	}
	return nil
}

// encoding returns the layout of a tensor, or nil.
func encoding(t ir.Type) ir.Attribute {
	if tt, ok := t.(*ir.TensorType); ok {
		return tt.Encoding
	}
	return nil
}

// verifySameShape checks that two values, of the given names, have the same shape, and the same layout once there are
// layouts: what combines them does so register by register.
func verifySameShape(op ir.Op, a ir.Type, aName string, b ir.Type, bName string) error {
	if !slices.Equal(Shape(a), Shape(b)) {
		return op.Errorf("%s and %s must have the same shape, but got '%s' and '%s'", aName, bName, ir.TypeString(a), ir.TypeString(b))
	}
	if encoding(a) != encoding(b) {
		return op.Errorf("%s and %s must have the same layout, but got '%s' and '%s'", aName, bName, ir.TypeString(a), ir.TypeString(b))
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
		return op.Errorf("must keep the number of elements, but changes it from %d to %d", src.NumElements(), dst.NumElements())
	}
	return verifySameElement(op)
}

func verifyBroadcast(op ir.Op) error {
	src, dst := tensors(op)
	if len(src.Shape) != len(dst.Shape) {
		return op.Errorf("must keep the rank, but changes it from %d to %d", len(src.Shape), len(dst.Shape))
	}
	for i, n := range src.Shape {
		if n != 1 && n != dst.Shape[i] {
			return op.Errorf("dimension %d must have size 1 or that of the result, %d, but got %d", i, dst.Shape[i], n)
		}
	}
	return verifySameElement(op)
}

func verifyPermute(op ir.Op) error {
	src, dst := tensors(op)
	perm := Permutation(op)
	if len(src.Shape) != len(dst.Shape) {
		return op.Errorf("must keep the rank, but changes it from %d to %d", len(src.Shape), len(dst.Shape))
	}
	if len(perm) != len(src.Shape) {
		return op.Errorf("permutation must have one entry for each of %d dimensions, but got %d", len(src.Shape), len(perm))
	}
	seen := make([]bool, len(perm))
	for i, p := range perm {
		if p < 0 || p >= int64(len(perm)) || seen[p] {
			return op.Errorf("permutation must name each dimension once, but entry #%d is %d", i, p)
		}
		seen[p] = true
		if dst.Shape[i] != src.Shape[p] {
			return op.Errorf("result dimension %d must have size %d, but got %d", i, src.Shape[p], dst.Shape[i])
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
	p, r := op.Operand(0).Type(), op.Result(0).Type()
	if r != p {
		return op.Errorf("result must have the type '%s' of the pointer, but got '%s'", ir.TypeString(p), ir.TypeString(r))
	}
	return verifySameShape(op, p, "pointer", op.Operand(1).Type(), "offset")
}

func verifyReduce(op ir.Op) error {
	n := op.NumOperands()
	if n == 0 || op.NumResults() != n {
		return op.Errorf("needs at least one operand and as many results, but got %d and %d", n, op.NumResults())
	}
	shape := Shape(op.Operand(0).Type())
	dim, _ := op.IntAttr(AttrDim)
	if dim < 0 || dim >= int64(len(shape)) {
		return op.Errorf("dim must be from 0 to %d, but got %d", len(shape)-1, dim)
	}
	want := slices.Delete(slices.Clone(shape), int(dim), int(dim)+1)
	for i, v := range op.Operands() {
		if !slices.Equal(Shape(v.Type()), shape) {
			return op.Errorf("requires the same shape for all operands, but got '%s' and '%s'", ir.TypeString(op.Operand(0).Type()),
				ir.TypeString(v.Type()))
		}
		elem, r := ir.ElementType(v.Type()), op.Result(i).Type()
		if !slices.Equal(Shape(r), want) || ir.ElementType(r) != elem {
			return op.Errorf("result #%d must be operand #%d without dimension %d, of shape %v and element type '%s', but got '%s'", i, i, dim,
				want, ir.TypeString(elem), ir.TypeString(r))
		}
	}
	return verifyIdentities(op)
}

func verifyIdentities(op ir.Op) error {
	list, ok := op.Attr(AttrIdentities).(*ir.ArrayAttr)
	if !ok {
		return nil
	}
	if len(list.Elems) != op.NumOperands() {
		return op.Errorf("needs an identity for each of %d operands, but got %d", op.NumOperands(), len(list.Elems))
	}
	for i, v := range op.Operands() {
		elem := ir.ElementType(v.Type())
		if a, ok := list.Elems[i].(ir.TypedAttribute); !ok || a.Type() != elem {
			return op.Errorf("identity #%d must be of type '%s', but got %s", i, ir.TypeString(elem), ir.AttrString(list.Elems[i]))
		}
	}
	return nil
}

// verifyReduceBody runs when the operations inside are known to be right.
func (l *Level) verifyReduceBody(op ir.Op) error {
	b, n := op.Body(), op.NumOperands()
	if b.IsNil() {
		return op.Errorf("needs a region")
	}
	if b.NumArgs() != 2*n {
		return op.Errorf("region must have two arguments for each of %d operands, but got %d", n, b.NumArgs())
	}
	var nested ir.Op
	for inner := range b.Ops() { // its elements would be those of a thread that has not all of them
		inner.Walk(func(o ir.Op) ir.WalkResult {
			if l.Reduce.Is(o) || l.Scan.Is(o) {
				nested = o
				return ir.Interrupt
			}
			return ir.Advance
		})
	}
	if !nested.IsNil() {
		return nested.Errorf("must not stand in the region of '%s', which combines two elements", op.Name())
	}
	term := b.Last()
	if !l.Yield.Is(term) || term.NumOperands() != n {
		return term.Errorf("must be a '%s' of a value for each of %d operands", l.Yield.FullName(), n)
	}
	for i, v := range op.Operands() {
		elem := ir.ElementType(v.Type())
		for k := range 2 {
			if got := b.Arg(2*i + k).Type(); got != elem {
				return op.Errorf("region argument #%d must have the element type '%s' of operand #%d, but got '%s'", 2*i+k, ir.TypeString(elem), i,
					ir.TypeString(got))
			}
		}
		if got := term.Operand(i).Type(); got != elem {
			return term.Errorf("operand #%d must have the element type '%s' of what is reduced, but got '%s'", i, ir.TypeString(elem),
				ir.TypeString(got))
		}
	}
	return nil
}

func verifyDot(op ir.Op) error {
	if c, d := op.Operand(2).Type(), op.Result(0).Type(); c != d {
		return op.Errorf("result must have the type '%s' of the accumulator, but got '%s'", ir.TypeString(c), ir.TypeString(d))
	}
	return VerifyMMA(op, op.Operand(0).Type(), op.Operand(1).Type(), op.Operand(2).Type())
}

// verifyPairs checks that factors which are to be bytes are.
func verifyPairs(op ir.Op, operands ...ir.Type) error {
	for i, t := range operands {
		if n, ok := ir.ElementType(t).(*ir.IntegerType); !ok || n.Width != 8 {
			return op.Errorf("operand #%d must be bytes of pairs, but got '%s'", i, ir.TypeString(t))
		}
	}
	return nil
}

// VerifyMMA checks that the operands of an MMA, wherever they are, give a result of the type of the accumulator.
func VerifyMMA(op ir.Op, at, bt, ct ir.Type) error {
	if op.HasUnitAttr(AttrPairs) {
		if err := verifyPairs(op, at, bt); err != nil {
			return err
		}
		at, bt = Operands(op, at, bt)
	}
	a, b, c := Shape(at), Shape(bt), Shape(ct)
	r := len(a)
	if r < 2 || r > 3 || len(b) != r || len(c) != r {
		return op.Errorf("operands must all be matrices or all be batches of matrices, but have the ranks %d, %d and %d", r, len(b), len(c))
	}
	columns := b[r-1]
	if op.HasUnitAttr(AttrTwoCTAs) {
		columns *= 2
	}
	if a[r-1] != b[r-2] || a[r-2] != c[r-2] || columns != c[r-1] || r == 3 && (a[0] != b[0] || a[0] != c[0]) {
		return op.Errorf("shapes %v x %v do not give %v", a, b, c)
	}
	return verifyDotElements(op, ir.ElementType(at), ir.ElementType(bt), ir.ElementType(ct))
}

func verifyDotElements(op ir.Op, elems ...ir.Type) error {
	floats := 0
	for _, t := range elems {
		if _, ok := t.(*ir.FloatType); ok {
			floats++
		}
	}
	switch unsigned := op.HasUnitAttr(AttrUnsignedA) || op.HasUnitAttr(AttrUnsignedB); {
	case floats != 0 && floats != 3:
		return op.Errorf("elements must all be integers or all be floating-point, but got '%s', '%s' and '%s'",
			ir.TypeString(elems[0]), ir.TypeString(elems[1]), ir.TypeString(elems[2]))
	case floats != 0 && unsigned:
		return op.Errorf("floating-point elements cannot be unsigned")
	}
	return nil
}
