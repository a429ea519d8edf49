// Package vector computes groups of elements with vector instructions.
//
//	add := vector.Arithmetic('+', numeric.F16) // nil: no instructions for it here
//	done := add(out, a, b)                     // 96 of 100 elements
//
// The instructions of amd64 are AVX-512 F, VL, DQ and BW, or AVX2, FMA3 and F16C, which processors have had since 2013.
// The package asks the processor when the program starts. Elsewhere all functions are nil, and package kernel computes
// everything in Go.
//
// A kernel computes groups of eight elements and returns how many elements that was. The caller computes the
// rest. An element is a pattern of 64 bits, as in package kernel. Its results have the bits of package ir/numeric, NaNs
// included; tests of package kernel compare both ways with it.
//
// Package vectorgen writes the assembly.
package vector
