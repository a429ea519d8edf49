// Package mma stands between MMAs and the target's table of matrix instructions (sm.Matrices): which row of the table
// computes an MMA.
//
//	dot tensor<128x64xf16>, tensor<64x256xf16> -> tensor<128x256xf32>     on sm_90, four warps: wgmma m64n256k16
//
// Rows are chosen by what the target has, never by its name, in the order of the table.
//
// The package asks an operation for shapes, element types and scales only, so it works at every level. Passes of level
// 1 ask it before an instruction is chosen. What follows from the choice, which the attribute #nv_tileas.mma of a dot
// records, is in passes/tileas/machine/instr.
package mma
