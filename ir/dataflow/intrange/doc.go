// Package intrange computes which numbers each integer value can be: an interval of signed and one of unsigned numbers for the elements of
// every integer scalar and tile.
//
// # Ranges
//
// A [Range] keeps both readings of a bit pattern at once, the smallest and largest unsigned and the smallest and largest signed value. The
// four numbers describe exactly a set of two intervals, one among the patterns with the sign bit and one among those without, and all
// operations work on these: within each of them signed and unsigned order agree, so that a value from 0 on stays one through signed
// and unsigned operations alike. Arithmetic is done on integers without bounds (of 128 bits) and then reduced modulo 2^width, so that what may
// wrap around does, and what the program promises not to wrap (no_signed_wrap, no_unsigned_wrap) is cut off instead.
//
// # Dialects
//
// What an element-wise operation computes is said by its row's constfold.Computes; [Of] is its transfer function, so that folding and ranges have one
// definition. Other operations have the capability [Infer]. Loops are described by ir.LoopLike and branches by [Guard]. A
// value of which nothing is declared may be anything.
//
// # Solution
//
// [Analyze] solves the problem with dataflow.Forward, which propagates through loops and leaves out what cannot run. If branches depend on
// comparisons it solves it once more, with what holds inside each branch: the facts that a comparison is read with are those of the first solution.
//
// # Source
//
// The lattice is that of MLIR's integer range inference (mlir.llvm.org/doxygen, ConstantIntRanges); bounds of bitwise operations are
// those of Warren, Hacker's Delight, section 4-3. Undefined behaviour is what Tile IR specification 13.3 says.
package intrange
