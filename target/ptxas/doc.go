// Package ptxas finds and runs NVIDIA's PTX assembler, which turns PTX into a cubin.
//
//	tool, err := ptxas.Find("")
//	result, err := tool.Assemble(ctx, text, ptxas.Options{Arch: "sm_90a", OptLevel: 3})
//
// The assembler is not part of Tilewright. [Find] looks for it where users have it, and else says how to get it.
// [Tool.Assemble] gives all or nothing: a cubin with the resources of each entry, or an error with the assembler's
// diagnostics and the PTX lines they are about. Cancelling the context kills the assembler. On Linux the death of this
// process does so too, so that a killed compiler leaves no process running.
//
// Options and messages are those of the CUDA toolkit's documentation of ptxas.
package ptxas
