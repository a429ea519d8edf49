// Package scf is the dialect of structured control flow that levels 1 and 2 share: if, for, loop and the terminators
// that end their regions. It follows MLIR's scf, and adds what Tile IR has beyond it: the unbounded loop with break,
// and continue, which both may stand inside nested ifs. A terminator of another dialect that leaves the kernel
// (capability ir.RegionExitOp) may end a region as well.
//
// A for runs its body with the induction variable iv = lb, lb+step, ... while iv < ub (signed, or unsigned when the
// op says so), step > 0.
package scf
