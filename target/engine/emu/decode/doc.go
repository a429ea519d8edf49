// Package decode turns the statements of a kernel, and of the functions that it calls, into a program of the machine.
//
// It knows the shapes of operands (registers, constants, addresses, vectors, predicates, special registers), but no
// instruction: [Link] takes a table from the first word of an opcode to the function that decodes it. That function
// consumes the modifiers that it knows ([Decoder.Opt], [Decoder.OneOf], [Decoder.Type]) and the operands, and leaves
// a closure in Inst.Exec; a modifier that nobody consumed is an error, so that no form is executed by accident as if
// it were a plainer one.
//
// Everything that can be decided from the text is decided here, once, and faults of a program's text are errors of
// Parse, not of a run: a decoded instruction has register slots, masks and functions, and no string to compare.
// Lane-wise instructions are closures over a scalar function (see [Map2]); an interpreter loop with a switch over
// opcodes was not tried against it, but the inner loops over 32 lanes dominate either way.
package decode
