// Package syntax reads PTX text: lexer, parser, and the tree that they make, with names resolved and constants
// evaluated.
//
//	@!%p1 add.sat.f32 %f2, %f0, 0f3F800000;
//	  Stmt{Guard: not %p1, Op: "add", Mods: [sat f32], Args: [%f2 %f0 1.0]}
//
// It does not know what an instruction is. A [Stmt] is an opcode, its modifiers and operands as written, so that a new
// instruction changes nothing here. Whether "add.v7.f99" exists is a question for the decoder. It does know what PTX
// declares: state spaces, types, variables with their sizes and initial values, functions and tuning directives.
//
// Errors are thrown as *Error and caught by [Parse], and by the decoder, which rejects statements in the same way. The
// first error ends the work, so that nothing goes on with half a tree. Text is hostile: sizes, nesting and numbers of
// statements are bounded (see MaxStatements and its neighbours), so that memory stays proportional to the text.
//
// Source: PTX ISA, "Syntax", "State Spaces, Types, and Variables", "Abstracting the ABI", "Directives".
package syntax
