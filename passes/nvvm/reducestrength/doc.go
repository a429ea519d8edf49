// Package reducestrength is the pass nvvm-reduce-strength: it turns what a loop computes from its counter again and again into something that the loop carries and steps.
//
// # Addresses
//
// The address of a tile's part grows by the same number of bytes with each iteration, but the conversion from tiles writes it as a sum of products of 64 bits: the offset of the view times its stride, and
// so on. Such an address becomes an argument of the loop's header, which starts where the first iteration would, and is stepped where the iteration ends. For a product of 128x128x64 in f16 that is one
// addition for each operand in place of eleven instructions (ptxas 13.5, sm_80).
//
// The other addresses of the same tile lie at distances that do not change, but that ptxas computes again in each iteration, since they are cheap. They are carried too, as long as registers are left by an
// estimate of what is alive in the loop (pressure.go).
//
// # Rings
//
// The slot of a ring of buffers is a counter that starts again at 0. Where all that is made of it is its multiple (the slot's place in shared memory), the counter counts in bytes instead. ptxas then has the
// place in a uniform register, which shared memory accesses add for free; a product it takes into the address, in a register for each (seen with ptxas 13.5 for sm_120).
//
// # Why here
//
// At the levels above, what a thread adds to an address is not there yet. The literature calls this strength reduction of induction variables (Cocke and Kennedy 1977; Cooper, Simpson and Vick, "Operator strength
// reduction", TOPLAS 2001); unlike there, linear functions are found in one walk over the loop, for loops with one block that leads back.
package reducestrength
