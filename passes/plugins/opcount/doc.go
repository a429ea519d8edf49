// Package opcount is the example of a plugin: a pass outside the compiler that counts operations. Read it as a
// tutorial.
//
// # Steps
//
// A plugin is a package under passes/plugins with a pass in a package-level variable, which registers it when the
// program starts (opcount.go):
//
//	var Pass = passes.Register(&passes.Pass{Name: "op-count", ..., Run: run})
//
// One import line in passes/plugins/all.go links it into every tool:
//
//	_ "github.com/tilewright/tilewright/passes/plugins/opcount"
//
// That is all: the pass is now listed by tile-opt --list-passes, explained by --help-pass=op-count, drawn by
// --show-pass-graph, accepted in --pass-pipeline, and is a flag of its own:
//
//	tile-opt --pass-pipeline='builtin.module(cuda_tile.module(cuda_tile.entry(op-count{top=3})))' kernel.mlir
//	tile-opt --op-count=top=3 --pass-statistics kernel.mlir
//
// # What the pass shows
//
// It has options with defaults (Options), a statistic, and reports a remark. It changes nothing, so that
// analyses stay valid. It touches only its own operation, which makes it safe to run on all
// kernels in parallel. Its test runs it on a module and compares the remark.
package opcount
