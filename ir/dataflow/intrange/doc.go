// Package intrange computes which numbers each integer value can be: an interval of signed and one of unsigned numbers
// for the elements of every integer scalar and tile.
//
// # Ranges
//
// A [Range] has the smallest and largest value of a bit pattern, both read as unsigned and read as signed. These four
// numbers describe exactly two intervals: one among the patterns with the sign bit, and one among those without. All
// operations work on the two intervals. Within each of them signed and unsigned order agree, so a value that is not
// negative stays so through signed and unsigned operations alike. Arithmetic is done on integers without bounds (of
// 128 bits) and then reduced modulo 2^width. So what may wrap around does wrap. What the program promises not to wrap
// (no_signed_wrap, no_unsigned_wrap) is cut off instead.
//
// # Dialects
//
// The row of an element-wise operation says what it computes by constfold.Computes. [Of] is the transfer function, so
// that folding and ranges have one definition. Other operations have the capability [Infer]. Loops are described by
// ir.LoopLike and branches by [Guard]. A value of which nothing is declared may be anything.
//
// # Solution
//
// [Analyze] solves the problem with dataflow.Forward, which propagates through loops and leaves out what cannot run.
// If branches depend on comparisons, it solves it once more with the conditions that hold inside each branch. It reads
// the comparisons with the facts of the first solution.
//
// # Source
//
// The lattice is that of MLIR's integer range inference (mlir.llvm.org/doxygen, ConstantIntRanges). Bounds of bitwise
// operations are those of Warren, Hacker's Delight, section 4-3. Undefined behaviour is that of the Tile IR
// specification 13.3.
package intrange
