// Package aliases holds what package alias says to executions: random kernels, whose arguments are the same memory on
// purpose, and the kernels of the corpus run in the interpreter, which reports every byte that an access touches.
package aliases
