// Package mma executes matrix multiplications of tiles.
//
//	mmaf 128x64 by 64x256, f16 to f32:   operands decode to float64, the GEMM runs in float64,
//	                                     each accumulator rounds to f32 once
//
// Products are exact in double precision, and what is left of rounding the accumulators is below that of any hardware.
// So one reference serves all targets. Asynchronous MMAs (packages async, tmem) call Multiplying when they land.
package mma
