// Package pipeline orders and runs passes. It knows the registry of package passes and no particular pass.
//
// # Pipelines
//
// A Pipeline is a tree: passes and nested pipelines under the name of the operation that they run on. Its text is
// MLIR's:
//
//	builtin.module(cuda_tile.module(cuda_tile.entry(fuse-fma,cse)),canonicalize{max-iterations=3})
//
// A nest runs on the operations of that name directly inside the operation around it. Symbol tables in between may be
// left out, so that builtin.module(cuda_tile.entry(cse)) reaches the entries inside a cuda_tile.module as well.
// any(...) runs on every isolated operation directly inside.
//
// # The graph
//
// The pass dependency graph has a vertex for each step of the default pipelines. An edge, with its reason in words,
// says that one step must run before another:
//
//   - it establishes a property that the other requires
//   - the other would destroy a property that it requires
//   - the other leaves the level that it works on
//   - a pass says so
//
// A default pipeline (Plan) is a stable topological order of the part of the graph that a goal needs. A property that
// was destroyed on the way is established again by another step of the same pass. An explicit pipeline is checked
// against the same declarations (Check).
//
// # Running
//
// A Manager runs a pipeline on an operation. Isolated operations of one nest are independent and run in parallel; what
// passes report comes out in the order of the operations. After each pass the operation is verified. A panic in a pass
// becomes a Failure that names the pass and the operation. Instruments (IR dumps, timing, ...) watch through hooks;
// each is one file.
//
// # Source
//
// The textual form, the banners, reports and reproducers are those of MLIR's pass infrastructure
// (mlir.llvm.org/docs/PassManagement), so that tools that read them work with both.
package pipeline
