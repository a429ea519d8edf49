// Package kernels holds Triton's kernels as launches of PTX, for the tests that run them: those of package triton, and
// tests/synccheck, which plants bugs in their synchronization. Package triton says how they are made.
package kernels
