// Package fuzz looks for miscompiled kernels: it runs random ones (package generate) in the interpreter and, compiled, in the emulator,
// compares what they leave in memory, and shrinks (package reduce) those that differ.
//
// # Model
//
// The interpreter at the level of the input is compared with what Options name: the emulator, which may be adversarial, and the interpreter at the
// levels below. ForSeed chooses targets and levels of optimisation such that consecutive seeds cover them.
//
// Check runs one kernel and returns a Finding, or none. Whatever a valid kernel may not do is a finding: be rejected, or be undefined in
// the interpreter, which are errors of the generator or of what it tests; fail to compile or to run; give other results. Findings of one
// kind that say the same have the same Signature, by which Shrink knows that a smaller kernel still shows what was found.
//
// A kernel that was shrunk may have become undefined in a way that the interpreter does not see, above all by two tile blocks that store
// to one place. So Shrink first tries to do with one tile block, and demands that accesses of a tile block are ordered, that no store has
// two elements for one place, and that nothing depends on the order of atomics.
package fuzz
