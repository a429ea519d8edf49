// Package cutproducts is the pass tileas-cut-products: it cuts products whose operands lie in shared memory into steps along their depth, each with a load of its own.
//
// As one operation, a product wants all of its operands in registers before it begins: a 128x128x64 product of halves in four warps takes 128 registers of each thread for them, as many as for the sum, although an
// instruction needs a few at a time. In steps of the instruction's depth it takes 32, and while one step multiplies the next one loads; the order in which that happens is the scheduler's, or ptxas's where
// there is none.
//
// The sum is what it was, bit by bit: a product adds along its depth in the same order (convert-tileas-to-nvvm).
package cutproducts
