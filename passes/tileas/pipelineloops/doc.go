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
// works for any number of iterations, none included. With E > 0 the whole is guarded by N >= E, and the loop as it was takes the rest; the guard, which is no loop, hands on finished sums of products only.
//
// # Values
//
// What an operation of lead p makes and one of lead l < p takes crosses p - l turns, through as many loop-carried values, which rotate. What rests on the counter alone is made again
// for each lead instead.
//
// # Buffers
//
// A buffer gets a slot for each iteration of which data is on its way or in use, by the times of the schedule; the slots are a ring. Copies that the schedule starts at one time are a group. Where a group
// starts warps meet: there is the wait for what is read until the next group starts, and behind it the barrier that tileas-insert-barriers finds necessary, since others have copied what is read, and since what the copies
// overwrite has been read by others. A wait leaves as many groups under way as are committed behind the one that it is for; every turn commits all groups, so that this number is the same in all turns.
//
// With all copies at one time, that is one wait and one barrier a turn, at its head. The copies themselves stand further down, beside products: the slots that they fill were read in the turn before. With copies
// that start apart, each stands where it starts, and its buffer has one slot.
//
// A buffer that threads store to is one place for all iterations. Where its data crosses turns it is allocated once, in front of them.
//
// # Products that run beside the threads
//
// Where warps meet, products that have read the slots that the turn fills are waited for too: with a slot more than synchronous products would need, those of the turn before the last, so that the tensor cores have work
// meanwhile. The copies stand behind the first product of a turn. Waits for sums stand where the schedule puts them. How many products each wait leaves under way follows from the order of the turns (products.go); a fence
// behind the wait for copies lets products see what they have brought.
package pipelineloops
