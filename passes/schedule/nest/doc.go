// Package nest decides whether the prologue of a pipelined inner loop can start in the previous iteration of the outer
// loop.
//
//	for i:  before(i); fill(i); steady(i); after(i)
//
// becomes
//
//	fill(0)
//	for i:  before(i); steady(i); fill(i+1); after(i)
//
// # Model
//
// A pipelined loop begins with a prologue that only copies: Prefetch iterations ([schedule.Shape]), called the fill.
// Nothing overlaps it, and the conversions and stores after the loop overlap nothing either.
//
// For the outer loop, the inner loop is one operation that starts with its fill (hierarchical reduction: Lam,
// "Software Pipelining: An Effective Scheduling Technique for VLIW Machines", PLDI 1988, section 3). The next fill can
// start as soon as the buffers have been read: right after the inner loop. So the outer loop is rotated by the fill,
// which is a modulo schedule of two stages.
//
// # What a fill needs
//
// A fill depends on the counter of the inner loop, which starts again, and on values of the outer iteration. These are
// rematerialized for the next iteration, from its counter and its loop-carried values. They must be free of effects,
// or weak loads.
//
// Only tokens order accesses in Tile IR. So a load or copy may move before everything that its token does not depend
// on. A token that depends on what the iteration writes keeps it in place.
//
// The last iteration has no next one. The fill then uses the values of the last iteration again, and copies nothing.
// So nothing is divided by a number, or loaded from an address, that the program would not use.
//
// # Costs
//
// The code of the fill exists twice. Its buffers are live at the same time as the scratch memory of conversions after
// the loop, and addresses take registers. room.go bounds all three.
//
// The package only decides. tileas-pipeline-loops rotates the loop.
package nest
