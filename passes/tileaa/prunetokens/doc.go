// Package prunetokens is the pass tileaa-prune-tokens: it removes token edges between accesses that need no order.
//
// For example, with %p and %q two allocas,
//
//	%t1 = store %x, %p token %t0          %t1 = store %x, %p token %t0
//	%t2 = store %y, %q token %t1          %t2 = store %y, %q token %t0         does not conflict with %p
//	%v, %t3 = load %p token %t2           %v, %t3 = load %p token %t1          only the first store matters
//
// # What needs order
//
// The memory model of Tile IR orders the accesses of a CTA by tokens alone. Two accesses that conflict and have
// no order have no meaning. So an access must stay ordered after each earlier one that it was ordered after and
// that
//
//   - conflicts with it: they may touch the same memory, and one writes (package alias);
//   - is stronger than weak, or if the access itself is. An acquire orders all that follows, and a release all
//     that comes before, also for other CTAs and for other memory. A relaxed access needs less; the gain is not
//     worth an argument about release sequences;
//   - affects the same other resource, as two prints do, or does not state its effects.
//
// # How
//
// Order is transitive, so removing one edge may remove others with it. Therefore every token is recomputed from
// the original ones. An access gets the tokens of all earlier accesses that it needs, without those that are
// implied by another one of them.
//
// Control flow merges tokens: operands of an if's or loop's terminator, and initial values. A merged token stays
// complete: all that came before it still does. So what follows can use the merge. If it needs nothing of what
// the loop or if itself does, it uses the tokens that entered the loop or if.
//
// A token that comes around a loop stands for earlier iterations, where an offset has another value; see
// alias.MayAliasIn.
//
// The work is bounded (maxSteps); a kernel that needs more is left unchanged.
package prunetokens
