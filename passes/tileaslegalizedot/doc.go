// Package tileaslegalizedot is the pass tileas-legalize-dot: dots of element types that the target has no matrix instruction for become dots of types that it has one
// for, when that changes no result: 8-bit floats are f16 as well. A dot with scales becomes one of bf16, whose operands are multiplied by their scales.
//
// Dots that are left without an instruction, as those of f32, are computed by each thread for itself (tileas-assign-layouts, [tile.FMA]).
package tileaslegalizedot
