// Package constfold computes element-wise operations on constants, for the folders of all dialects that have such
// operations.
//
// # Model
//
// A dialect says by a [Spec] what one of its operations computes: which [Op], on which element types, with which
// rounding and flags. From there on dialects do not matter. [Spec.Eval] is the operation on one element, with the same
// bits as package numeric, and so as the interpreter. [Spec.Identity] simplifies an operation when only some operands
// are known. [Spec.Fold] applies Eval to the elements of constants.
//
// # Choices
//
//   - What has no meaning is not computed: division by zero, the most negative number over -1, shifts by the width or
//     more, conversions out of range, and results that wrap although the operation promises that they do not. One such
//     element prevents the folding of the entire operation.
//   - Elementary functions are computed only where the result is certain to be correctly rounded
//     (numeric.Format.Unary), which every implementation may yield. The others keep what the target yields. An
//     approximation that was asked for is not computed.
//   - An identity must hold for every bit pattern. x + -0.0, x - 0.0 and x * 1.0 make a NaN canonical and may flush a
//     subnormal. So they are x only if x is known to be canonical (an arithmetic operation yielded it) and nothing is
//     flushed.
//   - A constant of differing elements has at most [Limit] elements, so that chains of operations on large constants
//     cannot make the program larger. Splats have any shape.
//
// # Source
//
// The model of folding is MLIR's (mlir.llvm.org/docs/Canonicalization). Undefined behaviour is that of the Tile IR
// specification 13.3.
package constfold
