// Package nvvm is the dialect of one thread: kernels with a control-flow graph of blocks (package cf), scalar arithmetic (package arith), and here
// what is particular to the machine: pointers with address spaces, loads, stores and atomic operations, special registers, warp collectives,
// barriers, asynchronous copies, matrix instructions, and variables of the module. It is what PTX is printed from, so each operation stands for
// one PTX instruction or a fixed short sequence; which of them a target has is in package target/sm, and legalising for a target is the business
// of passes.
//
// Names follow MLIR's nvvm and llvm dialects where those have the operation. Types are i1, i8, i16, i32, i64, f16, bf16, tf32, f32, f64, the 8-bit
// floats (as storage only) and !nvvm.ptr<space>; no instruction takes others, which a program may have until it is legalised. An i8 lives in a
// 16-bit register, zero-extended.
package nvvm
