// Package asm reads and prints the text of the IR: MLIR's generic syntax, the custom syntax that dialects define with hooks, and
// the declarative assembly formats of operation rows.
//
// # Model
//
// [Parse] turns text into operations. A hand-written lexer works on the text in place; a recursive-descent parser builds operations
// while it reads, in the arena of the isolated operation around them. A value that is used before its definition is stood in for by
// the result of a detached placeholder operation, which the definition replaces; a block that is named before it stands in the text
// lives in a region of its own until then.
//
// Isolated operations are read ahead by other goroutines (see read_ahead.go), which changes nothing but the time that it takes. An
// operation costs no allocation of its own: its parts are collected in lists that are used again, types are recognised by their
// spelling, and its location is the number of a place in the text, which becomes line and column when somebody asks.
//
// The parser gives up at the first error, unless it reads for an editor (recover.go, index.go). It reports a diagnostic and unwinds to the entry point, so no hook sees what follows an
// error. Types, attributes, locations and regions nest no deeper than a fixed limit, and no table grows faster than the text.
//
// [Print] is the inverse: what it prints parses back to the same module. Names that the text gave to values are kept; other
// values are named by the hints of their rows, or numbered, as the reference printer does it (see names.go and alias.go). Isolated
// operations and large blocks are printed in parallel, and the text is written while it is made (see stream.go).
//
// # Declarative formats
//
// An [ir.OpDef] with a Syntax string is parsed and printed by a compiled form of that string; format.go documents the language. It is
// the assemblyFormat of MLIR's operation definition specification, with one addition: type($a, $b) says that both have the type
// that is spelled. [CheckSyntax] reports what is wrong with a row's format.
//
// Sources: the MLIR Language Reference and "Operation Definition Specification" (mlir.llvm.org/docs).
package asm
