// Package cutproducts is the pass tileas-cut-products: it cuts products whose operands lie in shared memory into steps along their depth, each with a load of its own.
//
// As one operation, a product wants all of its operands in registers before it begins: a 128x128x64 product of halves in four warps takes 128 registers of each thread for them, as many as for the sum, although an
// instruction needs a few at a time. In steps of the instruction's depth it takes 32, and while one step multiplies the next one loads; the order in which that happens is the scheduler's, or ptxas's where
// there is none.
//
// # Products in threads
//
// Where the target has no instruction for the types, f32 above all, each thread multiplies and adds for itself: for a patch of r x c of the sum r*c multiply-adds for every step along the depth. Written out, that is
// thousands of instructions for a usual tile. So such a product becomes a loop over its depth, an scf.for whose turns load a few columns of A and rows of B from shared memory, at a place that only the run
// tells, and multiply them (threads.go); one that is little work stays in one piece, step by step.
//
// The loop is made here, in front of the scheduler, and not in the conversion to threads: so everything that looks at the kernel sees that the product reads its buffers from its beginning to its end, while
// only a step is in registers. The scheduler takes the loop as one operation (tileas.StepLoop), which gives it the true work, latency and registers: as a product of whole operands it would let copies
// overwrite them while they are still multiplied, or find hundreds of registers taken. The barrier is in front of the loop (package hazards), the interpreter runs it, and a dump shows it.
//
// The sum is what it was, bit by bit: a product adds along its depth in the same order (convert-tileas-to-nvvm).
package cutproducts
