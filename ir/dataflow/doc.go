// Package dataflow solves dataflow problems over IR with regions. A problem is a lattice and a transfer function. The
// package follows control through blocks (ir.BranchOp) and regions (ir.RegionBranch, ir.RegionExitOp), so that a
// problem knows neither.
//
//	Forward  a fact for each value, from definitions to uses, with conditional reachability
//	         (constants, ranges, divisibility)
//	Dense    a fact for each point between operations, in the direction of control (available values, pending copies)
//	         or against it (liveness)
//
// A solution covers one operation (Run's root) without the isolated operations inside it, which share no values with
// it. Where control or values come from something that declares nothing, the problem's pessimistic fact is taken.
//
// # Lattices
//
// Facts start at a bottom that no other fact is joined from, written as "none yet", and only ever grow by Join.
// Forward gives up on a value whose fact keeps changing and takes the pessimistic one. So a lattice of unbounded
// height ends too; the dense problems need finite height. Facts are not changed in place, since solutions share them.
//
// # Source
//
// Sparse conditional propagation is that of Wegman and Zadeck ("Constant propagation with conditional branches"),
// extended to regions as in MLIR's dataflow framework (mlir.llvm.org/docs/Tutorials/DataFlowAnalysis).
package dataflow
