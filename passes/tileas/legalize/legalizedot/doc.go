// Package legalizedot is the pass tileas-legalize-dot. It rewrites dots whose element types have no matrix
// instruction on the target into dots that have one.
//
//	%d = dot %a, %b, %c : f8E4M3FN        %a1 = ftof %a : f16 ; %b1 = ftof %b : f16 ; %d = dot %a1, %b1, %c
//
// 8-bit floats become f16, which holds all their values, so no result changes. A dot with scales (dot_scaled)
// becomes one dot per block of K that shares scales, in the elements' own type or f16. The scales multiply the
// accumulators of the blocks and not the operands (scaled.go). No intermediate result leaves the range of f32
// unless the final one does.
//
// Operands of 4-bit floats become packed bytes for instructions that read two of them from a byte (pairs.go).
//
// Dots that still have no instruction, such as those of f32, are computed by each thread for itself
// (tileas-assign-layouts, [sm.FMA]).
package legalizedot
