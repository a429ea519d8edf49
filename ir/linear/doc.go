// Package linear implements linear layouts: maps over GF(2). A layout says which thread, and which register of that
// thread, holds which element of a tile. For shared memory it says at which offset of a buffer an element lives.
//
// # Model
//
// Every extent is a power of two, so an index is a string of bits and a layout is linear with respect to XOR:
//
//	L(a XOR b) = L(a) XOR L(b)
//
// A [Layout] is therefore given by one value per input bit, its basis: the coordinates that the input bit contributes.
// The input axes are [Register], [Lane], [Warp] and [Block] for a tile that is distributed over threads, and [Offset]
// for a buffer. The outputs are the dimensions of the tile. Coordinates are kept flat in row-major order (the last
// dimension in the lowest bits), one word per input bit, so a reshape changes no basis.
//
// # Example
//
// The accumulator of mma.m16n8k16 is a 16x8 tile in 32 lanes of 4 registers. PTX ISA gives, with group = lane>>2 and t
// = lane&3, for register i
//
//	row = group + 8*(i>>1)     col = 2*t + (i&1)
//
// As a linear layout that is, bit by bit,
//
//	{shape = [16, 8], register = [[0, 1], [8, 0]],
//	 lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [], block = []}
//
// Register 3 of lane 6 (binary 00110) holds [0,1]^[8,0]^[0,4]^[1,0] = [9, 5], and the formulas give row 1+8, column
// 4+1.
//
// What follows from linearity:
//
//   - A basis that is zero, or a sum of others, means replication; see [Layout.FreeMask].
//   - A conversion between two layouts is the map src^-1 . dst, from the place where a value is wanted to the place
//     where it is. Its matrix shows whether the data stays in its thread, its warp or its CTA: [Convert].
//   - The offset that a register of a thread accesses is shared^-1 . layout. The low bits of that map give the vector
//     width. The bits of the bank number give the conflicts. Its first rows show whether ldmatrix or stmatrix fit:
//     [PlanAccess], [PlanMatrix].
//   - Choosing a swizzle is choosing a basis of the element space. Its high part should meet the spaces that a warp
//     touches at once as little as possible: [OptimalSwizzle].
//
// The package stands beside ir/numeric: both are mathematics that every level may use, and import no level. Passes
// outside of this module need layouts too, so it is not internal.
//
// # Sources
//
// "Linear Layouts: Robust Code Generation of Efficient Tensor Computation Using F2" (arXiv 2505.23819) has the model,
// the classes of conversion and the idea of the optimal swizzle. The PTX ISA has the instruction layouts, in the
// sections on matrix fragments of mma and on ldmatrix and stmatrix.
package linear
