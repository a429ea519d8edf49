// Package asmtest has what the tests of ir/asm's rooms share: two dialects with one operation for each feature of
// formats and hooks, texts that read back, texts that are rejected, and texts for benchmarks.
package asmtest
