// Package fuzz looks for miscompiled kernels. It runs random ones (package generate) in the interpreter and, compiled,
// in the emulator. It compares what they leave in memory, and shrinks those that differ (package shrink).
//
// # Model
//
// The interpreter at the level of the input is compared with what Options name: the emulator, which may be
// adversarial, and the interpreter at the levels below. ForSeed chooses targets and levels of optimization such that
// consecutive seeds cover them.
//
// Check runs one kernel and returns a Finding, or none. A finding is what a valid kernel may not do:
//
//   - be rejected, or be undefined in the interpreter: an error of the generator or of what it tests
//   - fail to compile or to run
//   - give other results
//
// Findings of one kind that say the same have the same Signature, by which Shrink knows that a smaller kernel still
// shows what was found.
//
// A kernel that was shrunk may have become undefined in a way that the interpreter does not see. The usual case is two
// CTAs that store to one place. So Shrink first tries a launch of one CTA. It demands that the accesses of a CTA are
// ordered, that no store has two elements for one place, and that nothing depends on the order of atomics.
package fuzz
