// Package control has the instructions that decide what a thread executes next, or whether it goes on: branches,
// calls, direct and by pointer, with their parameters, the stack, traps, and the functions that the device runtime
// provides (vprintf, malloc, free, __assertfail).
//
// How lanes that diverge are kept, and where they meet again, is the machine's business (machine/split.go,
// machine/reconverge.go): a branch here is only its targets.
//
// Source: PTX ISA, "Control Flow Instructions", "Stack Manipulation Instructions", "Miscellaneous Instructions";
// vprintf and the heap as the CUDA C++ programming guide describes them.
package control
