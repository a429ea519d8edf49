// Package sweep makes GEMM and attention kernels as front ends write them, over what a program chooses: tiles, element
// types, layouts, static and dynamic shapes, epilogues, clusters, occupancy. Each must compile for every target, without
// a fallback.
//
// The space is too large to be walked. Kernel N is drawn at random from the seed N, so that a number names a kernel:
//
//	go run ./tests/sweep/print 17            # the text of kernel 17
//	go test ./tests/sweep -kernels=17:18     # kernel 17 on all targets
//	go run ./tests/sweep/spills -kernels=0:50 -gpu=sm_90
package sweep
