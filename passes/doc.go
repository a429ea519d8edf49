// Package passes is the registry of compiler passes: what a pass is, what it says about itself, and what it gets to see
// while it runs. It knows no pass and no order; package pipeline runs passes and computes orders.
//
// # A pass is a value
//
// A Pass has a name, documentation, the operation that it is anchored on, typed options, statistics, and a Run
// function. It says which properties of the IR it requires, establishes and destroys. From these declarations, and
// from edges that give their reason in words, package pipeline builds the pass dependency graph.
//
// Properties, statistics and analyses are declared values, not strings, so that a misspelt one does not compile.
//
// # Writing a pass
//
// A pass lives in a folder of its own with code, doc.go and a test:
//
//	var Pass = passes.Register(&passes.Pass{
//		Name:    "fuse-fma",
//		Summary: "fuses a multiplication and an addition",
//		Doc:     "...",
//		On:      "cuda_tile.entry",
//		Run:     run,
//	})
//
// One import line in passes/all (passes/plugins for a plugin) links it. passes/plugins/opcount is the tutorial.
//
// # Rules for Run
//
// Run may change the operation that it is given and what is nested in it, and nothing outside. It keeps no state
// between runs and uses no globals, since operations of one kind are processed in parallel. It reports through Run
// (Remarkf, Warnf, Add, SetArtifact), because what goes through Run comes out in the order of the operations however
// many workers there are. A rejected input is returned as an error, best an *ir.Diagnostic.
//
// # Source
//
// The rules follow MLIR's pass management (mlir.llvm.org/docs/PassManagement); a pass as a documented value with
// declared needs follows golang.org/x/tools/go/analysis.
package passes
