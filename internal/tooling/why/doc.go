// Package why explains remarks of passes by what the program lacks. It finds which number is not known to be
// divisible, where the fact was lost, the assume that restores it, and what that is worth.
//
// # Where a fact was lost
//
// Passes see no assume of the program any more when they choose instructions. They name the operand whose divisibility
// they did not know (ir.MissingFact). Here the program is compiled once more to nv_tileaa, which still has the
// assumes. The number is followed back through operations that keep a divisor, to the parameter or operation that has
// none.
//
//	%s = load stride of parameter 4        nothing is promised of parameter 4         <- lost here
//	%v = view ... strides [%s, 1]
//	load %v                                 needs a multiple of 8 elements
//
// # What it is worth
//
// The program is compiled twice from there, unchanged and with the assume after the place where the fact was lost.
// Counts of instructions in the code are exact. Cycles are the cost model's (passes/machine/cost) of one iteration of
// the slowest loop, or of the kernel if there is none: an estimate, and the text says so.
package why
