// Package prunetokens is the pass tileaa-prune-tokens: it takes tokens away from accesses that need not be ordered, and gives them what they need instead.
//
// # What needs order
//
// The memory model of Tile IR orders the accesses of a tile block by tokens alone, and two that conflict without an order have no meaning. So an access must stay
// ordered after each earlier one that it was ordered after and that
//
//   - it conflicts with: they may touch the same memory, and one writes (package alias);
//   - is stronger than weak, or while it is itself: an acquire orders all that follows, a release all that goes before, also for other tile blocks, and also between
//     accesses that have nothing in common. relaxed would allow more; what is gained there is not worth an argument about release sequences;
//   - affects the same other resource, as two prints do, or does not say what it does.
//
// For example, with %p and %q two allocas,
//
//	%t1 = store %x, %p token %t0          %t1 = store %x, %p token %t0
//	%t2 = store %y, %q token %t1          %t2 = store %y, %q token %t0         nothing to do with %p
//	%v, %t3 = load %p token %t2           %v, %t3 = load %p token %t1          only the first store matters
//
// # How
//
// Order is transitive, so to take one edge away may take others with it. Therefore every token is computed anew from the original ones: an access gets those of all the
// accesses before it that it needs, less those that another one of them comes after already. Where control flow merges tokens (the operand of an if's or loop's
// terminator, an initial value), the merged one stays complete: all that came before it comes before it still. What follows can therefore take a merge as a whole, or,
// when it needs nothing of what the loop or if itself does, go past it to what the merge is made of outside.
//
// A token that comes around a loop stands for earlier iterations, where an offset has another value; see alias.MayAliasIn.
//
// The work is bounded (maxSteps); a kernel that needs more is left as it is.
package prunetokens
