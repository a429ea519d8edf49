// Package eliminatedeadstores is the pass tileaa-eliminate-dead-stores: a store that nothing can read goes.
//
// # Model
//
// A weak store is dead in two cases:
//
//   - A later weak store overwrites all of it (alias.SameLocation, and no mask that the first one lacks), control surely gets from one to the other, and in between nothing may
//     read it. The pass walks each block backwards with the stores that are surely to come; a read that may touch the place of one takes it from the list, and so does
//     anything that is stronger than weak, that orders kernels, or that may leave the block: behind a release, or at the end of the kernel, others see the memory. Other tile
//     blocks cannot see a weak store before that: reading it would be a race.
//   - It goes to memory that no one else can see, an alloca whose address does not escape, and nothing in the kernel reads the object.
//
// What was ordered after a store that is gone is ordered after what the store was ordered after.
package eliminatedeadstores
