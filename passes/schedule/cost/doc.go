// Package cost says how long operations of nv_tileas keep the units of an SM busy, and when their results are there.
//
// # Model
//
// One tile block runs on the SM; its warps are spread evenly over the four partitions, and figures are cycles of one partition, as in the machine model of target/sm: an operation's instructions are counted
// for one warp, times the warps of a partition. What the partitions share (shared memory, the way to the L2 cache) counts whole for the block. Every instruction takes an issue slot too, so
// the issue port is a unit like any other, and the one that bounds most loops that are not made for the machine.
//
// A latency is the time from the first instruction of an operation to where a dependent operation can begin. What works element by element hands on its first elements while it makes the others, and ptxas
// interleaves the instructions of both within a basic block, so that is the latency of one instruction; the issue port, which both need, keeps them from being faster than
// their work. Products, reductions and conversions through shared memory hand on nothing before they are done.
//
// # What it is for
//
// The scheduler of loops decides with it how far copies run ahead and which products overlap with which arithmetic. It knows whole tiles and no caches, and is an
// estimate: no time that it gives is a measurement. Counts that it shares with layout assignment (steps of elementary functions, shuffles of reductions) come from the
// capability transfer.Transfers, so that there is one table for both.
package cost
