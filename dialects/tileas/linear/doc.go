// Package linear implements linear layouts: maps over GF(2) that say which
// thread, and which register of that thread, holds which element of a tile, and
// at which offset of a shared-memory buffer an element lives.
//
// # Model
//
// Every extent is a power of two, so an index is a string of bits and a layout
// is linear with respect to XOR:
//
//	L(a XOR b) = L(a) XOR L(b)
//
// A [Layout] is therefore given by one value per input bit, its basis: the
// coordinates that the input bit contributes. The input axes are [Register],
// [Lane], [Warp] and [Block] for a tile that is distributed over threads, and
// [Offset] for a buffer. The outputs are the dimensions of the tile.
// Coordinates are kept flat in row-major order (the last dimension in the
// lowest bits), one word per input bit, so a reshape leaves every basis alone.
//
// # Example
//
// The accumulator of mma.m16n8k16 is a 16x8 tile in 32 lanes of 4 registers.
// PTX ISA gives, with group = lane>>2 and t = lane&3, for register i
//
//	row = group + 8*(i>>1)     col = 2*t + (i&1)
//
// As a linear layout that is, bit by bit,
//
//	{shape = [16, 8], register = [[0, 1], [8, 0]],
//	 lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [], block = []}
//
// Register 3 of lane 6 (binary 00110) holds
// [0,1]^[8,0]^[0,4]^[1,0] = [9, 5], and the formulas give row 1+8, column 4+1.
//
// What follows from linearity:
//
//   - A basis that is zero, or a sum of others, means replication; see
//     [Layout.FreeMask].
//   - A conversion between two layouts is the map src^-1 . dst from the place
//     where a value is wanted to the place where it is. Its matrix shows whether
//     the data stays in its thread, its warp or its block: [Convert].
//   - The offset that a register of a thread accesses is shared^-1 . layout. The
//     low bits of that map give the vector width, the bits of the bank number
//     the conflicts, and its first rows whether ldmatrix or stmatrix fit:
//     [PlanAccess], [PlanMatrix].
//   - Choosing a swizzle is choosing a basis of the element space whose high part
//     meets the spaces that a warp touches at once as little as possible:
//     [OptimalSwizzle].
//
// # Sources
//
// "Linear Layouts: Robust Code Generation of Efficient Tensor Computation Using
// F2" (arXiv 2505.23819) for the model, the classes of conversion and the idea of
// the optimal swizzle; the PTX ISA document, sections on the matrix fragments of
// mma and on ldmatrix and stmatrix, for the instruction layouts.
package linear
