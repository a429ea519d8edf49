// Package exec runs kernels of cuda_tile on every engine.
//
// The interpreter at each level and the emulator of PTX must leave the same memory, on one target of each generation,
// with and without optimization.
package exec
