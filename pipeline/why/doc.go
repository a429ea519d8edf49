// Package why finds out for remarks of passes what the program lacks: which number is not known to be divisible, where it was lost, the assume that restores it, and what that is worth.
//
// # Where a fact was lost
//
// Passes see no assume of the program any more when they choose instructions. They name the operand that they asked in vain (ir.MissingFact). Here the program is taken once more to nv_tileaa, where promises still
// stand, and the number is followed back to what makes it: through operations that keep a divisor, to the parameter or operation that has none.
//
//	%s = load stride of parameter 4        nothing is promised of parameter 4         <- lost here
//	%v = view ... strides [%s, 1]
//	load %v                                 needs a multiple of 8 elements
//
// # What it is worth
//
// The program is compiled twice from there, as it is and with the assume behind the place where the fact was lost. Counts of instructions in the code are exact. Cycles are the cost model's (passes/schedule/cost) of one iteration
// of the slowest loop, or of the whole kernel where there is none: an estimate, and the text says so.
package why
