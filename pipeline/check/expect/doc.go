// Package expect holds what came of an input against the diagnostics that comments in it say must come. Tools do it
// for --verify-diagnostics:
//
//	// expected-error {{text}}           on this line; the message contains the text
//	// expected-warning@+2 {{text}}      two lines further down; also @-1
//	// expected-remark@below {{text}}    on the next line without such a comment; also @above
//	// expected-note@unknown {{text}}    at no known place
//	// expected-error-re {{a {{[0-9]+}} b}}   with regular expressions inside double braces
//
// Costs are held against bounds likewise:
//
//	// expected-ii@below {{<= 64}}         cycles from one iteration to the next of the loop, which is pipelined
//	// expected-shared@below {{<= 49152}}  bytes of shared memory of the kernel
//	// expected-spills@below {{0}}         bytes that ptxas spills in a thread of the kernel
//
// A diagnostic that no comment names is wrong, and so is a comment that no diagnostic meets. The comments are those
// of MLIR's -verify-diagnostics (mlir.llvm.org/docs/Diagnostics).
package expect
