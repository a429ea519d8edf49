// Package elements lowers what a thread does with its elements alone: arithmetic, constants, shapes, subtiles.
//
//	%c = arith.addf %a, %b : tensor<64xf32, #l>      %c0 = arith.addf %a0, %b0 ; %c1 = arith.addf %a1, %b1
//	nv_tileas.reshape, permute                       nothing: registers stay, coordinates change their names
//	nv_tileas.extract %t[%i]                         selects between the registers of the subtiles
//
// Nothing here moves data between threads or accesses memory, but for constants whose elements differ: these are a
// table in global memory.
package elements
