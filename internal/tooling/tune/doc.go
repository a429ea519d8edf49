// Package tune chooses among configurations of a kernel without a GPU: tile sizes, hints, plans.
//
//	64 x 64 x 64     least 210 us                pruned
//	128 x 128 x 64   least 190 us, estimated 257 us
//	128 x 256 x 64   least 180 us, estimated 196 us    the best
//
// # The search
//
// Each configuration is asked about in three steps, each dearer than the one before:
//
//   - Screen: it is compiled. It must compile, and fit into an SM. The tile block in the middle of its grid is timed with
//     the least traffic that is possible, which bounds its time from below (emulate.Engine.Least).
//   - Estimate: its time, as tile time estimates it (emulate.Engine.Sample). Configurations come in the order of their
//     bounds, and the search ends when no bound is lower than the best estimate by more than the slack.
//   - Class: its numerics class, see [Answer].
//
// # The same everywhere
//
// Which questions are asked follows from the answers alone. Workers answer questions that the search may need next. An
// answer that it does not come to has no part in the result. So the result depends neither on the number of workers
// nor on the time that answers take. Registers are those of the model unless ptxas is asked for by name, since a
// machine without ptxas would give another result.
//
// Questions have keys by content, so that answers can be kept in a cache, or come from another machine.
//
// tritonBLAS (arXiv 2512.04226) chooses tiles of GEMMs by a closed form of the latencies of memory levels. Here the
// model executes the code, so that any kernel can be asked about.
package tune
