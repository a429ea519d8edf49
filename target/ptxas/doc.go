// Package ptxas finds and runs NVIDIA's PTX assembler, which turns PTX into a cubin.
//
// The assembler is not part of Tilewright. [Find] looks for it where users have it, and says how to get it when it is
// nowhere. [Tool.Assemble] gives all or nothing: a cubin with the resources of each entry, or an error that holds the
// assembler's diagnostics with the PTX lines they are about. Cancelling the context kills the assembler, and on Linux so does
// the death of this process, so that a killed compiler leaves no work behind.
//
// Options and messages are those of the CUDA toolkit's documentation of ptxas.
package ptxas
