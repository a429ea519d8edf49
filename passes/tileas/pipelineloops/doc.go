// Package pipelineloops is the pass tileas-pipeline-loops: it expands loops that have a modulo schedule, so that their iterations overlap as it says.
//
// # Turns
//
// The new loop runs in turns. In turn k an operation works for iteration k + lead, where its lead is how many stages it stands before the last one: copies far ahead, the arithmetic that ends an
// iteration at 0. Everything is derived from the leads and from the order of the operations in a turn:
//
//	turns -maxLead .. -1   before the loop: what runs ahead for the first iterations
//	turns 0 .. N-E-1       the loop; E is the lead of the first computation
//	turns N-E .. N-1       behind the loop: what is left of the last iterations
//
// Copies beyond the last iteration (lead > E) have a predicate, and loads are made empty by a size of 0, which reads nothing; so a loop whose computations are in one stage (E = 0) needs no code behind it, and
// works for any number of iterations, none included. With E > 0 the whole is guarded by N >= E, and the loop as it was takes the rest.
//
// # Values
//
// What an operation of lead p makes and one of lead l < p takes crosses p - l turns, through as many loop-carried values, which rotate. What rests on the counter alone is made again
// for each lead instead.
//
// # Buffers
//
// A buffer that a copy fills d turns before it is read becomes d + 1 slots, used in a ring. At the head of each turn stands one wait, for the groups of d - 1 later turns may be under way;
// behind it, and behind the barrier that tileas-insert-barriers then finds necessary, the copies of the turn fill the slot that was read in the turn before. So one barrier a turn is enough.
package pipelineloops
