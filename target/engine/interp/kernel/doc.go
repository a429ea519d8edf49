// Package kernel computes element-wise operations on many elements at once, with the bits of package numeric.
//
// What an operation means is said once, element by element, in ir/numeric. A kernel here is the same function on
// slices of patterns, faster for the formats and operations in which programs spend their time: by float32 or float64
// arithmetic that is known to round the same, by tables for operands of at most 16 bits, by an approximation whose
// error is small enough to tell the correctly rounded result nearly always. Every short way says why its bits are
// those of the plain one, takes the plain one where it is not sure, and is compared with it by tests on random and
// edge values.
//
// It knows no machine: not tiles, not which elements are unspecified, not memory. The interpreter decides what an
// operation does to those and hands over slices.
//
// docs/measurements/engines.md has what the kernels bring, operation by operation.
package kernel
