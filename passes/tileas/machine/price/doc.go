// Package price says what operations of nv_tileas cost in the model of an SM (passes/machine/cost).
//
// # Latencies
//
// Work element by element passes its first elements on while it computes the others. Within a basic block, ptxas
// interleaves the instructions of both. So the latency of such work is that of one instruction: the issue port, which
// both need, keeps them from being faster than their work.
//
// MMAs, reductions and conversions through shared memory pass nothing on before they are done.
//
// # What it is for
//
// The scheduler of loops decides with it the prefetch distance of copies, and which MMAs overlap with which
// arithmetic. Counts that it shares with layout assignment come from the capability transfer.Transfers, so that there
// is one table for both: steps of elementary functions, shuffles of reductions.
package price
