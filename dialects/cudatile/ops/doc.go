// Package ops is the table of the cuda_tile dialect: one row for each operation.
//
//	_ = define(cudatile.LoadPtr, ir.OpDef{Operands: ..., Syntax: "...", Verify: verify.Load,
//		Caps: facts.Loads("source")}, groupMemory, ...)
//
// The parser, the printer, the verifier, the bytecode reader and writer and the reference pages work from the row.
// What [ir.OpDef] has no place for is in its Ext, a [Row]: the chapter, and which operands and results agree in type
// or shape. A test compares the table with the published description of the format.
//
// [Dialect] is the complete dialect, for [ir.NewContext]. Importing this package is what completes it: a context that
// registers a dialect with rows that nothing defined panics.
//
// # Text
//
// Most rows have a declarative format in the manner of MLIR's assemblyFormat; the others have hooks of package syntax.
// The output equals, byte by byte, what the vendor's disassembler prints, with its double blanks.
package ops
