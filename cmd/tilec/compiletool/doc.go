// Package compiletool is the compiler driver tilec as a library: a kernel in, PTX or a cubin out, or the IR of a level
// on the way.
//
// # Two names
//
// Called as tilec, the tool has the habits of this project: text and bytecode, standard input and output, PTX by
// default, exit statuses 0, 1 and 2. Called as tileiras, it replaces NVIDIA's assembler of that name, as the front
// ends call it. Then it takes bytecode only, makes a cubin by default, requires --gpu-name, and has that tool's exit
// statuses. Its errors have the form that the front ends parse. The differences between the two are in persona.go, and
// nowhere else.
//
// # Output
//
// The output file appears complete or not at all. Of the options of tileiras, those that cannot be honoured yet are
// errors that say so.
package compiletool
