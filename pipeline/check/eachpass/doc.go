// Package eachpass finds the pass that changes what a kernel computes: an instrument that executes a numeric case
// after every pass.
//
// # Model
//
// The tile interpreter (target/engine/interp) runs the case on the input, and again after each pass that changed the
// IR, at the level that the IR has then. A result counts as the same while it satisfies the case's expectation, with
// the tolerances of the case: a pass may round differently. The pipeline stops at the first pass after which the
// outcome differs, or after which the kernel cannot be executed. The report has the first element that is wrong and
// its values before and after the pass.
//
// Below nv_tileas a copy of the IR goes the rest of the way to PTX, without optimization, and the PTX emulator runs
// that.
//
// The idea is that of translation validation (Pnueli, Siegel, Singerman, "Translation validation", TACAS 1998), by
// test instead of by proof.
package eachpass
