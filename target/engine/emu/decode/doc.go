// Package decode turns the statements of a kernel, and of the functions that it calls, into a program of the machine.
//
//	add.f32 %f2, %f0, %f1;
//	  Link finds the decoder of "add"; Opt("sat"), Type() consume the modifiers; an unknown one is an error
//	  Inst{Exec: closure, uses: %f0 %f1, defs: %f2}
//
// It knows the shapes of operands: registers, constants, addresses, vectors, predicates, special registers. It knows no
// instruction: [Link] takes a table from the first word of an opcode to its decoder. A decoder consumes modifiers
// ([Decoder.Opt], [Decoder.OneOf], [Decoder.Type]) and operands, and leaves a closure in Inst.Exec. A modifier that
// nobody consumed is an error, so that no form runs as if it were a plainer one.
//
// Everything that the text decides is decided here, once. So faults of the text are errors of Parse, not of a run, and
// a decoded instruction has slots, masks and functions but no strings. Lane-wise instructions are closures over a
// scalar function (see [Map2]). A switch over opcodes was not tried against that: the inner loops over 32 lanes
// dominate either way.
package decode
