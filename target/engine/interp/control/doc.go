// Package control executes ifs, loops, reductions and scans.
//
//	reduce 1024 elements with addf:    the body runs 10 times, on 512, 256, ... 1 pairs
//	scan 1024 elements with addf:      the body runs 1023 times, on all rows at once
//
// The body of an operation is a block of the program (core.Code). What ends it says where control goes (core.Exit).
package control
