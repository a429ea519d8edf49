// Package remarks holds what the compiler says of its decisions to the programs that it says it of: kernels with a
// planted mistake must be told cause and cure, and the cure must work; and what is said must agree with what tileiras
// says of the same modules, or the difference must be explained (docs/conformance.md).
package remarks
