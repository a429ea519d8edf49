// Package tilecpp holds the tests of CUDA Tile C++ as a producer: kernels of our own that nvcc compiles to Tile IR, run with values, compiled for every
// target, and compiled by nvcc with our program in the place of the assembler that it calls.
//
// The folder tilegym makes cases of the kernels of a TileGym checkout and measures them; docs/measurements/tilecpp.md has what came of it.
package tilecpp
