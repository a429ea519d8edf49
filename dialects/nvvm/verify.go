package nvvm

import (
	"github.com/tilewright/tilewright/ir"
)

func loadEffects(op ir.Op, add func(ir.Effect)) {
	add(ir.Effect{Kind: ir.Read})
	switch op.StringAttr(AttrOrdering) {
	case "", "weak":
	default:
		add(ir.Effect{Kind: ir.Write}) // keeps its place among other accesses
	}
}

func verifyFunc(op ir.Op) error {
	if op.Body().IsNil() {
		return op.Errorf("must have a body")
	}
	for i, a := range op.Body().Args() {
		if !isScalar(a.Type()) {
			return op.Errorf("parameter #%d must be a number or a pointer", i)
		}
	}
	if d, ok := op.Attr(AttrReqntid).(*ir.DenseArrayAttr); ok {
		n := int64(1)
		for _, v := range d.Values {
			if v < 1 || v > 1024 {
				return op.Errorf("block extent %d is not in 1..1024", v)
			}
			n *= v
		}
		if n > 1024 {
			return op.Errorf("a block has at most 1024 threads, but got %d", n)
		}
	}
	if r, ok := op.IntAttr(AttrMaxnreg); ok && (r < 1 || r > 255) {
		return op.Errorf("a thread has at most 255 registers, but got %d", r)
	}
	return nil
}

func verifyPtrAdd(op ir.Op) error {
	if op.Result(0).Type() != op.Operand(0).Type() {
		return op.Errorf("result must be a pointer of the same address space")
	}
	return nil
}

func verifyVector(op ir.Op, n int, elem func(i int) ir.Type) error {
	if n < 1 || n > 32 || n&(n-1) != 0 {
		return op.Errorf("accesses 1, 2, 4, 8, 16 or 32 values, but got %d", n)
	}
	for i := 1; i < n; i++ {
		if elem(i) != elem(0) {
			return op.Errorf("values must have one type")
		}
	}
	width := max(8, ir.BitWidth(elem(0)))
	if isPtr(elem(0)) {
		width = 64
	}
	if n*width > 256 {
		return op.Errorf("accesses at most 256 bits, but got %d", n*width)
	}
	return nil
}

func verifyLd(op ir.Op) error {
	other := op.OperandsNamed("other")
	if op.OperandNamed("predicate").IsNil() != (len(other) == 0) {
		return op.Errorf("needs the values for a predicate that does not hold, and only then")
	}
	if len(other) > 0 && len(other) != op.NumResults() {
		return op.Errorf("needs one other value per result, but got %d", len(other))
	}
	for i, v := range other {
		if v.Type() != op.Result(i).Type() {
			return op.Errorf("other value #%d has not the type of the result", i)
		}
	}
	return verifyVector(op, op.NumResults(), func(i int) ir.Type { return op.Result(i).Type() })
}

func verifySt(op ir.Op) error {
	vs := op.OperandsNamed("values")
	return verifyVector(op, len(vs), func(i int) ir.Type { return vs[i].Type() })
}

func verifyParts(op ir.Op, parts []ir.Value) error {
	bits := 0
	for _, v := range parts {
		if v.Type() != parts[0].Type() {
			return op.Errorf("parts must have one type")
		}
		bits += ir.BitWidth(v.Type())
	}
	if bits != 32 {
		return op.Errorf("parts must have 32 bits together, but got %d", bits)
	}
	return nil
}

func verifyPack(op ir.Op) error   { return verifyParts(op, op.Operands()) }
func verifyUnpack(op ir.Op) error { return verifyParts(op, op.Results()) }

func verifyLdMatrix(op ir.Op) error {
	if n := op.NumResults(); n != 1 && n != 2 && n != 4 {
		return op.Errorf("loads 1, 2 or 4 matrices, but got %d", n)
	}
	return nil
}

func verifyMma(op ir.Op) error {
	c := op.OperandsNamed("c")
	if len(c) != op.NumResults() {
		return op.Errorf("has %d accumulator registers but %d results", len(c), op.NumResults())
	}
	for i, v := range c {
		if v.Type() != op.Result(i).Type() {
			return op.Errorf("result #%d has not the type of its accumulator", i)
		}
	}
	return nil
}

// foldPack: the parts of one unpack, in order, are the whole.
func foldPack(op ir.Op, _ []ir.Attribute) []ir.FoldResult {
	from := op.Operand(0).DefiningOp()
	if from.IsNil() || from.Def().Name != "unpack" || from.NumResults() != op.NumOperands() {
		return nil
	}
	for i, v := range op.Operands() {
		if v != from.Result(i) {
			return nil
		}
	}
	return []ir.FoldResult{{Value: from.Operand(0)}}
}

// foldUnpack: unpacking what was packed yields the parts.
func foldUnpack(op ir.Op, _ []ir.Attribute) []ir.FoldResult {
	from := op.Operand(0).DefiningOp()
	if from.IsNil() || from.Def().Name != "pack" || from.NumOperands() != op.NumResults() ||
		from.Operand(0).Type() != op.Result(0).Type() {
		return nil
	}
	out := make([]ir.FoldResult, from.NumOperands())
	for i, v := range from.Operands() {
		out[i].Value = v
	}
	return out
}

// foldPtrAdd: adding nothing.
func foldPtrAdd(op ir.Op, operands []ir.Attribute) []ir.FoldResult {
	if a, ok := operands[1].(*ir.IntegerAttr); ok && a.Value == 0 {
		return []ir.FoldResult{{Value: op.Operand(0)}}
	}
	return nil
}
