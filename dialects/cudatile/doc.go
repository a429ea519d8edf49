// Package cudatile is the cuda_tile dialect, the input of the compiler: operations on whole tiles, views of tensors in
// global memory, and tokens that order memory operations.
//
// # The table
//
// Every operation is one row (an ir.OpDef, made with define) in the ops_*.go file of its family. A row says all that
// the parser, the printer, the verifier, the bytecode reader and writer and the reference pages need to know; what
// ir.OpDef has no place for stands in its Ext (see Row): which operands and results must agree in type or shape, which
// serves the verifier and, for what the text leaves out, the parser. Types, attributes and debug attributes that the
// bytecode stores have rows of their own (TypeRows, AttrRows, DebugRows). The numbers are frozen: a test compares the
// tables with the published description of the format.
//
// # Types
//
//	tile                                          a value: static power-of-two shape, number or pointer elements
//	ptr                                           an address of a number in global memory
//	tensor_view                                   base pointer, sizes and strides, some of them dynamic
//	partition_view, strided_view, gather_scatter_view
//	                                              a tensor_view cut into tiles that load and store by index
//	token                                         orders memory operations
//
// Types are built without checks; VerifyType applies the rules, and is what a reader of untrusted input calls.
//
// # Text
//
// Rows carry a declarative format in the manner of MLIR's assemblyFormat, compiled once into Parse and Print hooks (see
// syntax.go); the few operations that it cannot express have hooks of their own in syntax_*.go. The output is meant to
// be equal, byte by byte, to what the vendor's disassembler prints, including its double blanks.
//
// # Canonical forms
//
// Rows fold (fold*.go) what their operands determine, by the kernels of package ir/constfold, and have the patterns (canonical*.go) of the public
// dialect: for if, select and addf, and a few for shapes and sizes of views. Loops have none. What is not folded, and why, is listed with
// the test that compares folds with the interpreter.
//
// # Source
//
// The operations, their rules and their diagnostics follow the public Tile IR specification and NVIDIA/cuda-tile 13.3;
// what came with versions 13.4 and 13.5 follows the behaviour of the released tools.
package cudatile
