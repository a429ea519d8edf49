// Package arith is the dialect of element-wise arithmetic that the levels below cuda_tile share: constants, integer and
// floating-point operations, comparisons, conversions and elementary functions. Every operation works on scalars, on tensors and
// on tensors with a layout encoding alike, element by element, so that one row serves nv_tileaa (whole tiles), nv_tileas (distributed tiles)
// and nvvm (the scalars of one thread).
//
// Names and semantics follow MLIR's arith and math dialects; what Tile IR says beyond them is an attribute: rounding (absent: nearest even,
// or full accuracy for the elementary functions), ftz (subnormal inputs and results are zero), saturating and overflow promises.
// Integers are signless and wrap; the signed value of a true i1 is -1. What is undefined (division by zero, shifts by the width or more, numbers
// that an integer cannot hold) gives some value and does not trap, so that every operation may be moved.
//
// Folding computes what package constfold says, on scalars and on tensors whose elements are all equal. It leaves alone what is undefined, approximations,
// and elementary functions.
package arith
