// Package eliminatedeadstores is the pass tileaa-eliminate-dead-stores. It erases stores that nothing can read.
//
//	%t1 = store %x, %p                    (gone)
//	%t2 = store %y, %p token %t1          %t2 = store %y, %p
//
// # Model
//
// A weak store is dead in two cases:
//
//   - A later weak store overwrites all of it: it has the same location (alias.SameLocation) and no mask that the
//     first one lacks. Control provably gets from one to the other, and nothing in between may read the location.
//     The pass walks each block backwards with the list of stores that provably follow. A read that may touch the
//     location of one removes it from the list. So does anything that is stronger than weak, orders kernels, or
//     may leave the block: others see the memory after a release, or at the end of the kernel. Before that,
//     reading it in another CTA would be a race.
//   - It goes to memory that no one else can see, an alloca whose address does not escape, and nothing in the
//     kernel reads the object.
//
// What was ordered after an erased store is ordered after what that store was ordered after.
package eliminatedeadstores
