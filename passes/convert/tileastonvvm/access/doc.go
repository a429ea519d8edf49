// Package access computes the addresses and bounds of tiles in global memory.
//
//	tiled_load %p[%i, %j] sizes [%m, %n] strides [%s, 1] : tensor<16x64xf16, #l>
//
//	address of register r    %p + 2 * ((%i + row) * %s + %j + column), with row and column of r and of the thread
//	mask of register r       %i + row < %m and %j + column < %n, tested where facts do not prove it
//
// A Tile is one access. It shares what registers have in common: the address of the thread, the step between rows, the
// comparison of a row. Loads, stores, atomics and cp.async ask it for each register, or for each vector of registers.
package access
