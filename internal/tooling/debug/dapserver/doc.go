// Package dapserver speaks the Debug Adapter Protocol over kernels in the interpreter.
//
// # Model
//
// One goroutine owns the session: it takes messages of the client one by one, and what the runner reports. A tile block
// is a thread of the protocol. Kernels stop together, since one tile block runs at a time. Variables get fresh numbers
// at each stop, and made when the client asks for them. A large tile is shown in parts of at most a hundred elements.
//
// # Bounds
//
// What a client sends is input like any other. Messages, headers, breakpoints, variables and bytes of memory have
// bounds. Only the two headers of the protocol are read, so that a web page which sends a form to the port of a
// debugger is no client. A message that makes no sense is answered with an error and changes nothing.
//
// Source: the Debug Adapter Protocol, microsoft.github.io/debug-adapter-protocol, version 1.68. Its messages are those
// of github.com/google/go-dap.
package dapserver
