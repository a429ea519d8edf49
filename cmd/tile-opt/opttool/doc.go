// Package opttool is the tool tile-opt as a library: it reads IR as text or bytecode, runs passes, and prints the IR.
// A program is a Tool with its dialects and a call of Main; tests and programs with other dialects call Main with
// their own.
//
// # What runs
//
// One of these runs:
//
//   - nothing: the input is parsed, verified and printed
//   - an explicit pipeline (--pass-pipeline)
//   - passes as flags in their order (--cse --canonicalize=max-iterations=3)
//   - the default pipeline towards a level (--lower-to)
//   - what a reproducer says (--run-reproducer)
//
// # Input
//
// With --split-input-file, the chunks between lines "// -----" are processed one by one, each in a context of its own,
// so that an error in one does not hide the next. With --verify-diagnostics, the input says in comments which
// diagnostics must come (see expected.go), and the exit status says whether exactly those did.
//
// # Source
//
// The flags and the comments are those of mlir-opt (mlir.llvm.org/docs/Tutorials/MlirOpt,
// mlir.llvm.org/docs/Diagnostics).
package opttool
