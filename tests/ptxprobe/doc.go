// Package ptxprobe tests what scalar operations of level nvvm compute: it puts an operation into a kernel of its own,
// lowers and emits it, executes the PTX on many arguments, and hands each result to a judge. Where the assembler is
// installed, it must accept the PTX.
package ptxprobe
