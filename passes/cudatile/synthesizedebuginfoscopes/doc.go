// Package synthesizedebuginfoscopes is the pass synthesize-debug-info-scopes. It gives the functions of a Tile IR
// module debug scopes, so that a debugger or profiler can show lines of a program whose front end left only file
// positions.
//
//	entry @f(...) { ... } loc("k.py":7:1)        loc = di_loc<"k.py":7:1 in subprogram @f of the compilation unit>
//
// The module becomes a compilation unit, each function without a scope a subprogram in it, and each operation of
// that function a position in the subprogram. Positions come from existing locations. An operation without one
// gets that of its function, and a function without one the first line of the compilation unit's file. A function
// that has a scope is left unchanged, with everything in it.
//
// The pass cannot replace a front end: blocks, inlined calls and names of the source are missing.
//
// # Source
//
// The pass of that name in NVIDIA's cuda-tile repository
// (lib/Dialect/CudaTile/Transforms/SynthesizeDebugInfoScopes.cpp), for which position belongs to which location.
package synthesizedebuginfoscopes
