// Package mutants damages the IR between two passes and looks at what the rest of the compiler makes of it.
//
// # Model
//
// A Kernel is a random one (package generate) together with its dumps: the text behind each pass of a default pipeline, down to PTX. A dump of
// levels 1 to 3 is changed in small ways that a faulty pass, or somebody who writes IR by hand, could change it (Mutate): operands of one type swapped, an
// attribute, a shape or a layout replaced, an operation left out, doubled or moved, loop-carried values exchanged, a value replaced by a choice of two.
//
// Check takes the text of a mutant through everything that follows: parser, verifier, the check of the properties that the dump had, the remaining passes, and execution. Most mutants are
// wrong, and an error at an operation is what they should get. What a mutant must not get is a Finding:
//
//   - a panic, wherever it is, or a pass that does not end;
//   - an error that does not say where;
//   - PTX that the emulator does not read;
//   - PTX that does something else than the interpreter does with the mutant itself, if that is defined. So a mutant need not
//     mean what the kernel meant; the passes behind it must keep what it means.
//
// What is not compared: mutants that the interpreter finds undefined, and mutants of level nvvm, which it does not execute. The interpreter looks
// for races, and for accesses that only do not race because they are stronger than weak; so a mutant whose result depends on the order of accesses is undefined. Two more sources of legitimate differences are left out by
// judged: atomics whose results are looked at, and sums of floats, whose order is free.
//
// # Source
//
// Mutation of intermediate representations between passes is what MLIR's and LLVM's fuzzers do (llvm-stress, opt-fuzzer, alive-mutate: Fan and Regehr, "High-Throughput,
// Formal-Methods-Assisted Fuzzing for LLVM", CGO 2024); comparison with an interpreter of the same level takes the place of translation validation.
package mutants
