// Package control lowers control flow, warp specialization, barriers, and what a CTA asks of its grid and cluster.
//
//	scf.if, scf.for, scf.loop      blocks and branches; values that loops carry are block arguments
//	warp_specialize                a branch on the number of the warp; each role has its own scope and registers
//	pingpong_wait, pingpong_signal           named barriers of two groups of warps, which ping-pong
//	barrier                        bar.sync, with fences once the kernel has tensor memory
package control
