// Package synthesizedebuginfoscopes gives the functions of a Tile IR module debug scopes, so that a debugger or profiler can show lines of a
// program whose front end left nothing but file positions.
//
// The module becomes a compilation unit, each function without a scope of its own a subprogram in it, and each operation in that function a
// position in the subprogram. Positions come from the locations that are there; what has none gets that of its function, and a function without
// one the first line of the compilation unit's file. A function that has a scope is left alone, with all that is in it. It is no replacement for what
// a front end knows: blocks, inlined calls and names of the source are not there.
//
// # Source
//
// The pass of that name in NVIDIA's cuda-tile repository (lib/Dialect/CudaTile/Transforms/SynthesizeDebugInfoScopes.cpp), for which position
// stands for which location.
package synthesizedebuginfoscopes
