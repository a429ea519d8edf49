// Package nest decides whether a pipelined loop inside another one can begin before its turn of the outer loop does.
//
// # Model
//
// A pipelined loop begins with turns that only copy ([schedule.Shape], Lead of them), which fill its pipeline while nothing else happens, and what stands behind it, conversions and stores, runs with an
// empty one. Seen from the outer loop, the loop inside is one operation (hierarchical reduction: Lam, "Software Pipelining: An Effective Scheduling Technique for VLIW Machines", PLDI 1988, section 3), which
// starts with that fill; the fill of the next iteration can start as soon as the buffers have been read, that is behind the loop inside and before all else:
//
//	fill(0)
//	for i:  before(i); steady(i); fill(i+1); behind(i)
//
// That is rotation of the outer loop by the fill, a modulo schedule of two stages.
//
// # What a fill needs
//
// It rests on the counter of the loop inside, which starts anew, and on values of the outer iteration. Those are made again for the next one, from its counter and from what it carries on, if they are free
// of effects or weak loads. As nothing in Tile IR but tokens orders accesses, a load or copy may go ahead of all that its token does not come from; a token that rests on what
// the iteration writes keeps it where it is. In the last iteration there is no next one, and the values are those of the last one again: so no division is by what the program never divides by, and no address
// is one that the program never reads. The copies themselves copy nothing then.
//
// # What it costs
//
// The code of the fill, a second time; the memory of its buffers, which lives beside what conversions behind the loop go through; the registers of the addresses.
package nest
