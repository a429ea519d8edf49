// Package legalizedot is the pass tileas-legalize-dot: dots of element types that the target has no matrix instruction for become dots of types that it has one
// for, when that changes no result: 8-bit floats are f16 as well. A dot with scales becomes dots of the blocks
// of K that share scales, in the elements' own type or f16; their sums, not the operands, are multiplied by the scales, and no product leaves the range of f32
// unless the result does.
//
// Dots that are left without an instruction, as those of f32, are computed by each thread for itself (tileas-assign-layouts, [sm.FMA]).
package legalizedot
