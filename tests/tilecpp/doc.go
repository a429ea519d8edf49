// Package tilecpp holds the tests of CUDA Tile C++ as a producer: kernels of our own that nvcc compiles to Tile IR,
// run with values and compiled for every target. That nvcc calls our program in the place of its assembler is tested
// in tests/dropin.
//
// The folder tilegym makes cases of the kernels of a TileGym checkout and measures them; docs/measurements/tilecpp.md
// has what came of it.
package tilecpp
