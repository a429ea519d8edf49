// Package control has the instructions that decide what a thread executes next: branches, direct and indirect calls
// with their parameters, the stack, and traps. It also has the functions of the device runtime: vprintf, malloc, free,
// __assertfail.
//
//	@%p0 bra L1;          the lanes of %p0 go to L1, the others go on; the machine joins them later
//	call (ret), f, (a);   a frame of the callee's registers, and a return address
//
// The machine keeps diverged lanes and finds where they meet again (machine/split.go, machine/reconverge.go). A branch
// here is only its targets.
//
// Source: PTX ISA, "Control Flow Instructions", "Stack Manipulation Instructions", "Miscellaneous Instructions";
// vprintf and the heap as the CUDA C++ programming guide describes them.
package control
