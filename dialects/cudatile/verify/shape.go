package verify

import (
	"errors"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// Ranks are equal (the row says so): a dimension is repeated only if it is there, with the extent 1. There is no rule
// of alignment as in NumPy.
func Broadcast(op ir.Op) error {
	from, to := cudatile.ShapeOf(op.Operand(0).Type()), cudatile.ShapeOf(op.Result(0).Type())
	for i, d := range from {
		if d != to[i] && d != 1 {
			return op.Errorf("expects the shape of source tile to be compatible with that of the result tile, but got: %s and %s",
				cudatile.SizesText(from, ", "), cudatile.SizesText(to, ", "))
		}
	}
	return nil
}

// Cat verifies cat.
func Cat(op ir.Op) error {
	lhs, rhs, to := cudatile.ShapeOf(op.Operand(0).Type()), cudatile.ShapeOf(op.Operand(1).Type()), cudatile.ShapeOf(op.Result(0).Type())
	dim, _ := op.IntAttr("dim")
	if dim < 0 || dim >= int64(len(lhs)) {
		return op.Errorf("expect dim to be [0, %d), but got: %d", len(lhs), dim)
	}
	if sum := lhs[dim] + rhs[dim]; sum != to[dim] {
		return op.Errorf("invalid concat at position %d, expected: %d but got: %d", dim, sum, to[dim])
	}
	for i := range lhs {
		switch {
		case int64(i) == dim:
		case lhs[i] != rhs[i]:
			return op.Errorf("expect lhs and rhs shapes to match at non-concat position %d, expected: %d but got: %d", i, lhs[i], rhs[i])
		case lhs[i] != to[i]:
			return op.Errorf("expect lhs and result shapes to match at non-concat position %d, expected: %d but got: %d", i, lhs[i], to[i])
		}
	}
	return nil
}

// Extract verifies extract.
func Extract(op ir.Op) error {
	return verifyPart(op, "extract", "source", "result", op.Operand(0).Type(), op.Result(0).Type(), op.Operands()[1:])
}

// Insert checks that the part divides the destination, as an extract of it would.
func Insert(op ir.Op) error {
	if op.Operand(1).Type() != op.Result(0).Type() {
		return op.Errorf("failed to verify that all of {destination, result} have same type")
	}
	return verifyPart(op, "insert", "destination", "source", op.Operand(1).Type(), op.Operand(0).Type(), op.Operands()[2:])
}

// verifyPart checks that a tile can be a part of another at indices that count parts.
// A constant index outside is a warning and no error, because the operation may be one that is never reached.
func verifyPart(op ir.Op, what, wholeName, partName string, whole, part ir.Type, indices []ir.Value) error {
	if cudatile.ElemOf(whole) != cudatile.ElemOf(part) {
		return op.Errorf("%s and %s element type do not match", wholeName, partName)
	}
	w, p := cudatile.ShapeOf(whole), cudatile.ShapeOf(part)
	if len(w) != len(p) {
		return op.Errorf("%s and %s must have the same rank", wholeName, partName)
	}
	for i := range w {
		if w[i]%p[i] != 0 {
			return op.Errorf("%s dimension %d size (%d) must be evenly divisible by %s dimension %d size (%d)", wholeName, i, w[i], partName,
				i, p[i])
		}
	}
	if len(indices) != len(w) {
		return op.Errorf("expected %d indices, but got %d", len(w), len(indices))
	}
	var warnings []error
	for i, v := range indices {
		value, ok := cudatile.SplatInt(v)
		if !ok {
			continue
		}
		if value < 0 {
			warnings = append(warnings, warning(op, "%s index %d has negative value %d, which may cause undefined behavior", what, i, value))
		}
		if last := w[i]/p[i] - 1; value > last {
			warnings = append(warnings, warning(op, "%s index %d value %d may be out of bounds (max valid index: %d)", what, i, value, last))
		}
	}
	return errors.Join(warnings...)
}

func warning(op ir.Op, format string, args ...any) error {
	d := ir.Errorf(op.Loc(), format, args...)
	d.Severity = ir.Warning
	return d
}

// Iota verifies iota.
func Iota(op ir.Op) error {
	t := op.Result(0).Type().(*cudatile.TileType)
	if t.Rank() != 1 {
		return op.Errorf("expects result type to be 1-d tile")
	}
	if w := ir.BitWidth(t.Elem); w < 63 && t.Shape[0] > 1<<w {
		return op.Errorf("the number of elements %d exceeds the maximum value of element type %s", t.Shape[0], cudatile.Quoted(t.Elem))
	}
	return nil
}

// Result dimension i is source dimension permutation[i]. That all are different is checked before that each is
// in range, as in the reference.
func Permute(op ir.Op) error {
	from, to := cudatile.ShapeOf(op.Operand(0).Type()), cudatile.ShapeOf(op.Result(0).Type())
	perm := op.Attr("permutation").(*ir.DenseArrayAttr).Values
	if len(from) < 2 {
		return op.Errorf("expects at least rank 2, but got: %d", len(from))
	}
	if len(perm) != len(from) {
		return op.Errorf("expect permutation size (%d) to equal the rank of the source (%d)", len(perm), len(from))
	}
	seen := make(map[int64]bool)
	for _, d := range perm {
		if seen[d] {
			return op.Errorf("expect permutation elements to be unique")
		}
		seen[d] = true
	}
	for i, d := range perm {
		if d < 0 || d >= int64(len(from)) {
			return op.Errorf("permutation element at index %d (%d) is out of bound [0, %d)", i, d, len(from))
		}
	}
	for i, d := range perm {
		if to[i] != from[d] {
			return op.Errorf("result shape invalid at index %d, expected: %d, but got: %d", i, from[d], to[i])
		}
	}
	return nil
}

// Elements stay in row-major order.
func Reshape(op ir.Op) error {
	if op.Operand(0).Type().(*cudatile.TileType).NumElements() != op.Result(0).Type().(*cudatile.TileType).NumElements() {
		return op.Errorf("expected source tile and result tile to have the same number of elements")
	}
	return nil
}

// Select verifies select.
func Select(op ir.Op) error {
	if cudatile.IsFloat(cudatile.ElemOf(op.Result(0).Type()), numeric.F4E2M1FN) {
		return op.Errorf("cannot operate on sub-byte type F4E2M1FN")
	}
	return nil
}
