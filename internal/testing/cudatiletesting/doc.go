// Package cudatiletesting is the part of the cuda_tile dialect that the reference has in test builds only:
//
//   - two versions of the bytecode that were never released, 250.0 and 250.1
//   - operations, attributes and a type that changed between them
//   - testing$func, a function that need not be an entry
//
// The reference's own tests use them, and know fpowf as pow only, so that name is here too.
//
// A context has them when Extension is registered with it (ir.Context.Extend); no tool does that by itself. The
// extension ends the range of released versions at 13.3, the newest one of the reference.
//
// Source: TestingOps.td, TestingAttrs.td and TestingTypes.td of NVIDIA/cuda-tile.
package cudatiletesting
