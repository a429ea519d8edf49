// Package asm reads and prints the text of the IR. It knows MLIR's generic syntax, the custom syntax that dialects
// define with hooks, and the declarative assembly formats of operation rows.
//
// # Model
//
// [Parse] turns text into operations. A hand-written lexer works on the text in place. A recursive-descent parser
// builds operations while it reads, in the arena of the isolated operation around them. A detached placeholder
// operation stands for a value that is used before its definition; the definition replaces its result. A block that is
// named before its label lives in a region of its own until then.
//
// Other goroutines read isolated operations ahead (parser/ahead.go), which changes nothing but the time. An operation
// costs no allocation of its own. The lists that collect its parts are used again, and types are recognised by their
// spelling. Its location is an offset in the text, which becomes line and column when somebody asks.
//
// The parser gives up at the first error, unless it reads for an editor ([ParseIndexed]). It reports a diagnostic and
// unwinds to the entry point, so no hook sees what follows an error. Types, attributes, locations and regions nest no
// deeper than a fixed limit, and no table grows faster than the text.
//
// [Print] is the inverse: what it prints parses back to the same module. Names that the text gave to values are kept.
// Other values are named by the hints of their rows, or numbered, as the reference printer does it. Isolated operations
// and large blocks are printed in parallel, and text is written while later text is still being made.
//
// # Declarative formats
//
// An [ir.OpDef] with a Syntax string is parsed and printed by a compiled form of that string; format/format.go
// documents the language. It is the assemblyFormat of MLIR's operation definition specification, with one addition:
// type($a, $b) says that both have the type that is spelled. [CheckSyntax] reports what is wrong with a row's format.
//
// # Rooms
//
// This package is the face of its rooms, and holds no algorithm but [Split] and [Tokens]:
//
//	parser, printer          the two directions; neither imports the other
//	format                   compiled declarative formats, which both follow
//	lexer, number            tokens and brackets; numbers as text
//	symbols, naming          names of values while parsing; names chosen for printing
//	index, resource          what editors ask; metadata at the end of a file
//
// Sources: the MLIR Language Reference and "Operation Definition Specification" (mlir.llvm.org/docs).
package asm
