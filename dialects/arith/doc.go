// Package arith is the dialect of element-wise arithmetic that the levels below cuda_tile share: constants, integer
// and floating-point operations, comparisons, conversions and elementary functions. Operations work element by element
// on scalars, on tensors, and on tensors with a layout. So one row serves nv_tileaa (undistributed tiles), nv_tileas
// (distributed tiles) and nvvm (the scalars of one thread).
//
// Names and semantics follow MLIR's arith and math dialects. What Tile IR adds is an attribute:
//
//   - rounding; if absent, nearest even, or full accuracy for the elementary functions
//   - ftz: subnormal inputs and results are zero
//   - saturating, and promises about overflow
//
// Integers are signless and wrap; the signed value of a true i1 is -1. Undefined cases are division by zero, shifts by
// the width or more, and numbers that an integer cannot hold. They give some value and do not trap, so that every
// operation may be moved.
//
// Folding computes what package constfold says, on scalars and on tensors whose elements are all equal. It leaves
// alone what is undefined, approximations, and elementary functions.
package arith
