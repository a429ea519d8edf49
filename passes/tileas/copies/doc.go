// Package copies plans how tiles travel from global memory to where matrix instructions read them. The pass that writes the plan on the loads and the one that carries it out both rest on
// it.
//
// # What may go without registers
//
// A tiled load whose value reaches nothing but operands of matrix products, through layout conversions and permutations, would be loaded to registers, stored to shared memory and read back in the
// layout of the operand. By cp.async it goes to shared memory at once: a permutation is then a view of the buffer, and the conversion is the load from it. What the value feeds besides needs it in registers, so
// such a load stays.
//
// cp.async moves 4, 8 or 16 bytes that are consecutive and aligned in both memories, and fills with zeros only (PTX ISA, cp.async); [tileas.PlanCopy] says which copies that leaves.
//
// # Swizzle
//
// The buffer's layout is chosen for both sides, as that of a conversion through shared memory is: chunks of 16 bytes that a quarter of a warp writes without bank conflicts, and rows that
// ldmatrix reads. A layout that would tear chunks apart makes them smaller, and below 4 bytes the load stays in registers.
package copies
