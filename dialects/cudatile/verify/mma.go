package verify

import (
	"strings"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// A sized operand of an MMA, by name.
type matrix struct {
	name  string
	shape []int64
}

func matrixOf(op ir.Op, name string) matrix {
	return matrix{name, cudatile.ShapeOf(op.OperandNamed(name).Type())}
}

// verifyDims checks that dimension i of a equals dimension j of b.
func verifyDims(op ir.Op, a matrix, i int, b matrix, j int) error {
	if a.shape[i] == b.shape[j] {
		return nil
	}
	return op.Errorf("shape error: dim %d of %s (%d) and dim %d of %s (%d) must match, but got %s shape (%s) and %s shape (%s)", i, a.name,
		a.shape[i], j, b.name, b.shape[j], a.name, cudatile.SizesText(a.shape, ", "), b.name, cudatile.SizesText(b.shape, ", "))
}

// MmaShapes checks [B x] M x K times [B x] K x N plus [B x] M x N. The operands have equal rank.
//
//	lhs [B x] M x K     rhs [B x] K x N     acc, result [B x] M x N
//
// The order of the checks is that of the reference, whose message names the first pair that differs.
func MmaShapes(op ir.Op) error {
	lhs, rhs, acc := matrixOf(op, "lhs"), matrixOf(op, "rhs"), matrixOf(op, "acc")
	rank := len(lhs.shape)
	if rank != 2 && rank != 3 {
		return op.Errorf("operands must be 2D or 3D tiles")
	}
	row, col := rank-2, rank-1
	var checks []error
	if rank == 3 {
		checks = append(checks, verifyDims(op, lhs, 0, rhs, 0), verifyDims(op, lhs, 0, acc, 0))
	}
	return firstError(append(checks, verifyDims(op, lhs, col, rhs, row), verifyDims(op, lhs, row, acc, row),
		verifyDims(op, rhs, col, acc, col))...)
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// mmaAccumulators says which accumulators the factors of mmaf go with.
// All but f32 with itself are pairs of PTX's mma; bf16 has no accumulators of its own type there.
var mmaAccumulators = map[numeric.Format][]numeric.Format{
	numeric.F4E2M1FN: {numeric.F16, numeric.F32},
	numeric.F8E4M3FN: {numeric.F16, numeric.F32},
	numeric.F8E5M2:   {numeric.F16, numeric.F32},
	numeric.F16:      {numeric.F16, numeric.F32},
	numeric.BF16:     {numeric.F32},
	numeric.TF32:     {numeric.F32},
	numeric.F32:      {numeric.F32},
	numeric.F64:      {numeric.F64},
}

// MmaF verifies mmaf.
func MmaF(op ir.Op) error {
	if err := MmaShapes(op); err != nil {
		return err
	}
	in, acc := cudatile.ElemOf(op.Operand(0).Type()), cudatile.ElemOf(op.Operand(2).Type())
	allowed := mmaAccumulators[in.(*ir.FloatType).Format]
	if allowed == nil {
		return op.Errorf("unsupported input element type: %s", cudatile.Quoted(in))
	}
	if cudatile.IsFloat(acc, allowed...) {
		return nil
	}
	names := make([]string, len(allowed))
	for i, f := range allowed {
		names[i] = "'" + f.String() + "'"
	}
	return op.Errorf("unsupported combination of element types. Input type %s expects accumulator/result type to be one of {%s}, but got %s",
		cudatile.Quoted(in), strings.Join(names, ", "), cudatile.Quoted(acc))
}

// MmaFScaled checks an mmaf whose factors are scaled in blocks of K/Ks elements.
//
//	lhs M x K, lhs_scale M x K/b      rhs K x N, rhs_scale K/b x N      b = 16 or 32: how many elements share a scale
func MmaFScaled(op ir.Op) error {
	if err := MmaShapes(op); err != nil {
		return err
	}
	lhs, rhs, lhsScale, rhsScale := matrixOf(op, "lhs"), matrixOf(op, "rhs"), matrixOf(op, "lhs_scale"), matrixOf(op, "rhs_scale")
	rank := len(lhs.shape)
	row, col := rank-2, rank-1
	var checks []error
	if rank == 3 {
		checks = append(checks, verifyDims(op, lhs, 0, lhsScale, 0), verifyDims(op, rhs, 0, rhsScale, 0))
	}
	checks = append(checks, verifyDims(op, lhs, row, lhsScale, row), verifyDims(op, rhs, col, rhsScale, col),
		verifyDims(op, lhsScale, col, rhsScale, row), verifyScaleType(op))
	if err := firstError(checks...); err != nil {
		return err
	}
	k, ks := lhs.shape[col], lhsScale.shape[col]
	if k%ks != 0 {
		return op.Errorf("shape error: dim %d of lhs_scale (%d) must be a divisor of dim %d of lhs (%d), but got lhs_scale shape (%s) and lhs shape (%s)",
			col, ks, col, k, cudatile.SizesText(lhsScale.shape, ", "), cudatile.SizesText(lhs.shape, ", "))
	}
	return verifyBlockScale(op, k/ks)
}

func verifyScaleType(op ir.Op) error {
	in, scale := cudatile.ElemOf(op.Operand(0).Type()), cudatile.ElemOf(op.OperandNamed("lhs_scale").Type())
	if cudatile.IsFloat(scale, numeric.F8E4M3FN, numeric.F8E5M3FNU) && !cudatile.IsFloat(in, numeric.F4E2M1FN) {
		return op.Errorf("unsupported combination of element types. Scale type %s expects lhs and rhs element types to be 'f4E2M1FN', but got %s",
			cudatile.Quoted(scale), cudatile.Quoted(in))
	}
	if cudatile.IsFloat(scale, numeric.F8E8M0FNU) && !cudatile.IsFloat(in, numeric.F8E4M3FN, numeric.F8E5M2, numeric.F4E2M1FN) {
		return op.Errorf("unsupported combination of element types. Scale type %s expects lhs and rhs element types to be one of "+
			"{'f8E4M3FN', 'f8E5M2', 'f4E2M1FN'}, but got %s", cudatile.Quoted(scale), cudatile.Quoted(in))
	}
	return nil
}

// The blocks are those of the hardware. OCP Microscaling formats 1.0 have 32 elements to a scale of f8E8M0FNU;
// NVIDIA's nvfp4 has 16 to one of f8E4M3FN (PTX ISA, block scaling of mma: scale_vec).
func verifyBlockScale(op ir.Op, factor int64) error {
	in, scale := cudatile.ElemOf(op.Operand(0).Type()), cudatile.ElemOf(op.OperandNamed("lhs_scale").Type())
	const blockScale = "block scale factor of lhs_scale and rhs_scale to be"
	switch {
	case cudatile.IsFloat(in, numeric.F8E4M3FN, numeric.F8E5M2):
		if factor != 32 {
			return op.Errorf("shape error: f8 element type requires %s 32, but got %d", blockScale, factor)
		}
	case cudatile.IsFloat(scale, numeric.F8E4M3FN):
		if factor != 16 {
			return op.Errorf("shape error: f4E2M1FN element type with f8E4M3FN scales requires %s 16, but got %d", blockScale, factor)
		}
	case factor != 16 && factor != 32:
		return op.Errorf("shape error: f4E2M1FN element type with %s scales requires %s 16 or 32, but got %d", ir.TypeString(scale), blockScale, factor)
	}
	return nil
}
