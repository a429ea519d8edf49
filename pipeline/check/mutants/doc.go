// Package mutants damages the IR between two passes and looks at what the rest of the compiler makes of it.
//
// # Model
//
// A Kernel is a random one (package generate) together with its dumps: the text after each pass of a default pipeline,
// down to PTX. Mutate makes a small change to a dump of the levels above nvvm, such as a faulty pass, or an author of
// IR, could make:
//
//   - operands of one type are swapped
//   - an attribute, a shape or a layout is replaced
//   - an operation is left out, doubled or moved
//   - loop-carried values are exchanged
//   - a value is replaced by a choice of two
//
// Check takes the text of a mutant through everything that follows: parser, verifier, the check of the properties that
// the dump had, the remaining passes, and execution. Most mutants are wrong, and an error at an operation is what they
// should get. What a mutant must not get is a Finding:
//
//   - a panic, wherever it is, or a pass that does not end;
//   - an error that does not say where;
//   - PTX that the emulator does not read;
//   - PTX that does something else than the interpreter does with the mutant itself, if that is defined. So a mutant
//     need not mean what the kernel meant; the passes after it must keep what it means.
//
// Two kinds of mutants are not compared: those that the interpreter finds undefined, and those of level nvvm, which it
// does not execute. The interpreter looks for races, and for accesses that only do not race because they are stronger
// than weak. So a mutant whose result depends on the order of accesses is undefined. judged leaves out two more
// sources of legitimate differences: atomics whose results are used, and sums of floats, whose order is free.
//
// # Source
//
// MLIR's and LLVM's fuzzers mutate intermediate representations between passes: llvm-stress, opt-fuzzer, and
// alive-mutate (Fan and Regehr, "High-Throughput, Formal-Methods-Assisted Fuzzing for LLVM", CGO 2024). Comparison
// with an interpreter of the same level takes the place of translation validation.
package mutants
