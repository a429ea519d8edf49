// Package kernel computes element-wise operations on many elements at once, with the bits of package ir/numeric.
//
//	numeric.F16.Add(a, b)            one element: the definition
//	kernel.Arithmetic(AddF, ...)     a slice: float32 arithmetic, proven to round the same
//
// A kernel is the definition on slices of patterns, faster for the formats and operations in which programs spend their
// time. It uses float32 or float64 arithmetic that rounds the same, tables for operands of at most 16 bits, or an
// approximation that nearly always determines the correctly rounded result. Every fast path says why its bits are those
// of the definition, and falls back to it where it is not sure. Vector instructions compute most elements where the
// processor has them (package vector), and Go the rest. Tests compare each way on random and edge values.
//
// The package knows no tiles, no unspecified elements and no memory. The interpreter decides what an operation does to
// those, and hands over slices.
//
// docs/measurements/engines.md has the speed of each kernel.
package kernel
