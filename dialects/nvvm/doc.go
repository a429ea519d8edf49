// Package nvvm is the dialect of one thread. A kernel has a control-flow graph of blocks (package cf) and scalar
// arithmetic (package arith). This package adds what is particular to the machine:
//
//   - pointers with address spaces, loads, stores and atomic operations
//   - special registers, warp collectives and barriers
//   - asynchronous copies, MMA instructions, and variables of the module
//
// PTX is printed from it, so each operation stands for one PTX instruction or a fixed short sequence. Package
// target/sm knows which of them a target has, and passes legalize for a target.
//
// Names follow MLIR's nvvm and llvm dialects where those have the operation. Types are i1, i8, i16, i32, i64, f16,
// bf16, tf32, f32, f64, the 8-bit floats (as storage only) and !nvvm.ptr<space>. No instruction takes other types,
// which a program may have until it is legalized. An i8 lives in a 16-bit register, zero-extended.
package nvvm
