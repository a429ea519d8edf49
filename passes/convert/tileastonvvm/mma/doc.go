// Package mma lowers MMAs whose accumulators are in registers.
//
//	dot          mma.sync, one instruction for each step of M, N and K, or multiply-adds where no instruction fits
//	dot_scaled   mma.sync with block scales
//	dot_async    wgmma.mma_async: operands by descriptors of shared memory, A also in registers
//	dot_wait     wgmma.wait_group
//
// The row of the instruction and the layouts of its fragments come from passes/tileas/machine/instr. MMAs with
// accumulators in tensor memory are those of package tmem.
package mma
