// Package kernelsuite runs files of kernels by their RUN lines (package lit), on every engine.
//
// Beside tile-opt and tile-run, RUN lines have
//
//	run-tileas [FLAG...] FILE                  runs a kernel of nv_tileas as written, with shared memory and barriers placed,
//	                                           and as PTX in several orders; all must leave the same memory
//	assemble --ptxas=%ptxas [FLAG...] FILE     compiles a module, or lowers a kernel of nv_tileas, for each target and
//	                                           assembles the PTX, without a warning or a spill
//	print-npy FILE                             prints an array in rows of 16 elements
//
// An argument of a launch is that of tile-run or a buffer of integers (ParseArg), such as i32[512]=0,7,.. in equal
// steps.
package kernelsuite
