// Package syntax reads PTX text: lexer, parser and the tree that they make, with names resolved and constants
// evaluated.
//
// It does not know what an instruction is. A [Stmt] is an opcode, its modifiers and operands as written, so that a
// new instruction changes nothing here; whether "add.v7.f99" exists is a question for the decoder. What it does know
// are the things that PTX declares: state spaces, types, variables with their sizes and initial values, functions and
// tuning directives.
//
// Errors are thrown as *Error and caught by [Parse] (and by the decoder, which rejects statements in the same way):
// the first one ends the work, so that nothing has to go on with half a tree. Text is hostile: sizes, nesting and
// numbers of statements are bounded (see MaxStatements and its neighbours), so that memory stays proportional to the
// text.
//
// Source: PTX ISA, "Syntax", "State Spaces, Types, and Variables", "Abstracting the ABI", "Directives".
package syntax
