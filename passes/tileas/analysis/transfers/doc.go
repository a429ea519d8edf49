// Package transfers plans how tiles are transferred from global memory to where matrix instructions read them. The
// pass that writes the plan on the loads and the one that carries it out both rest on it.
//
// # What may go without registers
//
// Take a tiled load whose value reaches only operands of MMAs, through layout conversions and permutations. It would
// be loaded to registers, stored to shared memory and read back in the layout of the operand. By cp.async it goes
// to shared memory at once: a permutation is then a view of the buffer, and the conversion is the load from it.
// Other users of the value need it in registers, so such a load stays.
//
// cp.async moves 4, 8 or 16 bytes that are consecutive and aligned in both memories, and fills with zeros only (PTX
// ISA, cp.async); [tileas.PlanCopy] says which copies that leaves.
//
// # Swizzle
//
// The buffer's layout is chosen for both sides, as that of a conversion through shared memory is. A quarter of a warp
// writes chunks of 16 bytes without bank conflicts, and ldmatrix reads rows. A layout that would tear chunks apart
// makes them smaller, and below 4 bytes the load stays in registers.
package transfers
